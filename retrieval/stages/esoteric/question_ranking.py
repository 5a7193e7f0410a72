"""Which pages answer the questions best."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace

import numpy as np

from retrieval import stage_names
from retrieval.protocols import Encoder, Matrix, PageStore
from retrieval.stages.esoteric.pages import BRACKETED, EXACT, TEXT, likely_pages
from retrieval.stages.search import context_pages
from retrieval.stores.vectors import START_OF_TEXT, page_vectors
from retrieval.text.ranking import LONGEST_VECTOR, best_questions, thesis_scale, unit_length, without_length
from retrieval.types import FactCheck, Hit, Progress

PAGES_ENCODED_AT_ONCE = 16  # pages encoded between two reports of progress


@dataclass(frozen=True)
class QuestionRanking:
    """Scores pages by their best question, keeps each question's best ones, and drops those below the cutoff.

    The store compares the vectors that it has. Other pages must be encoded, which takes time, so only `encoded` of them
    are: those with a bracketed title, then those found by text, by the words they share with the claim and by BM25. Pages
    with an exact title all stay, unranked, as in the thesis. Pages that only a claim's context finds follow.

    questions, pages: DPR's two encoders, or one twice. used: their names. model: id of `pages`, which must have made the
    store's vectors. phrases: whether an earlier stage searches phrases; only the chosen ones of its pages are read.
    """

    store: PageStore
    questions: Encoder
    pages: Encoder
    _: KW_ONLY
    encoded: int
    per_question: int
    cutoff: float
    used: str = ""
    model: str = ""
    characters: int = START_OF_TEXT
    phrases: bool = True
    name = stage_names.QUESTION_RANKING
    writes = ("pages", "found", "details")

    @property
    def reads(self) -> tuple[str, ...]:
        return ("claim", "questions", "pages", "found") if self.phrases else ("claim", "questions", "pages")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        exact = tuple(hit for hit in check.pages if hit.method == EXACT)
        rest = {hit.page.id: hit for hit in check.pages if hit.method != EXACT}
        found = dict(check.found) if self.phrases else {}
        queries = self.questions.encode(asked_texts(check))
        order = [*rest, *found]
        products = self._stored(order, queries)
        compared = len(products)
        rest |= self._read({page_id: score for page_id, score in found.items() if page_id not in products})
        fresh = [hit for page_id, hit in rest.items() if page_id not in products]
        chosen = self._worth_encoding(check.claim.statement, fresh)
        total = max(1, len(chosen))
        yield Progress(self.name, 0, total, check)
        for first in range(0, len(chosen), PAGES_ENCODED_AT_ONCE):
            batch = [hit.page for hit in chosen[first : first + PAGES_ENCODED_AT_ONCE]]
            scores = page_vectors(self.pages, batch, self.characters) @ queries.T
            products |= {page.id: [float(x) for x in row] for page, row in zip(batch, scores, strict=True)}
            yield Progress(self.name, min(total, first + len(batch)), total, check)
        ranked = self._ranked(products, order, unit_length(queries))
        rest |= self._read({page_id: found[page_id] for page_id, _ in ranked if page_id not in rest})
        hits = [replace(rest[page_id], score=score) for page_id, score in ranked if page_id in rest]
        more = context_pages(self.store, check.claim, {hit.page.id for hit in (*exact, *hits)})
        check = check.telling(
            self.name,
            f"{compared} pages compared in the store, {len(chosen)} of {len(fresh)} others encoded"
            f"{f' by {self.used}' if self.used else ''}; {len(hits)} answer a question (at most {self.per_question} "
            f"each, cutoff {self.cutoff:g}){f'; {len(more)} by what stands before the claim' if more else ''}.",
        )
        yield Progress(self.name, total, total, replace(check, pages=(*exact, *hits, *more), found=()))

    def _stored(self, page_ids: Sequence[str], queries: Matrix) -> dict[str, list[float]]:
        """Products of questions with pages whose vectors are in the store, by page id."""
        corpus = self.store.info()
        if not page_ids or not corpus.vectors or not self.model or corpus.vector_model != self.model:
            return {}
        unit = unit_length(queries)
        cosines = self.store.score_vectors(page_ids, queries if unit else without_length(queries))
        products = cosines if unit else cosines * (LONGEST_VECTOR * np.linalg.norm(queries, axis=1))
        known = cosines.max(axis=1) > -1
        scored = zip(page_ids, products, known, strict=True)
        return {page_id: [float(x) for x in row] for page_id, row, has_vector in scored if has_vector}

    def _read(self, found: Mapping[str, float]) -> dict[str, Hit]:
        """The pages with these ids, without those that the corpus no longer has."""
        pages = self.store.get(list(found)) if found else {}
        return {page_id: Hit(page, found[page_id], TEXT) for page_id, page in pages.items()}

    def _worth_encoding(self, claim: str, fresh: Sequence[Hit]) -> list[Hit]:
        bracketed = [hit for hit in fresh if hit.method == BRACKETED]
        others = [hit for hit in fresh if hit.method != BRACKETED]
        return bracketed + likely_pages(claim, others, max(0, self.encoded - len(bracketed)))

    def _ranked(self, products: Mapping[str, list[float]], order: Sequence[str], unit: bool) -> list[tuple[str, float]]:
        """Ids and scores, best first; ties in the order given."""
        rows = [page_id for page_id in order if page_id in products]
        best = best_questions([thesis_scale(products[page_id], unit) for page_id in rows], self.per_question)
        return [(rows[row], score) for row, (score, _) in best.items() if score >= self.cutoff]


def asked_texts(check: FactCheck) -> list[str]:
    """The check's questions; without any, the claim itself."""
    return [pair.question for pair in check.questions] or [check.claim.statement]
