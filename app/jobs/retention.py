"""Deletes what is older than it is to be kept, in the background, a few at a time; never what a person has signed."""

from __future__ import annotations

import logging
import threading
import time

from app.jobs.jobs import Jobs
from app.tables.checks import now

log = logging.getLogger(__name__)

EVERY = 3_600.0  # seconds
DAY = 86_400.0


def delete_old(jobs: Jobs) -> tuple[int, int]:
    """Delete once; returns how many checks and uploads went."""
    checks = uploads = 0
    if days := jobs.settings.keep_days:
        checks = jobs.delete_ended(now(days * DAY))
        jobs.texts.delete_older(now(days * DAY))
        jobs.tables.delete_older(now(days * DAY))
    if days := jobs.settings.keep_uploads_days:
        for documents_id in jobs.documents.older_than(now(days * DAY)):
            uploads += jobs.delete_documents(documents_id)
        jobs.texts.delete_older(now(days * DAY))
        jobs.tables.delete_older(now(days * DAY))
    if checks or uploads:
        log.info("Deleted %d old checks and %d old uploads", checks, uploads)
    return checks, uploads


def keep_deleting(jobs: Jobs) -> None:
    """In a separate thread, now and every hour."""

    def work() -> None:
        while True:
            try:
                delete_old(jobs)
            except Exception:
                log.exception("Old checks could not be deleted; trying again in an hour")
            time.sleep(EVERY)

    threading.Thread(target=work, name="retention", daemon=True).start()
