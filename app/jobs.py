"""Checks as durable work: a DBOS workflow a check, a recorded step a stage.

A process may die anywhere. Each step writes its result into the row of its check and nothing else,
and finds there where it had come to, so the next start goes on with the first stage that is not whole.
"""

from __future__ import annotations

import hashlib
import json
import logging
import threading
import time
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from app.checks import RUNNING, UNFINISHED, Checks, StoredCheck, database_url
from retrieval.errors import EsotericError, StoreAway, StoreIncomplete, StoreMissing
from retrieval.pipeline import Pipeline, run_stage
from retrieval.settings import Settings
from retrieval.types import Claim, CorpusInfo, FactCheck

log = logging.getLogger(__name__)

NAME = "esoteric"
QUEUE = "checks"
VERSION = "1"  # of the workflow's steps; fixed, so that a restart after an edit resumes what was begun
MAX_ATTEMPTS = 25
WRITE_EVERY = 0.1  # seconds between two writes of a running stage's progress; bounds how late a cancel is seen

AWAY = (StoreAway, StoreMissing, StoreIncomplete)  # what a server that returns, or a load, puts right
SECONDS_BETWEEN_TRIES = 1.0

SWITCHED = (
    "The corpus was replaced while this check ran, so parts of it come from the older one. Check the claim again."
)


class CheckResources(Protocol):
    """What a check needs (`retrieval.resources.Resources`)."""

    def corpus(self) -> CorpusInfo: ...
    def pipeline(self, recipe: str) -> Pipeline: ...
    def models(self, recipe: str) -> Mapping[str, str]: ...


@dataclass(frozen=True)
class Submitted:
    """earlier: the answer was there already."""

    id: str
    earlier: bool


