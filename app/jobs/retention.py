"""Deletes for good what people deleted, once they can no longer undo it, and what has outlived its retention period.

Checks and reports about which somebody has decided do not expire.
"""

from __future__ import annotations

import itertools
import logging
import threading
import time

from app.jobs.queue import CheckQueue
from app.jobs.reports import ReportRuns
from app.jobs.sources import Sources, upload_name
from app.tables.background import READING
from app.tables.collections import CHECK, REPORT
from app.tables.database import give_space_back, now
from app.tables.decisions import decided_checks
from app.tables.deletions import COLLECTION, DOCUMENTS, KINDS
from app.tables.opened import Tables
from app.tables.reports import decided_reports
from retrieval.settings import Settings

log = logging.getLogger(__name__)

DELETED_AT_ONCE = 500  # checks deleted in one transaction
SWEEPS_TO_OLD = 60  # one sweep in so many also deletes old rows
SWEEP_EVERY = 60.0  # seconds between sweeps
DAY = 86_400.0


class Retention:
    """Deletes checks, reports, texts, tables and documents. Safe in several threads and processes."""

    def __init__(
        self, settings: Settings, tables: Tables, sources: Sources, queue: CheckQueue, reports: ReportRuns
    ) -> None:
        self._settings, self._tables = settings, tables
        self._sources, self._queue, self._reports = sources, queue, reports

    def hide(self, kind: str, item_id: str) -> bool:
        """Stop and hide a check, a report, a collection or documents; `delete_hidden` deletes them unless that is undone. False
        for documents that are still being read: they are deleted at once."""
        if kind == REPORT:
            self._reports.cancel(item_id)
        if kind == DOCUMENTS:
            upload = self._tables.documents.get(item_id)
            if upload is None or upload.state == READING:
                self.delete_documents(item_id)
                return False
            self._sources.forget(upload_name(item_id))
            for report_id in self._tables.reports.reading(upload_name(item_id)):
                self._reports.cancel(report_id)
        self._queue.forget(self._tables.deletions.hide(kind, item_id))
        return True

    def delete_hidden(self) -> int:
        """Delete what is hidden and can no longer be restored; returns the number of rows."""
        delete = {
            **{REPORT: self._reports.delete, CHECK: self.delete_check},
            **{COLLECTION: self._tables.collections.delete, DOCUMENTS: self.delete_documents},
        }
        deleted = 0
        for kind in KINDS:
            for item_id in self._tables.deletions.expired(kind):
                delete[kind](item_id)
                deleted += 1
        if deleted:
            give_space_back(self._tables.engine)
        return deleted

    def delete_check(self, check_id: str) -> bool:
        """Stop and delete a check."""
        deleted = self._tables.checks.delete([check_id]) > 0
        if deleted:
            self._queue.forget([check_id])
        return deleted

    def delete_documents(self, documents_id: str) -> bool:
        """Delete uploaded documents, and the checks and reports that read them."""
        name = upload_name(documents_id)
        deleted = self._tables.documents.delete(documents_id)
        self._sources.forget(name)
        for report_id in self._tables.reports.reading(name):
            self._reports.delete(report_id)
        for check_id in self._tables.checks.reading(name):
            self.delete_check(check_id)
        give_space_back(self._tables.engine)
        return deleted

    def delete_all(self) -> int:
        """Stop and delete every check, report, text and table; returns the number of checks."""
        self._delete_texts(now())
        return self.delete_ended("")

    def delete_ended(self, before: str) -> int:
        """Delete the checks and reports without a decision that ended before this moment, even those in collections; if it is
        empty, all checks and reports."""
        deleted, tables = 0, self._tables
        while reports := tables.reports.some(DELETED_AT_ONCE, before, but=decided_reports() if before else None):
            for report_id in reports:
                deleted += self._reports.delete(report_id)
        while ids := tables.checks.some(DELETED_AT_ONCE, before, but=decided_checks() if before else None):
            deleted += tables.checks.delete(ids)
            self._queue.forget(ids)
        if deleted:
            give_space_back(tables.engine)
        return deleted

    def delete_old(self) -> tuple[int, int]:
        """Delete what the settings no longer retain; returns the number of checks and of uploads."""
        checks = uploads = 0
        if days := self._settings.keep_days:
            checks = self.delete_ended(now(days * DAY))
            self._delete_texts(now(days * DAY))
        if days := self._settings.keep_uploads_days:
            uploads = sum(map(self.delete_documents, self._tables.documents.older_than(now(days * DAY))))
            self._delete_texts(now(days * DAY))
        if checks or uploads:
            log.info("Deleted %d old checks and %d old uploads", checks, uploads)
        return checks, uploads

    def keep_deleting(self) -> None:
        """In a thread, delete hidden rows every minute and old ones every hour."""
        threading.Thread(target=self._keep_deleting, name="retention", daemon=True).start()

    def _delete_texts(self, before: str) -> None:
        """Delete texts and tables of claims from before this moment."""
        self._tables.texts.delete_older(before)
        self._tables.claim_tables.delete_older(before)

    def _keep_deleting(self) -> None:
        for sweep in itertools.count():
            try:
                self.delete_hidden()
                if sweep % SWEEPS_TO_OLD == 0:
                    self.delete_old()
            except Exception:
                log.exception("Deleting old or hidden rows failed; trying again later")
            time.sleep(SWEEP_EVERY)
