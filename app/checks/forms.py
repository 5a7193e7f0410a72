"""Forms of requests and answers about checks. Later versions may add fields; those here keep their meaning."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field

from retrieval.output.forms import EvidenceForm, Label, PublicCheck, State
from retrieval.output.record import Json
from retrieval.types import NoVerdict

Shared = Annotated[bool, Field(description="Whether everybody with an account may see it.")]
ToShare = Annotated[
    bool, Field(description="Whether everybody with an account may see it; without accounts, everybody may.")
]
THAT_COUNTS = "The verdict that counts: a person's if one has signed, else the machine's."


def public(form: type[BaseModel], row: object, **more: Any) -> Json:
    """The public JSON of a row: the fields of the form in its order, from `more` or else from the row."""
    return {name: more[name] if name in more else getattr(row, name) for name in form.model_fields}


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


class ReadClaim(BaseModel):
    """How a claim would be read."""

    read_as: str = Field(description="The statement that would be checked.")
    no_verdict: NoVerdict | None = Field(description="Why it would get no verdict; null if it may get one.")
    note: str = Field(
        description="The same in a sentence, or how the claim was changed; empty if it is read as it stands."
    )


class CheckChange(BaseModel, strict=True, json_schema_extra=example(name="The speech of 3 May, first claim")):
    """What to change; fields left out stay as they are."""

    name: str | None = Field(None, description="Shown beside the claim; at most 200 characters. Empty removes it.")
    shared: bool | None = Field(
        None, description="true: everybody with an account may see it; false: only its owner and admins."
    )


class Created(BaseModel):
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


class DecisionForm(BaseModel):
    """A decision. label: null if it withdraws the one before."""

    label: Label | None
    note: str
    author: str
    at: str


class CheckForm(PublicCheck):
    """A check in its current state."""

    sentences: list[EvidenceForm] = Field(description="The best sentences so far.")
    name: str = Field(description="The name that people gave it, if any.")
    against: str
    stages: list[Stage]
    error: str | None
    waiting_for: str | None = None
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


class ShortVerdict(BaseModel):
    """A verdict in a list."""

    label: Label
    confidence: float | None
    abstained: bool
    leans: bool


class CheckSummary(BaseModel):
    """A check in a list."""

    id: str
    claim: str
    name: str = Field(description="The name that people gave it, if any.")
    recipe: str
    against: str
    state: State
    verdict: ShortVerdict | None = Field(description="The machine's verdict.")
    decision: DecisionForm | None = Field(description="The signed decision.")
    created: str
    finished: str
    url: str


class CheckList(BaseModel):
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
