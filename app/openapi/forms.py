"""The forms of what is sent and answered. Later versions add fields; what has a name here keeps its meaning."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from retrieval.types import NoVerdict

State = Literal["queued", "running", "done", "failed", "cancelled"]
THAT_COUNTS = "The verdict that counts: a person's if one has signed, else the machine's."
Label = Literal["SUPPORTED", "REFUTED", "NOT_ENOUGH_EVIDENCE", "CONFLICTING"]


class ProblemForm(BaseModel):
    """RFC 9457."""

    type: str
    title: str
    status: int
    detail: str = Field(description="What happened and what to do next, in sentences.")
    instance: str
    request: str = Field(description="The number of the request, as in X-Request-ID.")


class NewCheck(BaseModel):
    """A claim to check."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"claim": "One sentence to be checked."}]})

    claim: str = Field(description="One factual sentence.")
    recipe: str | None = Field(None, description="How it is checked; the default of the settings if left out.")
    against: str | list[str] | None = Field(
        None,
        description="What it is checked against: empty for the corpus of the settings; corpus, corpus:NAME or upload:ID; "
        "or several of them.",
    )
    fresh: bool = Field(False, description="Whether to check it again though the same check was made before.")
    shared: bool = Field(False, description="Whether all who have an account may see it; without accounts all may.")


class Sharing(BaseModel):
    """Who may see it."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"shared": True}]})

    shared: bool = Field(description="true: all who have an account; false: its owner and admins alone.")


class CheckChange(BaseModel):
    """What to change of a check; what is left out stays."""

    model_config = ConfigDict(
        strict=True, json_schema_extra={"examples": [{"name": "The speech of 3 May, first claim"}]}
    )

    name: str | None = Field(None, description="Shown beside the claim; at most 200 characters. Empty: no name.")
    shared: bool | None = Field(
        None, description="true: all who have an account may see it; false: its owner and admins alone."
    )


class Created(BaseModel):
    """id, and the address of the page for people."""

    id: str
    url: str
    earlier: bool = Field(description="Whether this is the answer to the same claim, checked before.")


class Stance(BaseModel):
    """Probabilities."""

    supports: float
    refutes: float
    neutral: float


class Origin(BaseModel):
    """Where a page comes from; null where not known."""

    url: str | None
    revision: int | str | None
    retrieved: str | None
    corpus: str | None = Field(description="The corpus that it is in.")


class DifferingSpan(BaseModel):
    """A part of the claim, or of the evidence's `text`."""

    start: int
    end: int
    text: str


class Differs(BaseModel):
    """Two parts that exclude each other."""

    claim: DifferingSpan
    sentence: DifferingSpan


class EvidenceForm(Origin):
    """A sentence: `text` is the page's text from `start` to `end` where `verified` is true."""

    page_id: str
    title: str
    also_called: str | None = Field(
        description="The other name by which the claim calls the page; null where it does not."
    )
    line: int
    start: int
    end: int
    text: str
    score: float = Field(description="Its relevance, 0 to 1.")
    stance: Stance
    method: str
    verified: bool
    rank_score: float | None
    rank_method: str
    differs: Differs | None = Field(
        None, description="Where it refutes the claim, if the verdict is that and this was found."
    )


class PageForm(Origin):
    """A page that the search found."""

    page_id: str
    title: str
    score: float
    method: str
    other_names: list[str] = Field(description="Names that lead to the page beside its title, at most 12.")


class Without(BaseModel):
    """The verdict without the sentences that it cites."""

    label: Label
    probabilities: dict[str, float]


class VerdictForm(BaseModel):
    """The verdict."""

    label: Label
    confidence: float | None
    probabilities: dict[str, float]
    calibrated: bool
    ratings: dict[str, float] | None
    one_source: bool
    reason: str
    method: str
    sources: list[int] | None
    abstained: bool
    leans: bool
    grounded: bool | None
    grounding: str
    without_evidence: Without | None


class QuestionForm(BaseModel):
    """A question with one answer; `sources` number the evidence from 1."""

    text: str
    answer: str
    sources: list[int]


class SpanForm(BaseModel):
    """A part of the claim."""

    text: str
    start: int
    end: int
    type: str


class Stage(BaseModel):
    """The progress of a stage."""

    name: str
    state: str
    done: int
    total: int
    ms: float | None


class CorpusForm(BaseModel):
    """The corpus that was read."""

    fingerprint: str
    pages: int


class Usage(BaseModel):
    """What calls to language models cost."""

    calls: int
    prompt_tokens: int
    reply_tokens: int
    seconds: float


class DecisionForm(BaseModel):
    """A person's decision; label null if they withdrew an earlier one."""

    label: Label | None
    note: str
    author: str
    at: str


class CheckForm(BaseModel):
    """The current state of a check."""

    id: str
    claim: str
    recipe: str
    state: State
    verdict: VerdictForm | None
    evidence: list[EvidenceForm]
    would_change: EvidenceForm | None = Field(description="The strongest sentence read for the other side.")
    pages: list[PageForm]
    questions: list[QuestionForm]
    spans: list[SpanForm]
    timings_ms: dict[str, float]
    corpus: CorpusForm | None
    models: dict[str, str]
    created: str
    finished: str
    notes: list[str]
    read_as: str | None = Field(description="The statement that was read, where that is not the claim as it stands.")
    denial: bool = Field(description="Whether the claim denies `read_as`: its verdict and stances are turned round.")
    no_verdict: NoVerdict | None = Field(
        description="Why there is no verdict: what the claim is instead of a statement."
    )
    details: dict[str, str]
    language_model: Usage | None
    program: str | None
    sentences: list[EvidenceForm] = Field(description="The best sentences so far.")
    name: str = Field(description="What people named it; empty if they did not.")
    against: str
    stages: list[Stage]
    error: str | None
    waiting_for: str | None = None
    decisions: list[DecisionForm] = Field(description="What people decided, oldest first.")
    shared: bool = Field(description="Whether all who have an account may see it.")
    waiting_before: int | None = Field(None, description="Checks in front of it; only while it has not ended.")


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


class NewDocuments(BaseModel):
    """Files in fields named `files`, and a name for them."""

    files: list[Any] = Field(
        json_schema_extra={"items": {"type": "string", "contentMediaType": "application/octet-stream"}}
    )
    name: str = ""
    shared: str = Field("", description="1 where all who have an account may see them.")
    language: str = Field("", description="Code of what they are written in, such as de. Without it, it is detected.")


class TakenDocuments(BaseModel):
    """The upload is being read."""

    id: str
    against: str = Field(description="What a check that is to read them names as its `against`.")
    url: str


class ReadFile(BaseModel):
    """What was read from a file."""

    file: str
    pages: int
    faults: list[str]
    language: str = Field("", description="Code of what it is written in, as given or detected; empty where unclear.")


class DocumentsForm(BaseModel):
    """An upload, and its reading progress."""

    id: str
    name: str
    state: Literal["reading", "ready", "failed"]
    files: list[ReadFile]
    total: int
    pages: int
    created: str
    error: str | None
    shared: bool = Field(description="Whether all who have an account may see it.")


class Choice(BaseModel):
    """Something to check against."""

    against: str
    name: str


class DocumentsList(BaseModel):
    """Everything that `against` can name."""

    documents: list[DocumentsForm]
    choices: list[Choice]


class Health(BaseModel):
    """The process answers."""

    status: str


class Readiness(BaseModel):
    """Whether a claim would be accepted and run. language_model: why it is left out for a minute; empty where it is not."""

    status: str
    corpus: CorpusForm
    language_model: str
