"""Compares which sentences the program finds worth checking with people's labels."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.fever.data import identified
from evaluation.json_lines import read_lines
from evaluation.machine import machine
from evaluation.metrics import RESAMPLES, Measure, Score, label_f1, ratio, score_all
from evaluation.report.results_folder import make_folder, write_json, write_rows
from retrieval.errors import CorpusError
from retrieval.models import catalogue
from retrieval.settings import Settings
from retrieval.text.extraction import kinds
from retrieval.text.extraction.finder import THRESHOLD, ClaimFinder

WORTHY, OTHER = "check-worthy", "other"


@dataclass(frozen=True)
class Labelled:
    """A sentence, and whether people labelled it worth checking."""

    sentence: str
    worthy: bool


def evaluate_checkworthy(path: Path, out: Path, settings: Settings, limit: int | None = None) -> dict[str, Any]:
    """Judge every sentence alone, write scorecard.json and predictions.jsonl into `out`, return the scorecard.

    Raises CorpusError if there is no sentence, SettingError if `out` cannot be written, ModelError.
    """
    from retrieval.resources import Resources

    rows = read_sentences(path, limit)
    make_folder(out)
    finder: ClaimFinder = Resources(settings).claim_finder()
    started = time.perf_counter()
    scores, predicted = zip(*finder.judge([row.sentence for row in rows]), strict=True)
    seconds = time.perf_counter() - started
    data = {**identified(path), "claims": len(rows), "scored": len(rows)}
    models = {"checkworthy": catalogue.CHECKWORTHY.id, "spans": catalogue.SPANS.id}
    card = {
        "data": data,
        "pipeline": {"recipe": "checkworthy", "models": models, "settings": {"threshold": THRESHOLD}, "corpus": {}},
        "metrics": figures([row.worthy for row in rows], scores, [kind == kinds.CLAIM for kind in predicted]),
        "sentences_per_s": round(len(rows) / seconds, 1),
        "machine": machine(),
    }
    judged = [
        {"sentence": row.sentence, "score": round(score, 4), "kind": kind}
        for row, score, kind in zip(rows, scores, predicted, strict=True)
    ]
    write_json(out / "scorecard.json", card)
    write_rows(out / "predictions.jsonl", judged)
    return card


def figures(gold: Sequence[bool], scores: Sequence[float], predicted: Sequence[bool]) -> dict[str, Any]:
    """f1, precision and recall of "check-worthy", macro_f1 over both labels, average_precision, with intervals."""
    names = {True: WORTHY, False: OTHER}
    hits = [float(g and s) for g, s in zip(gold, predicted, strict=True)]
    measures = {
        "f1": f1_of_worthy(gold, predicted),
        "macro_f1": label_f1([names[g] for g in gold], [names[s] for s in predicted]),
        "precision": ratio(hits, [float(s) for s in predicted]),
        "recall": ratio(hits, [float(g) for g in gold]),
    }
    found = score_all(measures)
    if precision := average_precision(gold, scores):
        found["average_precision"] = precision
    return {name: score.as_json() for name, score in found.items()}


def f1_of_worthy(gold: Sequence[bool], predicted: Sequence[bool]) -> Measure:
    """F1: twice the hits over the gold plus the predicted positives (van Rijsbergen 1979)."""
    hits = [2.0 * (g and s) for g, s in zip(gold, predicted, strict=True)]
    return ratio(hits, [float(g) + float(s) for g, s in zip(gold, predicted, strict=True)])


def average_precision(gold: Sequence[bool], scores: Sequence[float]) -> Score | None:
    """The mean of the precision at each worthy sentence, best score first, with its interval; None if no sentence is
    worthy. Sentences with equal scores share their precision. (Buckley and Voorhees, SIGIR 2000; the same as
    sklearn's.)
    """
    order = np.argsort(-np.asarray(scores, float), kind="stable")
    ranked, worthy = np.asarray(scores, float)[order], np.asarray(gold, float)[order]
    if not worthy.any():
        return None
    ends = np.searchsorted(-ranked, -ranked, side="right") - 1
    rng = np.random.default_rng(0)
    count = len(worthy)
    samples = [
        _average_precision(np.bincount(rng.integers(0, count, count), minlength=count), worthy, ends)
        for _ in range(RESAMPLES)
    ]
    low, high = np.nanpercentile(samples, [2.5, 97.5])
    return Score(_average_precision(np.ones(count), worthy, ends), float(low), float(high), count)


def _average_precision(drawn: NDArray[Any], worthy: NDArray[np.float64], ends: NDArray[np.int64]) -> float:
    """Average precision of a sample. drawn: how often each sentence is in it, in order of the scores."""
    hits = drawn * worthy
    seen, found = np.cumsum(drawn)[ends], np.cumsum(hits)[ends]
    total = float(hits.sum())
    return float((hits * found / np.maximum(seen, 1)).sum() / total) if total else float("nan")


def read_sentences(path: Path, limit: int | None = None) -> list[Labelled]:
    """Sentences of a .jsonl or .jsonl.gz file. Raises CorpusError, which names a line that cannot be read."""
    rows = read_lines(path, _labelled, "labelled sentence", "sentence and label", limit)
    if not rows:
        raise CorpusError(f"{path} holds no sentence. It needs lines with sentence and label.")
    return rows


def _labelled(row: dict[str, Any]) -> Labelled:
    if not isinstance(row["sentence"], str) or not isinstance(row["label"], str):
        raise TypeError("sentence and label are texts")
    return Labelled(row["sentence"], row["label"] == WORTHY)
