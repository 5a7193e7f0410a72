"""Sizes, times and the progress of a load, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.tables.loads import FAILED, PAUSED, Load
from retrieval.stores.locations import amount

STATES = {
    "waiting": "Waiting for its turn",
    "running": "Loading",
    "pausing": "Pausing once its progress is saved",
    "paused": "Paused",
    "cancelling": "Cancelling",
    "failed": "Stopped",
}
STEPS = {"fetch": "Fetching", "read": "Loading", "load": "Loading"}


def duration(seconds: float) -> str:
    """2 hours, 15 minutes, less than a minute."""
    if seconds < 60:
        return "less than a minute"
    unit, name = (3_600, "hour") if seconds >= 5_400 else (60, "minute")
    number = round(seconds / unit)
    return f"{number:,} {name}{'s' if number != 1 else ''}"


def share(progress: Mapping[str, Any]) -> float | None:
    """How much of the current step is done, in percent; None if its total is unknown."""
    done, total = progress.get("done"), progress.get("total")
    return min(100.0, round(100 * done / total, 1)) if done is not None and total else None


def how_far(load: Load) -> str:
    """The progress of a load, in a line."""
    progress = load.progress
    if load.state != "running":
        pages = f" after {progress['pages']:,} pages" if progress.get("pages") else ""
        return f"{STATES[load.state]}{pages if load.state in (PAUSED, FAILED) else ''}."
    step = progress.get("step")
    if step not in STEPS:
        return "Looking for the dump."
    if step != "fetch" and progress["total"] is not None and progress["done"] >= progress["total"]:
        return f"Finishing {progress['pages']:,} pages."
    return f"{STEPS[step]}: {', '.join(_figures(progress))}."


def _figures(progress: Mapping[str, Any]) -> list[str]:
    done, total, in_pages = progress["done"], progress["total"], progress["step"] == "load"
    word = _pages if in_pages else amount
    about = "about " if in_pages else ""  # files are of different lengths
    figures = [f"{word(done)} of {about}{word(total)}" if total else word(done)]
    if progress["pages"] and not in_pages:
        figures.append(_pages(progress["pages"]))
    if progress.get("rate"):
        figures.append(f"{word(round(progress['rate']))} a second")
    if progress.get("left") is not None:
        figures.append(f"{duration(progress['left'])} left")
    return figures


def _pages(count: float) -> str:
    return f"{count:,.0f} pages"
