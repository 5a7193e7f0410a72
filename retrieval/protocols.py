"""The protocols between the parts of a pipeline. `tests/contracts/` has a suite for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from retrieval.types import Claim, CorpusInfo, FactCheck, Limits, Page, Progress, ReadClaim, Reply, Stance

Matrix = NDArray[np.float32]


@runtime_checkable
class PageStore(Protocol):
    """A corpus open for reading, safe to share between threads. It answers from the generation that it opened, while a
    loader (`indexing/`) builds the next one beside it.
    """

    def get(self, page_ids: Sequence[str]) -> dict[str, Page]:
        """Pages by id; unknown ids are left out."""

    def find_titles(self, spans: Sequence[str], top_k: int = 100) -> list[tuple[Page, bool]]:
        """Pages whose folded title is one of the folded spans, each once, at most `top_k` (by digest among equals).

        Second value: True for the whole title, False for the title without its bracket ("Savages" finds "Savages (2012
        film)"). Order: spans as given, whole titles first, then by id.
        """

    def search_text(self, query: str, phrases: Sequence[str] = (), top_k: int = 10) -> list[tuple[Page, float]]:
        """BM25 over title and text, best first; ties by id. Each phrase found in a page adds a score.

        The most frequent words of a query are not looked up (`words.searched`). If `top_k` separates pages with equal scores,
        those with the lowest digests are taken: every store agrees on these. If neither the query nor a phrase has a
        word: []. Both are plain text, without operators.
        """

    def rank_text(self, query: str, phrases: Sequence[str] = (), top_k: int = 10) -> list[tuple[str, float]]:
        """As `search_text`, with the pages' ids in place of the pages: for searches of which few pages are read."""

    def find_pages(
        self, spans: Sequence[str], query: str, top_titles: int, top_texts: int
    ) -> tuple[list[tuple[Page, bool]], list[tuple[Page, float]]]:
        """The results of `find_titles(spans, top_titles)` and `search_text(query, top_k=top_texts)`, in one round trip."""

    def respell(self, words: Sequence[str]) -> dict[str, str]:
        """Word -> the most common word one edit away (`text.spelling`), for words that no page contains. Words without such
        a neighbour are left out. words: folded.
        """

    def score_vectors(self, page_ids: Sequence[str], query_vectors: Matrix) -> Matrix:
        """Cosine of each page's vector with each query's: (len(page_ids), len(query_vectors)), float32; -1 for pages that
        are unknown or have no vector.

        query_vectors: of any length, by the encoder that `info().vector_model` names (or its counterpart for questions);
        others give meaningless scores. Raises NoVectors if no page has a vector or if the dimensions differ.
        """

    def scan(self, after: int = -1) -> Iterator[list[tuple[int, Page]]]:
        """All pages with their digests (`stores.pages`) above `after`, ascending, in batches, which may be empty."""

    def count(self) -> int:
        """Number of pages."""

    def info(self) -> CorpusInfo:
        """A description of the corpus."""

    def is_current(self) -> bool:
        """False after a loader has switched the corpus; cheap to call. Raises StoreError if the corpus is gone."""

    def close(self) -> None:
        """Release files and connections; safe to call twice."""


class VectorWriter(Protocol):
    """Writes the vectors of a corpus's pages. done: pages that an interrupted run finished. after: the digest of the last
    of them; -1 if there is none.
    """

    after: int
    done: int

    def known(self, digests: Sequence[int]) -> dict[int, NDArray[np.int8]]:
        """Existing vectors to reuse, by their pages' digests."""

    def add(self, pages: Sequence[tuple[int, Page]], vectors: NDArray[np.int8]) -> None:
        """The next pages by ascending digest, with their vectors, (pages, dimension)."""

    def checkpoint(self) -> None:
        """Make everything added so far survive a crash."""

    def finish(self) -> CorpusInfo:
        """Switch readers to the corpus with vectors."""


class Encoder(Protocol):
    """Turns texts into unit vectors."""

    dimension: int

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Matrix (len(texts), dimension), float32, rows of unit length. Texts are cut to the model's maximum length."""


@runtime_checkable
class PairEncoder(Encoder, Protocol):
    """An encoder trained on pairs of title and text, like DPR's for passages."""

    def encode_pairs(self, pairs: Sequence[tuple[str, str]]) -> Matrix:
        """Matrix (len(pairs), dimension) of (title, text) pairs. The longer half is cut to the model's maximum length."""


