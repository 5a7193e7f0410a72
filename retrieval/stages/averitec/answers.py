"""Finds the sentences that answer the questions, or takes both from a language model's reply; adds stances."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from retrieval import stage_names
from retrieval.errors import ReplyError
from retrieval.llm.budget import blamed
from retrieval.llm.examples import NO_EXAMPLES
from retrieval.protocols import Encoder, PairScorer, RelevanceClassifier, Stage
from retrieval.stages.averitec.documents import encode_in_steps
from retrieval.stages.averitec.judges import SourceJudge
from retrieval.stages.judge import made, opinion_of
from retrieval.stages.sentences import score_sentences
from retrieval.stages.verdict import verified
from retrieval.text.bm25 import Bm25, folded_words
from retrieval.text.ranking import fused_scores
from retrieval.text.sentences import pair_text
from retrieval.text.witnesses import Witnesses, stating_titles, titles_note, witnesses
from retrieval.types import Evidence, FactCheck, Progress, QuestionAnswer, Sentence

WORDS_OF_AN_ANSWER = 4  # of a sentence that can answer a question

Within = Literal["pages", "chunks"]


@dataclass(frozen=True)
class AnswerSentences:
    """The sentences nearest to each question, or those that rank highest over all questions.

    encoder: of sentences. judge: scores the chosen ones. queries: encoder of questions; None: the same. within: all
    sentences of `pages`, or those of the chunks in `sentences`. candidates: sentences per question that `reranker`
    orders anew; 0: none. fused: reciprocal rank fusion over the claim and all questions chooses sentences, which answer
    the question that ranks them highest. by_claim: the claim is the only question; by_words: the same, by BM25.
    """

    encoder: Encoder
    judge: PairScorer
    answers: int = 3
    pairs: int = 10
    rank_constant: int = 60
    within: Within = "pages"
    candidates: int = 0
    queries: Encoder | None = None
    reranker: RelevanceClassifier | None = None
    fused: bool = False
    by_claim: bool = False
    by_words: bool = False
    name = stage_names.ANSWERS
    writes = ("questions", "sentences", "evidence", "notes")

    @property
    def reads(self) -> tuple[str, ...]:
        questions = () if self.by_claim or self.by_words else ("questions",)
        return ("claim", *questions, "pages", *(("sentences",) if self.within == "chunks" else ()))

    def run(self, check: FactCheck) -> Iterator[Progress]:
        eligible = witnesses(check.claim.reading, check.pages)
        found = candidate_sentences(check, self.within, eligible)
        yield Progress(self.name, 0, max(1, len(found)), check)
        alone = self.by_claim or self.by_words
        questions = [check.claim.statement] if alone else list(dict.fromkeys(pair.question for pair in check.questions))
        if found and questions:
            scores = yield from self._scores(check, found, questions)
            rankings = [np.argsort(-column, kind="stable").tolist() for column in scores.T]
            fused = fused_scores([ranking[:1000] for ranking in rankings], self.rank_constant)
            if self.fused:
                rows = self._by_fusion(rankings, fused)
            else:
                rows = self._by_question(check.claim.statement, found, questions, rankings)
            check = self._answered(check, found, questions, rows, fused)
        else:
            check = replace(check, sentences=(), evidence=())
        check = check.noting(eligible.note, titles_note(check.evidence))
        total = max(1, len(found))
        yield Progress(self.name, total, total, check)

    def _scores(
        self, check: FactCheck, found: Sequence[Sentence], questions: Sequence[str]
    ) -> Generator[Progress, None, NDArray[np.floating]]:
        """How near each sentence is to the claim and to each question, (sentences, 1 + questions)."""
        texts = [check.claim.statement, *questions]
        if self.by_words:
            index = Bm25([folded_words(sentence.text) for sentence in found])
            return np.stack([index.scores(folded_words(text)) for text in texts], axis=1)
        parts = []
        pairs = [(sentence.title, sentence.text) for sentence in found]
        for done, vectors in encode_in_steps(self.encoder, pairs, lambda _, text: text):
            parts.append(vectors)
            yield Progress(self.name, done, len(found), check)
        return np.asarray(np.concatenate(parts) @ (self.queries or self.encoder).encode(texts).T)

    def _by_question(
        self, claim: str, found: Sequence[Sentence], questions: Sequence[str], rankings: list[list[int]]
    ) -> list[list[int]]:
        """For each question, its best sentences that no earlier question has."""
        stating = stating_titles(self.judge, claim, found) if self.candidates and self.reranker else frozenset()
        taken: set[int] = set()
        chosen: list[list[int]] = []
        for question, ranking in zip(questions, rankings[1:], strict=True):
            rows = [row for row in ranking[: self.answers + self.candidates + len(taken)] if row not in taken]
            if self.candidates and self.reranker:
                rows = rerank(self.reranker, question, found, rows[: self.candidates], stating)
            chosen.append(rows[: self.answers])
            taken.update(chosen[-1])
        return chosen

    def _by_fusion(self, rankings: list[list[int]], fused: Mapping[int, float]) -> list[list[int]]:
        """For each question, those of the best sentences by rank fusion that rank highest in its order."""
        best = sorted(fused, key=lambda row: (-fused[row], row))[: self.pairs]
        places = [{row: place for place, row in enumerate(ranking)} for ranking in rankings[1:]]
        chosen: list[list[int]] = [[] for _ in places]
        for row in best:
            number = min(range(len(places)), key=lambda number: (places[number][row], number))
            chosen[number].append(row)
        return chosen

    def _answered(
        self,
        check: FactCheck,
        found: Sequence[Sentence],
        texts: Sequence[str],
        rows_of: list[list[int]],
        fused: Mapping[int, float],
    ) -> FactCheck:
        """Sentences in fused order with their stance; evidence and pairs in that of the questions. texts: the questions."""
        chosen = [(number, row) for number, rows in enumerate(rows_of) for row in rows][: self.pairs]
        rows = [row for _, row in chosen]
        batches = score_sentences(self.judge, check.claim.statement, [found[row] for row in rows], "question")
        judged = {(e.sentence.page_id, e.sentence.line): e for batch in batches for e in batch}
        evidence = verified(check, (judged[found[row].page_id, found[row].line] for row in rows))
        ranked = {
            row: replace(one, rank_score=fused.get(row, 0.0), rank_method="rank fusion")
            for row, one in zip(rows, evidence, strict=True)
        }
        return replace(
            check,
            questions=tuple(QuestionAnswer(texts[n], found[row].text, (at,)) for at, (n, row) in enumerate(chosen, 1)),
            sentences=tuple(ranked[row] for row in sorted(rows, key=lambda row: (-fused.get(row, 0.0), row))),
            evidence=tuple(ranked[row] for row in rows),
        )


def candidate_sentences(check: FactCheck, within: Within, eligible: Witnesses) -> list[Sentence]:
    """Sentences long enough to answer something, each text once, best pages first. eligible: those that may be evidence."""
    spans: dict[str, list[tuple[int, int]]] = {}
    for evidence in check.sentences if within == "chunks" else ():
        spans.setdefault(evidence.sentence.page_id, []).append((evidence.sentence.start, evidence.sentence.end))
    found: dict[str, Sentence] = {}
    for _, sentence in eligible.sentences:
        inside = any(s <= sentence.start and sentence.end <= e for s, e in spans.get(sentence.page_id, ()))
        if (within == "pages" or inside) and len(sentence.text.split()) >= WORDS_OF_AN_ANSWER:
            found.setdefault(sentence.text.casefold(), sentence)
    return list(found.values())


def rerank(
    reranker: RelevanceClassifier, question: str, found: Sequence[Sentence], rows: Sequence[int], stating: Collection[str]
) -> list[int]:  # fmt: skip
    """The rows in the order of their relevance to the question by the reranker. stating: titles that are not read."""
    sentences = [found[row] for row in rows]
    texts = [pair_text("" if sentence.title in stating else sentence.title, sentence.text) for sentence in sentences]
    relevance = dict(zip(rows, reranker.relevance(question, texts), strict=True))
    return sorted(rows, key=lambda row: (-relevance[row], row))


@dataclass(frozen=True)
class ReplyAnswers:
    """Takes questions and answers from the reply; the chunks it names are the evidence, in the order of their first mention,
    with stances by the scorer.

    instead: the stages that find questions and answers if the reply is unusable; the verdict gives the reason.
    """

    judge: SourceJudge
    scorer: PairScorer
    instead: Sequence[Stage]
    name = stage_names.ANSWERS
    reads = ("claim", "sentences", "pages", "calls")
    writes = ("questions", "sentences", "evidence", "calls", "notes")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        yield Progress(self.name, 0, 1, check)
        if self.judge.shown_examples and not len(self.judge.examples):
            check = check.noting(NO_EXAMPLES)
        try:
            opinion = opinion_of(self.judge, check)
        except ReplyError as error:
            check, opinion = blamed(check, self.judge.purpose, str(error)), None
        if opinion is None:
            for stage in self.instead:
                for progress in stage.run(check):
                    yield replace(progress, stage=self.name)
                    check = progress.check
            return
        yield Progress(self.name, 1, 1, self._answered(check))

    def _answered(self, check: FactCheck) -> FactCheck:
        call = made(check, self.judge.purpose)
        assert call is not None
        opinion = self.judge.read_numbers(call.reply.text, check)
        place = {number: rank for rank, number in enumerate(opinion.sources, 1)}
        pairs = tuple(
            QuestionAnswer(a.question, a.answer, tuple(place[n] for n in a.sources), a.type) for a in opinion.answers
        )
        evidence = self._evidence(check, opinion.sources)
        return replace(check, questions=pairs, evidence=evidence).noting(titles_note(evidence))

    def _evidence(self, check: FactCheck, named: Sequence[int]) -> tuple[Evidence, ...]:
        chosen = [check.sentences[number - 1].sentence for number in named]
        batches = score_sentences(self.scorer, check.claim.statement, chosen, "source")
        judged = {(e.sentence.page_id, e.sentence.start): e for batch in batches for e in batch}
        return verified(check, (judged[chunk.page_id, chunk.start] for chunk in chosen))
