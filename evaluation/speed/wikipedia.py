"""What it costs to load a page of today's Wikipedia, compared with one of FEVER's: synthetic dumps in both forms.

Both loads read in further processes, whose time counts too. The machine may be shared, so processor seconds are
compared, with the wall-clock time for information. The cost of starting, measured on a few pages, is subtracted.
"""

from __future__ import annotations

import bz2
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from evaluation.machine import machine
from evaluation.speed.benchmark import run_command
from retrieval.errors import EsotericError
from retrieval.stores import open_store

GOAL = 1.2  # times FEVER's cost of a page
START = 20  # pages of the load that is taken off
FILES = 4
# Runs a Python process and prints its cost. It must have no other children: processes that outlive their parent, as the
# readers of a load do, become children of this one (36 is PR_SET_CHILD_SUBREAPER), and it waits for them all.
WATCH = """
import ctypes, json, os, subprocess, sys, time
ctypes.CDLL(None).prctl(36, 1)
began = time.perf_counter()
child = subprocess.Popen([sys.executable, *sys.argv[1:]], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(child.pid, 0)
clock = time.perf_counter() - began
if code := os.waitstatus_to_exitcode(status):
    sys.exit(code)
loader = every = usage.ru_utime + usage.ru_stime
try:
    while True:
        _, _, other = os.wait4(-1, 0)
        every += other.ru_utime + other.ru_stime
except ChildProcessError:
    print(json.dumps({"clock": clock, "loader": loader, "every": every, "memory": usage.ru_maxrss / 1024}))
"""
# Loads FEVER with its reader in a separate process, as on two cores, so that both loaders can be compared.
FEVER = """
import os, sys
os.sched_getaffinity = lambda process: {0, 1}
from indexing import fever_rows
fever_rows.WORTH_A_PROCESS = 0
from indexing.__main__ import main
sys.exit(main(["fever", *sys.argv[1:]]))
"""


@dataclass(frozen=True)
class Cost:
    """A load: wall-clock seconds, processor seconds of the loader and of all its processes, the loader's peak memory in
    MB."""

    clock: float
    loader: float
    every: float
    memory: float

    def without(self, start: Cost) -> Cost:
        """The cost without that of starting."""
        return Cost(self.clock - start.clock, self.loader - start.loader, self.every - start.every, self.memory)


def compare_dumps(pages: int, text: str = "intro") -> str:
    """Make both dumps, load them, and return the table."""
    scratch = Path(tempfile.mkdtemp(prefix="esoteric-wikipedia-"))
    try:
        return _measured(scratch, pages, text)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _measured(scratch: Path, pages: int, text: str) -> str:
    costs: dict[str, Cost] = {}
    for name, count in (("start", START), ("all", pages)):
        folder = scratch / name
        run_command("indexing.synthetic", str(folder / "fever"), "--pages", str(count), "--files", str(FILES))
        run_command("indexing.wikipedia.synthetic", str(folder / "dumps"), "--pages", str(count), "--files", str(FILES))
        costs[f"{name} fever"] = measure("-c", FEVER, str(folder / "fever"), "--store", str(folder / "a"))
        options = ("--address", str(folder / "dumps"), "--store", str(folder / "b"), "--text", text)
        costs[name] = measure("-m", "indexing", "wikipedia", *options)
    (dump,) = (scratch / "all" / "dumps").glob("*/index_name=*")
    unpacking = _spent(lambda: _unpack(dump))
    fever, load = costs["all fever"].without(costs["start fever"]), costs["all"].without(costs["start"])
    sizes = (_size(scratch / "all" / "a"), _size(scratch / "all" / "b"))
    packed = sum(file.stat().st_size for file in dump.iterdir())
    return _table(pages, fever, load, unpacking, sizes, packed)


def measure(*arguments: str) -> Cost:
    """A Python process with all that it starts. Raises EsotericError if it fails."""
    done = subprocess.run([sys.executable, "-c", WATCH, *arguments], capture_output=True, text=True)
    if done.returncode:
        raise EsotericError(f"A load that was to be measured failed: {done.stderr[-300:]}")
    return Cost(**json.loads(done.stdout))


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


def _table(pages: int, fever: Cost, load: Cost, unpacking: float, sizes: tuple[int, int], packed: int) -> str:
    def micros(seconds: float) -> str:
        return f"{1e6 * seconds / pages:,.0f} µs"

    def row(what: str, first: float, second: float) -> tuple[str, str, str]:
        ratio = second / first
        times = f"{ratio:.2f} times" if ratio <= GOAL else f"**{ratio:.2f} times**"
        return what, micros(first), f"{micros(second)} ({times}; goal ≤ {GOAL})"

    others = load.every - load.loader - unpacking
    rows = [
        row("a page: the clock", fever.clock, load.clock),
        row("a page: the loader, processor", fever.loader, load.loader),
        row("a page: parsing and preparing, processor, in other processes", fever.every - fever.loader, others),
        ("a page: unpacking bz2, processor, in other processes", "", micros(unpacking)),
        row("a page: all but unpacking, processor", fever.every, load.every - unpacking),
        row("a page: all of it, processor", fever.every, load.every),
        ("memory of the loader", f"{fever.memory:,.0f} MB", f"{load.memory:,.0f} MB"),
        ("a page on disk", f"{sizes[0] / pages:,.0f} bytes", f"{sizes[1] / pages:,.0f} bytes"),
        ("a page of the dump, packed", "", f"{packed / pages:,.0f} bytes"),
    ]
    today = datetime.now(UTC).date().isoformat()
    head = f"Made by `python -m evaluation wikipedia --pages {pages}` on {today}: {machine()}. Synthetic pages of both forms."
    lines = [f"| {what} | {first} | {second} |" for what, first, second in rows]
    return "\n".join([head, "", "| | FEVER | today's Wikipedia |", "|---|---|---|", *lines])
