"""Measures both stores with as many pages as Wikipedia has, for the table of docs/benchmarks.md.

Every figure is written to FOLDER/large.json as soon as it is measured, so that an interrupted run resumes. Loads,
vectors and latencies are whole processes, measured from outside; the server's memory is not included.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import httpx

from evaluation.report.results_folder import Json
from evaluation.speed.benchmark import run_command
from evaluation.speed.large_table import THREAD_COUNTS
from evaluation.speed.load_test import END_STATES, PAGE_POLL_S, Traffic, find_rate, probe
from evaluation.speed.started import UNMAPPED, application, largest
from retrieval.errors import EsotericError
from retrieval.stores import open_store, shown

CLAIMS_AT_ONCE, THROUGHPUT_SECONDS = 8, 60.0
SECONDS_A_RATE = 20.0


@dataclass
class Large:
    """One run. stores: kind -> folder or address. figures: kind -> name -> value."""

    folder: Path
    stores: dict[str, str]
    pages: int
    rates: bool = True
    claims: int = 300

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self._file = self.folder / "large.json"
        self.figures: Json = json.loads(self._file.read_text("utf-8")) if self._file.exists() else {}
        if self.figures.setdefault("pages", self.pages) != self.pages:
            raise EsotericError(
                f"{self._file} holds figures of {self.figures['pages']:,} pages. Name another folder, or delete it."
            )

    def measure(self) -> Json:
        """Measure everything that is not measured yet. Raises EsotericError if a command fails."""
        dump = self._dump()
        for kind, store in self.stores.items():
            self._once(kind, "load", partial(_load, dump, store))
            self._once(kind, "vectors", partial(_vectors, store))
            self._once(kind, "times", partial(_times, store, self.claims))
            claims = self._claims(store)
            self._once(kind, "throughput", partial(_throughput, store, claims))
            for threads in THREAD_COUNTS if self.rates else ():
                self._once(kind, f"rate {threads}", partial(_rate, store, threads, claims))
        return self.figures

    def _dump(self) -> Path:
        """The synthetic dump, made if it does not exist."""
        dump = self.folder / "dump"
        if not (self.folder / "dump.whole").exists():
            for half in dump.glob("wiki-*.jsonl"):
                half.unlink()
            run_command("indexing.synthetic", str(dump), "--pages", str(self.pages), "--seed", "0")
            (self.folder / "dump.whole").touch()
        return dump

    def _claims(self, store: str) -> list[str]:
        from evaluation.speed.latency import claims_of

        if "claims" not in self.figures:
            self.figures["claims"] = claims_of(open_store(store), self.claims)
            self._save()
        return list(self.figures["claims"])

    def _once(self, kind: str, name: str, measure: Callable[[], Json]) -> None:
        found = self.figures.setdefault(kind, {})
        if name not in found:
            began = time.perf_counter()
            found[name] = measure()
            print(f"{kind}, {name}: {found[name]} ({time.perf_counter() - began:.0f} s)", file=sys.stderr, flush=True)
            self._save()

    def _save(self) -> None:
        draft = self._file.with_suffix(".draft")
        draft.write_text(json.dumps(self.figures, indent=1, ensure_ascii=False) + "\n", "utf-8")
        os.replace(draft, self._file)


def _load(dump: Path, store: str) -> Json:
    return _indexing(store, "fever", str(dump), "--replace", "--restart")


def _vectors(store: str) -> Json:
    return _indexing(store, "vectors", "--model", "static")


def _indexing(store: str, *arguments: str) -> Json:
    seconds, megabytes = run_command("indexing", *arguments, "--store", store)
    return {"s": round(seconds, 1), "mb": round(megabytes), "bytes": open_store(store).info().bytes}


def _times(store: str, claims: int) -> Json:
    command = [sys.executable, "-m", "evaluation", "latency", store, "--claims", str(claims)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.returncode:
        last = ended.stderr.strip()[-300:]
        raise EsotericError(f"`python -m evaluation latency {shown(store)}` ended with {ended.returncode}: {last}")
    found: Json = json.loads(ended.stdout)
    return found


def _throughput(store: str, claims: Sequence[str]) -> Json:
    """Claims a minute at a constant number in progress on all cores, and the web process's memory afterwards."""
    with application(store, len(os.sched_getaffinity(0))) as started:
        done = closed_loop(started.address, claims, CLAIMS_AT_ONCE, THROUGHPUT_SECONDS)
        sizes = {name: round(largest(started.pid, kind)) for name, kind in (("mb", "VmRSS"), ("own_mb", UNMAPPED))}
        return {"claims_a_minute": round(60 * done / THROUGHPUT_SECONDS, 1), **sizes}


def closed_loop(address: str, claims: Sequence[str], at_once: int, seconds: float) -> int:
    """The number of claims that ended within the time, with `at_once` in progress: when one ends, the next is sent.
    Polls as rarely as a page would, because polling takes the server's time too. Raises EsotericError.
    """
    until = time.monotonic() + seconds
    done: list[str] = []

    def ask_on(first: int) -> None:
        with httpx.Client(base_url=address, timeout=60) as client:
            number = first
            while time.monotonic() < until:
                body = {"claim": claims[number % len(claims)], "fresh": True}
                check_id = client.post("/api/checks", json=body).raise_for_status().json()["id"]
                while (state := client.get(f"/api/checks/{check_id}").json()["state"]) not in END_STATES:
                    time.sleep(PAGE_POLL_S)
                if time.monotonic() < until:
                    done.append(state)
                number += at_once

    threads = [threading.Thread(target=ask_on, args=(first,)) for first in range(at_once)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if not done or set(done) != {"done"}:
        raise EsotericError(f"Not all claims could be checked at {address}: {sorted(set(done)) or 'none ended'}.")
    return len(done)


def _rate(store: str, threads: int, claims: Sequence[str]) -> Json:
    """The arrival rate at which p95 passes its limit."""
    with application(store, threads) as started:
        best, probes = find_rate(lambda rate: probe(started.address, Traffic(claims), rate, SECONDS_A_RATE))
    return {"rate": round(best, 2), "probes": [str(found) for found in probes]}
