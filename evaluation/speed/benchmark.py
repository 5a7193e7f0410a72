"""Measures speed and memory of the whole program from outside: each figure comes from a command that you could type.

The operating system measures the child processes (`wait4`), so memory is theirs alone.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import httpx

from evaluation.machine import machine
from evaluation.speed.started import UNMAPPED, application, checked, largest
from retrieval.errors import EsotericError
from retrieval.stores import shown

TIMED_CLAIMS = 300
SYNTHETIC_PAGES = 1_000_000


@dataclass(frozen=True)
class Figure:
    """One measured value beside its goal; `unit` is s, ms, MB or pages/s. met: None if there is no goal."""

    what: str
    value: float
    unit: str
    goal: float | None
    command: str

    @property
    def row(self) -> str:
        """The figure as a row of the table."""
        goal = "" if self.goal is None else f"≤ {self.goal:,g} {self.unit}"
        met = "" if self.goal is None else ("yes" if self.value <= self.goal else "**no**")
        return f"| {self.what} | {self.value:,.1f} {self.unit} | {goal} | {met} | `{self.command}` |"


def measure_program(fever: Path, synthetic_pages: int = SYNTHETIC_PAGES) -> str:
    """The table of all figures, each printed once known. fever: folder with wiki-pages.zip and claims-dev.jsonl."""
    scratch = Path(tempfile.mkdtemp(prefix="esoteric-benchmark-"))
    figures: list[Figure] = []
    try:
        for figure in _measure(fever, scratch, synthetic_pages):
            print(figure.row, file=sys.stderr, flush=True)
            figures.append(figure)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return _table(figures)


def _measure(fever: Path, scratch: Path, synthetic_pages: int) -> Iterator[Figure]:
    store = scratch / "store"
    yield from _load("118,863 pages", fever / "wiki-pages.zip", store, 15.0, 800.0)
    yield from _claims(fever / "claims-dev.jsonl", store, scratch)
    yield from _web(store)
    if synthetic_pages:
        dump = scratch / "synthetic"
        run_command("indexing.synthetic", str(dump), "--pages", str(synthetic_pages))
        goal = 100.0 * synthetic_pages / SYNTHETIC_PAGES
        yield from _load(f"{synthetic_pages:,} synthetic pages", dump, scratch / "synthetic-store", goal, None)


def run_command(module: str, *arguments: str) -> tuple[float, float]:
    """Run one of our commands. Returns seconds and peak resident memory in MB. Raises EsotericError if it fails."""
    started = time.perf_counter()
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen([sys.executable, "-m", module, *arguments], stdout=subprocess.DEVNULL, stderr=errors)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            errors.seek(0)
            last = errors.read().decode("utf-8", "replace").strip()[-300:]
            typed = " ".join(map(shown, arguments))  # an address may contain a password
            raise EsotericError(f"`python -m {module} {typed}` ended with {child.returncode}: {last}")
    return time.perf_counter() - started, usage.ru_maxrss / 1024


def _load(what: str, source: Path, store: Path, seconds: float, megabytes: float | None) -> Iterator[Figure]:
    spent, memory = run_command("indexing", "fever", str(source), "--store", str(store))
    command = "python -m indexing fever"
    yield Figure(f"load {what}", spent, "s", seconds, command)
    yield Figure(f"load {what}: peak memory", memory, "MB", megabytes, command)
    size = sum(file.stat().st_size for file in store.rglob("*") if file.is_file()) / 1e6
    yield Figure(f"{what} on disk", size, "MB", None, "python -m indexing info")


def _claims(claims: Path, store: Path, scratch: Path) -> Iterator[Figure]:
    arguments = (
        "fever",
        str(claims),
        "--store",
        str(store),
        "--limit",
        str(TIMED_CLAIMS),
        "--out",
        str(scratch / "out"),
    )
    run_command("evaluation", *arguments)
    card = json.loads((scratch / "out" / "scorecard.json").read_text("utf-8"))
    command = f"python -m evaluation fever claims-dev.jsonl --limit {TIMED_CLAIMS}"
    yield Figure("a claim, recipe fast, p50", card["latency_ms"]["p50"], "ms", 300.0, command)
    yield Figure("a claim, recipe fast, p95", card["latency_ms"]["p95"], "ms", 800.0, command)


def _web(store: Path) -> Iterator[Figure]:
    """Seconds from the start of the server to its first page, and its memory after a check."""
    started = time.perf_counter()
    with application(str(store), page="/") as server, httpx.Client(base_url=server.address, timeout=30) as client:
        yield Figure("start of the server to its first page", time.perf_counter() - started, "s", 3.0, "python -m app")
        checked(client, {"claim": "Marie Curie was born in Warsaw."}, 0.1)
        whole, own = largest(server.pid), largest(server.pid, UNMAPPED)
        yield Figure("web process after a check, resident", whole, "MB", 1000.0, "python -m app")
        yield Figure("web process after a check, its own memory", own, "MB", 400.0, "python -m app")


def _table(figures: list[Figure]) -> str:
    rows = "\n".join(figure.row for figure in figures)
    return f"""Made by `make benchmark` on {datetime.now(UTC):%Y-%m-%d}: {machine()}. Each figure is one run of a whole process, measured from outside; claims are the \
first {TIMED_CLAIMS} of FEVER's development set after ten that warm up. The machine is shared: expect a fifth either way.

| what | measured | goal | met | command |
|---|---|---|---|---|
{rows}"""
