"""Asks whether the passages found are enough to decide a claim, before asking for a verdict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from retrieval import stage_names
from retrieval.errors import ReplyError
from retrieval.llm.budget import Budget, blamed, call_for
from retrieval.llm.prompts import prompt
from retrieval.llm.replies import check_own_words, read_sufficiency
from retrieval.protocols import LLM
from retrieval.stages.averitec.judges import SUFFICIENCY, SUFFICIENCY_SCHEMA, pairs_of_others, pairs_text
from retrieval.stages.judge import REPLY_TOKENS
from retrieval.types import FactCheck, Progress


@dataclass(frozen=True)
class AskSufficiency:
    """Asks a language model; an unreadable reply leaves a note, and the verdict is requested anyway."""

    llm: LLM
    budget: Budget
    name = stage_names.SUFFICIENCY
    reads = ("claim", "questions", "evidence")
    writes = ("calls", "notes")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        yield Progress(self.name, 0, 1, check)
        if check.evidence:
            asked = (prompt(SUFFICIENCY), pairs_text(check), SUFFICIENCY_SCHEMA, REPLY_TOKENS)
            check, call = call_for(self.llm, self.budget, check, SUFFICIENCY, *asked)
            yield Progress(self.name, 0, 1, check)  # so that the reply is recorded before it is read
            try:
                if call.error:
                    raise ReplyError(call.error)
                check_own_words(call.reply.text, pairs_of_others(check))
                read_sufficiency(call.reply.text)
            except ReplyError as error:
                note = f"The verdict was requested without knowing whether the passages are enough. {error}"
                check = replace(blamed(check, SUFFICIENCY, str(error)), notes=(*check.notes, note))
        yield Progress(self.name, 1, 1, check)