class PairScorer(Protocol):
    """Judges sentences against a claim."""

    def score(self, claim: str, sentences: Sequence[str]) -> Iterator[tuple[list[int], list[float], list[Stance]]]:
        """Batches of (indices into `sentences`, relevances from 0 to 1, stances); each index comes once."""

    def judge_together(self, claim: str, sentences: Sequence[str]) -> Stance:
        """The stance of several sentences, best first, when read together; later ones may be left out."""


class Reader(PairScorer, Protocol):
    """A slower scorer that yields one sentence at a time, in order, and can begin a reading in advance."""

    def begin_together(self, claim: str, sentences: Sequence[str]) -> None:
        """Begin, if there is time, to read sentences that `judge_together` will probably be called with."""


class LLM(Protocol):
    """A language model that writes. id: as shown in the `models` of a check."""

    id: str

    def complete(
        self,
        instructions: str,
        content: str,
        schema: Mapping[str, object] | None = None,
        *,
        limits: Limits | None = None,
    ) -> Reply:
        """One call. Retrieved text belongs in `content`, never in `instructions`.

        schema: JSON schema for the reply, which the server may enforce; the reply is unchecked text in any case.
        limits: tighter ones than the model's (`retrieval.llm.budget.ask` passes the rest of the claim's budget). Raises
        LLMError if there is no complete reply.
        """


class QuestionGenerator(Protocol):
    """Asks for parts of a claim. id: as shown in the `models` of a check."""

    id: str

    def ask(self, claim: str, answers: Sequence[tuple[int, int, str]]) -> list[str]:
        """One question for each answer span (start, end, type) of the claim, in order; "" if none can be made."""


class RelevanceClassifier(Protocol):
    """Judges whether sentences bear on a claim. id: as shown in the `models` of a check."""

    id: str

    def relevance(self, claim: str, sentences: Sequence[str]) -> list[float]:
        """One probability per sentence, 0 to 1, in order."""


class StanceReader(Protocol):
    """Judges whether sentences support a claim or contradict it. id: as shown in the `models` of a check."""

    id: str

    def stances(self, claim: str, sentences: Sequence[str]) -> list[Stance]:
        """One stance per sentence, in order. sentences: "title : sentence", or several joined."""


class SpanExtractor(Protocol):
    """Finds the names and phrases of a claim."""

    def extract(self, claim: str) -> list[tuple[int, int, str]]:
        """(start, end, type), in text order; spans may overlap."""


class Stage(Protocol):
    """One step of a pipeline. Building a pipeline checks that the fields which its stages read and write fit together."""

    @property
    def name(self) -> str:
        """The stage's name; `stage_names.WORDS` has the words that people read while it runs."""

    @property
    def reads(self) -> tuple[str, ...]:
        """Fields of `FactCheck` that an earlier stage must have written."""

    @property
    def writes(self) -> tuple[str, ...]:
        """Fields that the stage changes."""

    def run(self, check: FactCheck) -> Iterator[Progress]:
        """Yield at least once; the last `Progress.check` is the result. Stop iterating to cancel."""


class Prepared(NamedTuple):
    """A page prepared for one kind of store. record: the bytes to store. keys: what finds it, if stored separately."""

    id: str
    record: bytes
    keys: Any = None


class ClaimReader(Protocol):
    """Reads a claim before any search: finds the statement in the typed text, or the reason why there is none."""

    def read(self, claim: Claim) -> ReadClaim:
        """The claim with its reading; its text stays as typed."""


class CorpusWriter(Protocol):
    """Builds the next generation of a corpus beside the one in use. position: that of the last checkpoint of the same
    job; None at the beginning of a load.
    """

    position: Mapping[str, Any] | None

    @property
    def prepare(self) -> Callable[[Page], Prepared]:
        """A function that prepares a page for `add`, and that can be sent to another process to do so there."""

    @property
    def rejected(self) -> int:
        """The number of pages that the store rejected; each was reported."""

    def add(self, pages: Iterable[Page | Prepared]) -> int:
        """Add pages, prepared or not; a page replaces one with the same id. Returns the number of pages passed."""

    def remove(self, page_ids: Iterable[str]) -> None:
        """Remove pages; unknown ids are ignored."""

    def checkpoint(self, position: Mapping[str, Any]) -> None:
        """Make all changes so far survive a crash, together with the caller's `position` in its input."""

    def finish(self, name: str, language: str = "") -> CorpusInfo:
        """Switch readers to the new corpus, atomically: they see all of it or none."""

    def retire(self) -> None:
        """After `finish`: remove the previous corpus, once its readers have had time to end."""
