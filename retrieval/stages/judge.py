"""A language model as a judge of the evidence: its requests, and when to trust its replies."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol, TypeVar

from retrieval.errors import ReplyError
from retrieval.llm.budget import Budget, Request, blamed, call_for
from retrieval.llm.prompts import verdict as prompt
from retrieval.llm.reading.parts import unreadable
from retrieval.llm.replies import Opinion, check_own_words, read_verdict
from retrieval.protocols import LLM
from retrieval.types import Evidence, FactCheck, LLMCall, Progress, QuestionAnswer
from retrieval.verdicts.policy import choose, not_cited

T = TypeVar("T")


class Judge(Protocol):
    """Asks for a verdict over the evidence of a check, and reads the reply."""

    @property
    def purpose(self) -> str:
        """The name by which the call is found in the record."""

    @property
    def reads(self) -> tuple[str, ...]:
        """Fields of the check that the request is made from."""

    def shown(self, check: FactCheck) -> int:
        """How many sentences or passages the request shows."""

    def request(self, check: FactCheck) -> Request:
        """The request for the check in its current state."""

    def read(self, reply: str, check: FactCheck) -> Opinion:
        """Raises ReplyError if the reply cannot be read. Its sources number the evidence."""

    def settled(self, check: FactCheck) -> Opinion | None:
        """The judgement that an earlier call has settled, so that no further call is needed."""

    def without(self, check: FactCheck, cited: Sequence[Evidence]) -> FactCheck:
        """The check with these sentences withheld, and others in their place if there are any."""


def opinion_of(judge: Judge, check: FactCheck, purpose: str = "") -> Opinion | None:
    """The judgement in the recorded reply; None if nothing was asked. purpose: of the call; empty: the judge's. Raises
    ReplyError if there is no reply, it cannot be read or repeats what was quoted, or none of its sources exists.
    """
    if settled := judge.settled(check):
        return settled
    call = made(check, purpose or judge.purpose)
    if call is None:
        return None
    if call.error:
        raise ReplyError(call.error)
    opinion = judge.read(call.reply.text, check)
    check_own_words(call.reply.text, judge.request(check).others)
    if opinion.dropped and not opinion.sources:
        raise unreadable(f"it rests on source {str(opinion.dropped[0])[:12]}, and there are {judge.shown(check)}")
    return opinion


def made(check: FactCheck, purpose: str) -> LLMCall | None:
    """The last call of this purpose in the record."""
    return next((call for call in reversed(check.calls) if call.purpose == purpose), None)


def read_reply(check: FactCheck, call: LLMCall, read: Callable[[str], T]) -> tuple[FactCheck, T | None, str]:
    """The check, what `read` returns for a recorded reply, and why it cannot be read; one of the two is empty."""
    try:
        if call.error:
            raise ReplyError(call.error)
        return check, read(call.reply.text), ""
    except ReplyError as error:
        return blamed(check, call.purpose, str(error)), None, str(error)


class TextRequest(NamedTuple):
    """A request for a short text. read: takes it from the reply, or raises ReplyError."""

    purpose: str
    request: Request
    read: Callable[[str], str]


def texts_for_pairs(
    stage: str,
    llm: LLM | None,
    budget: Budget,
    check: FactCheck,
    request: Callable[[int, QuestionAnswer], TextRequest],
) -> Generator[Progress, None, tuple[FactCheck, list[str], str]]:
    """The check with a call for each pair, the texts in the replies, and the first fault; each may be empty. A model that
    does not answer is not asked again.
    """
    total, faults, texts = max(1, len(check.questions)), list[str](), list[str]()
    for number, pair in enumerate(check.questions, 1):
        yield Progress(stage, len(texts), total, check)
        text = None
        if llm is not None:
            purpose, asked, read = request(number, pair)
            check, call = call_for(llm, budget, check, purpose, asked)
            yield Progress(stage, len(texts), total, check)  # so that the reply is recorded before it is read
            check, text, fault = read_reply(check, call, read)
            faults += [fault] if fault else []
            llm = None if call.error else llm
        texts.append(text or "")
    return check, texts, faults[0] if faults else ""


@dataclass(frozen=True)
class SentenceJudge:
    """Judges the evidence; the reply is one JSON object. Implements `Judge`."""

    top_k: int
    purpose = "verdict"
    reads = ("claim", "evidence")

    def shown(self, check: FactCheck) -> int:
        return len(check.evidence)

    def request(self, check: FactCheck) -> Request:
        others = [part for e in check.evidence for part in (e.sentence.title, e.sentence.text)]
        return Request(
            prompt.instructions(),
            prompt.content(check.claim.text, check.evidence),
            prompt.schema(len(check.evidence)),
            (check.claim.text, *others),
        )

    def read(self, reply: str, check: FactCheck) -> Opinion:
        return read_verdict(reply, len(check.evidence))

    def settled(self, check: FactCheck) -> None:
        return None

    def without(self, check: FactCheck, cited: Sequence[Evidence]) -> FactCheck:
        others = not_cited(check.sentences, cited)
        return replace(check, sentences=tuple(others), evidence=tuple(choose(others, self.top_k)))
