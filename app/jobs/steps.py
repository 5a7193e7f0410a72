"""A check from start to end. Its row holds everything completed, so that the next process resumes from there.

The row is written before each stage, every tenth of a second within one, and as soon as a language model has replied:
a crash loses no more than what one stage has computed, and never a reply that was paid for.
attempt: how many-th time the check is taken up; a write of an earlier attempt changes nothing any more.
"""

from __future__ import annotations

import functools
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy.exc import InterfaceError, OperationalError

from app.jobs.checks import RUNNING, UNFINISHED, Checks, StoredCheck
from app.jobs.spending import Spending
from app.jobs.stored_record import key_of
from retrieval.errors import EsotericError, StoreAway, StoreIncomplete, StoreMissing
from retrieval.llm.budget import spent
from retrieval.output.record import Json
from retrieval.pipeline import Pipeline, run_stage
from retrieval.settings import Settings
from retrieval.types import WEB, Claim, CorpusInfo, FactCheck

if TYPE_CHECKING:
    from app.sources.opening import CheckResources, Sources

log = logging.getLogger(__name__)

MAX_ATTEMPTS = 25
WRITE_EVERY = 0.1  # seconds between two writes of a running stage's progress; bounds how late a cancel is seen
PATIENCE = 600.0  # seconds that a check waits for the database to come back
AGAIN = 1.0  # seconds between two tries
AWAY = (StoreAway, StoreMissing, StoreIncomplete)  # errors that pass when a server returns or a load ends

SWITCHED = (
    "The corpus was replaced while this check ran, so parts of it come from the older one. Check the claim again."
)

Result = TypeVar("Result")


class Stopped(Exception):
    """Nobody waits for the check any more: it was cancelled, deleted, or taken over."""


@dataclass
class Attempt:
    """A check at work. check: after its last completed stage, with all replies since. stages: the progress of each.

    fingerprint: of the corpus that `pipeline` reads.
    """

    row: StoredCheck
    number: int
    check: FactCheck
    stages: list[Json]
    pipeline: Pipeline | None = None
    fingerprint: str = ""


