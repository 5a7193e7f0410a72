"""A language model's verdict over the evidence; the local one, labelled as such, where it gives none.

Two stages, because each is a recorded step: the reply is kept as soon as it is there, whatever happens afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from retrieval.errors import ReplyError
from retrieval.llm.budget import Budget, ask
from retrieval.llm.prompts import verdict as prompt
from retrieval.protocols import LLM, Stage
from retrieval.types import FactCheck, LLMCall, Progress, Verdict

PURPOSE = "verdict"
REPLY_TOKENS = 700  # a verdict has about 150; the rest is for models that are wordy
NOT_ASKED = "The language model was not asked, as there is no sentence to judge by. This is the local verdict."


class LLMReplyStage:
    """Asks the model once. Its reply, or why there is none, goes into the record unread."""

    name = "language model"
    reads = ("claim", "evidence")
    writes = ("calls",)

    def __init__(self, llm: LLM, budget: Budget) -> None:
        self._llm, self._budget = llm, budget

    def run(self, check: FactCheck) -> Iterator[Progress]:
        yield Progress(self.name, 0, 1, check)
        if check.evidence:
            check = ask(
                self._llm,
                self._budget,
                check,
                PURPOSE,
                prompt.instructions(),
                prompt.content(check.claim.text, check.evidence),
                prompt.schema(len(check.evidence)),
                REPLY_TOKENS,
            )
        yield Progress(self.name, 1, 1, check)


class LLMVerdictStage:
    """Reads the reply. What cannot be read is never a label: a note says why, and the local verdict takes its place.

    abstain_below: the model's own rating under which the verdict says that it is not sure.
    """

    name = "verdict"
    reads = ("sentences", "evidence", "calls")
    writes = ("verdict", "notes", "calls")

    def __init__(self, llm: LLM, local: Stage, *, abstain_below: float = 0.0) -> None:
        self._llm, self._local, self._abstain_below = llm, local, abstain_below

    def run(self, check: FactCheck) -> Iterator[Progress]:
        call = next((call for call in reversed(check.calls) if call.purpose == PURPOSE), None)
        if call is None:
            yield from self._fall_back(check, NOT_ASKED)
            return
        try:
            verdict = self._read(call, check)
        except ReplyError as error:
            calls = tuple(replace(c, error=str(error)) if c is call else c for c in check.calls)
            yield from self._fall_back(replace(check, calls=calls), f"{error} This is the local verdict.")
            return
        yield Progress(self.name, 1, 1, replace(check, verdict=verdict))

    def _read(self, call: LLMCall, check: FactCheck) -> Verdict:
        if call.error:
            raise ReplyError(call.error)
        verdict = prompt.read_verdict(call.reply.text, len(check.evidence), self._llm.id)
        quoted = [part for e in check.evidence for part in (e.sentence.title, e.sentence.text)]
        prompt.check_own_words(call.reply.text, [check.claim.text, *quoted])
        return replace(verdict, abstained=verdict.confidence < self._abstain_below)

    def _fall_back(self, check: FactCheck, note: str) -> Iterator[Progress]:
        noted = replace(check, notes=(*check.notes, note))
        for progress in self._local.run(noted):
            yield replace(progress, check=self._labelled(progress.check))

    def _labelled(self, check: FactCheck) -> FactCheck:
        if check.verdict is None:
            return check
        method = f"{check.verdict.method}, in place of {self._llm.id}"
        return replace(check, verdict=replace(check.verdict, method=method))
