"""Compares two runs on the claims they share; each difference has an interval and a p value."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from evaluation.fever.answers import Answer, read_predictions
from evaluation.fever.scores import Pairs, fever_measures
from evaluation.metrics import Measure, Values, resample
from evaluation.report.results_folder import read_card
from retrieval.errors import CorpusError, SettingError


def read_other(card: Path, out: Path) -> tuple[str, dict[str, Answer]]:
    """(the other run's name, its answers by claim id), from scorecard.json and claims.jsonl beside it.

    Raises CorpusError if they cannot be read, SettingError if this run would overwrite them.
    """
    folder = card if card.is_dir() else card.parent
    if folder.resolve() == out.resolve():
        raise SettingError(f"`--compare` names the run in {out} itself. Write this one to another folder.")
    other = read_card(folder / "scorecard.json", lambda card: card["pipeline"]["recipe"])
    return f"{other['pipeline']['recipe']}, {folder.name}", read_predictions(folder / "claims.jsonl")


def compare_runs(pairs: Pairs, name: str, other: Mapping[str, Answer]) -> dict[str, Any]:
    """This run against the other on the claims that both answered, matched by id.

    Returns {"other", "claims", "metrics": {NAME: {"this", "other", "difference", "low", "high", "p"}}}. The paired
    bootstrap (Efron and Tibshirani 1993; for language systems Koehn, EMNLP 2004) resamples claims, the same for both
    runs; p is twice the share of resamples whose difference has the other sign or is 0 (at least 1 in 1,001).
    Raises CorpusError if the runs share no claim.
    """
    shared = [(c, a) for c, a in pairs if c.id in other and other[c.id].claim in ("", c.text, a.claim)]
    if not shared:
        raise CorpusError("The two runs have no claim in common. Compare runs over the same file of claims.")
    ours = fever_measures(shared)
    theirs = fever_measures([(claim, other[claim.id]) for claim, _ in shared])
    return {"other": name, "claims": len(shared), "metrics": compare_measures(ours, theirs)}


def compare_measures(ours: Mapping[str, Measure], theirs: Mapping[str, Measure]) -> dict[str, dict[str, float]]:
    """{NAME: {"this", "other", "difference", "low", "high", "p"}} for the figures that both have, over the same
    claims."""
    both = [metric for metric in ours if metric in theirs]
    joined = {f"{side} {metric}": run[metric] for side, run in (("this", ours), ("other", theirs)) for metric in both}
    samples = resample(joined)
    rows = {
        metric: _difference(ours[metric], theirs[metric], samples[f"this {metric}"], samples[f"other {metric}"])
        for metric in both
    }
    return {metric: row for metric, row in rows.items() if row}


def _difference(ours: Measure, theirs: Measure, our_samples: Values, their_samples: Values) -> dict[str, float] | None:
    """None if one of the two cannot be computed."""
    this, other = float(ours.figure()), float(theirs.figure())
    differences = our_samples - their_samples
    differences = differences[~np.isnan(differences)]
    if np.isnan(this) or np.isnan(other) or not len(differences):
        return None
    low, high = np.percentile(differences, [2.5, 97.5])
    row = {"this": this, "other": other, "difference": this - other, "low": low, "high": high}
    return {**{name: round(float(value), 4) for name, value in row.items()}, "p": p_value(differences)}


def p_value(differences: Values) -> float:
    """Two-sided bootstrap p value of "there is no difference"; 1 if no resample shows one."""
    count = len(differences) + 1
    below, above = (np.sum(differences <= 0) + 1) / count, (np.sum(differences >= 0) + 1) / count
    return round(float(min(1.0, 2 * min(below, above))), 4)


def cell_of_difference(row: Mapping[str, float]) -> str:
    """A cell of a table: the figure with its signed difference from the other run."""
    return f"{row['this']:.3f} ({row['difference']:+.3f}{star(row)})"


def star(row: Mapping[str, float]) -> str:
    """A star if the interval of the difference leaves out 0; else empty."""
    return "*" if row["low"] > 0 or row["high"] < 0 else ""
