"""report.html: a scorecard for people, one self-contained file without scripts, made from the scorecard alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluation.fever.failures import Failures
from evaluation.report import plots, sections
from evaluation.report.charts import interval_strip
from evaluation.report.markup import Html, element, join, row, table
from evaluation.report.names import GROUPS, name_of, percent

Json = dict[str, Any]
STYLE = Path(__file__).with_name("report.css")
HEADLINES = tuple(
    "label_accuracy fever_score calibration_error page_set_recall@10 evidence_set_recall@1 evidence_set_recall@5 passage_f1".split()
)


def fever_report(card: Json, failures: Sequence[Failures]) -> str:
    """The report of a run over FEVER claims."""
    parts = [
        sections.comparison(card.get("comparison")),
        sections.labels(card),
        plots.classes(card),
        plots.trust(card),
        plots.finding(card),
        sections.evidence_sets(card),
        plots.time(card),
        _all_figures(card),
        sections.errors(failures),
        sections.run(card),
    ]
    recipe = card["pipeline"]["recipe"]
    title = (
        "Predictions made elsewhere, scored" if recipe == "predictions" else f"How well recipe “{recipe}” checks claims"
    )
    return _page(title, _lead(card), _headlines(card), parts)


def averitec_report(card: Json) -> str:
    """The report of a run over AVeriTeC claims."""
    metrics, recipe = card["metrics"], card["pipeline"]["recipe"]
    lead = f"Of {card['data']['scored']:,} claims, {percent(metrics['label_accuracy']['value'])} got the right label."
    if found := metrics.get("averitec@0.25"):
        lead += f" {percent(found['value'])} got it with questions and answers close enough to the gold ones."
    if tokens := card.get("tokens"):
        lead += f" A claim took {tokens['prompt']['mean'] + tokens['reply']['mean']:,.0f} tokens of a language model."
    parts = [sections.labels(card), plots.trust(card), plots.time(card), _all_figures(card), sections.run(card)]
    headlines = ("label_accuracy", "macro_f1", "qa_meteor", "averitec@0.25", "url_hit_rate")
    title = "Predictions made elsewhere" if recipe == "predictions" else f"Recipe “{recipe}”"
    return _page(f"{title} on AVeriTeC", lead, _headlines(card, headlines), parts)


def stance_report(card: Json) -> str:
    """The report of the stance model alone."""
    accuracy, n = card["metrics"]["label_accuracy"]["value"], card["data"]["scored"]
    lead = f"Given a claim and one passage, the model says whether the passage supports it, refutes it or does neither. On {n:,} pairs it is right {percent(accuracy)} of the time, at {card['pairs_per_s']:,.0f} pairs a second."
    parts = [_all_figures(card), sections.labels(card), sections.run(card)]
    return _page(
        "How well the stance model reads",
        lead,
        _headlines(card, ("label_accuracy", "two_way_accuracy", "macro_f1")),
        parts,
    )


def _page(title: str, lead: str, headlines: Html, parts: Sequence[Html]) -> str:
    style = Html(STYLE.read_text("utf-8"))
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", f"{title} · ESOTERIC"),
        element("style", style),
    )
    top = element(
        "header",
        element("p", "ESOTERIC · scorecard", class_="kicker"),
        element("h1", title),
        element("p", lead, class_="lead"),
        sections.contents(parts),
    )
    foot = element(
        "footer",
        "Small figures are 95\u202f% bootstrap intervals: what was scored, resampled at random a thousand times.",
    )
    body = element("body", element("main", top, headlines, *parts), foot)
    return f"<!doctype html>\n{element('html', head, body, lang='en')}\n"


def _lead(card: Json) -> str:
    """The run in two sentences."""
    metrics, scored = card["metrics"], card["data"]["scored"]
    text = f"Of {scored:,} claims, {percent(metrics['label_accuracy']['value'])} got the right label."
    if found := metrics.get("evidence_set_recall@5"):
        text += f" For {percent(found['value'])} of those that can be proved, a whole proof stands among the first five sentences."
    if speed := card.get("latency_ms"):
        text += f" Half of the answers took less than {speed['p50']:,.0f}\u202fms."
    return text


def _headlines(card: Json, chosen: Sequence[str] = HEADLINES) -> Html:
    tiles = [_tile(metric, card) for metric in chosen if metric in card["metrics"]]
    if speed := card.get("latency_ms"):
        big = element("p", f"{speed['p50']:,.0f}", element("small", " ms"), class_="big")
        hint = element("p", f"p95 {speed['p95']:,.0f} ms · mean {speed['mean']:,.0f} ms", class_="hint")
        tiles.append(element("li", element("h3", "Time a claim, median"), big, hint, class_="tile"))
    return element("ul", *tiles, class_="tiles")


def _tile(metric: str, card: Json) -> Html:
    score, name = card["metrics"][metric], name_of(metric)
    big = element("p", f"{100 * score['value']:.1f}", element("small", " %"), class_="big")
    unit = "pairs" if card["pipeline"]["recipe"] == "stance" else "claims"
    strip = interval_strip(_range(score), score["value"], score["low"], score["high"])
    others = " · ".join(
        f"{part} {percent(card[part][metric]['value'])}"
        for part in ("natural", "complete")
        if metric in card.get(part, ())
    )
    hint = element(
        "p", f"{_range(score)}, {score['n']:,} {unit}", element("br") if others else None, others, class_="hint"
    )
    return element("li", element("h3", name.title), big, strip, hint, class_="tile")


def _range(score: Mapping[str, float]) -> str:
    return f"{100 * score['low']:.1f} – {100 * score['high']:.1f}\u202f%"


def _all_figures(card: Json) -> Html:
    """Every figure, over all claims and over those whose gold evidence is in the corpus."""
    parts = [part for part in ("natural", "complete") if part in card]
    heads = ("", "all", *parts)
    rows = []
    for group, names in GROUPS.items():
        present = [metric for metric in names if metric in card["metrics"]]
        if present:
            rows.append(element("tr", element("th", group, colspan=len(heads), scope="rowgroup"), class_="group"))
        rows += [_row(metric, [card["metrics"], *(card[part] for part in parts)]) for metric in present]
    hint = "Natural: claims whose gold evidence is in whole pages of the corpus. Complete: it is there at all, partly in stubs that flatter every search."
    words = element("p", hint, class_="soft") if parts else None
    return sections.section("figures", "All figures", words, table(heads, rows))


def _row(metric: str, columns: Sequence[Mapping[str, Any]]) -> Html:
    name = name_of(metric)
    head = join([name.title, element("span", name.meaning, class_="hint")])
    return row(head, *(_figure(column.get(metric)) for column in columns))


def _figure(score: Mapping[str, float] | None) -> Html:
    if score is None:
        return element("td", "–")
    return element("td", f"{100 * score['value']:.1f}", element("span", _range(score), class_="range"))
