"""The report's charts: numbers in, one SVG out. Colours come from the page's style sheet, by class."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from evaluation.report.markup import Html, element, join

Point = Sequence[float]

WIDTH, HEIGHT = 400.0, 260.0
LEFT, RIGHT, TOP, BOTTOM = 48.0, 14.0, 14.0, 46.0


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
        across = (min(max(x, self.x[0]), self.x[1]) - self.x[0]) / ((self.x[1] - self.x[0]) or 1)
        up = (min(max(y, self.y[0]), self.y[1]) - self.y[0]) / ((self.y[1] - self.y[0]) or 1)
        return LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM)

    def draw(self) -> Html:
        """Grid, ticks and the label below."""
        parts = []
        for value, text in self.y_ticks:
            _, y = self.place(self.x[0], value)
            parts.append(element("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y, class_="grid"))
            parts.append(element("text", text, x=LEFT - 7, y=y + 4.5, class_="tick end"))
        for value, text in self.x_ticks:
            x, _ = self.place(value, self.y[0])
            parts.append(element("text", text, x=x, y=HEIGHT - BOTTOM + 18, class_="tick middle"))
        base = HEIGHT - BOTTOM
        parts.append(element("line", x1=LEFT, x2=WIDTH - RIGHT, y1=base, y2=base, class_="axis"))
        middle = (LEFT + WIDTH - RIGHT) / 2
        parts.append(element("text", self.x_label, x=middle, y=HEIGHT - 8, class_="label middle"))
        return join(parts)


def drawing(title: str, *parts: Html, width: float = WIDTH, height: float = HEIGHT) -> Html:
    """An SVG that a screen reader calls `title`."""
    size = f"0 0 {width:g} {height:g}"
    return element("svg", element("title", title), *parts, viewBox=size, role="img", aria_label=title)


def line_chart(title: str, axes: Axes, lines: Mapping[str, Sequence[Point]]) -> Html:
    """One line per class name; with a dot per point if there are few."""
    parts = [axes.draw()]
    for name, points in lines.items():
        places = [axes.place(point[0], point[1]) for point in points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(element("polyline", points=path, class_=f"line {name}"))
        if len(places) <= 20:
            parts += [element("circle", cx=x, cy=y, r=3.2, class_=f"dot {name}") for x, y in places]
    return drawing(title, *parts)


def bubble_chart(title: str, axes: Axes, points: Sequence[tuple[float, float, float, str]]) -> Html:
    """(x, y, share of all, tooltip): circles whose area is the share, beside the ideal diagonal."""
    (x1, y1), (x2, y2) = axes.place(axes.x[0], axes.y[0]), axes.place(axes.x[1], axes.y[1])
    parts = [axes.draw(), element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_="ideal")]
    places = [axes.place(x, y) for x, y, _, _ in points]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    parts.append(element("polyline", points=path, class_="line one thin"))
    for (x, y), (_, _, part, note) in zip(places, points, strict=True):
        radius = 3.0 + 17.0 * part**0.5
        parts.append(element("circle", element("title", note), cx=x, cy=y, r=radius, class_="bubble"))
    return drawing(title, *parts)


def column_chart(title: str, axes: Axes, columns: Sequence[tuple[float, float, float]]) -> Html:
    """(from, to, height): a histogram."""
    parts = [axes.draw()]
    for start, end, height in columns:
        x, y = axes.place(start, height)
        right, base = axes.place(end, axes.y[0])
        if base - y > 0:
            note = element("title", f"{start:.0f}–{end:.0f}: {height:g}")
            parts.append(
                element("rect", note, x=x + 0.6, y=y, width=max(0.5, right - x - 1.2), height=base - y, class_="column")
            )
    return drawing(title, *parts)


def round_step(at_least: float) -> float:
    """The smallest 1, 2 or 5 times a power of ten that is not smaller."""
    power = 10.0 ** math.floor(math.log10(max(at_least, 1e-9)))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= at_least * 0.999)


def bar_chart(title: str, rows: Sequence[tuple[str, float]], write: Callable[[float], str]) -> Html:
    """One horizontal bar per row, its name above and its value at the end."""
    step, most = 36.0, max((value for _, value in rows), default=0.0) or 1.0
    room = WIDTH - 90.0
    parts = []
    for number, (name, value) in enumerate(rows):
        y = number * step
        length = max(1.0, room * value / most)
        parts.append(element("text", name, x=0.0, y=y + 13, class_="label"))
        parts.append(element("rect", x=0.0, y=y + 18, width=length, height=10.0, rx=1.5, class_="column"))
        parts.append(element("text", write(value), x=length + 8, y=y + 28, class_="tick"))
    return drawing(title, *parts, height=max(step, step * len(rows)))


def share_bar(title: str, value: float, low: float, high: float) -> Html:
    """A small bar for a share of 1, with its interval as a thin line across its end."""
    width, height = 120.0, 14.0
    return drawing(
        title,
        element("rect", x=0.0, y=2.0, width=width, height=10.0, rx=1.5, class_="empty"),
        element("rect", x=0.0, y=2.0, width=max(0.5, width * value), height=10.0, rx=1.5, class_="column"),
        element("line", x1=width * low, x2=max(width * high, width * low + 1), y1=7.0, y2=7.0, class_="axis"),
        width=width,
        height=height,
    )


def interval_strip(title: str, value: float, low: float, high: float, left: float = 0.0, right: float = 1.0) -> Html:
    """A figure and its interval on a thin scale; with a mark at 0 if the scale goes below it."""
    width, height = 160.0, 16.0

    def at(number: float) -> float:
        return 4 + (width - 8) * (min(max(number, left), right) - left) / (right - left)

    zero = element("line", x1=at(0.0), x2=at(0.0), y1=1.0, y2=height - 1, class_="axis") if left < 0 else None
    return drawing(
        title,
        element("line", x1=4.0, x2=width - 4, y1=8.0, y2=8.0, class_="track"),
        join([zero]),
        element("line", x1=at(low), x2=max(at(high), at(low) + 1), y1=8.0, y2=8.0, class_="whisker"),
        element("circle", cx=at(value), cy=8.0, r=4.2, class_="dot one"),
        width=width,
        height=height,
    )


def confusion_chart(title: str, table: Mapping[str, Mapping[str, int]], names: Mapping[str, str]) -> Html:
    """Gold labels as rows, predicted labels as columns; the darker a cell, the larger its share of the row."""
    labels = list(table)
    left, top, size = 96.0, 44.0, (WIDTH - 96.0) / max(1, len(labels))
    tall = min(size, 72.0)
    parts = [
        element("text", "said →", x=left, y=14.0, class_="tick"),
        element("text", "gold ↓", x=0.0, y=36.0, class_="tick"),
    ]
    for column, label in enumerate(labels):
        x = left + size * (column + 0.5)
        parts.append(element("text", names.get(label, label), x=x, y=36.0, class_="label middle"))
    for row, label in enumerate(labels):
        y, total = top + tall * row, sum(table[label].values())
        parts.append(element("text", names.get(label, label), x=0.0, y=y + tall / 2 + 5, class_="label"))
        for column, said in enumerate(labels):
            kind = "cell right" if said == label else "cell wrong"
            parts += _cell(left + size * column, y, size, tall, kind, table[label][said], total)
    return drawing(title, *parts, height=top + tall * len(labels) + 2)


def _cell(x: float, y: float, wide: float, tall: float, kind: str, count: int, total: int) -> list[Html]:
    part = count / total if total else 0.0
    box = {"x": x + 1.5, "y": y + 1.5, "width": wide - 3, "height": tall - 3}
    return [
        element("rect", **box, class_=kind, fill_opacity=0.06 + 0.5 * part),
        element("text", f"{part:.0%}", x=x + wide / 2, y=y + tall / 2 + 1, class_="figure middle"),
        element("text", f"{count:,}", x=x + wide / 2, y=y + tall / 2 + 18, class_="tick middle"),
    ]
