"""What a page of today's Wikipedia costs to load, beside one of FEVER's: synthetic dumps in both forms, one run.

The machine may be shared, so processor seconds are compared. Unpacking and parsing run in processes beside the loader;
the cost of each is measured by running it alone.
"""

from __future__ import annotations

import bz2
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from evaluation.report.blocks import write_block
from evaluation.speed.benchmark import machine, run_command
from retrieval.errors import EsotericError
from retrieval.stores import open_store

GOAL = 1.2  # times FEVER's cost of a page
# In a separate process, since evaluation imports nothing of indexing: all documents read as a reader of the load does.
READ = """
import sys, pathlib
from indexing.wikipedia.article import Origin
from indexing.wikipedia.dump_rows import read_batches
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.bz2")):
    for batch in read_batches(path, Origin.of("enwiki", "2025-12-07", sys.argv[2])):
        pass
"""


@dataclass(frozen=True)
class Cost:
    """A whole process: wall-clock and processor seconds, peak resident memory in MB."""

    clock: float
    processor: float
    memory: float


def run_wikipedia(pages: int, report: Path, text: str = "intro") -> str:
    """Make both dumps, load them, write the table. Returns it."""
    scratch = Path(tempfile.mkdtemp(prefix="esoteric-wikipedia-"))
    try:
        table = _measured(scratch, pages, text)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    write_block(report, "wikipedia", table)
    return table


def _measured(scratch: Path, pages: int, text: str) -> str:
    fever, dumps = scratch / "fever", scratch / "dumps"
    run_command("indexing.synthetic", str(fever), "--pages", str(pages), "--files", "4")
    run_command("indexing.wikipedia.synthetic", str(dumps), "--pages", str(pages), "--files", "4")
    (folder,) = dumps.glob("*/index_name=*")
    unpacking = _spent(lambda: _unpack(folder))
    imports = _run("-c", READ, str(scratch / "none"), text).processor
    reading = _run("-c", READ, str(folder), text).processor - imports
    first = _run("-m", "indexing", "fever", str(fever), "--store", str(scratch / "a"))
    options = ("--address", str(dumps), "--store", str(scratch / "b"), "--text", text)
    second = _run("-m", "indexing", "wikipedia", *options)
    return _table(pages, first, second, unpacking, reading, _size(scratch / "a"), _size(scratch / "b"), folder)


def _run(*arguments: str) -> Cost:
    """A Python process. Raises EsotericError if it fails."""
    began = time.perf_counter()
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL, stderr=errors)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            errors.seek(0)
            raise EsotericError(
                f"A load that was to be measured failed: {errors.read()[-300:].decode('utf-8', 'replace')}"
            )
    return Cost(time.perf_counter() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def _spent(work: Callable[[], None]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _unpack(folder: Path) -> None:
    for path in sorted(folder.glob("*.bz2")):
        with bz2.open(path) as stream:
            while stream.read(1 << 20):
                pass


def _size(store: Path) -> int:
    return open_store(str(store)).info().bytes


def _table(
    pages: int, fever: Cost, load: Cost, unpacking: float, reading: float, fever_size: int, size: int, folder: Path
) -> str:
    packed = sum(file.stat().st_size for file in folder.iterdir())

    def micros(seconds: float) -> str:
        return f"{1e6 * seconds / pages:,.0f} µs"

    def compared(seconds: float) -> str:
        ratio = seconds / fever.processor
        times = f"{ratio:.2f} times" if ratio <= GOAL else f"**{ratio:.2f} times**"
        return f"{micros(seconds)} ({times}; goal ≤ {GOAL})"

    rows = [
        ("whole process, clock", f"{fever.clock:,.1f} s", f"{load.clock:,.1f} s"),
        ("a page: the loader, which reads too, processor", micros(fever.processor), ""),
        ("a page: the loader, processor", "", compared(load.processor)),
        ("a page: unpacking bz2, processor, in other processes", "", micros(unpacking)),
        ("a page: parsing, processor, in other processes", "", micros(reading - unpacking)),
        ("a page: all of it on one core", micros(fever.processor), compared(load.processor + reading)),
        ("memory of the loader", f"{fever.memory:,.0f} MB", f"{load.memory:,.0f} MB"),
        ("a page on disk", f"{fever_size / pages:,.0f} bytes", f"{size / pages:,.0f} bytes"),
        ("a page of the dump, packed", "", f"{packed / pages:,.0f} bytes"),
    ]
    today = datetime.now(UTC).date().isoformat()
    head = f"Made by `python -m evaluation wikipedia --pages {pages}` on {today}: {machine()}. Synthetic pages of both forms."
    lines = [f"| {what} | {first} | {second} |" for what, first, second in rows]
    return "\n".join([head, "", "| | FEVER | today's Wikipedia |", "|---|---|---|", *lines])
