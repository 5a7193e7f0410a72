"""Submits checks, which this process runs or others that share its database; and puts together what a process works with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from app.jobs.queue import CheckQueue
from app.jobs.reports import ReportRuns
from app.jobs.retention import Retention
from app.jobs.sources import CheckResources, Sources
from app.jobs.worker import Worker
from app.tables.checks import Checks
from app.tables.opened import Tables
from app.tables.ownership import Account
from app.tables.stored_record import cache_key
from app.tables.workers import Workers
from retrieval.settings import Settings

UNATTENDED = "No worker is running, so checks have to wait. Start one with `python -m app worker` on the same DATABASE."


@dataclass(frozen=True)
class Submitted:
    """A submitted check. earlier: it existed already."""

    id: str
    earlier: bool


class Jobs:
    """Starts and stops checks. Only one may be launched in a process, because DBOS is a singleton."""

    def __init__(
        self,
        settings: Settings,
        resources: CheckResources,
        sources: Sources,
        checks: Checks,
        queue: CheckQueue,
        reports: ReportRuns,
    ) -> None:
        self.settings = settings
        self._resources, self._sources, self._checks = resources, sources, checks
        self.queue, self._reports = queue, reports
        self._workers = Workers(checks.engine, settings.worker_timeout)
        self._worker: Worker | None = None

    def sign_on(self, waits: Callable[[], str]) -> None:
        """Send heartbeats, as a separate worker does before its models are loaded. waits: gives the reason why it takes no
        checks yet.
        """
        self._make_worker().sign_on(waits)

    def launch(self) -> None:
        """Queue what was submitted before; if WORKERS is above 0, run checks in this process."""
        self.queue.open()  # first: from here on, `submit` queues checks itself
        for check_id in self._checks.unfinished():
            self.queue.put(check_id, self._checks.place(check_id))
        self._reports.feed_all()
        if self.settings.workers:
            self._make_worker().launch()

    def close(self) -> None:
        """Stop running checks. Other workers or the next launch resume them."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.close()
        self.queue.close()

    def leave(self) -> None:
        """Tell other workers to take over, because this process is about to end."""
        if self._worker is not None:
            self._worker.leave()

    def obstacle(self) -> str:
        """Why no worker runs checks, here or elsewhere; empty if one does."""
        obstacle = "" if self.settings.workers else self._workers.obstacle()
        return UNATTENDED if obstacle is None else obstacle

    def submit(
        self,
        claim: str,
        recipe: str,
        fresh: bool = False,
        against: str = "",
        person: str = "",
        owner: Account | None = None,
        shared: bool = False,
    ) -> Submitted:
        """Check a claim, or find an earlier check that answers it and that the owner may see.

        against: what to read instead of the default corpus, as `app/jobs/sources.py` names it. person: whose turn it is in
        the queue. shared: whether others may see the check. Raises RecipeError if there is no such recipe, StoreError if
        there is nothing to check against, QueueFull if too many checks wait.
        """
        models = self._resources.models(recipe)
        corpus = self._sources.resources(against).corpus()
        if not fresh and not self._sources.reads_web(against):
            key = cache_key(claim, recipe, corpus.fingerprint, models, self.settings)
            if earlier := self._checks.earlier(key, against, owner):
                return Submitted(earlier, earlier=True)
        check_id = self._checks.add(claim, recipe, self.settings.queue_limit, against, person, owner, shared)
        self.queue.put(check_id, self._checks.place(check_id))
        self.queue.wake()
        return Submitted(check_id, earlier=False)

    def _make_worker(self) -> Worker:
        if self._worker is None:
            self._worker = Worker(self.settings, self._sources, self._checks, self.queue, self._workers, self._reports)
        return self._worker


class Work(Tables):
    """What a process works with, whether it serves pages or runs checks. Each part knows only what it needs."""

    def __init__(self, settings: Settings, resources: Any, engine: sa.Engine) -> None:
        """resources: the models and the corpus, as `retrieval.resources.Resources` has them."""
        super().__init__(engine)
        self.settings, self.resources = settings, resources
        self.queue = CheckQueue(settings)
        self.sources = Sources(settings, resources, self.documents)
        self.report_runs = ReportRuns(settings, self.sources, self.reports, self.queue)
        self.jobs = Jobs(settings, resources, self.sources, self.checks, self.queue, self.report_runs)
        self.retention = Retention(settings, self, self.sources, self.queue, self.report_runs)
