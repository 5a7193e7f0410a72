"""What a check does, step by step. Each step finds in the check's row where the one before it had come to.

attempt: how many-th time the check is taken up; a write of an earlier attempt changes nothing any more.
"""

from __future__ import annotations

import functools
import logging
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy.exc import InterfaceError, OperationalError

from app.jobs.answer_keys import key_of
from app.jobs.checks import RUNNING, UNFINISHED, Checks, StoredCheck
from app.jobs.spending import Spending
from retrieval.errors import EsotericError, StoreAway, StoreIncomplete, StoreMissing
from retrieval.llm.budget import spent
from retrieval.pipeline import run_stage
from retrieval.settings import Settings
from retrieval.types import Claim, CorpusInfo, FactCheck

if TYPE_CHECKING:
    from app.sources.opening import CheckResources, Sources

log = logging.getLogger(__name__)

WRITE_EVERY = 0.1  # seconds between two writes of a running stage's progress; bounds how late a cancel is seen
PATIENCE = 600.0  # seconds that a step waits for the database to come back
AGAIN = 1.0  # seconds between two tries
AWAY = (StoreAway, StoreMissing, StoreIncomplete)  # what a server that returns, or a load, puts right

SWITCHED = (
    "The corpus was replaced while this check ran, so parts of it come from the older one. Check the claim again."
)

Result = TypeVar("Result")


class Steps:
    """The steps of all checks of a process."""

    def __init__(self, settings: Settings, sources: Sources, checks: Checks) -> None:
        self.settings = settings
        self.sources = sources
        self.checks = checks
        self.spending = Spending(checks.engine, settings)

    def take_up(self, check_id: str) -> int:
        """Note that this process takes the check up; returns the number of the attempt."""
        return patiently(lambda: self.checks.count_attempt(check_id))

    def begin(self, check_id: str, attempt: int) -> list[str] | None:
        """Names of the stages to run; none where the check is not to be run any more."""
        return self._guarded(check_id, attempt, lambda: self._begin(check_id, attempt))

    def run_stage(self, check_id: str, attempt: int, name: str) -> bool | None:
        """Whether to go on."""
        return self._guarded(check_id, attempt, lambda: self._run_stage(check_id, attempt, name))

    def finish(self, check_id: str, attempt: int) -> None:
        """The check is done."""
        self._guarded(check_id, attempt, lambda: self._finish(check_id, attempt))

    def _guarded(self, check_id: str, attempt: int, step: Callable[[], Result]) -> Result | None:
        """Errors end in the check's row, as a sentence for the person who asked."""
        try:
            return self._with_corpus(check_id, attempt, step)
        except EsotericError as error:
            sentence = str(error)
        except Exception:
            log.exception("Check %s failed", check_id)
            sentence = (
                f"Something went wrong inside the program. Check again; if it happens again, report it with the "
                f"number of this check, {check_id}, and what the server's log says about it."
            )
        patiently(lambda: self.checks.fail(check_id, sentence, attempt))
        return None

    def _with_corpus(self, check_id: str, attempt: int, step: Callable[[], Result]) -> Result | None:
        """Do it; where the corpus is away, the check says so, waits for it and is not lost. None: nobody waits any more."""
        while True:
            try:
                return patiently(step)
            except AWAY as error:
                waited_for = functools.partial(self.checks.wait, check_id, attempt, str(error))
            if not patiently(waited_for):
                return None
            time.sleep(AGAIN)

    def _begin(self, check_id: str, attempt: int) -> list[str]:
        row = self.checks.get(check_id)
        if row is None or row.state not in UNFINISHED:
            return []
        resources = self.sources.resources(row.against)
        pipeline = resources.pipeline(row.recipe)
        names = [stage.name for stage in pipeline.stages]
        models = resources.models(row.recipe)
        check = replace(pipeline.start(Claim(row.id, row.claim)), corpus=resources.corpus(), models=models)
        waiting = [{"name": name, "state": "waiting", "done": 0, "total": 0, "ms": None} for name in names]
        return names if self.checks.begin(check_id, attempt, check, waiting) else []

    def _run_stage(self, check_id: str, attempt: int, name: str) -> bool:
        row = self.checks.get(check_id)
        if row is None or row.state != RUNNING:
            return False
        position = [stage["name"] for stage in row.stages].index(name)
        if row.stages[position]["state"] == "done":
            return True  # written before the process died, only not recorded
        resources = self._affordable(row)
        stage = next(stage for stage in resources.pipeline(row.recipe).stages if stage.name == name)
        paid = replace(
            row.complete, calls=row.latest.calls
        )  # replies that came before the process died are not paid again
        check = note_switch(paid, resources.corpus())
        stages = row.stages
        stages[position] |= {"state": "running"}
        written = 0.0
        if not self.checks.write_progress(check_id, attempt, check, stages):
            return False
        for progress in run_stage(stage, check):
            check = progress.check
            stages[position] |= {"done": progress.done, "total": progress.total, "ms": check.timings[name]}
            paid_for = len(check.calls) > len(paid.calls)  # a reply is kept before it is read
            if paid_for:
                self.spending.add(row.person or "", check.calls[len(paid.calls) :])
            if paid_for or time.monotonic() - written >= WRITE_EVERY:
                written, paid = time.monotonic(), check
                if not self.checks.write_progress(check_id, attempt, check, stages):
                    return False
        stages[position] |= {"state": "done"}
        return self.checks.write_stage(check_id, attempt, check, stages)

    def _affordable(self, row: StoredCheck) -> CheckResources:
        """What the check reads and runs with; its language model within what is left of the day."""
        resources = self.sources.resources(row.against)
        left = self.spending.left(row.person or "") if self.settings.llm_model else None
        if left is None:
            return resources
        spent_here = spent(row.latest.calls)
        return resources.within(left[0] + spent_here.prompt_tokens + spent_here.reply_tokens, left[1])

    def _finish(self, check_id: str, attempt: int) -> None:
        row = self.checks.get(check_id)
        if row is None:
            return
        check = row.complete
        # What a fault has made is no answer to later questions.
        reusable = SWITCHED not in check.notes and not any(call.error for call in check.calls)
        self.checks.finish(check_id, attempt, check, key_of(row, self.settings) if reusable else None)


def note_switch(check: FactCheck, corpus: CorpusInfo) -> FactCheck:
    """Say so where a loader switched the corpus under a check that had begun."""
    if check.corpus is None or check.corpus.fingerprint == corpus.fingerprint or SWITCHED in check.notes:
        return check
    return replace(check, notes=(*check.notes, SWITCHED))


def patiently(work: Callable[[], Result]) -> Result:
    """Do it; where the database is away, wait for it and do it again from the start."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return work()
        except (OperationalError, InterfaceError) as error:
            if time.monotonic() > until:
                raise
            log.warning("The database of checks cannot be used; waiting for it (%s)", str(error.orig).splitlines()[0])
            time.sleep(AGAIN)
