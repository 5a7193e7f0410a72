"""Checks as durable jobs: submitted here, run by this process or by others that share its database."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from app.jobs.queue import CheckQueue
from app.jobs.reports import ReportRuns
from app.jobs.retention import Retention
from app.jobs.sources import CheckResources, Sources
from app.tables.checks import Checks
from app.tables.opened import Tables, open_tables
from app.tables.ownership import Account
from app.tables.stored_record import cache_key
from app.tables.workers import Workers
from retrieval.settings import Settings

if TYPE_CHECKING:
    from app.jobs.worker import Worker


UNATTENDED = "No worker is running, so checks have to wait. Start one with `python -m app worker` on the same DATABASE."


@dataclass(frozen=True)
class Submitted:
    """earlier: the answer was there already."""

    id: str
    earlier: bool


class Jobs:
    """Starts and stops checks. One in a process may be launched at a time, as DBOS is a singleton."""

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
        """A separate worker announces itself to the others before it has loaded its models. waits: why it takes no checks
        yet, in a sentence.
        """
        self._make_worker().sign_on(waits)

    def launch(self) -> None:
        """Queue what was submitted before this; where WORKERS is not 0, work on it in this process."""
        self.queue.open()  # first, so that whatever is submitted from here on is queued by who submits it
        for check_id in self._checks.unfinished():
            self.queue.put(check_id, self._checks.place(check_id))
        self._reports.feed_all()
        if self.settings.workers:
            self._make_worker().launch()

    def close(self) -> None:
        """Stop taking up work. Others resume what is running, or the next launch does."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.close()
        self.queue.close()

    def leave(self) -> None:
        """Before the process ends at once: others may take over what it does."""
        if self._worker is not None:
            self._worker.leave()

    def obstacle(self) -> str:
        """Why nobody works on checks, here or elsewhere; empty if somebody does."""
        told = "" if self.settings.workers else self._workers.obstacle()
        return UNATTENDED if told is None else told

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
        """Check a claim, or find the check that answered it before.

        against: documents to read instead of the corpus, as `app/jobs/sources.py` names them. person: who asks. owner,
        shared: whose it is, and whether others may see it; they see no earlier one that they may not. Raises RecipeError for a recipe
        that is not there, StoreError where there is nothing to check against, QueueFull where too many wait.
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
        from app.jobs.worker import Worker

        if self._worker is None:
            self._worker = Worker(self.settings, self._sources, self._checks, self.queue, self._workers, self._reports)
        return self._worker


@dataclass(frozen=True)
class Work(Tables):
    """What a process works with, whether it serves pages or checks claims; each part knows only what it needs."""

    settings: Settings
    resources: Any
    sources: Sources
    queue: CheckQueue
    jobs: Jobs
    report_runs: ReportRuns
    retention: Retention


def open_work(settings: Settings, resources: Any, engine: sa.Engine) -> Work:
    """Over the engine's database. resources: what checks read and run with."""
    tables, queue = open_tables(engine), CheckQueue(settings)
    sources = Sources(settings, resources, tables.documents)
    runs = ReportRuns(settings, sources, tables, queue)
    jobs = Jobs(settings, resources, sources, tables.checks, queue, runs)
    retention = Retention(settings, tables, sources, queue, runs)
    return Work(
        **vars(tables),
        settings=settings,
        resources=resources,
        sources=sources,
        queue=queue,
        jobs=jobs,
        report_runs=runs,
        retention=retention,
    )
