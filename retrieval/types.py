"""The nouns of fact checking, as frozen records. `FactCheck` is the record that passes through a pipeline.

Character offsets are half-open and count Unicode code points of `Page.text`: `page.text[start:end]` is the quotation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType

SECOND_HOP = "second hop"  # method of a sentence that is read because another sentence names its page
ANSWER_TYPES = ("Extractive", "Abstractive", "Boolean", "Unanswerable")  # as in AVeriTeC
WEB = "web"  # method of a page fetched from the open web for this check
RANKER, RULE = "ranker", "rule"  # rank_method: by the probability of being evidence; by a rule that decides


class Label(StrEnum):
    """The conclusion of a check. FEVER's three labels are a subset; `evaluation/` maps them."""

    SUPPORTED = "SUPPORTED"
    REFUTED = "REFUTED"
    NOT_ENOUGH_EVIDENCE = "NOT_ENOUGH_EVIDENCE"
    CONFLICTING = "CONFLICTING"


class NoVerdict(StrEnum):
    """Why a check ends without a verdict: what the claim is instead of a statement, or its language."""

    QUESTION = "question"
    PHRASE = "phrase"
    GREETING = "greeting"
    OPINION = "opinion"
    REQUEST = "request"
    PREDICTION = "prediction"
    HYPOTHESIS = "hypothesis"
    LANGUAGE = "language"


SIDES = (Label.SUPPORTED, Label.REFUTED)  # labels that decide for or against a claim


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim as typed. Fields may be empty.

    respelt: the claim with misspelt words corrected. context: the title of its text and the sentence before it, used only
    to search. read: the statement, if it is not the claim itself: a part of it, a question's, or opposite to a denial.
    turned: whether the claim is a denial, so that support for `read` refutes it.
    """

    id: str
    text: str
    respelt: str = ""
    context: str = ""
    read: str = ""
    turned: bool = False

    @property
    def statement(self) -> str:
        """The statement that is read, in the spelling of the claim."""
        return self.read or self.text

    @property
    def reading(self) -> str:
        """The statement as search and models read it."""
        return self.respelt or self.statement


@dataclass(frozen=True, slots=True)
class ReadClaim:
    """A claim with its reading, notes on that reading, and the reason if there can be no verdict."""

    claim: Claim
    notes: tuple[str, ...] = ()
    no_verdict: NoVerdict | None = None


@dataclass(frozen=True, slots=True)
class Span:
    """A part of the claim that may name a page: `claim.statement[start:end] == text`."""

    text: str
    start: int
    end: int
    type: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a page. line: its number in the source, as FEVER's evidence counts them. names, other_names, site:
    the page's; sentences that differ only in them are equal.
    """

    page_id: str
    title: str
    line: int
    start: int
    end: int
    text: str
    names: tuple[str, ...] = field(default=(), compare=False, repr=False)
    site: str = field(default="", compare=False, repr=False)
    other_names: tuple[str, ...] = field(default=(), compare=False, repr=False)

    @property
    def all_names(self) -> tuple[str, ...]:
        """All names of the page except its title."""
        return (*self.names, *self.other_names)


