"""Figures for the models' cards on finding claims in the sample's articles, whose sentences people have labelled."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from evaluation.extraction.checkworthy import WORTHY, average_precision, f1_of_worthy
from evaluation.metrics import Score, mean_score, score_all
from retrieval.text.extraction.finder import ClaimFinder, FoundClaim


@dataclass(frozen=True)
class Sentence:
    """A sentence of an article, whether it is worth checking, and its claims reworded to stand alone."""

    text: str
    sentence: str
    worthy: bool
    claims: tuple[str, ...]


def read_sample(texts: Path) -> list[Sentence]:
    """The labelled sentences. texts: the folder with sentences.jsonl and the articles."""
    lines = (texts / "sentences.jsonl").read_text("utf-8").splitlines()
    rows = map(json.loads, lines)
    return [Sentence(row["text"], row["sentence"], row["label"] == WORTHY, tuple(row["claims"])) for row in rows]


def sample_figures(finder: ClaimFinder, texts: Path) -> dict[str, dict[str, Score]]:
    """Model -> figures: sentences classified rightly, and those worth checking that are worded as people did."""
    rows = read_sample(texts)
    found = {name: finder.find((texts / name).read_text("utf-8")) for name in dict.fromkeys(row.text for row in rows)}
    pieces = [[claim for claim in found[row.text] if claim.original == row.sentence] for row in rows]
    gold, predicted = [row.worthy for row in rows], [any(claim.chosen for claim in claims) for claims in pieces]
    scores = [max((claim.score for claim in claims if claim.chosen), default=_least(claims)) for claims in pieces]
    precision = average_precision(gold, scores)
    alone = [_alone(claims, row) for claims, row in zip(pieces, rows, strict=True) if row.worthy]
    worthy: Mapping[str, Score] = score_all({"f1": f1_of_worthy(gold, predicted)})
    return {
        "checkworthy": {**worthy, **({"average_precision": precision} if precision else {})},
        "coreference": {"stands_alone": mean_score(alone)},
    }


def _least(claims: list[FoundClaim]) -> float:
    """The score of a sentence; lower than any claim's if its form rules out a claim."""
    return min((claim.score for claim in claims), default=0.0) - 1


def _alone(claims: list[FoundClaim], row: Sentence) -> float:
    return float(tuple(claim.text for claim in claims) == row.claims)
