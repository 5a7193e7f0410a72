"""How long the application takes for a report, compared with the same claims run through the pipeline one by one.

The difference is what a report costs besides its claims: the queue, the database, its pages. Both take turns, part by
part, so that other load on the machine affects both equally.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import httpx

from evaluation.machine import processor
from evaluation.speed.started import application
from retrieval.errors import EsotericError
from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.types import Claim

GOAL = 1.1  # times the single runs
REPORTS = 4
WARM_UP_CLAIMS = 5
POLL_S = 1.0  # each poll takes the server some milliseconds
Json = dict[str, Any]


def measure_reports(claims: Sequence[str], store: str, recipe: str, settings: Settings) -> Json:
    """{"claims", "report_s", "single_s", "failed"}: seconds by the clock, of `REPORTS` reports and of as many single runs.
    The first `WARM_UP_CLAIMS` claims open the models and do not count.

    Single runs have all cores for each claim; the application checks as many claims at once as there are cores, each on
    one. Raises EsotericError if a report does not end.
    """
    cores = len(os.sched_getaffinity(0))
    first_ones, claims = claims[:WARM_UP_CLAIMS], claims[WARM_UP_CLAIMS:]
    pipeline = Resources(replace(settings, store=store, threads=cores)).pipeline(recipe)
    found: Json = {"claims": len(claims), "report_s": 0.0, "single_s": 0.0, "failed": 0}
    with application(store, cores) as server, httpx.Client(base_url=server.address, timeout=60) as client:
        _report(client, first_ones, recipe)
        for claim in first_ones:
            pipeline.run(Claim("", claim))
        for part in (claims[first::REPORTS] for first in range(REPORTS)):
            began = time.perf_counter()
            found["failed"] += _report(client, part, recipe)
            found["report_s"] += time.perf_counter() - began
            began = time.perf_counter()
            for claim in part:
                pipeline.run(Claim("", claim))
            found["single_s"] += time.perf_counter() - began
    return found


def _report(client: httpx.Client, claims: Sequence[str], recipe: str) -> int:
    """Check the claims as one report; returns how many failed."""
    made = client.post("/api/reports", json={"claims": list(claims), "recipe": recipe}).raise_for_status().json()
    address, report = f"/api/reports/{made['id']}", {"state": "running"}
    while report["state"] == "running":
        time.sleep(POLL_S)
        report = client.get(address, params={"claims": "no"}).raise_for_status().json()
    report = client.get(address).raise_for_status().json()
    if report["state"] != "done":
        raise EsotericError(f"The report ended as {report['state']}.")
    return sum(claim["state"] != "done" for claim in report["claims"])


def reports_table(found: Json, recipe: str, pages: int) -> str:
    """A Markdown table. found: the result of `measure_reports`."""
    ratio = found["report_s"] / found["single_s"]
    times = f"{ratio:.2f}" if ratio <= GOAL else f"**{ratio:.2f}**"
    return "\n".join(
        [
            f"Made by `python -m evaluation reports` on {datetime.now(UTC):%Y-%m-%d}: {found['claims']:,} claims over "
            f"{pages:,} pages, recipe `{recipe}`, in {REPORTS} parts; {processor()}, {len(os.sched_getaffinity(0))} core(s), "
            f"Python {platform.python_version()}.",
            "",
            f"| | one after another | as a report | ratio (goal ≤ {GOAL}) |",
            "|---|---|---|---|",
            f"| {found['claims']:,} claims, {found['failed']} failed | {found['single_s']:,.0f} s | "
            f"{found['report_s']:,.0f} s | {times} |",
        ]
    )
