"""Turns a language model's single reply into questions, answers and evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from retrieval import stage_names
from retrieval.errors import ReplyError
from retrieval.llm.budget import blamed
from retrieval.llm.examples import NO_EXAMPLES
from retrieval.protocols import PairScorer, Stage
from retrieval.stages.averitec.judges import SourceJudge
from retrieval.stages.judge import made, opinion_of
from retrieval.stages.sentences import score_sentences
from retrieval.stages.verdict import verified
from retrieval.text.names.stating import titles_note
from retrieval.types import Evidence, FactCheck, Progress, QuestionAnswer


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
            believed = opinion_of(self.judge, check)
        except ReplyError as error:
            check, believed = blamed(check, self.judge.purpose, str(error)), None
        if believed is None:
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