@dataclass(frozen=True, slots=True)
class Page:
    """A page as people read it. Unknown fields are empty, None or 0.

    lines: (line number, start, end) of each non-empty sentence in `text`, in order. links: titles that the page links
    to, in order of appearance. source: the file or address that it came from. site: the host of the page's wiki, such as
    en.wikipedia.org. revision: of the wiki's page. retrieved: when the text was retrieved, an ISO date or month. names:
    further titles that lead to the page. other_names: names in its first sentence. prior: the number of pages that link
    to it. disambiguation: whether the page only lists what its title may mean; such a page is never evidence. part,
    parts: the number of this passage and of all passages, if an article was divided. corpus: the name of its corpus, if a
    check reads several. published: the ISO date that a page of the web gives. Stores hold neither.
    """

    id: str
    title: str
    text: str
    lines: tuple[tuple[int, int, int], ...]
    links: tuple[str, ...] = ()
    source: str = ""
    site: str = ""
    revision: int | None = None
    retrieved: str = ""
    names: tuple[str, ...] = ()
    prior: int = 0
    disambiguation: bool = False
    part: int = 0
    parts: int = 0
    corpus: str = ""
    published: str = ""
    other_names: tuple[str, ...] = field(default=(), compare=False, repr=False)

    @property
    def all_names(self) -> tuple[str, ...]:
        """All names except the title."""
        return (*self.names, *self.other_names)

    def sentences(self) -> list[Sentence]:
        """The page's sentences, in order."""
        return [
            Sentence(
                self.id, self.title, line, start, end, self.text[start:end], self.names, self.site, self.other_names
            )
            for line, start, end in self.lines
        ]


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that a search found; scores are comparable only within one `method`."""

    page: Page
    score: float
    method: str


@dataclass(frozen=True, slots=True)
class Stance:
    """How a sentence relates to a claim: three probabilities that sum to 1."""

    supports: float
    refutes: float
    neutral: float


@dataclass(frozen=True, slots=True)
class Difference:
    """The parts of claim and sentence that exclude each other: half-open offsets in `Claim.text` and `Sentence.text`."""

    claim: tuple[int, int]
    sentence: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sentence and how it was judged.

    relevance: the probability that it bears on the claim; 0 before it is judged. method: how it was found. verified:
    whether the page's text has this sentence at its offsets. rank_score: orders the sentences of one `rank_method`; None
    if relevance does. title_read: whether models read the page's title with it; not if the title states the claim. also:
    the other name by which the claim calls the page, if any. differs: the parts that exclude each other, if the check
    refutes the claim and they were found.
    """

    sentence: Sentence
    relevance: float
    stance: Stance
    method: str
    verified: bool = True
    rank_score: float | None = None
    rank_method: str = ""
    title_read: bool = True
    differs: Difference | None = None
    also: str = ""

    @property
    def title(self) -> str:
        """The page's title, if models may read it with the sentence; else empty."""
        return self.sentence.title if self.title_read else ""

    @property
    def title_as_read(self) -> str:
        """The title with the name that the claim uses: "Lindenburg Bridge, also Amber Bridge"."""
        return f"{self.title}, also {self.also}" if self.title and self.also else self.title

    @property
    def weight(self) -> float:
        """Its weight in a verdict, 0 to 1: the probability of being evidence, by ranker or rule, else the relevance."""
        known = self.rank_method in (RANKER, RULE)
        return self.relevance if self.rank_score is None or not known else self.rank_score


@dataclass(frozen=True, slots=True)
class QuestionAnswer:
    """A question about the claim, one answer to it if found, and the evidence for the answer (numbers from 1); a question
    with several answers has a record for each.

    answer_type: one of `ANSWER_TYPES`, if a language model named it. claimed: the claim's own answer, if it has one.
    """

    question: str
    answer: str = ""
    sources: tuple[int, ...] = ()
    answer_type: str = ""
    claimed: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A label with shares that sum to 1, and one sentence that says why.

    abstained: whether the confidence is below ABSTAIN_BELOW; the verdict then only leans to the label. leans: whether a
    local verdict for a side has less confidence than LEAN_BELOW. without_evidence: the shares without the sentences
    cited; None if not computed. sources: the evidence, numbered from 1, that a language model's reason cites; None for a
    local verdict. calibrated: whether the shares were measured to be probabilities; a language model's are ratings, and
    empty if it gave none. one_source: whether everything for the label is in one document or copies of it.
    """

    label: Label
    probabilities: Mapping[Label, float]
    reason: str
    method: str
    abstained: bool = False
    without_evidence: Mapping[Label, float] | None = None
    sources: tuple[int, ...] | None = None
    calibrated: bool = False
    one_source: bool = False
    leans: bool = False

    @property
    def confidence(self) -> float:
        """The label's share; 0 if a language model gave no ratings."""
        return self.probabilities.get(self.label, 0.0)

    @property
    def rated(self) -> bool:
        """Whether the shares are a language model's ratings."""
        return self.sources is not None

    @property
    def label_without_evidence(self) -> Label | None:
        """The likeliest label without the sentences cited; None if not computed."""
        return likeliest(self.without_evidence) if self.without_evidence else None

    @property
    def grounded(self) -> bool | None:
        """Whether the label changes without the sentences cited, and so rests on them; None if not computed."""
        return self.label_without_evidence is not self.label if self.without_evidence else None


