"""Metrics for operators, in Prometheus' format: /metrics, if METRICS is true."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from datetime import datetime

import sqlalchemy as sa
from flask import Blueprint, Response, current_app

from app.http.problems import SENTENCES, Problem
from app.http.services import Services, services
from app.tables.checks import table
from app.tables.spending import Spending
from app.tables.stored_check import DONE, STATES, UNFINISHED
from retrieval.errors import StoreError

blueprint = Blueprint("metrics", __name__)

LATEST_CHECKS = 200  # finished checks from which times of stages are taken
QUANTILES = (0.5, 0.95)
Sample = tuple[dict[str, str], float]


@blueprint.get("/metrics")
def metrics() -> Response:
    """Prometheus' text format 0.0.4. 404 unless METRICS is true."""
    if not services().settings.metrics:
        raise Problem(404, SENTENCES[404])
    lines = [line for metric in families(services()) for line in family(*metric)]
    return current_app.response_class("\n".join([*lines, ""]), mimetype="text/plain; version=0.0.4")


def families(opened: Services) -> Iterator[tuple[str, str, Sequence[Sample] | float]]:
    """(name, help, samples or the only value) of each metric; without those of the database if it does not answer."""
    fault = opened.probe.fault()
    yield "esoteric_database_up", "Whether the database takes a new check.", not fault
    try:
        pages = opened.resources.corpus().pages
        yield "esoteric_store_up", "Whether the corpus can be read.", True
        yield "esoteric_store_pages", "Pages of the corpus.", pages
    except StoreError:
        yield "esoteric_store_up", "Whether the corpus can be read.", False
    yield "esoteric_ready", "Whether a claim would be taken and run.", not opened.readiness.reason and not fault
    if fault:
        return
    engine = opened.engine
    yield "esoteric_checks", "Stored checks, by state and recipe.", checks_by_state(engine)
    yield "esoteric_queue_seconds", "Age of the oldest check that waits or runs.", oldest(engine)
    yield "esoteric_stage_seconds", f"Time of a stage in the latest {LATEST_CHECKS} checks.", stage_times(engine)
    calls, tokens = Spending(engine, opened.settings).totals()
    yield "esoteric_llm_calls_total", "Calls of language models.", calls
    yield "esoteric_llm_tokens_total", "Tokens that they used.", tokens


def family(name: str, help: str, samples: Sequence[Sample] | float) -> Iterator[str]:
    """The lines of a metric: a counter if its name ends in _total, else a gauge."""
    yield from (f"# HELP {name} {help}", f"# TYPE {name} {'counter' if name.endswith('_total') else 'gauge'}")
    for labels, value in [({}, samples)] if isinstance(samples, int | float) else samples:
        # JSON escapes backslashes, quotation marks and line breaks as this format wants it.
        named = ",".join(f"{label}={json.dumps(text, ensure_ascii=False)}" for label, text in labels.items())
        yield f"{name}{{{named}}} {value:.12g}" if named else f"{name} {value:.12g}"


def checks_by_state(engine: sa.Engine) -> list[Sample]:
    """Number of checks by state and recipe; states without checks are there too."""
    query = sa.select(table.c.state, table.c.recipe, sa.func.count()).group_by(table.c.state, table.c.recipe)
    with engine.connect() as connection:
        counted = {(state, recipe): count for state, recipe, count in connection.execute(query)}
    absent = {(state, ""): 0 for state in set(STATES) - {state for state, _ in counted}}
    counts = sorted({**counted, **absent}.items())
    return [({"state": state, "recipe": recipe}, float(count)) for (state, recipe), count in counts]


def oldest(engine: sa.Engine) -> float:
    """Age of the oldest unfinished check in seconds; 0 if there is none."""
    query = sa.select(sa.func.min(table.c.created)).where(table.c.state.in_(UNFINISHED))
    with engine.connect() as connection:
        created = connection.execute(query).scalar()
    return max(0.0, time.time() - datetime.fromisoformat(created).timestamp()) if created else 0.0


def stage_times(engine: sa.Engine) -> list[Sample]:
    """Quantiles of the seconds that each stage took."""
    query = sa.select(table.c.stages).where(table.c.state == DONE).order_by(table.c.number.desc()).limit(LATEST_CHECKS)
    times: dict[str, list[float]] = {}
    with engine.connect() as connection:
        for stages in connection.execute(query).scalars():
            for stage in json.loads(stages):
                if isinstance(stage.get("ms"), int | float):
                    times.setdefault(stage["name"], []).append(stage["ms"] / 1000)
    samples = []
    for name, seconds in sorted(times.items()):
        seconds.sort()
        for share in QUANTILES:
            labels = {"stage": name, "quantile": f"{share:g}"}
            samples.append((labels, seconds[min(len(seconds) - 1, int(share * len(seconds)))]))
    return samples
