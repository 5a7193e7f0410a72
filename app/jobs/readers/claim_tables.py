"""Reads uploaded tables in a separate process with limits."""

from __future__ import annotations

import json
import signal
import subprocess
import threading
from pathlib import Path

from app.errors import Busy, Unusable
from app.jobs.readers.process import Bounds, LockedFolder, reader_process
from app.tables.reports import MOST_CLAIMS
from retrieval.output.record import Json
from retrieval.settings import Settings

TABLES_AT_ONCE = 2
BROKE = "Reading “{}” stopped, as it does if it needs more than {:,} MB of memory or {} seconds. Split it, or save it as .csv."
KILLED = (
    "Reading “{}” was killed, as happens when a machine or a container runs out of memory. The file may be in order: send it "
    "again in a minute."
)
MOST_WRITTEN = 60_000_000  # bytes of the table as JSON

_turns = threading.BoundedSemaphore(TABLES_AT_ONCE)


def read_sent_table(content: bytes, name: str, settings: Settings) -> Json:
    """The first rows of a table, as `table_as_json` writes them. Raises Unusable and Busy."""
    if not _turns.acquire(timeout=10):
        raise Busy("Other tables are being read. Try again in a minute.")
    try:
        with LockedFolder(settings.data / "uploads", "table-") as folder:
            (folder.path / name).write_bytes(content)
            return _read(folder.path / name, Bounds(settings.upload_seconds, settings.upload_memory))
    finally:
        _turns.release()


def _read(path: Path, bounds: Bounds) -> Json:
    target, errors = path.parent / "table.json", path.parent / "errors"
    limits = ["--megabytes", str(bounds.megabytes), "--seconds", str(bounds.seconds), "--most", str(MOST_CLAIMS)]
    command = ["table", "--with-parent", *limits, "--out", str(target), "--", str(path)]
    with (
        errors.open("wb") as stream,
        reader_process(command, path.parent, stdout=subprocess.DEVNULL, stderr=stream) as reader,
    ):
        try:
            code = reader.wait(bounds.together)
        except subprocess.TimeoutExpired:
            code = -1
    if code == 0 and target.stat().st_size <= MOST_WRITTEN:
        return dict(json.loads(target.read_bytes()))
    if code == 2:
        raise Unusable(errors.read_text("utf-8", "replace").strip().splitlines()[-1])
    if code == -signal.SIGKILL:
        raise Busy(KILLED.format(path.name))
    raise Unusable(BROKE.format(path.name, bounds.megabytes, bounds.seconds))
