"""Forms of requests and answers about comparisons."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from app.checks.forms import Created, Whether, Words, example
from retrieval.output.forms import EvidenceForm, Form, Known, Label


class NewComparison(
    BaseModel,
    strict=True,
    json_schema_extra=example(claim="One sentence to be checked.", recipes=["careful", "fast"]),
):
    """A claim and the ways to check it: each recipe with each corpus, two to four in all."""

    claim: str = Field(description="One factual sentence.")
    recipes: Annotated[list[str], Field(min_length=1, max_length=4)]
    against: Annotated[list[str], Field(min_length=1, max_length=4)] = Field(
        ["corpus"], description="corpus, corpus:NAME or upload:ID."
    )


class Started(Form):
    """The checks, by recipe and then by corpus. earlier: the check existed already."""

    checks: list[Created]
    url: str = Field(description="The page that shows them side by side.")


class Which(BaseModel):
    """The checks to compare."""

    checks: str = Field(description="Ids of two to four checks, separated by commas.", min_length=1, max_length=400)


class CitedForm(EvidenceForm):
    """A sentence of evidence, and which other checks cite it."""

    also: list[str] = Field(description="Ids of the other checks that cite it.")
    only: bool = Field(description="Whether no other finished check cites it.")


class ComparedForm(Form):
    """A check beside the others. verdict: null if it has not ended, or gave none."""

    id: str
    state: str
    recipe: str
    against: Words
    verdict: Known = Field(description="As the page words it.")
    label: Label | None
    confidence: float | None
    leans: Whether
    differs: bool = Field(description="Whether another finished check has another verdict.")
    evidence: list[CitedForm]


class ComparisonForm(Form):
    """Checks side by side."""

    claims: list[str] = Field(description="The claims; more than one if the checks are of different claims.")
    summary: str = Field(description="What differs, in a sentence or two; empty until two have ended.")
    checks: list[ComparedForm]
    url: str
