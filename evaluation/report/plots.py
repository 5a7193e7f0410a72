"""The report's sections with charts: confidence, depth of search, time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.report import charts
from evaluation.report.charts import Axes
from evaluation.report.markup import Html, element, join, row, table
from evaluation.report.names import name_of, percent
from evaluation.report.sections import NOTHING, figure, section

Json = dict[str, Any]
CLASS_COLUMNS = ("label_accuracy", "stance_accuracy_gold", "evidence_set_recall@5")
SHARES = [(share / 5, f"{share * 20}") for share in range(6)]


def trust(card: Json) -> Html:
    """Reliability diagram, and the effect of abstaining."""
    if "reliability" not in card:
        return NOTHING
    drawn = element("div", _reliability(card), _coverage(card), class_="charts")
    return section("trust", "Can you trust its confidence?", drawn, _abstention(card.get("abstention", ())))


def _reliability(card: Json) -> Html:
    axes = Axes((0, 1), (0, 1), SHARES, SHARES, "confidence shown, %")
    total = sum(bin["n"] for bin in card["reliability"])
    points = [
        (bin["confidence"], bin["accuracy"], bin["n"] / total, f"{percent(bin['confidence'])} sure, {percent(bin['accuracy'])} right, {bin['n']:,} claims")
        for bin in card["reliability"]
    ]  # fmt: skip
    words = (
        "when it is so sure. On the dashed line, confidence is the truth; a circle's area is its share of the claims."
    )
    chart = charts.bubble_chart("Reliability diagram", axes, points)
    return figure(chart, element("b", "How often it is right, in % (upwards), "), words)


def _coverage(card: Json) -> Html:
    curve = card["coverage"]
    low, ticks = upper_part([point[1] for point in curve])
    axes = Axes((0, 1), (low, 1), SHARES, ticks, "claims answered, the surest first, %")
    half = min(curve, key=lambda point: abs(point[0] - 0.5))
    words = f"when it answers only what it is surest of. On the surer half of the claims (confidence from {percent(half[2])}) it is right {percent(half[1])} of the time."
    chart = charts.line_chart("Coverage-accuracy curve", axes, {"one": curve})
    return figure(chart, element("b", "Accuracy, in % (upwards), "), words)


def classes(card: Json) -> Html:
    """Right labels, and the stance of gold sentences, for each class of claims."""
    if "classes" not in card:
        return NOTHING
    shown = [metric for metric in CLASS_COLUMNS if any(metric in row for row in card["classes"].values())]
    heads = ("", "claims", *(name_of(metric).title for metric in shown))
    rows = [
        row(name, element("td", f"{of['label_accuracy']['n']:,}"), *(_bar(name, of.get(metric)) for metric in shown))
        for name, of in {**card["classes"], "all": card["metrics"]}.items()
    ]
    words = "Each class holds claims of one kind of difficulty. The thin line over a bar is its interval, and with so few claims it is wide."
    return section("classes", "By class of claim", element("p", words, class_="soft"), table(heads, rows))


def _bar(name: str, score: Mapping[str, float] | None) -> Html:
    if score is None:
        return element("td", "–")
    words = f"{name}: {percent(score['value'])}, {percent(score['low'])} to {percent(score['high'])}"
    bar = charts.share_bar(words, score["value"], score["low"], score["high"])
    return element("td", f"{100 * score['value']:.0f} ", bar)


def _abstention(rows: Sequence[Mapping[str, float | None]]) -> Html:
    """The points of the curve that the setting can choose."""
    if not rows:
        return NOTHING
    words = (
        "The setting ABSTAIN_BELOW chooses a point of the curve: where the confidence is below it, the application says "
        "that it is not sure, and names the label only as where it leans."
    )
    body = [
        row(
            f"{at['below']:g}",
            *(
                element("td", "–" if at[name] is None else percent(float(at[name] or 0)))
                for name in ("answered", "accuracy")
            ),
        )
        for at in rows
    ]
    heads = ("ABSTAIN_BELOW", "claims answered", "right of these")
    return join([element("p", words, class_="soft"), table(heads, body)])


def finding(card: Json) -> Html:
    """Recall at k of pages and of sentences."""
    curves = card["curves"]
    if not curves["pages"]:
        return NOTHING
    low, ticks = upper_part([point[1] for curve in curves.values() for point in curve])
    axes = Axes((1, 20), (low, 1), [(k, str(k)) for k in (1, 5, 10, 15, 20)], ticks, "how many are looked at")
    lines = {"one": curves["pages"], "two": curves["sentences"]}
    drawn = figure(
        charts.line_chart("Recall of pages and sentences by depth", axes, lines),
        element("b", "Verifiable claims, in % (upwards), "), "of which a whole gold group is found: ",
        element("span", "all its pages", class_="key-one"), " or ", element("span", "all its sentences", class_="key-two"), ".",
    )  # fmt: skip
    return section("finding", "Finding the evidence", element("div", drawn, _depths(curves), class_="charts"))


def _depths(curves: Mapping[str, Sequence[Sequence[float]]]) -> Html:
    """The curves' main points as a table."""
    at = {name: {round(k): share for k, share in curve} for name, curve in curves.items()}
    rows = [
        row(f"first {k}", *(element("td", f"{100 * at[name][k]:.1f}") for name in at)) for k in (1, 2, 3, 5, 10, 20)
    ]
    return table(("looked at", *at), rows)


def upper_part(shares: Sequence[float]) -> tuple[float, list[tuple[float, str]]]:
    """(start of a scale up to 100 % that holds all shares, its ticks)."""
    low = max(0, int(min(shares) * 10 - 0.01))
    return low / 10, [(value / 10, f"{value * 10}") for value in range(low, 11, 1 if low >= 5 else 2)]


def time(card: Json) -> Html:
    """Latency distribution and the stages' shares."""
    if "latency_histogram" not in card:
        return NOTHING
    bars, speed = card["latency_histogram"], card["latency_ms"]
    limit, most = bars[-1][1], max(bar[2] for bar in bars) // 2 * 2 + 2
    step = charts.round_step(limit / 4)
    ticks = [(step * part, f"{step * part:,.0f}") for part in range(1 + int(limit / step))]
    heights = [(0, "0"), (most / 2, f"{most / 2:,.0f}"), (most, f"{most:,}")]
    axes = Axes((0, limit), (0, most), ticks, heights, "ms a claim")
    stages = [(name, row["mean"]) for name, row in card["stages_ms"].items()]
    caption = f"half within {speed['p50']:,.0f} ms, 95\u202f% within {speed['p95']:,.0f} ms; the last column holds all slower ones."
    return section(
        "time",
        "Time",
        element(
            "div",
            figure(charts.column_chart("Distribution of the time a claim takes", axes, bars), element("b", "Claims (upwards) by time: "), caption),
            figure(charts.bar_chart("Mean time of each stage", stages, lambda ms: f"{ms:,.1f} ms"), element("b", "Where it goes: "), "mean time of each stage."),
            class_="charts",
        ),
    )  # fmt: skip
