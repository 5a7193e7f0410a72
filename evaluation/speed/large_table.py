"""Writes the figures of `evaluation.speed.large` as the table of docs/benchmarks.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from evaluation.machine import machine
from evaluation.report.blocks import heads, row

Figures = Mapping[str, Any]
STORE_KINDS = ("embedded", "Elasticsearch")
THREAD_COUNTS = (1, 2, 4)  # for which the highest rate of claims is sought


@dataclass(frozen=True)
class Row:
    """A row of the table. read: gives the numbers from a store's figures. goals: by kind of store; a number must not
    exceed its goal or, with `least`, must reach it.
    """

    what: str
    unit: str
    read: Callable[[Figures], tuple[float, ...]]
    goals: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())
    least: bool = False

    def line(self, figures: Figures) -> str:
        """The row in Markdown: measured and goal for each kind of store."""
        cells = [self.what]
        for kind, goals in zip(STORE_KINDS, self.goals, strict=True):
            try:
                values = self.read(figures[kind])
            except KeyError:
                cells += ["not measured", _goal(goals, self.unit, self.least)]
                continue
            met = all(
                (value >= goal) if self.least else (value <= goal) for value, goal in zip(values, goals, strict=False)
            )
            shown = f"{' / '.join(_number(value) for value in values)} {self.unit}".rstrip()
            cells += [shown if met else f"**{shown}**", _goal(goals, self.unit, self.least)]
        return row(*cells)


def _goal(goals: tuple[float, ...], unit: str, least: bool) -> str:
    return f"{'≥' if least else '≤'} {' / '.join(_number(goal) for goal in goals)} {unit}".rstrip() if goals else ""


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:,.1f}".removesuffix(".0")


def _times(question: str, state: str) -> Callable[[Figures], tuple[float, ...]]:
    return lambda store: tuple(store["times"][question][state][share] for share in ("p50", "p95"))


LARGE_ROWS = (
    Row("load", "min", lambda store: (store["load"]["s"] / 60,), ((6,), (7,))),
    Row("load: memory of the loader", "MB", lambda store: (store["load"]["mb"],)),
    Row("vectors, `--model static`", "min", lambda store: (store["vectors"]["s"] / 60,)),
    Row("size on disk, no vectors", "GB", lambda store: (store["load"]["bytes"] / 1e9,), ((4.5,), (6,))),
    Row("– with 384 int8", "GB", lambda store: (store["vectors"]["bytes"] / 1e9,), ((6.5,), (8.5,))),
    Row("title n-grams of a claim, p50 / p95", "ms", _times("titles", "warm"), ((3, 8), (6, 15))),
    Row("– cold", "ms", _times("titles", "cold")),
    Row("BM25 top 20, p50 / p95", "ms", _times("bm25", "warm"), ((30, 80), (40, 100))),
    Row("– cold", "ms", _times("bm25", "cold")),
    Row("phrases, top 1000, p50 / p95", "ms", _times("phrases", "warm"), ((40, 100), (60, 120))),
    Row("– cold", "ms", _times("phrases", "cold")),
    Row("1000 page vectors scored, p50 / p95", "ms", _times("vectors", "warm"), ((5,), (15,))),
    Row("whole claim, `fast`, p50 / p95", "ms", _times("recipe", "warm"), ((300, 1000), (400, 1200))),
    Row("– cold", "ms", _times("recipe", "cold")),
    Row(
        "claims a minute, 8 at once",
        "",
        lambda store: (store["throughput"]["claims_a_minute"],),
        ((200,), (120,)),
        least=True,
    ),
    Row("memory of the web process", "MB", lambda store: (store["throughput"]["mb"],), ((1000,), (800,))),
    Row("– without the files that it maps", "MB", lambda store: (store["throughput"]["own_mb"],), ((400,), (400,))),
    *(
        Row(
            f"claims a second at which p95 passes 2 s, {threads} thread{'s' if threads > 1 else ''}",
            "",
            lambda store, threads=threads: (store[f"rate {threads}"]["rate"],),  # type: ignore[misc]
        )
        for threads in THREAD_COUNTS
    ),
)


def large_table(figures: Figures) -> str:
    """The table, how it was made, and where a claim's time goes."""
    lines = [
        f"Made by `make benchmark-large` on {datetime.now(UTC):%Y-%m-%d}: {figures['pages']:,} synthetic pages, "
        f"{machine()}, the cores shared by client and server. Latencies over {_claims(figures)} claims, one after the other; bold: a goal missed. "
        "Cold: the embedded store's files were taken out of the system's cache first; for Elasticsearch, the first "
        "time each claim is asked.",
        "",
        *heads("", STORE_KINDS[0], "goal", STORE_KINDS[1], "goal"),
        *(one.line(figures) for one in LARGE_ROWS),
    ]
    return "\n".join([*lines, *_stages(figures)])


def _stages(figures: Figures) -> list[str]:
    """Rows with the mean milliseconds of each stage of a claim."""
    found = {kind: figures.get(kind, {}).get("times", {}).get("recipe", {}).get("stages", {}) for kind in STORE_KINDS}
    names = list(dict.fromkeys(stage for stages in found.values() for stage in stages))
    if not names:
        return []
    lines = ["", "Where a claim's time goes, mean of the warm pass:", "", *heads("stage", *STORE_KINDS)]
    for name in names:
        cells = [f"{found[kind][name]:,.1f} ms" if name in found[kind] else "" for kind in STORE_KINDS]
        lines.append(row(name, *cells))
    return lines


def _claims(figures: Figures) -> int:
    return next((figures[kind]["times"]["claims"] for kind in STORE_KINDS if "times" in figures.get(kind, {})), 0)
