"""From questions to the sentences that answer them, each with its stance towards the claim."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from retrieval.protocols import Encoder, Matrix, PairScorer
from retrieval.stages.averitec.documents import encode_in_steps
from retrieval.stages.sentences import score_sentences
from retrieval.stages.verdict import verify
from retrieval.text.ranking import fused_scores
from retrieval.types import Evidence, FactCheck, Progress, QuestionAnswer, Sentence

LEAST_WORDS = 4  # of a sentence that can answer anything

Within = Literal["pages", "chunks"]
Rerank = Callable[[str, Sequence[str]], Sequence[float]]


@dataclass(frozen=True)
class AnswerSentences:
    """The sentences nearest to each question; rank fusion of all questions' orders puts the evidence in one.

    within: all sentences of `pages`, or those of the chunks that stand in `sentences`.
    candidates, reranked: with a reranker, so many sentences a question are read by it and the best of them kept.
    """

    encoder: Encoder
    scorer: PairScorer
    answers: int = 3
    pairs: int = 10
    rank_constant: int = 60
    within: Within = "pages"
    candidates: int = 0
    name = "answers"
    writes = ("questions", "sentences", "evidence")

    @property
    def reads(self) -> tuple[str, ...]:
        """The sentences, which are chunks then, only where answers are looked for within them."""
        return ("claim", "questions", "pages", "sentences")[: 4 if self.within == "chunks" else 3]

    def run(self, check: FactCheck) -> Iterator[Progress]:
        found = candidate_sentences(check, self.within)
        yield Progress(self.name, 0, max(1, len(found)), check)
        parts: list[Matrix] = []
        for done, vectors in encode_in_steps(self.encoder, [sentence.text for sentence in found]):
            parts.append(vectors)
            yield Progress(self.name, done, len(found), check)
        asked = list(dict.fromkeys(pair.question for pair in check.questions))
        if parts and asked:
            scores = np.concatenate(parts) @ self.encoder.encode([check.claim.text, *asked]).T
            rankings = [np.argsort(-column, kind="stable").tolist() for column in scores.T]
            kept = self._kept(found, asked, rankings)
            fused = fused_scores([ranking[:1000] for ranking in rankings], self.rank_constant)
            check = self._answered(check, found, asked, kept, fused)
        else:
            check = replace(check, sentences=(), evidence=())
        total = max(1, len(found))
        yield Progress(self.name, total, total, check)

    def _kept(self, found: Sequence[Sentence], asked: Sequence[str], rankings: list[list[int]]) -> list[list[int]]:
        """For each question its best sentences that no question before it has taken."""
        taken: set[int] = set()
        kept: list[list[int]] = []
        for question, ranking in zip(asked, rankings[1:], strict=True):
            rows = [row for row in ranking[: self.answers + self.candidates + len(taken)] if row not in taken]
            if self.candidates:
                rows = rerank(self.scorer, question, found, rows[: self.candidates])
            kept.append(rows[: self.answers])
            taken.update(kept[-1])
        return kept

    def _answered(
        self,
        check: FactCheck,
        found: Sequence[Sentence],
        asked: Sequence[str],
        kept: list[list[int]],
        fused: Mapping[int, float],
    ) -> FactCheck:
        """Sentences in fused order with their stance; evidence and pairs in the order of the questions."""
        chosen = [(number, row) for number, rows in enumerate(kept) for row in rows][: self.pairs]
        rows = [row for _, row in chosen]
        judged: dict[tuple[str, int], Evidence] = {}
        for batch in score_sentences(self.scorer, check.claim.text, [found[row] for row in rows], "question"):
            judged |= {(e.sentence.page_id, e.sentence.line): e for e in batch}
        texts = {hit.page.id: hit.page.text for hit in check.pages}
        by_row = {row: verify(judged[found[row].page_id, found[row].line], texts) for row in rows}
        ranked = {
            row: replace(evidence, rank_score=fused.get(row, 0.0), rank_method="rank fusion")
            for row, evidence in by_row.items()
        }
        pairs = [
            QuestionAnswer(asked[number], found[row].text, (source,)) for source, (number, row) in enumerate(chosen, 1)
        ]
        return replace(
            check,
            questions=tuple(pairs),
            sentences=tuple(ranked[row] for row in sorted(rows, key=lambda row: (-fused.get(row, 0.0), row))),
            evidence=tuple(ranked[row] for row in rows),
        )


def candidate_sentences(check: FactCheck, within: Within) -> list[Sentence]:
    """Sentences long enough to say something, each text once, best pages first."""
    spans: dict[str, list[tuple[int, int]]] = {}
    for evidence in check.sentences if within == "chunks" else ():
        spans.setdefault(evidence.sentence.page_id, []).append((evidence.sentence.start, evidence.sentence.end))
    found: dict[str, Sentence] = {}
    for hit in check.pages:
        for sentence in hit.page.sentences():
            inside = any(s <= sentence.start and sentence.end <= e for s, e in spans.get(sentence.page_id, ()))
            if (within == "pages" or inside) and len(sentence.text.split()) >= LEAST_WORDS:
                found.setdefault(sentence.text.casefold(), sentence)
    return list(found.values())


def rerank(scorer: PairScorer, question: str, found: Sequence[Sentence], rows: Sequence[int]) -> list[int]:
    """The rows in the order of their relevance to the question, as the pair scorer sees it."""
    relevance: dict[int, float] = {}
    texts = [f"{found[row].title} : {found[row].text}" for row in rows]
    for places, scores, _ in scorer.score(question, texts):
        relevance |= {rows[place]: score for place, score in zip(places, scores, strict=True)}
    return sorted(rows, key=lambda row: (-relevance[row], row))
