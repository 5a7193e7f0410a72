"""Submits checks, which this process or another on the same database runs; and assembles the parts of a process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from app.jobs.queue import CheckQueue
from app.jobs.reports import ReportRuns
from app.jobs.retention import Retention
from app.jobs.sources import Sources
from app.jobs.worker import Worker
from app.tables.opened import Tables
from app.tables.ownership import Account
from app.tables.stored_record import cache_key
from retrieval.settings import Settings


@dataclass(frozen=True)
class Submitted:
    """A submitted check. earlier: it existed already."""

    id: str
    earlier: bool


class Work(Tables):
    """The parts of a process, whether it serves pages or runs checks. Each knows only the parts that it needs."""

    def __init__(self, settings: Settings, resources: Any, engine: sa.Engine) -> None:
        """resources: the models and the corpus, as `retrieval.resources.Resources` has them."""
        super().__init__(engine)
        self.settings, self.resources = settings, resources
        self.queue = CheckQueue(settings)
        self.sources = Sources(settings, resources, self.documents)
        self.report_runs = ReportRuns(settings, self.sources, self.reports, self.queue)
        self.worker = Worker(settings, self.sources, self.checks, self.queue, self.report_runs)
        self.retention = Retention(settings, self, self.sources, self.queue, self.report_runs)

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
        """Check a claim, or find an earlier check of it that the owner may see. against: what to read instead of the default
        corpus, as `sources.py` names it. person: whose turn it is in the queue. shared: whether others may see it.
        Raises RecipeError, StoreError if there is nothing to check against, QueueFull if too many checks wait."""
        models = self.resources.models(recipe)
        corpus = self.sources.resources(against).corpus()
        if not fresh and not self.sources.reads_web(against):
            key = cache_key(claim, recipe, corpus.fingerprint, models, self.settings)
            if earlier := self.checks.earlier(key, against, owner):
                return Submitted(earlier, earlier=True)
        check_id = self.checks.add(claim, recipe, self.settings.queue_limit, against, person, owner, shared)
        self.queue.put(check_id, self.checks.place(check_id))
        self.queue.wake()
        return Submitted(check_id, earlier=False)