class Jobs:
    """Starts, runs and stops checks. One in a process may be launched at a time, as DBOS is a singleton."""

    def __init__(self, settings: Settings, resources: CheckResources, checks: Checks) -> None:
        self.settings = settings
        self.resources = resources
        self.checks = checks
        self._workflow: Callable[[str], None] | None = None
        self._enqueuing = threading.Lock()

    def launch(self) -> None:
        """Take up what an earlier process left and what was submitted before this, and wait for work."""
        from dbos import DBOS

        DBOS(
            config={
                "name": NAME,
                "system_database_url": database_url(self.settings).render_as_string(hide_password=False),
                "application_version": VERSION,
                "executor_id": self._executor(),
                "console_log_level": "ERROR",
                "log_level": "ERROR",
            }
        )
        workflow = DBOS.workflow(name="check", max_recovery_attempts=None)(self._workflow_function())
        DBOS.launch()
        DBOS.register_queue(
            QUEUE,
            worker_concurrency=self.settings.workers,
            polling_interval_sec=0.1,
            on_conflict="always_update",
        )
        with self._enqueuing:
            self._workflow = workflow
        for check_id in self.checks.unfinished():
            self._enqueue(check_id)

    def close(self) -> None:
        """Stop taking up work. What runs is gone on with at the next launch."""
        from dbos import DBOS

        if self._workflow is not None:
            self._workflow = None
            DBOS.destroy(destroy_registry=True)

    def submit(self, claim: str, recipe: str, fresh: bool = False) -> Submitted:
        """Check a claim, or find the check that answered it before.

        Raises RecipeError for a recipe that is not there, StoreError where there is no corpus to check against,
        QueueFull where too many wait.
        """
        models = self.resources.models(recipe)
        corpus = self.resources.corpus()
        if not fresh:
            key = cache_key(claim, recipe, corpus.fingerprint, models)
            if earlier := self.checks.earlier(key):
                return Submitted(earlier, earlier=True)
        check_id = self.checks.add(claim, recipe, self.settings.queue_limit)
        self._enqueue(check_id)
        return Submitted(check_id, earlier=False)

    def delete(self, check_id: str) -> bool:
        """Stop and forget a check."""
        deleted = self.checks.delete(check_id)
        if deleted:
            self._forget([check_id])
        return deleted

    def delete_all(self) -> int:
        """Stop and forget every check; returns how many there were."""
        ids = self.checks.delete_all()
        self._forget(ids)
        return len(ids)

    def _enqueue(self, check_id: str) -> None:
        """Idempotent: a check that is queued or running already is left alone. Before the launch, it does this itself."""
        from dbos import DBOS, SetWorkflowID

        with self._enqueuing:
            workflow = self._workflow
        if workflow is not None:
            with SetWorkflowID(check_id):
                DBOS.enqueue_workflow(QUEUE, workflow, check_id)

    def _forget(self, ids: list[str]) -> None:
        from dbos import DBOS

        if self._workflow is not None:
            for check_id in ids:
                DBOS.cancel_workflow(check_id)
            DBOS.delete_workflows(ids)

    def _executor(self) -> str:
        """This installation's name among those that share a database: recovery takes up its own work only."""
        import uuid

        file = self.settings.data / "executor"
        if not file.exists():
            file.write_text(uuid.uuid4().hex, encoding="ascii")
        return file.read_text(encoding="ascii").strip()

    def _workflow_function(self) -> Callable[[str], None]:
        from dbos import DBOS

        def check_workflow(check_id: str) -> None:
            if self.checks.count_attempt(check_id) > MAX_ATTEMPTS:
                self.checks.fail(check_id, f"The server stopped {MAX_ATTEMPTS} times during this check. Check again.")
                return
            names = DBOS.run_step({"name": "begin"}, self._guard(self._begin), check_id)
            for name in names or []:
                if not DBOS.run_step({"name": name}, self._guard(self._run_stage), check_id, name):
                    return
            if names:
                DBOS.run_step({"name": "finish"}, self._guard(self._finish), check_id)

        return check_workflow

    def _guard(self, step: Callable[..., Any]) -> Callable[..., Any]:
        """A step whose errors end in the check's row, as a sentence for the person who asked.

        Where the corpus is away, the step is tried again until it is back: the check waits and is not lost.
        """

        def guarded(check_id: str, *args: str) -> Any:
            try:
                while True:
                    try:
                        return step(check_id, *args)
                    except AWAY as error:
                        if not self.checks.wait(check_id, str(error)):
                            return None
                        time.sleep(SECONDS_BETWEEN_TRIES)
            except EsotericError as error:
                self.checks.fail(check_id, str(error))
            except Exception:
                log.exception("Check %s failed", check_id)
                self.checks.fail(
                    check_id,
                    f"Something went wrong inside the program. Check again; if it happens again, report it with the "
                    f"number of this check, {check_id}, and what the server's log says about it.",
                )
            return None

        return guarded

    def _begin(self, check_id: str) -> list[str]:
        row = self.checks.get(check_id)
        if row is None or row.state not in UNFINISHED:
            return []
        pipeline = self.resources.pipeline(row.recipe)
        names = [stage.name for stage in pipeline.stages]
        models = self.resources.models(row.recipe)
        check = replace(pipeline.start(Claim(row.id, row.claim)), corpus=self.resources.corpus(), models=models)
        waiting = [{"name": name, "state": "waiting", "done": 0, "total": 0, "ms": None} for name in names]
        return names if self.checks.begin(check_id, check, waiting) else []

    def _run_stage(self, check_id: str, name: str) -> bool:
        row = self.checks.get(check_id)
        if row is None or row.state != RUNNING:
            return False
        position = [stage["name"] for stage in row.stages].index(name)
        if row.stages[position]["state"] == "done":
            return True  # written before the process died, only not recorded
        stage = next(stage for stage in self.resources.pipeline(row.recipe).stages if stage.name == name)
        check = self._note_switch(row.complete)
        stages = row.stages
        stages[position] |= {"state": "running"}
        written = 0.0
        if not self.checks.write_progress(check_id, check, stages):
            return False
        for progress in run_stage(stage, check):
            check = progress.check
            stages[position] |= {"done": progress.done, "total": progress.total, "ms": check.timings[name]}
            if time.monotonic() - written >= WRITE_EVERY:
                written = time.monotonic()
                if not self.checks.write_progress(check_id, check, stages):
                    return False
        stages[position] |= {"state": "done"}
        return self.checks.write_stage(check_id, check, stages)

    def _note_switch(self, check: FactCheck) -> FactCheck:
        """Say so where a loader switched the corpus under a check that had begun."""
        corpus = self.resources.corpus()
        if check.corpus is None or check.corpus.fingerprint == corpus.fingerprint or SWITCHED in check.notes:
            return check
        return replace(check, notes=(*check.notes, SWITCHED))

    def _finish(self, check_id: str) -> None:
        row = self.checks.get(check_id)
        if row is None:
            return
        check = row.complete
        self.checks.finish(check_id, check, None if SWITCHED in check.notes else key_of(row))


def cache_key(claim: str, recipe: str, fingerprint: str, models: Mapping[str, str]) -> str:
    """The same for checks that must have the same answer."""
    text = " ".join(unicodedata.normalize("NFC", claim).split())
    parts = json.dumps([text, recipe, fingerprint, sorted(models.items())])
    return hashlib.sha256(parts.encode()).hexdigest()


def key_of(row: StoredCheck) -> str | None:
    """The key of a check by what it really used."""
    check = row.complete
    return cache_key(row.claim, row.recipe, check.corpus.fingerprint, check.models) if check.corpus else None
