"""A language model's verdict over the evidence; if it gives none, the local verdict, labelled as such. Asking and reading
are two stages, so that a reply is recorded as soon as it arrives.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from retrieval import stage_names
from retrieval.errors import LLMError, ReplyError
from retrieval.llm.budget import Budget, ask, blamed
from retrieval.llm.replies import Opinion
from retrieval.protocols import LLM
from retrieval.stages.judge import Judge, made, opinion_of
from retrieval.stages.verdict import unless_several
from retrieval.types import FactCheck, Progress, Verdict
from retrieval.verdicts.policy import Policy, cited_by, is_tested
from retrieval.verdicts.reasons import NOTHING_LEFT

GROUNDING = "grounding"  # purpose of the second call
NOT_ASKED = "This is the local verdict. The language model was not asked, because there is no sentence to judge."
NOT_TESTED = (
    "The verdict could not be tested. It cites no sentence, and without those that the language model was shown, there is none "
    "left to ask about."
)


@dataclass(frozen=True)
class AskModel:
    """Asks the model once. Its reply, or the reason why there is none, goes into the record unread."""

    llm: LLM
    judge: Judge
    budget: Budget
    name = stage_names.LANGUAGE_MODEL
    writes = ("calls",)

    @property
    def reads(self) -> tuple[str, ...]:
        return self.judge.reads

    def run(self, check: FactCheck) -> Iterator[Progress]:
        yield Progress(self.name, 0, 1, check)
        if self.judge.shown(check) and not self.judge.settled(check) and not made(check, self.judge.purpose):
            check = asked(self.llm, self.judge, self.budget, check, check, self.judge.purpose)
        yield Progress(self.name, 1, 1, check)


@dataclass(frozen=True)
class ModelVerdict:
    """Reads the reply. Instead of an unreliable one, the local verdict is given, and a note says why. grounding: whether to
    ask again without the sentences that a decided verdict rests on.
    """

    llm: LLM
    judge: Judge
    policy: Policy
    budget: Budget
    grounding: bool = False
    name = stage_names.VERDICT
    writes = ("verdict", "notes", "calls")

    @property
    def reads(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.judge.reads, "claim", "sentences", "evidence", "calls")))

    def run(self, check: FactCheck) -> Iterator[Progress]:
        yield Progress(self.name, 0, 1, check)
        try:
            opinion = opinion_of(self.judge, check)
        except ReplyError as error:
            check, opinion = blamed(check, self.judge.purpose, str(error)), None
            note = f"This is the local verdict. {error}"
        else:
            note = NOT_ASKED
        if opinion is None:
            yield Progress(self.name, 1, 1, self._local(check, note))
            return
        verdict, notes = self.policy.rated(opinion, check.evidence, self.llm.id)
        check = replace(check, verdict=verdict).noting(*reply_notes(opinion), *notes)
        if self.grounding and is_tested(verdict.label):
            check = self._asked_again(check, opinion)
            yield Progress(self.name, 0, 1, check)  # so that the reply is recorded before it is read
            check = self._tested(check, verdict, opinion)
        yield Progress(self.name, 1, 1, check)

    def _local(self, check: FactCheck, note: str) -> FactCheck:
        verdict = self.policy.about(check.claim).local(check.claim.reading, check.sentences, check.evidence)
        method = f"{verdict.method}, in place of {self.llm.id}"
        return unless_several(replace(check, verdict=replace(verdict, method=method)).noting(note))

    def _withheld(self, check: FactCheck, opinion: Opinion) -> FactCheck:
        return self.judge.without(check, cited_by(opinion, check.evidence))

    def _asked_again(self, check: FactCheck, opinion: Opinion) -> FactCheck:
        """The check with the second call, unless it was made before or there is nothing left to ask about."""
        withheld = self._withheld(check, opinion)
        if made(check, GROUNDING) or not self.judge.shown(withheld):
            return check
        return asked(self.llm, self.judge, self.budget, check, withheld, GROUNDING)

    def _tested(self, check: FactCheck, verdict: Verdict, opinion: Opinion) -> FactCheck:
        """The verdict with the model's label without the sentences, or with a note if that reply cannot be read. If no
        sentence is left, that label is "not enough evidence", provided that the verdict cites any.
        """
        withheld = self._withheld(check, opinion)
        if not self.judge.shown(withheld):
            if not opinion.sources:
                return check.noting(NOT_TESTED)
            return replace(check, verdict=replace(verdict, without_evidence=NOTHING_LEFT))
        try:
            other = opinion_of(self.judge, withheld, GROUNDING)
        except LLMError as error:
            note = f"The verdict could not be tested without the sentences it rests on. {error}"
            return blamed(check, GROUNDING, str(error)).noting(note)
        return replace(check, verdict=replace(verdict, without_evidence=other.ratings if other else None))


def asked(llm: LLM, judge: Judge, budget: Budget, check: FactCheck, shown: FactCheck, purpose: str) -> FactCheck:
    """The check with one more call in its record. shown: what the judge asks about."""
    return ask(llm, budget, check, purpose, judge.request(shown))


def reply_notes(opinion: Opinion) -> tuple[str, ...]:
    """Notes about a reply that was accepted."""
    numbers = ", ".join(str(number)[:12] for number in opinion.dropped[:5])
    dropped = f"The language model named sources that do not exist ({numbers}); they were dropped." if numbers else ""
    tied = "The language model rated several labels alike; the more cautious one was taken." if opinion.tied else ""
    return dropped, tied
