"""Forms of requests and answers about checks. Later versions may add fields; those here keep their meaning."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field

from retrieval.output.forms import EvidenceForm, Form, Known, Label, OrNull, PublicCheck, State
from retrieval.types import NoVerdict

Shared = Annotated[bool, Field(description="Whether everybody with an account may see it.")]
ToShare = Annotated[
    bool, Field(description="Whether everybody with an account may see it; without accounts, everybody may.")
]
# What earlier versions did not store is null in a row: an empty string, or false, to people.
Words = Annotated[str, BeforeValidator(lambda text: text or "")]
Whether = Annotated[bool, BeforeValidator(bool)]
THAT_COUNTS = "The verdict that counts: a person's if one has signed, else the machine's."


def example(**fields: Any) -> dict[str, Any]:
    """The request that the documentation and error messages show, for `json_schema_extra`."""
    return {"examples": [fields]}


class NewCheck(BaseModel, strict=True, json_schema_extra=example(claim="One sentence to be checked.")):
    """A claim to check."""

    claim: str = Field(description="One factual sentence.")
    recipe: str | None = Field(None, description="How to check it; without it, the default of the settings.")
    against: str | list[str] | None = Field(
        None,
        description="What to check it against: empty for the default corpus; corpus, corpus:NAME or upload:ID; or several "
        "of them.",
    )
    fresh: bool = Field(False, description="Whether to check it again even if the same check exists.")
    shared: ToShare = False


class TypedClaim(BaseModel, strict=True, json_schema_extra=example(claim="Is Warsaw a city?")):
    """A claim that somebody is typing."""

    claim: str = Field(max_length=2_000)


class ReadClaim(Form):
    """How a claim would be read."""

    read_as: str = Field(description="The statement that would be checked.")
    no_verdict: Annotated[NoVerdict | None, OrNull] = Field(
        description="Why it would get no verdict; null if it may get one."
    )
    note: str = Field(
        description="The same in a sentence, or how the claim was changed; empty if it is read as it stands."
    )


class CheckChange(BaseModel, strict=True, json_schema_extra=example(name="The speech of 3 May, first claim")):
    """What to change; fields left out stay as they are."""

    name: str | None = Field(None, description="Shown beside the claim; at most 200 characters. Empty removes it.")
    shared: bool | None = Field(
        None, description="true: everybody with an account may see it; false: only its owner and admins."
    )


class Created(Form):
    """The id, and the address of the page."""

    id: str
    url: str
    earlier: bool = Field(description="Whether this check existed already.")


class Stage(BaseModel):
    """A stage and its progress."""

    name: str
    state: str
    done: int
    total: int
    ms: float | None


class DecisionForm(Form):
    """A decision. label: null if it withdraws the one before."""

    label: Annotated[Label | None, OrNull]
    note: str
    author: str
    at: str


class CheckForm(PublicCheck):
    """A check in its current state."""

    sentences: list[EvidenceForm] = Field(description="The best sentences so far.")
    name: Words = Field(description="The name that people gave it, if any.")
    against: Words
    stages: list[Stage]
    error: Known
    waiting_for: Known = None
    decisions: list[DecisionForm] = Field(description="Decisions, oldest first.")
    shared: Shared
    waiting_before: int | None = Field(None, description="Number of checks in front of it, while it has not ended.")


class Watched(BaseModel):
    """How long to wait for news."""

    wait: float = Field(
        0,
        ge=0,
        le=10,
        description="Most seconds to wait for news of a check that has not ended. If many requests wait already, the answer "
        "comes at once.",
    )


class Page(BaseModel):
    """Which checks to list."""

    limit: int = Field(20, ge=1, le=100)
    before: str | None = Field(None, description="Id of the check after which the list continues.")
    words: str = Field("", max_length=500, description="Words in the claim or the name.")
    verdict: Label | None = Field(None, description=THAT_COUNTS)


class ShortVerdict(Form):
    """A verdict in a list."""

    label: Label
    confidence: float | None
    abstained: Whether
    leans: Whether


# Null for a row without a verdict.
MachineVerdict = Annotated[
    ShortVerdict | None, BeforeValidator(lambda row: row if getattr(row, "label", row) else None)
]


class CheckSummary(Form):
    """A check in a list."""

    id: str
    claim: str
    name: Words = Field(description="The name that people gave it, if any.")
    recipe: str
    against: Words
    state: State
    verdict: MachineVerdict = Field(description="The machine's verdict.")
    decision: DecisionForm | None = Field(description="The signed decision.")
    created: str
    finished: str
    url: str


class CheckList(Form):
    """Checks, newest first."""

    checks: list[CheckSummary]
    next: str | None = Field(description="Address of the older ones; null if there are none.")


class NewDecision(BaseModel, strict=True, json_schema_extra=example(label="REFUTED", note="", author="Ada Lovelace")):
    """A verdict, signed with a name."""

    label: str | None = Field(description="The verdict; empty or null withdraws the last decision.")
    author: str
    note: str | None = None
    seen: int | None = Field(
        None, ge=0, description="Number of decisions that you have seen; if there are more, the answer is 409."
    )
