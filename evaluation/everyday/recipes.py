"""Each recipe's accuracy on one file of claims, for the scorecard and for the pages where you choose a recipe."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evaluation.report.results_folder import Json, read_card
from retrieval.errors import CorpusError

BEHIND_FIRST = "label_accuracy_behind"  # how far behind the first run, on the claims that both answered


def recipes_card(folders: Sequence[Path]) -> Json:
    """One card of several runs: the first run's, with {RECIPE: {"label_accuracy", BEHIND_FIRST}} of every run.

    BEHIND_FIRST needs runs made with `--compare` and the first one's scorecard. Raises CorpusError if a run cannot be
    read, or if the runs are of different claims.
    """
    cards = [read_card(folder / "scorecard.json", _fields) for folder in folders]
    first = cards[0]
    by_recipe: dict[str, Json] = {}
    for folder, card in zip(folders, cards, strict=True):
        if card["data"]["sha256"] != first["data"]["sha256"]:
            raise CorpusError(f"{folder} is of other claims than {folders[0]}. Score every recipe on the same file.")
        figures = {"label_accuracy": card["metrics"]["label_accuracy"]}
        if compared := card.get("comparison", {}).get("metrics", {}).get("label_accuracy"):
            figures[BEHIND_FIRST] = {
                "value": -compared["difference"],
                "low": -compared["high"],
                "high": -compared["low"],
                "n": card["comparison"]["claims"],
            }
        by_recipe[card["pipeline"]["recipe"]] = figures
    run = {name: first[name] for name in ("data", "pipeline", "machine")}
    return {**run, "metrics": {}, "recipes": list(by_recipe), **by_recipe}


def measured_of(card: Json) -> Json:
    """The content of `retrieval/measured.json`."""
    recipes = {name: card[name]["label_accuracy"] for name in card["recipes"]}
    where = {"claims": card["data"]["path"], "pages": card["pipeline"]["corpus"]["pages"], "machine": card["machine"]}
    return {**where, "recipes": recipes}


def _fields(card: Json) -> tuple[object, ...]:
    """The fields that a card of `evaluation fever` has. Raises KeyError or TypeError."""
    return card["metrics"]["label_accuracy"]["value"], card["data"]["sha256"], card["pipeline"]["corpus"]["pages"]
