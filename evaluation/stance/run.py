"""Scores the stance model alone, on pairs of a claim and a passage, without search or verdict."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tqdm import tqdm

from evaluation.fever.data import LABELS, identified
from evaluation.fever.scorecard import confusion, per_label
from evaluation.json_lines import read_lines
from evaluation.machine import machine
from evaluation.metrics import Score, label_f1, mean, score_all
from evaluation.report.page import stance_report
from evaluation.report.results_folder import make_folder, write_json
from retrieval.errors import CorpusError
from retrieval.models import catalogue
from retrieval.models.pair_scorers import BothReadings, FormChecked, judge_texts
from retrieval.protocols import PairScorer
from retrieval.types import Stance

SUPPORTS, REFUTES, NEUTRAL = LABELS
CAREFUL = "careful"  # the recipe with both networks' stances; `fast` has only the small one's


@dataclass(frozen=True)
class Pair:
    """A claim, a passage, and one of FEVER's three labels."""

    claim: str
    evidence: str
    label: str


def evaluate_stance(
    path: Path, out: Path, threads: int = 0, limit: int | None = None, recipe: str = CAREFUL
) -> dict[str, Any]:
    """Judge every pair as `recipe` does, write scorecard.json and report.html into `out`, return the scorecard.

    Raises CorpusError if there is no pair to judge, SettingError if `out` cannot be written.
    """
    pairs = read_pairs(path, limit)
    if not pairs:
        raise CorpusError(f"{path} holds no pair. It needs lines with claim, evidence and label.")
    make_folder(out)
    started = time.perf_counter()
    models, stances = stances_of(recipe, pairs, threads)
    seconds = time.perf_counter() - started
    gold, predicted = [pair.label for pair in pairs], [strongest(stance) for stance in stances]
    card = {
        "data": {**identified(path), "claims": len(pairs), "scored": len(pairs)},
        "pipeline": {"recipe": "stance", "models": models, "settings": {}, "corpus": {}},
        "metrics": {name: score.as_json() for name, score in score_stances(gold, stances).items()},
        "pairs_per_s": round(len(pairs) / seconds, 1),
        "machine": machine(),
        "per_label": per_label(gold, predicted),
        "confusion": confusion(gold, predicted),
    }
    write_json(out / "scorecard.json", card)
    (out / "report.html").write_text(stance_report(card), "utf-8")
    return card


def score_stances(gold: Sequence[str], stances: Sequence[Stance]) -> dict[str, Score]:
    """label_accuracy and macro_f1 over three labels; two_way_accuracy as in FEVER-Symmetric (Schuster et al. 2019):
    only pairs labelled SUPPORTS or REFUTES count, and the larger of these two probabilities decides.
    """
    predicted = [strongest(stance) for stance in stances]
    two_way = [
        None if g == NEUTRAL else float((s.supports > s.refutes) == (g == SUPPORTS))
        for g, s in zip(gold, stances, strict=True)
    ]
    right = [float(g == s) for g, s in zip(gold, predicted, strict=True)]
    return score_all(
        {"label_accuracy": mean(right), "macro_f1": label_f1(gold, predicted), "two_way_accuracy": mean(two_way)}
    )


def strongest(stance: Stance) -> str:
    """The label of the largest probability."""
    shares = {SUPPORTS: stance.supports, REFUTES: stance.refutes, NEUTRAL: stance.neutral}
    return max(shares, key=lambda label: shares[label])


def stances_of(recipe: str, pairs: Sequence[Pair], threads: int) -> tuple[dict[str, str], list[Stance]]:
    """Role -> id of the models that read the pairs, and one stance per pair."""
    from retrieval.models.onnx import OnnxPairScorer
    from retrieval.models.reader import OnnxReader

    scorer: PairScorer = OnnxPairScorer(threads=threads)
    models = [catalogue.CROSS_ENCODER]
    if recipe == CAREFUL:
        scorer = BothReadings(scorer, OnnxReader(threads=threads))
        models += [catalogue.READER, catalogue.READING]
    return {model.role: model.id for model in models}, judge(FormChecked(scorer), pairs)


def judge(scorer: PairScorer, pairs: Sequence[Pair]) -> list[Stance]:
    """One stance per pair; adjacent passages of the same claim are read together."""
    stances: list[Stance] = []
    with tqdm(total=len(pairs), unit=" pairs", file=sys.stderr, mininterval=1) as bar:
        first = 0
        while first < len(pairs):
            last = first
            while last < len(pairs) and pairs[last].claim == pairs[first].claim:
                last += 1
            stances += judge_texts(scorer, pairs[first].claim, [pair.evidence for pair in pairs[first:last]])[1]
            bar.update(last - first)
            first = last
    return stances


def read_pairs(path: Path, limit: int | None = None) -> list[Pair]:
    """Pairs of a .jsonl or .jsonl.gz file. Raises CorpusError, which names a line that cannot be read."""
    return read_lines(path, _pair, "pair", "claim, evidence and label", limit)


def _pair(row: Mapping[str, Any]) -> Pair:
    pair = Pair(row["claim"], row["evidence"], row["label"])
    if not (isinstance(pair.claim, str) and isinstance(pair.evidence, str) and pair.label in LABELS):
        raise TypeError("claim and evidence are texts, label is one of FEVER's three")
    return pair
