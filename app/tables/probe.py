"""Tests whether a claim would be accepted: free disk, and a small write to the database on a separate connection."""

from __future__ import annotations

import shutil
import threading
import time

import sqlalchemy as sa

from app.tables.database import database_url, named_values
from retrieval.settings import Settings

PROBE_SECONDS = 2  # that the database may take
PROBE_FRESH = 1.0  # seconds for which a result is reused
LEAST_FREE_BYTES = 50_000_000  # bytes of free disk below which writes may fail
NAME = "last probe"

LOCKED = "The database cannot store a new check: {}. Check that its server is running and that nothing locks it."
FULL = "The disk of {} is full: {:,.0f} MB are free. Free some space; no restart is needed."


class Probe:
    """Tests at most once a second, however often it is called. Thread-safe."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._tested, self._fault = -PROBE_FRESH, ""
        url = database_url(settings)
        wait = {"timeout": PROBE_SECONDS} if url.get_backend_name() == "sqlite" else {"connect_timeout": PROBE_SECONDS}
        self._engine = sa.create_engine(url, poolclass=sa.NullPool, connect_args=wait, hide_parameters=True)

    def fault(self) -> str:
        """Why no claim would be accepted, in a sentence; else empty."""
        with self._lock:
            if time.monotonic() - self._tested >= PROBE_FRESH:
                free = shutil.disk_usage(self._settings.data).free
                full = FULL.format(self._settings.data, free / 1e6) if free < LEAST_FREE_BYTES else ""
                self._fault = full or self._database()
                self._tested = time.monotonic()
            return self._fault

    def _database(self) -> str:
        try:
            with self._engine.begin() as connection:
                if connection.dialect.name == "postgresql":
                    connection.exec_driver_sql(f"SET LOCAL statement_timeout = {PROBE_SECONDS * 1000}")
                row = sa.update(named_values).where(named_values.c.name == NAME).values(value=str(time.time()))
                if connection.execute(row).rowcount == 0:
                    connection.execute(sa.insert(named_values).values(name=NAME, value="0"))
        except sa.exc.IntegrityError:
            return ""  # another process wrote the row at this moment: the database works
        except sa.exc.SQLAlchemyError as error:
            return LOCKED.format(str(getattr(error, "orig", None) or error).splitlines()[0])
        return ""
