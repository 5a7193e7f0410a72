"""Which pages answer the questions best."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from retrieval.protocols import Encoder, Matrix, PageStore, VectorStore
from retrieval.ranking import best_questions, overlap_scores, thesis_scale
from retrieval.stages.titles import BRACKETED, EXACT
from retrieval.types import FactCheck, Hit, Page, Progress

BATCH = 16  # pages encoded between two signs of life
LEAD = 400  # characters of a page that its vector is made of here: what an article is about stands at its start


class QuestionRanking:
    """Scores pages by their best question, keeps each question's best ones, and drops those below the cutoff.

    Vectors are compared where they are: in the store where it has them. Other pages get one when first needed; as that
    takes time, only `encoded` of them do: those with a bracketed title, then those found by text, in the order of the
    words they share with the claim and of BM25.
    Pages with an exact title are not ranked but kept, as in the thesis.
    """

    name = "question ranking"
    reads = ("claim", "questions", "pages")
    writes = ("pages", "details")

    def __init__(
        self,
        store: PageStore,
        questions: Encoder,
        pages: Encoder,
        *,
        encoded: int,
        per_question: int,
        cutoff: float,
        used: str = "",
    ) -> None:
        """questions, pages: DPR's two encoders, or one twice. used: their names."""
        self._store, self._questions, self._pages = store, questions, pages
        self._encoded, self._per_question, self._cutoff, self._used = encoded, per_question, cutoff, used

    def run(self, check: FactCheck) -> Iterator[Progress]:
        asked = asked_texts(check)
        exact = tuple(hit for hit in check.pages if hit.method == EXACT)
        rest = [hit for hit in check.pages if hit.method != EXACT]
        queries = self._questions.encode(asked)
        stored = self._stored(rest, queries)
        fresh = [hit for hit in rest if hit.page.id not in stored]
        bracketed = [hit for hit in fresh if hit.method == BRACKETED]
        others = [hit for hit in fresh if hit.method != BRACKETED]
        chosen = bracketed + likely_pages(check.claim.text, others, max(0, self._encoded - len(bracketed)))
        products = {page_id: list(scores) for page_id, scores in stored.items()}
        total = max(1, len(chosen))
        yield Progress(self.name, 0, total, check)
        for first in range(0, len(chosen), BATCH):
            batch = [hit.page for hit in chosen[first : first + BATCH]]
            found = self._pages.encode([lead_of(page) for page in batch]) @ queries.T
            products |= {page.id: [float(x) for x in row] for page, row in zip(batch, found, strict=True)}
            yield Progress(self.name, min(total, first + len(batch)), total, check)
        ranked = self._ranked([hit for hit in rest if hit.page.id in products], products, unit_length(queries))
        details = check.telling(
            self.name,
            f"{len(stored)} pages compared in the store, {len(chosen)} of {len(fresh)} others encoded"
            f"{f' by {self._used}' if self._used else ''}; {len(ranked)} answer a question (at most {self._per_question} "
            f"each, cutoff {self._cutoff:g}).",
        )
        yield Progress(self.name, total, total, replace(check, pages=(*exact, *ranked), details=details))

    def _stored(self, hits: Sequence[Hit], queries: Matrix) -> dict[str, list[float]]:
        if isinstance(self._store, VectorStore) and hits:
            return self._store.score_vectors([hit.page.id for hit in hits], queries)
        return {}

    def _ranked(self, hits: Sequence[Hit], products: dict[str, list[float]], unit: bool) -> list[Hit]:
        scores = [thesis_scale(products[hit.page.id], unit) for hit in hits]
        best = best_questions(scores, self._per_question)
        return [
            Hit(hits[row].page, score, hits[row].method) for row, (score, _) in best.items() if score >= self._cutoff
        ]


def asked_texts(check: FactCheck) -> list[str]:
    """The check's questions; where it has none, the claim itself is asked."""
    return [question.text for question in check.questions] or [check.claim.text]


def likely_pages(claim: str, hits: Sequence[Hit], top_k: int) -> list[Hit]:
    """The first `top_k` by the share of the claim's rare words they hold, and by their own score beside it."""
    if len(hits) <= top_k:
        return list(hits)
    overlaps = overlap_scores(claim, [f"{hit.page.title} {hit.page.text}" for hit in hits])
    order = sorted(range(len(hits)), key=lambda row: (-overlaps[row] - hits[row].score, hits[row].page.id))
    return [hits[row] for row in order[:top_k]]


def lead_of(page: Page) -> str:
    """What a page's vector is made of: its title, as in the thesis, and how it begins."""
    return f"{page.title} : {page.text[:LEAD]}"


def unit_length(vectors: Matrix) -> bool:
    """Whether the rows are unit vectors, so that products are cosines; DPR's are not."""
    return bool(np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=0.02))
