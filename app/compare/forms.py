"""The forms of one claim checked in several ways."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from app.checks.forms import Created
from retrieval.output.forms import EvidenceForm, Label


class NewComparison(
    BaseModel,
    strict=True,
    json_schema_extra={"examples": [{"claim": "One sentence to be checked.", "recipes": ["careful", "fast"]}]},
):
    """A claim, and the ways to check it: each recipe with each thing to read, two to four in all."""

    claim: str = Field(description="One factual sentence.")
    recipes: Annotated[list[str], Field(min_length=1, max_length=4)]
    against: Annotated[list[str], Field(min_length=1, max_length=4)] = Field(
        ["corpus"], description="corpus, corpus:NAME or upload:ID."
    )


class Started(BaseModel):
    """The checks, in the order of recipes and within each of what they read; where earlier, no new one was needed."""

    checks: list[Created]
    url: str = Field(description="The page that shows them side by side.")


class Which(BaseModel):
    """Which checks to compare."""

    checks: str = Field(description="Ids of two to four checks, separated by commas.", min_length=1, max_length=400)


class CitedForm(EvidenceForm):
    """A sentence of evidence, and who else cites it."""

    also: list[str] = Field(description="Ids of the other checks that do.")
    only: bool = Field(description="Whether no other finished check does.")


class ComparedForm(BaseModel):
    """A check beside the others; without a verdict it has not ended, or gave none."""

    id: str
    state: str
    recipe: str
    against: str
    verdict: str | None = Field(description="In the words of the page.")
    label: Label | None
    confidence: float | None
    leans: bool
    differs: bool = Field(description="Whether another finished check has another verdict.")
    evidence: list[CitedForm]


class ComparisonForm(BaseModel):
    """Checks side by side."""

    claims: list[str] = Field(description="What was checked; more than one if the checks are of different claims.")
    summary: str = Field(description="What differs; empty before two have ended.")
    checks: list[ComparedForm]
    url: str
