"""The nouns of fact checking, as frozen records. `FactCheck` is the one that travels through a pipeline.

All character offsets are half-open and count Unicode code points of `Page.text`:
`page.text[start:end]` is the quotation, always.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

SECOND_HOP = "second hop"  # method of what is read because a sentence names its page
ANSWER_TYPES = ("Extractive", "Abstractive", "Boolean", "Unanswerable")  # AVeriTeC's
WEB = "web"  # method of what was fetched from the open web for this check
RANKER, RULE = "ranker", "rule"  # rank_method of a probability to be evidence; of a sentence by which a rule decides


class Label(StrEnum):
    """What a check can conclude. FEVER's three labels are a subset; the mapping lives in `evaluation/`."""

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
    """One sentence to be checked, as typed. respelt: the same with misspelt words put right, empty where none are.

    context: what stood before it in a text, its title and the sentence in front, for the search alone; empty without one.
    read: the statement in it, without what surrounds it; of a question the statement it asks about, of a denial the positive
    sentence; empty where the text is read as it stands. turned: it is a denial, so that what supports `read` refutes it.
    """

    id: str
    text: str
    respelt: str = ""
    context: str = ""
    read: str = ""
    turned: bool = False

    @property
    def statement(self) -> str:
        """What is read of it, as it is spelt."""
        return self.read or self.text

    @property
    def reading(self) -> str:
        """As search and models read it."""
        return self.respelt or self.statement


@dataclass(frozen=True, slots=True)
class ReadClaim:
    """A claim with its reading, what people should know of that, and why there can be no verdict, if there cannot."""

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
    """One sentence of a page; `line` is its number in the source, as FEVER's evidence counts them.

    names: the page's further titles, which say nothing of the sentence itself and so do not tell it from another; nor do
    other_names, those that its text gives it, and site, the host of the wiki that the page is from, empty where it is from none.
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
        """All names of its page beside the title."""
        return (*self.names, *self.other_names)


@dataclass(frozen=True, slots=True)
class Page:
    """A page as people read it.

    lines: (line number, start, end) of each non-empty sentence in `text`, in order.
    links: titles that the page links to, in order of appearance.
    source: the file or the address it came from, empty for the encyclopedia.
    site: host of the wiki that the page is from, as en.wikipedia.org; empty where it is from none.
    revision: of the wiki's page, None where it is not known. retrieved: when the text was taken, an ISO date or month;
    empty where it is not known. names: further titles that lead to the page. other_names: those that its own first sentence
    gives it; they follow from the text, so two pages do not differ by them. prior: pages that link to it, 0 where
    nobody counted. disambiguation: it only lists what its title may mean, and is never evidence.
    part, parts: number of this passage and of all, where an article was cut; 0 where it is whole.
    corpus: name of the one that it was found in, where a check reads several. published: when a page of the open web says
    that it was, an ISO date. No store keeps these two.
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
        """All names beside the title."""
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
    """A page that a search found; `score` is comparable within one `method` only."""

    page: Page
    score: float
    method: str


@dataclass(frozen=True, slots=True)
class Stance:
    """What a sentence says about a claim; three probabilities that sum to 1."""

    supports: float
    refutes: float
    neutral: float


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a claim and a sentence exclude each other: half-open offsets into `Claim.text` and into `Sentence.text`."""

    claim: tuple[int, int]
    sentence: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sentence and what is thought of it.

    relevance: 0 to 1, how likely it matters to the claim; 0 where nothing has judged that yet. method: how it was found.
    verified: the page's text still reads so at the offsets. rank_score: what orders the sentences where their relevance
    does not, comparable within one `rank_method` only; None where relevance orders them. title_read: its page's title was
    read with it; not where the title itself states something of the claim, for a title is no evidence. differs: where it
    refutes the claim, if the check refutes it and the spans were found. also: the other name of the page by which the claim
    calls it; empty where it calls it by its title or not at all.
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
        """The page's title where models may read it with the sentence: empty where not."""
        return self.sentence.title if self.title_read else ""

    @property
    def title_as_read(self) -> str:
        """The same with the name that the claim uses: "Lindenburg Bridge, also Amber Bridge"."""
        return with_other_name(self.title, self.also)

    @property
    def weight(self) -> float:
        """How much it counts towards a verdict, 0 to 1: the probability that it is evidence, by ranker or rule, else relevance."""
        known = self.rank_method in (RANKER, RULE)
        return self.relevance if self.rank_score is None or not known else self.rank_score


