"""Which pages answer the questions best."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace

import numpy as np

from retrieval.protocols import Encoder, Matrix, PageStore
from retrieval.stages.esoteric.titles import BRACKETED, EXACT
from retrieval.stores.vectors import START_OF_TEXT, page_vectors
from retrieval.text.ranking import LONGEST, best_questions, overlap_scores, thesis_scale, unit_length, without_length
from retrieval.types import FactCheck, Hit, Progress

BATCH = 16  # pages encoded between two reports of progress


@dataclass(frozen=True)
class QuestionRanking:
    """Scores pages by their best question, keeps each question's best ones, and drops those below the cutoff.

    Vectors are compared where they are: in the store where it has them. Other pages get one when first needed; as that
    takes time, only `encoded` of them do: those with a bracketed title, then those found by text, in the order of the
    words they share with the claim and of BM25.
    Pages with an exact title are not ranked but kept, as in the thesis.

    questions, pages: DPR's two encoders, or one twice. used: their names. model: id of `pages`;
    vectors of the store are used where that model made them.
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
    name = "question ranking"
    reads = ("claim", "questions", "pages")
    writes = ("pages", "details")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        asked = asked_texts(check)
        exact = tuple(hit for hit in check.pages if hit.method == EXACT)
        rest = [hit for hit in check.pages if hit.method != EXACT]
        queries = self.questions.encode(asked)
        stored = self._stored(rest, queries)
        fresh = [hit for hit in rest if hit.page.id not in stored]
        bracketed = [hit for hit in fresh if hit.method == BRACKETED]
        others = [hit for hit in fresh if hit.method != BRACKETED]
        chosen = bracketed + likely_pages(check.claim.text, others, max(0, self.encoded - len(bracketed)))
        products = {page_id: list(scores) for page_id, scores in stored.items()}
        total = max(1, len(chosen))
        yield Progress(self.name, 0, total, check)
        for first in range(0, len(chosen), BATCH):
            batch = [hit.page for hit in chosen[first : first + BATCH]]
            found = page_vectors(self.pages, batch, self.characters) @ queries.T
            products |= {page.id: [float(x) for x in row] for page, row in zip(batch, found, strict=True)}
            yield Progress(self.name, min(total, first + len(batch)), total, check)
        ranked = self._ranked([hit for hit in rest if hit.page.id in products], products, unit_length(queries))
        details = check.telling(
            self.name,
            f"{len(stored)} pages compared in the store, {len(chosen)} of {len(fresh)} others encoded"
            f"{f' by {self.used}' if self.used else ''}; {len(ranked)} answer a question (at most {self.per_question} "
            f"each, cutoff {self.cutoff:g}).",
        )
        yield Progress(self.name, total, total, replace(check, pages=(*exact, *ranked), details=details))

    def _stored(self, hits: Sequence[Hit], queries: Matrix) -> dict[str, list[float]]:
        """Products with the pages whose vectors are in the store."""
        corpus = self.store.info()
        if not hits or not corpus.vectors or not self.model or corpus.vector_model != self.model:
            return {}
        ids, unit = [hit.page.id for hit in hits], unit_length(queries)
        cosines = self.store.score_vectors(ids, queries if unit else without_length(queries))
        products = cosines if unit else cosines * (LONGEST * np.linalg.norm(queries, axis=1))
        known = cosines.max(axis=1) > -1
        return {id: [float(x) for x in row] for id, row, there in zip(ids, products, known, strict=True) if there}

    def _ranked(self, hits: Sequence[Hit], products: dict[str, list[float]], unit: bool) -> list[Hit]:
        scores = [thesis_scale(products[hit.page.id], unit) for hit in hits]
        best = best_questions(scores, self.per_question)
        return [
            Hit(hits[row].page, score, hits[row].method) for row, (score, _) in best.items() if score >= self.cutoff
        ]


def asked_texts(check: FactCheck) -> list[str]:
    """The check's questions; without any, the claim itself."""
    return [pair.question for pair in check.questions] or [check.claim.text]


def likely_pages(claim: str, hits: Sequence[Hit], top_k: int) -> list[Hit]:
    """The first `top_k` by their share of the claim's rare words plus their own score."""
    if len(hits) <= top_k:
        return list(hits)
    overlaps = overlap_scores(claim, [f"{hit.page.title} {hit.page.text}" for hit in hits])
    order = sorted(range(len(hits)), key=lambda row: (-overlaps[row] - hits[row].score, hits[row].page.id))
    return [hits[row] for row in order[:top_k]]
