"""Counts the planted errors that a check of a whole article finds, and its false alarms."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from retrieval.resources import Resources
from retrieval.types import Claim, Label


@dataclass(frozen=True)
class CheckedClaim:
    """A claim of the article: its original, its wording that was checked, the verdict."""

    original: str
    text: str
    label: Label


def check_article(file: Path, resources: Resources, recipe: str) -> list[CheckedClaim]:
    """Find an article's claims and check those worth checking with a report's inputs: the claim's words, and the title
    and the preceding sentence to search with. Raises what a check raises.
    """
    pipeline = resources.pipeline(recipe)
    checked = []
    for claim in resources.claim_finder().find(file.read_text("utf-8")):
        if not claim.chosen:
            continue
        verdict = pipeline.run(Claim("", claim.text, context=claim.context)).verdict
        label = verdict.label if verdict else Label.NOT_ENOUGH_EVIDENCE
        checked.append(CheckedClaim(claim.original, claim.text, label))
    return checked


def planted_errors(errors: Path, resources: Resources, recipe: str) -> dict[str, Any]:
    """Count the errors found. errors: a JSON list of {"text": file beside it, "wrong": words in that file}.

    Returns "planted", "checked" (their sentences were chosen), "found" (refuted), "conflicting"; "others": claims
    without an error, "false_alarms": how many of these are refuted; "rows": each error with its claim and label.
    """
    rows: list[Mapping[str, str]] = json.loads(errors.read_text("utf-8"))
    articles = {name: check_article(errors.parent / name, resources, recipe) for name in {row["text"] for row in rows}}
    wrong = [next((claim for claim in articles[row["text"]] if row["wrong"] in claim.original), None) for row in rows]
    others = [claim for checked in articles.values() for claim in checked if claim not in wrong]
    return {
        "recipe": recipe,
        "planted": len(rows),
        "checked": sum(claim is not None for claim in wrong),
        "found": sum(claim is not None and claim.label is Label.REFUTED for claim in wrong),
        "conflicting": sum(claim is not None and claim.label is Label.CONFLICTING for claim in wrong),
        "others": len(others),
        "false_alarms": sum(claim.label is Label.REFUTED for claim in others),
        "rows": [
            {"wrong": row["wrong"], "claim": claim and claim.text, "label": claim and str(claim.label)}
            for row, claim in zip(rows, wrong, strict=True)
        ],
    }