def with_other_name(title: str, also: str) -> str:
    """A title and another name of the page as models read them; the title alone if either is empty."""
    return f"{title}, also {also}" if title and also else title


@dataclass(frozen=True, slots=True)
class QuestionAnswer:
    """A question asked of the corpus, one answer to it, and the evidence (numbers from 1) that gave the answer.

    answer: empty where none was looked for or found; a question with several stands in several of these. answer_type:
    AVeriTeC's (`ANSWER_TYPES`), if a language model named it. claimed: the claim's own answer, if a part of it is asked for.
    """

    question: str
    answer: str = ""
    sources: tuple[int, ...] = ()
    answer_type: str = ""
    claimed: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A label with probabilities (they sum to 1) and one sentence that says why.

    abstained: the confidence is below what the settings ask for; the label is only where it leans, which says nothing
    about the evidence. leans: a local verdict for or against the claim that is less sure than a full one has to be.
    without_evidence: the probabilities computed again without the sentences cited; None where that was not asked.
    sources: the evidence, numbered from 1, that a language model's reason names; empty where it names none and so is
    unsupported, None where the verdict is a local one, whose reason quotes its sentence itself.
    calibrated: the shares are probabilities, measured to be so; those of a language model are its own ratings, and empty
    where it gave a label without any. one_source: all that speaks for the label stands in one article or document, or in copies of it.
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
        """Share of the label given; 0 where a language model gave it without any rating."""
        return self.probabilities.get(self.label, 0.0)

    @property
    def rated(self) -> bool:
        """Whether the shares are ratings by a language model."""
        return self.sources is not None

    @property
    def label_without_evidence(self) -> Label | None:
        """The likeliest label without the sentences cited; None where that was not asked."""
        return likeliest(self.without_evidence) if self.without_evidence else None

    @property
    def grounded(self) -> bool | None:
        """Whether the label changes without the sentences cited, so that it rests on them; None: not asked."""
        return self.label_without_evidence is not self.label if self.without_evidence else None


def likeliest(probabilities: Mapping[Label, float]) -> Label:
    """The label of the highest probability; of equal ones, the first."""
    return max(probabilities, key=lambda label: probabilities[label])


@dataclass(frozen=True, slots=True)
class Reply:
    """What a language model wrote, unchecked. Tokens as its server counted them, or `estimated`; seconds with all retries."""

    text: str
    prompt_tokens: int = 0
    reply_tokens: int = 0
    seconds: float = 0.0
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class Limits:
    """What one call of a language model may cost: tokens of prompt and reply together, of the reply alone, seconds.

    reply_tokens: as suits what is asked for; a model that thinks, or LLM_REPLY_TOKENS, may take more of the `tokens`.
    """

    tokens: int
    reply_tokens: int
    seconds: float


@dataclass(frozen=True, slots=True)
class LLMCall:
    """One call in the record of a check: what it was for, and the reply. error: why there is none, empty otherwise.

    tokens_allowed, seconds_allowed: of all calls of the claim together, when this one was made; 0: not known.
    """

    purpose: str
    reply: Reply
    error: str = ""
    tokens_allowed: int = 0
    seconds_allowed: float = 0.0


@dataclass(frozen=True, slots=True)
class CorpusInfo:
    """What a store holds. fingerprint: hexadecimal, the same for the same pages in any order. built: ISO 8601, UTC.

    vectors: pages that have one. vector_model: id of the encoder that made them, empty where there is none.
    language: BCP 47, of its text; empty if not declared, which means English. stemmer: Snowball's name of the stemmer of
    its index; empty if words are indexed as they stand.
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

    pages: best first. sentences: all that were scored, best first. evidence: those of them that the verdict rests on.
    timings: milliseconds by stage name, in the order they ran. details: by stage name, what it used and found.
    found: (page id, BM25 score as a share of the best) of what a phrase found, best first, until the pages that matter are
    read. calls: of a language model, in the order made. program: name and version of what made the check, if known.
    no_verdict: why there is none, and none will be made; empty where there is one, or may be yet.
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

    def telling(self, stage: str, text: str) -> Mapping[str, str]:
        """`details` with a sentence of this stage."""
        return MappingProxyType({**self.details, stage: text})


@dataclass(frozen=True, slots=True)
class Progress:
    """One step of a running pipeline: `done` of `total` units of `stage`; `check` as it stands now."""

    stage: str
    done: int
    total: int
    check: FactCheck
