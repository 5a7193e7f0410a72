"""Writes report.html: a scorecard for people, one self-contained file without scripts, made from the scorecard alone.

`report.html` beside this module is its template, `charts.html` draws the charts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluation.fever.failures import Failures
from evaluation.report.charts import Axes, round_step, templates
from evaluation.report.names import CLASS_FIGURES, name_of, percent
from evaluation.report.results_folder import Json

STYLE = Path(__file__).with_name("report.css")
HEADLINES = tuple(
    "label_accuracy fever_score calibration_error page_set_recall@10 evidence_set_recall@1 evidence_set_recall@5 passage_f1".split()
)
SHARE_TICKS = [(share / 5, f"{share * 20}") for share in range(6)]
DEPTH_TICKS = [(depth, str(depth)) for depth in (1, 5, 10, 15, 20)]
SETS = {
    "evidence_set_size": "sentences shown, mean",
    "page_position": "place of a right page among the first 17, mean",
    "passage_position": "place of a right sentence among those shown, mean",
}


def fever_report(card: Json, failures: Sequence[Failures]) -> str:
    """The report of a run over FEVER claims."""
    recipe = card["pipeline"]["recipe"]
    title = (
        "Predictions made elsewhere, scored" if recipe == "predictions" else f"How well recipe “{recipe}” checks claims"
    )
    return _page(card, title, _lead(card), HEADLINES, failures)


def averitec_report(card: Json) -> str:
    """The report of a run over AVeriTeC claims."""
    metrics, recipe = card["metrics"], card["pipeline"]["recipe"]
    lead = f"Of {card['data']['scored']:,} claims, {percent(metrics['label_accuracy']['value'])} got the right label."
    if found := metrics.get("averitec@0.25"):
        lead += f" {percent(found['value'])} got it with questions and answers close enough to the gold ones."
    if tokens := card.get("tokens"):
        lead += f" A claim took {tokens['prompt']['mean'] + tokens['reply']['mean']:,.0f} tokens of a language model."
    title = "Predictions made elsewhere" if recipe == "predictions" else f"Recipe “{recipe}”"
    headlines = ("label_accuracy", "macro_f1", "qa_meteor", "averitec@0.25", "url_hit_rate")
    return _page(card, f"{title} on AVeriTeC", lead, headlines)


def stance_report(card: Json) -> str:
    """The report of the stance model alone."""
    accuracy, n = card["metrics"]["label_accuracy"]["value"], card["data"]["scored"]
    lead = f"Given a claim and one passage, the model says whether the passage supports it, refutes it or does neither. On {n:,} pairs it is right {percent(accuracy)} of the time, at {card['pairs_per_s']:,.0f} pairs a second."
    headlines = ("label_accuracy", "two_way_accuracy", "macro_f1")
    return _page(card, "How well the stance model reads", lead, headlines)


def _page(card: Json, title: str, lead: str, headlines: Sequence[str], failures: Sequence[Failures] = ()) -> str:
    from markupsafe import Markup

    values = {"card": card, "title": title, "lead": lead, "headlines": headlines, "failures": failures, "SETS": SETS}
    style = Markup(STYLE.read_text("utf-8"))
    return templates().get_template("report.html").render(**values, style=style, **dict(_worked_out(card))).lstrip()


def _worked_out(card: Json) -> Iterator[tuple[str, Any]]:
    """The template's values that must be derived from the scorecard."""
    pipeline = card["pipeline"]
    yield "parts", {part: card[part] for part in ("natural", "complete") if part in card}
    yield "models", ", ".join(f"{role}: {name}" for role, name in pipeline["models"].items())
    yield "settings", ", ".join(f"{name} = {value}" for name, value in pipeline["settings"].items())
    if found := card.get("comparison"):
        ends = (abs(one[end]) for one in found["metrics"].values() for end in ("low", "high"))
        yield "widest", max(ends, default=0.01) or 0.01
    if classes := card.get("classes"):
        shown = [metric for metric in CLASS_FIGURES if any(metric in of for of in classes.values())]
        yield from {"class_columns": shown, "class_titles": [name_of(metric).title for metric in shown]}.items()
    if bins := card.get("reliability"):
        curve = card["coverage"]
        yield "bubbles", _bubbles(bins)
        yield "half", min(curve, key=lambda point: abs(point[0] - 0.5))
        yield "confidence_axes", Axes((0, 1), (0, 1), SHARE_TICKS, SHARE_TICKS, "confidence shown, %")
        yield "coverage_axes", _upper_axes([curve], (0, 1), SHARE_TICKS, "claims answered, the surest first, %")
    if (curves := card.get("curves", {})).get("pages"):
        yield "depth_axes", _upper_axes(curves.values(), (1, 20), DEPTH_TICKS, "how many are looked at")
    if bars := card.get("latency_histogram"):
        yield "time_axes", _time_axes(bars)
        yield "stages", [(name, row["mean"]) for name, row in card["stages_ms"].items()]


def _lead(card: Json) -> str:
    """The run in two sentences."""
    metrics, scored = card["metrics"], card["data"]["scored"]
    text = f"Of {scored:,} claims, {percent(metrics['label_accuracy']['value'])} got the right label."
    if found := metrics.get("evidence_set_recall@5"):
        text += f" For {percent(found['value'])} of those that can be proved, a whole proof stands among the first five sentences."
    if speed := card.get("latency_ms"):
        text += f" Half of the answers took less than {speed['p50']:,.0f}\u202fms."
    return text


def _bubbles(bins: Sequence[Mapping[str, Any]]) -> list[tuple[float, float, float, str]]:
    """(confidence, accuracy, share of all claims, tooltip) of each bin."""
    total = sum(bin["n"] for bin in bins)
    return [
        (bin["confidence"], bin["accuracy"], bin["n"] / total, f"{percent(bin['confidence'])} sure, {percent(bin['accuracy'])} right, {bin['n']:,} claims")
        for bin in bins
    ]  # fmt: skip


def _upper_axes(curves: Any, across: tuple[float, float], ticks: Sequence[tuple[float, str]], label: str) -> Axes:
    """Axes whose vertical scale ends at 100 % and covers all points of the curves."""
    low = max(0, int(min(point[1] for curve in curves for point in curve) * 10 - 0.01))
    shares = [(value / 10, f"{value * 10}") for value in range(low, 11, 1 if low >= 5 else 2)]
    return Axes(across, (low / 10, 1), ticks, shares, label)


def _time_axes(bars: Sequence[Sequence[float]]) -> Axes:
    limit, most = bars[-1][1], max(bar[2] for bar in bars) // 2 * 2 + 2
    step = round_step(limit / 4)
    ticks = [(step * part, f"{step * part:,.0f}") for part in range(1 + int(limit / step))]
    return Axes(
        (0, limit), (0, most), ticks, [(0, "0"), (most / 2, f"{most / 2:,.0f}"), (most, f"{most:,}")], "ms a claim"
    )