def likeliest(probabilities: Mapping[Label, float]) -> Label:
    """The label with the highest probability; of equal ones, the first."""
    return max(probabilities, key=lambda label: probabilities[label])


@dataclass(frozen=True, slots=True)
class Reply:
    """A language model's reply, unchecked. Its server counts tokens, or they are `estimated`; seconds include retries."""

    text: str
    prompt_tokens: int = 0
    reply_tokens: int = 0
    seconds: float = 0.0
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one call to a language model. tokens: of prompt and reply. reply_tokens: more if the model thinks."""

    tokens: int
    reply_tokens: int
    seconds: float


@dataclass(frozen=True, slots=True)
class LLMCall:
    """One call. error: why there is no reply. tokens_allowed, seconds_allowed: the claim's limits then; 0 if unknown."""

    purpose: str
    reply: Reply
    error: str = ""
    tokens_allowed: int = 0
    seconds_allowed: float = 0.0


@dataclass(frozen=True, slots=True)
class CorpusInfo:
    """The description of a corpus. fingerprint: hexadecimal, the same for the same pages in any order. built: ISO 8601, UTC.

    vectors: the number of pages with a vector. vector_model: the id of the encoder that made them. language: BCP 47; if
    empty, English. stemmer: Snowball's name for the index's; if empty, words are indexed unstemmed.
    """

    pages: int
    fingerprint: str
    built: str
    schema: int
    vectors: int = 0
    bytes: int = 0
    name: str = ""
    vector_model: str = ""
    language: str = ""
    stemmer: str = ""


@dataclass(frozen=True, slots=True)
class FactCheck:
    """Everything known about one claim so far. A stage returns a changed copy (`dataclasses.replace`).

    pages: best first. sentences: all that were scored, best first. evidence: those that the verdict rests on. timings:
    stage name -> milliseconds, in order. details: stage name -> a sentence on what it used and found. found: (page id,
    BM25 score as a share of the best) of pages that contain a phrase, best first, until the relevant ones are read.
    calls: to a language model, in order. program: its name and version. no_verdict: why there will be none, if so.
    """

    claim: Claim
    recipe: str = "fast"
    spans: tuple[Span, ...] = ()
    questions: tuple[QuestionAnswer, ...] = ()
    pages: tuple[Hit, ...] = ()
    sentences: tuple[Evidence, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    verdict: Verdict | None = None
    timings: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    models: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    corpus: CorpusInfo | None = None
    notes: tuple[str, ...] = ()
    calls: tuple[LLMCall, ...] = ()
    details: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    program: str = ""
    found: tuple[tuple[str, float], ...] = ()
    no_verdict: str = ""

    def telling(self, stage: str, text: str) -> FactCheck:
        """A copy with a sentence from this stage in `details`."""
        return replace(self, details=MappingProxyType({**self.details, stage: text}))

    def noting(self, *notes: str) -> FactCheck:
        """A copy with these notes; empty ones are left out."""
        return replace(self, notes=(*self.notes, *filter(None, notes)))


@dataclass(frozen=True, slots=True)
class Progress:
    """One step of a running pipeline: `done` of `total` units of `stage`; `check` is the record so far."""

    stage: str
    done: int
    total: int
    check: FactCheck
