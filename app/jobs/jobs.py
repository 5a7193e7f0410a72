"""Checks as durable jobs: submitted here, run by this process or by others that share its database."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.jobs.queue import CheckQueue
from app.jobs.reports import ReportRuns
from app.jobs.sources import CheckResources, Sources, upload_name
from app.tables.checks import Checks, now
from app.tables.claim_tables import ClaimTables
from app.tables.collections import CHECK, Collections
from app.tables.database import give_space_back
from app.tables.decisions import Decisions, decided_checks, decided_reports
from app.tables.documents import Documents
from app.tables.ownership import Account
from app.tables.stored_record import cache_key
from app.tables.texts import Texts
from app.tables.workers import Workers
from retrieval.settings import Settings

if TYPE_CHECKING:
    from app.jobs.worker import Worker


AT_ONCE = 500  # checks that are deleted in one go
UNATTENDED = "No worker is running, so checks have to wait. Start one with `python -m app worker` on the same DATABASE."


@dataclass(frozen=True)
class Submitted:
    """earlier: the answer was there already."""

    id: str
    earlier: bool


class Jobs:
    """Starts and stops checks. One in a process may be launched at a time, as DBOS is a singleton."""

    def __init__(self, settings: Settings, resources: CheckResources, checks: Checks) -> None:
        self.settings = settings
        self.resources = resources
        self.checks = checks
        self.documents = Documents(checks.engine)
        self.texts = Texts(checks.engine)
        self.tables = ClaimTables(checks.engine)
        self.decisions = Decisions(checks.engine)
        self.collections = Collections(checks.engine)
        self.sources = Sources(settings, resources, self.documents)
        self.queue = CheckQueue(settings)
        self.workers = Workers(checks.engine, settings.worker_timeout)
        self.reports = ReportRuns(settings, self.sources, checks, self.queue, self.wake)
        self._worker: Worker | None = None

    def sign_on(self, waits: Callable[[], str]) -> None:
        """A separate worker announces itself to the others before it has loaded its models. waits: why it takes no checks
        yet, in a sentence.
        """
        self.workers.create_table()
        self._make_worker().sign_on(waits)

    def launch(self) -> None:
        """Queue what was submitted before this; where WORKERS is not 0, work on it in this process."""
        self.workers.create_table()
        self.queue.open()  # first, so that whatever is submitted from here on is queued by who submits it
        for check_id in self.checks.unfinished():
            self.queue.put(check_id, self.checks.place(check_id))
        self.reports.feed_all()
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
        told = "" if self.settings.workers else self.workers.obstacle()
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
        models = self.resources.models(recipe)
        corpus = self.sources.resources(against).corpus()
        if not fresh and not self.sources.reads_web(against):
            key = cache_key(claim, recipe, corpus.fingerprint, models, self.settings)
            if earlier := self.checks.earlier(key, against, owner):
                return Submitted(earlier, earlier=True)
        check_id = self.checks.add(claim, recipe, self.settings.queue_limit, against, person, owner, shared)
        self.queue.put(check_id, self.checks.place(check_id))
        self.wake()
        return Submitted(check_id, earlier=False)

    def wake(self) -> None:
        """There is something in the queue: where this process works on it, it looks at once."""
        if self._worker is not None:
            self._worker.wake()

    def delete(self, check_id: str) -> bool:
        """Stop and forget a check."""
        deleted = self.checks.delete(check_id)
        self.decisions.delete([check_id])
        self.collections.forget(CHECK, [check_id])
        if deleted:
            self.queue.forget([check_id])
        return deleted

    def delete_documents(self, documents_id: str) -> bool:
        """Forget uploaded documents, and the checks that quote them."""
        deleted = self.documents.delete(documents_id)
        self.sources.forget(upload_name(documents_id))
        for report_id in self.reports.reports.reading(upload_name(documents_id)):
            self.reports.delete(report_id)
        for check_id in self.checks.reading(upload_name(documents_id)):
            self.delete(check_id)
        give_space_back(self.checks.engine)
        return deleted

    def delete_all(self) -> int:
        """Stop and forget every check, report and text; returns how many checks there were."""
        self.texts.delete_older(now())
        self.tables.delete_older(now())
        return self.delete_ended("")

    def delete_ended(self, before: str) -> int:
        """Forget the checks and reports that ended before this moment, all where it is empty; a few at a time.

        What a person has decided about is kept, unless it is all that goes; what is filed in a collection is not kept for that.
        """
        deleted = 0
        while reports := self.reports.reports.some(AT_ONCE, before, but=decided_reports() if before else None):
            for report_id in reports:
                deleted += self.reports.delete(report_id)
        while ids := self.checks.some(AT_ONCE, before, but=decided_checks() if before else None):
            deleted += self.checks.delete_these(ids)
            self.decisions.delete(ids)
            self.collections.forget(CHECK, ids)
            self.queue.forget(ids)
        if deleted:
            give_space_back(self.checks.engine)
        return deleted

    def _make_worker(self) -> Worker:
        from app.jobs.worker import Worker

        if self._worker is None:
            self._worker = Worker(self.settings, self.sources, self.checks, self.queue, self.workers, self.reports)
        return self._worker
