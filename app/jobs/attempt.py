"""Runs a check from start to end. Its row holds what is finished, so that the next process can resume it.

The row is written every tenth of a second (`app/jobs/row_writer.py`), and as soon as a language model has replied. So a
crash loses one stage, or a few quick ones, but never a reply that was paid for. Each time that the check is taken up is a
new attempt; writes of earlier attempts change nothing.
"""

from __future__ import annotations

import functools
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.jobs.row_writer import RowWriter, Stopped
from app.tables.checks import Checks
from app.tables.database import DATABASE_TRY_EVERY, patiently
from app.tables.spending import Spending
from app.tables.stored_check import RUNNING, UNFINISHED, StoredCheck
from app.tables.stored_record import key_of
from retrieval.errors import EsotericError, StoreAway, StoreIncomplete, StoreMissing
from retrieval.llm.budget import spent
from retrieval.output.record import Json
from retrieval.pipeline import Pipeline, run_stage
from retrieval.settings import Settings
from retrieval.types import WEB, Claim, CorpusInfo, FactCheck

if TYPE_CHECKING:
    from app.jobs.sources import CheckResources, Sources

log = logging.getLogger(__name__)

MAX_ATTEMPTS = 25
AWAY = (StoreAway, StoreMissing, StoreIncomplete)  # errors that end when a server returns or a load is complete

SWITCHED = "The corpus was replaced while this check ran, so parts of the result come from the older one. Check the claim again."


@dataclass
class Attempt:
    """A running check. check: the record after the last complete stage, with all replies since. stages: progress of each.
    fingerprint: of the corpus that the pipeline reads.
    """

    row: StoredCheck
    check: FactCheck
    stages: list[Json]
    writer: RowWriter
    pipeline: Pipeline | None = None
    fingerprint: str = ""


class Steps:
    """Runs the checks of a process."""

    def __init__(self, settings: Settings, sources: Sources, checks: Checks) -> None:
        self.settings = settings
        self.sources = sources
        self.checks = checks
        self.spending = Spending(checks.engine, settings)

    def run(self, check_id: str) -> None:
        """Start or resume a check, run its remaining stages and finish it. An error goes to its row, in a sentence."""
        row = patiently(lambda: self.checks.take_up(check_id))
        if row is None or row.state not in UNFINISHED:
            return
        if row.attempts > MAX_ATTEMPTS:
            sentence = f"The server stopped {MAX_ATTEMPTS} times during this check. Check again."
        else:
            try:
                with RowWriter(self.checks, check_id, row.attempts) as writer:
                    return self._work(Attempt(row, row.complete, row.stages, writer))
            except Stopped:
                return
            except EsotericError as error:
                sentence = str(error)
            except Exception:
                log.exception("Check %s failed", check_id)
                sentence = (
                    f"Something went wrong inside the program. Check again; if it happens again, report it with the "
                    f"number of this check, {check_id}, and what the server's log says about it."
                )
        patiently(lambda: self.checks.fail(check_id, sentence, row.attempts))

    def _work(self, attempt: Attempt) -> None:
        row = attempt.row
        if row.state == RUNNING:  # keep the replies from before a crash
            attempt.check = replace(row.complete, calls=row.latest.calls)
        else:
            self._with_corpus(attempt, self._begin)
        for position, stage in enumerate(attempt.stages):
            if stage["state"] != "done":
                self._with_corpus(attempt, functools.partial(self._run_stage, position))
        self._finish(attempt)

    def _with_corpus(self, attempt: Attempt, work: Callable[[Attempt], None]) -> None:
        """Do the work; while the corpus is away, the check says so and waits."""
        while True:
            try:
                return work(attempt)
            except AWAY as error:
                wait = functools.partial(self.checks.wait, attempt.row.id, attempt.row.attempts, str(error))
            attempt.writer.flush()  # before `wait`, because it clears the reason to wait
            attempt.pipeline = None
            if not patiently(wait):
                raise Stopped
            time.sleep(DATABASE_TRY_EVERY)

    def _begin(self, attempt: Attempt) -> None:
        pipeline, corpus = self._open(attempt)
        models = self._resources(attempt).models(attempt.row.recipe)
        claim = Claim(attempt.row.id, attempt.row.claim, context=attempt.row.context or "")
        attempt.check = replace(pipeline.start(claim), corpus=corpus, models=models)
        waiting = {"state": "waiting", "done": 0, "total": 0, "ms": None}
        attempt.stages = [{"name": stage.name, **waiting} for stage in pipeline.stages_for(attempt.check)]
        attempt.writer.tell(attempt.check, attempt.check, attempt.stages)

    def _run_stage(self, position: int, attempt: Attempt) -> None:
        progress_of = attempt.stages[position]
        pipeline, corpus = self._open(attempt)
        name = progress_of["name"]
        # A recipe may have two stages of one name: `llm_two` asks a language model two things.
        earlier = sum(other["name"] == name for other in attempt.stages[:position])
        stage = [stage for stage in pipeline.stages if stage.name == name][earlier]
        progress_of["state"] = "running"
        attempt.check = check = note_switch(attempt.check, corpus)
        before = check.timings.get(name, 0.0)
        attempt.writer.tell(check, check, attempt.stages)
        for progress in run_stage(stage, check):
            new = progress.check.calls[len(check.calls) :]  # stored before they are used
            check = progress.check
            spent_ms = round(check.timings[name] - before, 2)
            progress_of |= {"done": progress.done, "total": progress.total, "ms": spent_ms}
            if new:
                attempt.check = replace(attempt.check, calls=check.calls)
                patiently(functools.partial(self.spending.add, attempt.row.person or "", new))
            attempt.writer.tell(attempt.check, check, attempt.stages, at_once=bool(new))
        attempt.check = check
        progress_of["state"] = "done"

    def _finish(self, attempt: Attempt) -> None:
        check = attempt.check
        # A result with a fault, or from the web, does not answer later checks.
        faultless = SWITCHED not in check.notes and not any(call.error for call in check.calls)
        reusable = faultless and WEB not in check.timings
        key = key_of(check, self.settings) if reusable else None
        finish = functools.partial(self.checks.finish, attempt.row.id, attempt.row.attempts, check, key, attempt.stages)
        attempt.writer.close()
        if not patiently(finish):
            raise Stopped

    def _resources(self, attempt: Attempt) -> CheckResources:
        return patiently(lambda: self.sources.resources(attempt.row.against))

    def _open(self, attempt: Attempt) -> tuple[Pipeline, CorpusInfo]:
        """The pipeline over the corpus in use, and this corpus. It is built once, and again after a loader has switched the
        corpus. If tokens are limited by day, it is built for each stage, with those that are left.
        """
        resources = self._resources(attempt)
        corpus = resources.corpus()
        person, recipe = attempt.row.person or "", attempt.row.recipe
        left = patiently(lambda: self.spending.left(person)) if self.settings.asks_a_model() else None
        if left is not None:
            used = spent(attempt.check.calls)
            return resources.within(left[0] + used.prompt_tokens + used.reply_tokens, left[1]).pipeline(recipe), corpus
        if attempt.pipeline is None or attempt.fingerprint != corpus.fingerprint:
            attempt.pipeline, attempt.fingerprint = resources.pipeline(recipe), corpus.fingerprint
        return attempt.pipeline, corpus


def note_switch(check: FactCheck, corpus: CorpusInfo) -> FactCheck:
    """Add a note if a loader switched the corpus during the check."""
    if check.corpus is None or check.corpus.fingerprint == corpus.fingerprint or SWITCHED in check.notes:
        return check
    return replace(check, notes=(*check.notes, SWITCHED))
