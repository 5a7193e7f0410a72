"""How the process that reads files ended, and what is said of it."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest

from app.errors import Busy
from app.jobs.readers import claim_tables as table_reading
from app.jobs.readers.process import Bounds, Reading
from tests.waiting import until

BOUNDS = Bounds(seconds=30, megabytes=800)


def kill_reader_of(path: Path) -> None:
    """As the kernel does where memory runs out, once the reader is at the file."""

    def waits() -> int | None:
        for process in Path("/proc").glob("[0-9]*"):
            try:
                words = (process / "cmdline").read_bytes().split(b"\0")
                if str(path).encode() in words and (process / "oom_score_adj").read_text() == "1000\n":
                    return int(process.name)
            except OSError:
                pass  # gone meanwhile
        return None

    os.kill(until(waits), signal.SIGKILL)


def endless(path: Path) -> Path:
    """A file at whose end no reader arrives, because it is killed before."""
    os.mkfifo(path)
    threading.Thread(target=kill_reader_of, args=(path,), daemon=True).start()
    return path


def test_a_reader_that_is_killed_from_outside_is_no_fault_of_the_file(tmp_path: Path) -> None:
    (told,) = Reading([endless(tmp_path / "notes.json")], tmp_path, BOUNDS).run()
    assert told["pages"] == 0
    assert "was killed" in told["faults"][0]
    assert "split it" not in told["faults"][0]


def test_nor_of_the_table(tmp_path: Path) -> None:
    with pytest.raises(Busy, match="was killed"):
        table_reading._read(endless(tmp_path / "claims.csv"), BOUNDS)


def test_a_reader_that_asks_for_too_much_is(tmp_path: Path) -> None:
    wide = tmp_path / "wide.json"
    wide.write_bytes(b"[" + b"[]," * 3_000_000 + b"[]]")
    (told,) = Reading([wide], tmp_path, Bounds(seconds=30, megabytes=200)).run()
    assert "memory" in told["faults"][0]
    assert "was killed" not in told["faults"][0]
