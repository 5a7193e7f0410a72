"""Measures a check's overhead: the time from the POST to the poll that sees the verdict, less the time of the
pipeline's stages. Claims run one after another. Two applications take turns claim by claim, so that other load affects
both equally.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import Any
from urllib.parse import urlsplit

import httpx

from evaluation.machine import machine
from evaluation.metrics import percentiles
from evaluation.report.results_folder import Json
from evaluation.speed.load_test import spent
from evaluation.speed.started import Started, application, checked, processes
from retrieval.errors import SettingError

OVERHEAD_POLL_S = 0.02
WARM_UP_CHECKS = 5
OVERHEAD_FIGURES = {
    "beside_ms": "beside the pipeline, as the client sees it, p50 / p95",
    "server_ms": "beside the pipeline, by the server's clock, p50 / p95",
    "pipeline_ms": "pipeline, p50 / p95",
    "cpu_ms": "processor time of the server a claim, mean",
    "stored_kb": "what the database grows by a claim, mean",
}


def measure_overhead(
    claims: Sequence[str], store: str, recipe: str, beside: Path | None = None, database: str = ""
) -> Json:
    """{"this" or "beside": {figure: value}}, in milliseconds, with `load`, the machine's one-minute load average at the
    start and at the end, to which the applications contribute about 1.

    beside: another checkout of the program to compare with. database: URL of a PostgreSQL server on which databases may
    be created; SQLite if empty. Raises EsotericError.
    """
    checkouts = {"this": None} | ({"beside": beside} if beside else {})
    load = os.getloadavg()[0]
    with ExitStack() as stack:
        running, urls = {}, {}
        for name, folder in checkouts.items():
            urls[name] = stack.enter_context(_new_database(database, name)) if database else ""
            running[name] = stack.enter_context(application(store, 1, database=urls[name], folder=folder))
        rows: dict[str, list[Json]] = {name: [] for name in running}
        warm_up = claims[:WARM_UP_CHECKS]
        sizes: dict[str, int] = {}
        for number, claim in enumerate([*warm_up, *claims]):
            if number == len(warm_up):
                sizes = {name: _database_size(running[name], urls[name]) for name in running}
            for name in sorted(running, reverse=bool(number % 2)):
                row = _timed_check(running[name], claim, recipe)
                rows[name] += [row] if number >= len(warm_up) else []
        grown = {name: _database_size(running[name], urls[name]) - sizes[name] for name in running}
    loads = (round(load, 1), round(os.getloadavg()[0], 1))
    return {
        name: {
            "claims": len(found),
            "load": loads,
            **_summary(found),
            "stored_kb": {"mean": round(grown[name] / 1024 / len(found), 1)},
        }
        for name, found in rows.items()
    }


def _timed_check(server: Started, claim: str, recipe: str) -> Json:
    """Times of a claim from its POST to its end. Raises EsotericError if it is not checked."""
    with httpx.Client(base_url=server.address, timeout=60) as client:
        client.get("/healthz")  # connects, so that connecting is not measured
        used, began = _processor_s(server.pid), time.perf_counter()
        check = checked(client, {"claim": claim, "recipe": recipe}, OVERHEAD_POLL_S)
        took = time.perf_counter() - began
    time.sleep(0.05)  # lets the server finish work whose processor time counts
    pipeline = sum(check["timings_ms"].values())
    return {
        "beside_ms": took * 1000 - pipeline,
        "server_ms": spent(check) * 1000 - pipeline,
        "pipeline_ms": pipeline,
        "cpu_ms": (_processor_s(server.pid) - used) * 1000,
    }


def _database_size(server: Started, database: str) -> int:
    """Bytes of a PostgreSQL database, or of the application's SQLite file with its write-ahead log."""
    if not database:
        with closing(sqlite3.connect(server.data / "checks.sqlite")) as connection:
            pages, page = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
        return int(pages * page)
    import psycopg

    with psycopg.connect(database, autocommit=True) as connection:
        found = connection.execute("SELECT pg_database_size(current_database())").fetchone()
    return int(found[0]) if found else 0


def _processor_s(pid: int) -> float:
    """Seconds of processor time that a process and its descendants have used."""
    ticks = 0
    for process in processes(pid):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _summary(rows: Sequence[Json]) -> Json:
    times = {name: percentiles([row[name] for row in rows]) for name in ("beside_ms", "server_ms", "pipeline_ms")}
    return {"cpu_ms": {"mean": round(fmean(row["cpu_ms"] for row in rows), 1)}, **times}


@contextmanager
def _new_database(server: str, name: str) -> Iterator[str]:
    """URL of a new database, which is dropped at the end. Raises SettingError if none can be created."""
    import psycopg

    database = f"esoteric_overhead_{name}_{os.getpid()}"
    try:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {database}")
            yield urlsplit(server)._replace(path=f"/{database}").geturl()
            connection.execute(f"DROP DATABASE {database} WITH (FORCE)")
    except psycopg.Error as error:
        why = str(error).splitlines()[0]
        raise SettingError(f"The server allows no new database ({why}). Name a login with that right.") from error


def overhead_table(found: Mapping[str, Any]) -> str:
    """A Markdown table. found: database -> the result of `measure_overhead`."""
    claims = min(runs["this"]["claims"] for runs in found.values())
    lines = [
        f"Made by `python -m evaluation overhead` on {datetime.now(UTC):%Y-%m-%d}: {claims} claims of `data/sample`, recipe "
        f"`fast`, one after another; {machine()}. Before and now take turns claim by claim, so that whatever else runs weighs on both.",
        "",
        "| | database | before | now | now : before |",
        "|---|---|---|---|---|",
    ]
    for database, runs in found.items():
        for figure, title in OVERHEAD_FIGURES.items():
            now, before = (list(runs[name][figure].values()) if name in runs else [] for name in ("this", "beside"))
            unit = figure.rpartition("_")[2].replace("kb", "kB")
            ratio = f"{now[0] / before[0]:.2f}" if before else ""
            lines.append(f"| {title} | {database} | {_cell(before, unit)} | {_cell(now, unit)} | {ratio} |")
        start, end = runs["this"]["load"]
        lines.append(f"| load average of the machine, start / end | {database} | | {start} / {end} | |")
    return "\n".join(lines)


def _cell(values: Sequence[float], unit: str) -> str:
    return f"{' / '.join(f'{value:,.0f}' for value in values)} {unit}" if values else ""