class Steps:
    """The work on all checks of a process."""

    def __init__(self, settings: Settings, sources: Sources, checks: Checks) -> None:
        self.settings = settings
        self.sources = sources
        self.checks = checks
        self.spending = Spending(checks.engine, settings)

    def run(self, check_id: str) -> None:
        """Start or resume the check, run its remaining stages, finish it. Errors end up in its row, as a sentence."""
        number = patiently(lambda: self.checks.count_attempt(check_id))
        if number > MAX_ATTEMPTS:
            sentence = f"The server stopped {MAX_ATTEMPTS} times during this check. Check again."
        else:
            try:
                return self._work(check_id, number)
            except Stopped:
                return None
            except EsotericError as error:
                sentence = str(error)
            except Exception:
                log.exception("Check %s failed", check_id)
                sentence = (
                    f"Something went wrong inside the program. Check again; if it happens again, report it with the "
                    f"number of this check, {check_id}, and what the server's log says about it."
                )
        patiently(lambda: self.checks.fail(check_id, sentence, number))
        return None

    def _work(self, check_id: str, number: int) -> None:
        row = patiently(lambda: self.checks.get(check_id))
        if row is None or row.state not in UNFINISHED:
            raise Stopped
        attempt = Attempt(row, number, row.complete, row.stages)
        if row.state == RUNNING:  # replies from before a crash are not paid for again
            attempt.check = replace(row.complete, calls=row.latest.calls)
        else:
            self._with_corpus(attempt, self._begin)
        for position, stage in enumerate(attempt.stages):
            if stage["state"] != "done":
                self._with_corpus(attempt, functools.partial(self._run_stage, position))
        self._finish(attempt)

    def _with_corpus(self, attempt: Attempt, work: Callable[[Attempt], None]) -> None:
        """Do it; if the corpus is away, the check says so and waits for it."""
        while True:
            try:
                return work(attempt)
            except AWAY as error:
                says = functools.partial(self.checks.wait, attempt.row.id, attempt.number, str(error))
            attempt.pipeline = None
            if not patiently(says):
                raise Stopped
            time.sleep(AGAIN)

    def _begin(self, attempt: Attempt) -> None:
        pipeline, corpus = self._open(attempt)
        models = self._resources(attempt).models(attempt.row.recipe)
        claim = Claim(attempt.row.id, attempt.row.claim, context=attempt.row.context or "")
        attempt.check = replace(pipeline.start(claim), corpus=corpus, models=models)
        waiting = {"state": "waiting", "done": 0, "total": 0, "ms": None}
        attempt.stages = [{"name": stage.name, **waiting} for stage in pipeline.stages]
        self._write(attempt, self.checks.begin, attempt.check)

    def _run_stage(self, position: int, attempt: Attempt) -> None:
        told = attempt.stages[position]
        pipeline, corpus = self._open(attempt)
        stage = next(stage for stage in pipeline.stages if stage.name == told["name"])
        told["state"] = "running"
        attempt.check = check = note_switch(attempt.check, corpus)
        self._write(attempt, self.checks.write_stage, check)
        written = time.monotonic()
        for progress in run_stage(stage, check):
            new = progress.check.calls[len(check.calls) :]  # replies, which are kept before they are read
            check = progress.check
            told |= {"done": progress.done, "total": progress.total, "ms": check.timings[stage.name]}
            attempt.check = replace(attempt.check, calls=check.calls)
            if new:
                patiently(functools.partial(self.spending.add, attempt.row.person or "", new))
            if new or time.monotonic() - written >= WRITE_EVERY:
                self._write(attempt, self.checks.write_progress, check)
                written = time.monotonic()
        attempt.check = check
        told["state"] = "done"

    def _finish(self, attempt: Attempt) -> None:
        check = attempt.check
        # What a fault has made is no answer to later questions, nor is what the web held today.
        faultless = SWITCHED not in check.notes and not any(call.error for call in check.calls)
        reusable = faultless and WEB not in check.timings
        key = key_of(check, self.settings) if reusable else None
        ended = functools.partial(self.checks.finish, attempt.row.id, attempt.number, check, key, attempt.stages)
        if not patiently(ended):
            raise Stopped

    def _resources(self, attempt: Attempt) -> CheckResources:
        return patiently(lambda: self.sources.resources(attempt.row.against))

    def _open(self, attempt: Attempt) -> tuple[Pipeline, CorpusInfo]:
        """The stages over the corpus in use now, and this. Put together once, and again after a loader has switched the
        corpus; before each stage where the day's tokens bound what a language model may still cost."""
        resources = self._resources(attempt)
        corpus = resources.corpus()
        person, recipe = attempt.row.person or "", attempt.row.recipe
        left = patiently(lambda: self.spending.left(person)) if self.settings.llm_model else None
        if left is not None:
            here = spent(attempt.check.calls)
            return resources.within(left[0] + here.prompt_tokens + here.reply_tokens, left[1]).pipeline(recipe), corpus
        if attempt.pipeline is None or attempt.fingerprint != corpus.fingerprint:
            attempt.pipeline, attempt.fingerprint = resources.pipeline(recipe), corpus.fingerprint
        return attempt.pipeline, corpus

    def _write(self, attempt: Attempt, write: Callable[..., bool], check: FactCheck) -> None:
        """Write into the check's row. Raises Stopped if nobody waits for it any more."""
        if not patiently(lambda: write(attempt.row.id, attempt.number, check, attempt.stages)):
            raise Stopped


def note_switch(check: FactCheck, corpus: CorpusInfo) -> FactCheck:
    """Add a note if a loader switched the corpus during the check."""
    if check.corpus is None or check.corpus.fingerprint == corpus.fingerprint or SWITCHED in check.notes:
        return check
    return replace(check, notes=(*check.notes, SWITCHED))


def patiently(work: Callable[[], Result]) -> Result:
    """Do it; if the database is away, wait for it and start again."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return work()
        except (OperationalError, InterfaceError) as error:
            if time.monotonic() > until:
                raise
            log.warning("The database of checks cannot be used; waiting for it (%s)", str(error.orig).splitlines()[0])
            time.sleep(AGAIN)
