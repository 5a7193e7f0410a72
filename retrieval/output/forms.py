"""The public form of a check: the command line, HTTP and the exports write it, and OpenAPI describes it. Later versions
may add fields, but fields never change their meaning (docs/interfaces.md).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from retrieval.types import NoVerdict

State = Literal["queued", "running", "done", "failed", "cancelled"]
Label = Literal["SUPPORTED", "REFUTED", "NOT_ENOUGH_EVIDENCE", "CONFLICTING"]
Share = Annotated[float, AfterValidator(lambda value: round(value, 4))]
OrNull = BeforeValidator(lambda value: value or None)
Known = Annotated[str | None, OrNull]

CONTRADICTION = "Where sentence and claim contradict each other, if the claim is refuted and the place was found."


class Form(BaseModel):
    """Public JSON, with its keys in the order of the fields."""

    model_config = ConfigDict(from_attributes=True)

    @classmethod
    def of(cls, *records: object, **more: Any) -> Self:
        """Fill the form: each field from `more`, or else from the first record that has it."""
        known = {name: getattr(one, name) for one in records[::-1] for name in cls.model_fields if hasattr(one, name)}
        return cls.model_validate({**known, **more})

    def as_json(self) -> dict[str, Any]:
        """The JSON, without the fields that were not filled."""
        return self.model_dump(mode="json", exclude_unset=True)


class Stance(Form):
    """Probabilities."""

    supports: Share
    refutes: Share
    neutral: Share


class Origin(Form):
    """Where a page comes from; unknown fields are null."""

    url: Known
    revision: int | str | None
    retrieved: Known
    corpus: Known = Field(description="The corpus that it is in.")


class DifferingSpan(Form):
    """A part of the claim, or of the evidence's `text`."""

    start: int
    end: int
    text: str


class Differs(Form):
    """Two parts that exclude each other."""

    claim: DifferingSpan
    sentence: DifferingSpan


class Quotation(Form):
    """A sentence of a page."""

    page_id: str
    title: str
    also_called: Known = Field(description="The other name by which the claim calls the page; null if it uses none.")
    line: int
    start: int
    end: int
    text: str
    score: Share = Field(description="Its relevance, 0 to 1.")
    stance: Stance
    method: str
    verified: bool
    rank_score: Share | None
    rank_method: str
    differs: Differs | None = Field(None, description=CONTRADICTION)


class EvidenceForm(Origin, Quotation):
    """A sentence: `text` is the page's text from `start` to `end` where `verified` is true."""


class Found(Form):
    """A page that a search found."""

    page_id: str
    title: str
    score: Share
    method: str
    other_names: list[str] = Field(description="Names that lead to the page beside its title, at most 12.")


class PageForm(Origin, Found):
    """A page that the search found."""


class Without(Form):
    """The verdict without the sentences that it cites."""

    label: Label
    probabilities: dict[str, Share]


class VerdictForm(Form):
    """The verdict."""

    label: Label
    confidence: Share | None
    probabilities: dict[str, Share]
    calibrated: bool
    ratings: dict[str, Share] | None
    one_source: bool
    reason: str
    method: str
    sources: list[int] | None
    abstained: bool
    leans: bool
    grounded: bool | None
    grounding: str
    without_evidence: Without | None


class ClaimForm(Form):
    """A sentence of a text, reworded to stand alone. original: the sentence, from `start` to `end` in the text."""

    text: str
    original: str
    start: int
    end: int
    score: float = Field(description="How much it is worth checking, 0 to 1.")
    kind: str
    speaker: str
    context: str


class QuestionForm(Form):
    """A question with one answer; `sources` number the evidence from 1."""

    text: str
    answer: str
    sources: list[int]
    answer_type: Known = Field(description="AVeriTeC's type of the answer; null if unknown.")
    claimed: Known = Field(description="The claim's own answer; null if the question is not about a part of the claim.")


class SpanForm(Form):
    """A part of the claim."""

    text: str
    start: int
    end: int
    type: str


class CorpusForm(Form):
    """The corpus that was read."""

    fingerprint: str
    pages: int


class Usage(Form):
    """The cost of calls to language models."""

    calls: int
    prompt_tokens: int
    reply_tokens: int
    seconds: Annotated[float, AfterValidator(lambda value: round(value, 3))]


class PublicCheck(Form):
    """A check, without the fields that the web application adds."""

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
    read_as: Known = Field(description="The statement that was read; null if it is the claim itself.")
    denial: bool = Field(description="Whether the claim denies `read_as`; verdict and stances are then reversed.")
    no_verdict: Annotated[NoVerdict | None, OrNull] = Field(
        description="Why there is no verdict: what the claim is instead of a statement."
    )
    details: dict[str, str]
    language_model: Usage | None
    program: Known
