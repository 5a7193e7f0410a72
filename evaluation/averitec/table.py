"""Writes AVeriTeC's scorecards as one Markdown table between marks of pages: every recipe with its cost."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evaluation.averitec.scores import VERDICT_FIGURES
from evaluation.report.blocks import data_set, fill_pages, heads, row, with_block
from evaluation.report.results import share
from evaluation.report.results_folder import Json, read_card
from retrieval.llm.reading.labels import LABELS

AVERITEC_BLOCK = "averitec"
COST_HEADS = ("p against the majority label", "s a claim, p50 / p95", "tokens a claim")
TABLE_FIGURES = (*VERDICT_FIGURES, "ev2r_recall")
CONTEXT_ORDERS = {
    "after": "contexts after reranking",
    "before": "contexts before reranking",
    "ranks": "contexts for reranking alone",
    "none": "reranking alone",
    "only": "contexts alone",
}
# (knob, value) -> the name of its row in the ablation; scorecards of older versions lack some of these.
KNOB_TITLES = {
    ("query", "claim"): "searched with the claim",
    ("choice", "ranks"): "sentences chosen by rank fusion",
    ("sufficiency", "true"): "asked first whether the evidence suffices",
    ("sufficiency", "1"): "asked first whether the evidence suffices",
}


def averitec_table(cards: Sequence[Json]) -> str:
    """One row per scorecard, then predicted and gold counts of each label, then a description of the runs."""
    lines = [
        *heads("recipe", "language model", "claims", *(f"`{figure}`" for figure in TABLE_FIGURES), *COST_HEADS),
        *map(_row, cards),
        "",
    ]
    lines += [*heads("predicted / correct / gold", *LABELS), *map(_labels, cards)]
    return "\n".join([*lines, "", *_runs(cards)])


def _row(card: Json) -> str:
    beside = card.get("majority")
    cells = [
        _name(card),
        _model(card),
        _claims(card["data"]),
        *(_score(card["metrics"].get(figure)) for figure in TABLE_FIGURES),
        f"{beside['p']:.3g} ({share(beside['accuracy'])})" if beside else "",
        _seconds(card.get("latency_ms")),
        f"{card['tokens']['prompt']['mean'] + card['tokens']['reply']['mean']:,.0f}" if "tokens" in card else "none",
    ]
    return row(*cells)


def _claims(data: Json) -> str:
    return f"{data['scored']:,}" + (f" of {data['claims']:,}" if data["scored"] < data["claims"] else "")


def _name(card: Json) -> str:
    pipeline = card["pipeline"]
    # Until version 2, knobs were environment variables: FUSION_QUERY.
    settings = {name.removeprefix("fusion_"): value for name, value in pipeline["settings"].items()}
    recipe = pipeline["recipe"]
    if recipe == "gold":
        return "verdict alone, gold answers" + (", two classifiers" if settings.get("verdict") == "two" else "")
    more = []
    if recipe == "contextual":
        more.append(CONTEXT_ORDERS[settings["context_order"]])
    if recipe != "aic" and settings.get("verdict") == "two":
        more.append("two classifiers")
    if recipe != "aic":
        more += [title for (name, value), title in KNOB_TITLES.items() if str(settings.get(name)).lower() == value]
    return f"`{recipe}`" + "".join(f", {word}" for word in more)


def _model(card: Json) -> str:
    model = card["pipeline"]["models"].get("llm", "none")
    if model == "none":
        return "none"
    return f"recorded replies of {model}" if card["pipeline"].get("replies") == "recorded" else str(model)


def _labels(card: Json) -> str:
    cells = []
    for name in LABELS:
        counts = card["per_label"].get(name, {"predicted": 0, "gold": 0})
        right = card["confusion"].get(name, {}).get(name, 0)
        cells.append(f"{counts['predicted']} / {right} / {counts['gold']}")
    return row(f"{_name(card)}, {_model(card)}", *cells)


def _seconds(speed: Json | None) -> str:
    return f"{speed['p50'] / 1000:.2f} / {speed['p95'] / 1000:.2f}" if speed else ""


def _score(score: Json | None) -> str:
    return f"{share(score['value'])} [{share(score['low'])}, {share(score['high'])}]" if score else ""


def _runs(cards: Sequence[Json]) -> list[str]:
    runs = []
    for card in cards:
        models = ", ".join(
            f"`{m}`" for role, m in card["pipeline"]["models"].items() if m != "none" and role not in ("prompt", "llm")
        )
        runs.append(f"{data_set(card['data'])}: {models}; {card['machine']}")
    return [f"{run}. In brackets: 95 % bootstrap intervals." for run in dict.fromkeys(runs)]


def fill_in(paths: Sequence[Path], pages: Sequence[Path]) -> None:
    """Write the table between the marks of every page. Raises CorpusError or SettingError, before anything is changed."""
    table = averitec_table([read_card(path, lambda card: averitec_table([card])) for path in paths])
    fill_pages(pages, AVERITEC_BLOCK, lambda text: with_block(text, AVERITEC_BLOCK, table))
