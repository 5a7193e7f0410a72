"""Starts, feeds, stops, resumes and deletes reports.

A report's checks are queued a few at a time (`Reports.feed`), when one ends and with every heartbeat of a worker.
"""

from __future__ import annotations

from typing import Any

from app.errors import Busy, Unusable
from app.jobs.queue import CheckQueue
from app.jobs.sources import Sources
from app.tables.decisions import decided_checks
from app.tables.reports import MOST_CLAIMS, NewReport, Reports
from app.tables.stored_record import deciding_values
from retrieval.output.record import Json
from retrieval.settings import Settings
from retrieval.version import PROGRAM

MOST_RUNNING_REPORTS = 20  # of a person


class ReportRuns:
    """Starts and stops reports. Safe in several threads and processes."""

    def __init__(self, settings: Settings, sources: Sources, reports: Reports, queue: CheckQueue) -> None:
        self._settings, self._sources, self._reports, self._queue = settings, sources, reports, queue

    def start(self, new: NewReport, origin: Json | None = None) -> str:
        """Start a report; returns its id. origin: the source of its text. Raises Unusable if there are no claims or too many,
        Busy if this person has too many unfinished reports, RecipeError, and StoreError if there is nothing to check against.
        """
        if not new.claims:
            raise Unusable("There is no claim to check. Choose at least one sentence.")
        if (many := len(new.claims)) > MOST_CLAIMS:
            raise Unusable(
                f"A report holds at most {MOST_CLAIMS:,} claims, and this one has {many:,}. Start several reports."
            )
        if len(self._reports.running(new.person)) >= MOST_RUNNING_REPORTS:
            raise Busy(
                f"{MOST_RUNNING_REPORTS} of your reports are being checked. Wait until one is done, or stop one."
            )
        made_with = self._made_with(new.recipe, new.against) | ({"origin": origin} if origin else {})
        report_id = self._reports.add(new, made_with)
        self.feed(report_id)
        return report_id

    def feed(self, report_id: str) -> None:
        """Queue a report's next checks; without any, it is done."""
        if self._queue_next(report_id):
            self._queue.wake()

    def feed_all(self) -> None:
        """Feed all unfinished reports, in case the process that should have done so has died."""
        for report_id in self._reports.running():
            self.feed(report_id)

    def after(self, check_id: str) -> None:
        """Queue the next checks of the report whose check has ended. Its worker polls the queue afterwards."""
        if report_id := self._reports.of_check(check_id):
            self._queue_next(report_id)

    def cancel(self, report_id: str) -> None:
        """Stop a report; one that has ended stays as it is."""
        self._queue.forget(self._reports.cancel(report_id))

    def resume(self, report_id: str) -> None:
        """Check the remaining claims of a report, and retry failed ones about which nobody has decided."""
        self._queue.forget(self._reports.resume(report_id, decided_checks()))
        self.feed(report_id)

    def delete(self, report_id: str) -> int:
        """Stop and delete a report, its checks and their decisions; returns the number of checks."""
        ids = self._reports.delete(report_id)
        self._queue.forget(ids)
        return len(ids)

    def _queue_next(self, report_id: str) -> bool:
        """Queue the next checks; returns whether there were any."""
        new = self._reports.feed(report_id)
        for check_id, place in new:
            self._queue.put(check_id, place)
        return bool(new)

    def _made_with(self, recipe: str, against: str) -> Json:
        resources: Any = self._sources.resources(against)
        corpus = resources.corpus()
        return {
            "corpus": {"name": corpus.name, "fingerprint": corpus.fingerprint, "pages": corpus.pages},
            "models": dict(resources.models(recipe)),
            "settings": deciding_values(recipe, self._settings),
            "program": PROGRAM,
        }
