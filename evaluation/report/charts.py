"""Positions of points in the report's charts, which `charts.html` draws.

We use no plotting library: 120 lines of SVG templates keep the report one self-contained page that its style sheet
colours and a screen reader can read.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

from evaluation.report.names import FIGURE_GROUPS, LABEL_TITLES, name_of, percent

if TYPE_CHECKING:
    from jinja2 import Environment

CHART_WIDTH, CHART_HEIGHT = 400.0, 260.0
LEFT, RIGHT, TOP, BOTTOM = 48.0, 14.0, 14.0, 46.0
STRIP_LEFT, STRIP_WIDTH = 4.0, 152.0  # of a figure's scale
# Characters that HTML forbids even as references.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


@dataclass(frozen=True)
class Axes:
    """A frame with its two scales. ticks: (value, its label). The caption names the vertical axis."""

    x: tuple[float, float]
    y: tuple[float, float]
    x_ticks: Sequence[tuple[float, str]]
    y_ticks: Sequence[tuple[float, str]]
    x_label: str

    def place(self, x: float, y: float) -> tuple[float, float]:
        """A point's position in the drawing; points off the scale are put on its edge."""
        across, up = _along(x, *self.x), _along(y, *self.y)
        return LEFT + across * (CHART_WIDTH - LEFT - RIGHT), CHART_HEIGHT - BOTTOM - up * (CHART_HEIGHT - TOP - BOTTOM)

    def places(self, points: Iterable[Sequence[float]]) -> list[tuple[float, float]]:
        """The positions of several points; values beyond x and y are ignored."""
        return [self.place(point[0], point[1]) for point in points]


def round_step(at_least: float) -> float:
    """The smallest 1, 2 or 5 times a power of ten that is not smaller."""
    power = 10.0 ** math.floor(math.log10(max(at_least, 1e-9)))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= at_least * 0.999)


@cache
def templates() -> Environment:
    """The templates of this folder. They escape text, replace forbidden characters and shorten floats."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    loader = FileSystemLoader(Path(__file__).parent)
    found = Environment(
        autoescape=True,
        loader=loader,
        undefined=StrictUndefined,
        finalize=_written,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {"f": format, "percent": percent, "map_to_strip": _on_strip}
    axis = SimpleNamespace(WIDTH=CHART_WIDTH, HEIGHT=CHART_HEIGHT, LEFT=LEFT, RIGHT=RIGHT, BOTTOM=BOTTOM)
    found.globals |= {"axis": axis, "name_of": name_of, "LABELS": LABEL_TITLES, "GROUPS": FIGURE_GROUPS}
    return found


def _written(value: object) -> object:
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return value if hasattr(value, "__html__") else _FORBIDDEN.sub("\ufffd", str(value))


def _along(value: float, start: float, end: float) -> float:
    """The position on a scale, 0 to 1."""
    return (min(max(value, start), end) - start) / ((end - start) or 1)


def _on_strip(score: Mapping[str, float], left: float, right: float) -> list[float]:
    """The positions of a figure and its interval's ends on their scale."""
    ends = (score["value"], score["low"], score["high"])
    return [STRIP_LEFT + STRIP_WIDTH * _along(end, left, right) for end in ends]
