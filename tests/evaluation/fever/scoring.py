"""Every figure of some answers, for the tests."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.fever.answers import Answer
from evaluation.fever.data import GoldClaim
from evaluation.fever.scores import fever_measures
from evaluation.metrics import Score, score_all


def score_answers(claims: Sequence[GoldClaim], answers: Sequence[Answer]) -> dict[str, Score]:
    """Every figure that the claims and answers allow, with its interval."""
    return score_all(fever_measures(list(zip(claims, answers, strict=True))))
