"""Runs a check from start to end. Its row holds the finished stages, so that another process can resume it.

The row is written every tenth of a second (`row_writer.py`), and as soon as a language model has replied. So a crash loses
one stage, or a few quick ones, but never a reply that was paid for. Each process that takes up a check begins a new attempt;
earlier attempts can no longer write.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from app.jobs.row_writer import RowWriter, Stopped
from app.jobs.sources import CheckResources, Sources
from app.tables.checks import Checks
from app.tables.database import DATABASE_TRY_EVERY, patiently
from app.tables.spending import Spending
from app.tables.stored_check import RUNNING, UNFINISHED, StoredCheck
from app.tables.stored_record import key_of
from retrieval.errors import EsotericError, StoreAway, StoreIncomplete, StoreMissing
from retrieval.llm.budget import spent
from retrieval.pipeline import Pipeline, run_stage
from retrieval.settings import Settings
from retrieval.types import WEB, Claim, CorpusInfo

log = logging.getLogger(__name__)

MAX_ATTEMPTS = 25
AWAY = (StoreAway, StoreMissing, StoreIncomplete)  # errors that end when a server returns or a load is complete

SWITCHED = "The corpus was replaced while this check ran, so parts of the result come from the older one. Check the claim again."


class Steps:
    """Runs the checks of a process."""

    def __init__(self, settings: Settings, sources: Sources, checks: Checks) -> None:
        self.settings, self.sources, self.checks = settings, sources, checks
        self.spending = Spending(checks.engine, settings)

    def run(self, check_id: str) -> None:
        """Start or resume a check, and finish it. An error becomes a sentence in its row."""
        row = patiently(lambda: self.checks.take_up(check_id))
        if row is None or row.state not in UNFINISHED:
            return
        if row.attempts > MAX_ATTEMPTS:
            sentence = f"The server stopped {MAX_ATTEMPTS} times during this check. Check again."
        else:
            try:
                with RowWriter(self.checks, check_id, row.attempts) as writer:
                    return Attempt(self, row, writer).run()
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


class Attempt:
    """A running check. check: the record after the last complete stage, with all replies since. stages: the progress of each."""

    def __init__(self, steps: Steps, row: StoredCheck, writer: RowWriter) -> None:
        self.settings, self.checks, self.spending = steps.settings, steps.checks, steps.spending
        self.sources, self.row, self.writer = steps.sources, row, writer
        self.check, self.stages = row.complete, row.stages
        self.pipeline: Pipeline | None = None
        self.fingerprint = ""  # of the corpus that the pipeline reads

    def run(self) -> None:
        """Run the remaining stages and write the result. Raises Stopped."""
        if self.row.state == RUNNING:  # keep the replies from before a crash
            self.check = replace(self.row.complete, calls=self.row.latest.calls)
        else:
            self._with_corpus(self._begin)
        for position, stage in enumerate(self.stages):
            if stage["state"] != "done":
                self._with_corpus(partial(self._run_stage, position))
        # A result with a fault, or from the web, does not answer later checks.
        faulty = SWITCHED in self.check.notes or any(call.error for call in self.check.calls)
        key = None if faulty or WEB in self.check.timings else key_of(self.check, self.settings)
        self.writer.close()
        finish = partial(self.checks.finish, self.row.id, self.row.attempts, self.check, key, self.stages)
        if not patiently(finish):
            raise Stopped

    def _with_corpus(self, work: Callable[[], None]) -> None:
        """Do the work; while the corpus is unavailable, note that in the row and wait."""
        while True:
            try:
                return work()
            except AWAY as error:
                wait = partial(self.checks.wait, self.row.id, self.row.attempts, str(error))
            self.writer.flush()  # before `wait`, because it clears the reason to wait
            self.pipeline = None
            if not patiently(wait):
                raise Stopped
            time.sleep(DATABASE_TRY_EVERY)

    def _begin(self) -> None:
        pipeline, corpus = self._open()
        models = self._resources().models(self.row.recipe)
        claim = Claim(self.row.id, self.row.claim, context=self.row.context or "")
        self.check = replace(pipeline.start(claim), corpus=corpus, models=models)
        waiting = {"state": "waiting", "done": 0, "total": 0, "ms": None}
        self.stages = [{"name": stage.name, **waiting} for stage in pipeline.stages_for(self.check)]
        self.writer.tell(self.check, self.check, self.stages)

    def _run_stage(self, position: int) -> None:
        progress = self.stages[position]
        pipeline, corpus = self._open()
        name = progress["name"]
        # A recipe may have two stages of one name: `llm_two` asks a language model two things.
        earlier = sum(other["name"] == name for other in self.stages[:position])
        stage = [stage for stage in pipeline.stages if stage.name == name][earlier]
        progress["state"] = "running"
        previous = self.check.corpus
        if previous is not None and previous.fingerprint != corpus.fingerprint and SWITCHED not in self.check.notes:
            self.check = replace(self.check, notes=(*self.check.notes, SWITCHED))
        check = self.check
        before = check.timings.get(name, 0.0)
        self.writer.tell(check, check, self.stages)
        for step in run_stage(stage, check):
            calls = step.check.calls[len(check.calls) :]  # stored before the next step uses them
            check = step.check
            ms = round(check.timings[name] - before, 2)
            progress |= {"done": step.done, "total": step.total, "ms": ms}
            if calls:
                self.check = replace(self.check, calls=check.calls)
                patiently(partial(self.spending.add, self.row.person or "", calls))
            self.writer.tell(self.check, check, self.stages, at_once=bool(calls))
        self.check = check
        progress["state"] = "done"

    def _resources(self) -> CheckResources:
        return patiently(lambda: self.sources.resources(self.row.against))

    def _open(self) -> tuple[Pipeline, CorpusInfo]:
        """The pipeline over the current corpus, and this corpus. It is rebuilt after a loader has switched the corpus, and
        for each stage if daily tokens are limited, because fewer are left each time."""
        resources = self._resources()
        corpus = resources.corpus()
        person, recipe = self.row.person or "", self.row.recipe
        left = patiently(lambda: self.spending.left(person)) if self.settings.asks_a_model() else None
        if left is not None:
            used = spent(self.check.calls)
            return resources.within(left[0] + used.prompt_tokens + used.reply_tokens, left[1]).pipeline(recipe), corpus
        if self.pipeline is None or self.fingerprint != corpus.fingerprint:
            self.pipeline, self.fingerprint = resources.pipeline(recipe), corpus.fingerprint
        return self.pipeline, corpus
