"""The forms of what is sent and answered. Later versions add fields; what has a name here keeps its meaning."""

from __future__ import annotations

from pydantic import BaseModel, Field

from retrieval.output.forms import EvidenceForm, Label, PublicCheck, State
from retrieval.types import NoVerdict

THAT_COUNTS = "The verdict that counts: a person's if one has signed, else the machine's."


class NewCheck(BaseModel, strict=True, json_schema_extra={"examples": [{"claim": "One sentence to be checked."}]}):
    """A claim to check."""

    claim: str = Field(description="One factual sentence.")
    recipe: str | None = Field(None, description="How it is checked; the default of the settings if left out.")
    against: str | list[str] | None = Field(
        None,
        description="What it is checked against: empty for the corpus of the settings; corpus, corpus:NAME or upload:ID; "
        "or several of them.",
    )
    fresh: bool = Field(False, description="Whether to check it again though the same check was made before.")
    shared: bool = Field(False, description="Whether all who have an account may see it; without accounts all may.")


class TypedClaim(BaseModel, strict=True, json_schema_extra={"examples": [{"claim": "Is Warsaw a city?"}]}):
    """What somebody is typing."""

    claim: str = Field(max_length=2_000)


class ReadClaim(BaseModel):
    """What a claim is taken for. Nothing is stored or started."""

    read_as: str = Field(description="The statement that would be checked.")
    no_verdict: NoVerdict | None = Field(description="Why it would get no verdict; null where it may get one.")
    note: str = Field(description="The same in a sentence, or how it was read; empty if it is read as it stands.")


class CheckChange(
    BaseModel, strict=True, json_schema_extra={"examples": [{"name": "The speech of 3 May, first claim"}]}
):
    """What to change of a check; what is left out stays."""

    name: str | None = Field(None, description="Shown beside the claim; at most 200 characters. Empty: no name.")
    shared: bool | None = Field(
        None, description="true: all who have an account may see it; false: its owner and admins alone."
    )


class Created(BaseModel):
    """id, and the address of the page for people."""

    id: str
    url: str
    earlier: bool = Field(description="Whether this is the answer to the same claim, checked before.")


class Stage(BaseModel):
    """The progress of a stage."""

    name: str
    state: str
    done: int
    total: int
    ms: float | None


class DecisionForm(BaseModel):
    """A person's decision; label null if they withdrew an earlier one."""

    label: Label | None
    note: str
    author: str
    at: str


class CheckForm(PublicCheck):
    """The current state of a check."""

    sentences: list[EvidenceForm] = Field(description="The best sentences so far.")
    name: str = Field(description="What people named it; empty if they did not.")
    against: str
    stages: list[Stage]
    error: str | None
    waiting_for: str | None = None
    decisions: list[DecisionForm] = Field(description="What people decided, oldest first.")
    shared: bool = Field(description="Whether all who have an account may see it.")
    waiting_before: int | None = Field(None, description="Checks in front of it; only while it has not ended.")


class Watched(BaseModel):
    """How long an answer may be held back."""

    wait: float = Field(
        0,
        ge=0,
        le=10,
        description="Seconds within which the answer may be held back until there is something new of a check that has "
        "not ended. Where many wait, it comes at once.",
    )


class Page(BaseModel):
    """Which part of a list."""

    limit: int = Field(20, ge=1, le=100)
    before: str | None = Field(None, description="The id of the check that the list continues after.")
    words: str = Field("", max_length=500, description="Words that the claim or the name holds.")
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
    name: str = Field(description="What people named it; empty if they did not.")
    recipe: str
    against: str
    state: State
    verdict: ShortVerdict | None = Field(description="The machine's.")
    decision: DecisionForm | None = Field(description="What a person has signed.")
    created: str
    finished: str
    url: str


class CheckList(BaseModel):
    """Newest first."""

    checks: list[CheckSummary]
    next: str | None = Field(description="The address of the older ones.")


class NewDecision(
    BaseModel, strict=True, json_schema_extra={"examples": [{"label": "REFUTED", "note": "", "author": "Ada Lovelace"}]}
):
    """A person's own verdict, signed with their name."""

    label: str | None = Field(description="A verdict; empty or null takes back what was decided.")
    author: str
    note: str | None = None
    seen: int | None = Field(None, ge=0, description="How many decisions you have seen: where there are more, 409.")
