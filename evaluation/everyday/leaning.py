"""Measures SIDE_FROM, how clear a sentence a verdict needs, and LEAN_BELOW, when a verdict only leans."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tqdm import tqdm

from evaluation.fever.data import GoldClaim
from retrieval.resources import Resources
from retrieval.text.claims import read_claim
from retrieval.types import SIDES, Claim, FactCheck, Label
from retrieval.verdicts.namesakes import heard
from retrieval.verdicts.side import LIKELIEST, side_share

SIDES_TRIED = (0.0, 0.25, 0.5, 0.75, LIKELIEST)
LEANS_TRIED = (0.0, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8)


@dataclass(frozen=True)
class Judged:
    """A claim judged without either threshold. gold, label; confidence: the label's; side: the largest share for the
    label in a shown sentence, as a part of its neutral share; 1 if the label takes no side.
    """

    gold: Label
    label: Label
    confidence: float
    side: float

    def under(self, side_from: float) -> Label:
        """The label if a verdict needs such a sentence."""
        return self.label if self.side >= side_from else Label.NOT_ENOUGH_EVIDENCE


def judge_claims(claims: Sequence[GoldClaim], resources: Resources, recipe: str) -> list[Judged]:
    """Every claim, judged without either threshold. Raises RecipeError."""
    free = resources.with_settings(replace(resources.settings, side_from=0.0, lean_below=0.0))
    pipeline, longest = free.pipeline(recipe), free.settings.claim_length
    found = []
    for claim in tqdm(claims, unit=" claims", mininterval=1, file=sys.stderr):
        check = pipeline.run(Claim(claim.id, read_claim(claim.text, longest)))
        if check.verdict:
            found.append(Judged(claim.label, check.verdict.label, check.verdict.confidence, _side(check)))
    return found


def _side(check: FactCheck) -> float:
    label = check.verdict.label if check.verdict else Label.NOT_ENOUGH_EVIDENCE
    if label not in SIDES:
        return LIKELIEST
    counted = {one.sentence for one in heard(check.claim.reading, check.sentences)}
    return max((side_share(label, one.stance) for one in check.evidence if one.sentence in counted), default=0.0)


def side_table(judged: Sequence[Judged]) -> Iterator[str]:
    """A line for each SIDE_FROM: right verdicts by gold label, and opposite verdicts."""
    yield f"{'SIDE_FROM':>9}  {'right':>5}  {'supported':>9}  {'refuted':>7}  {'not enough':>10}  {'opposite':>8}"
    for least in SIDES_TRIED:
        predicted = [(one.gold, one.under(least)) for one in judged]
        by_label = [
            _share([gold is found for gold, found in predicted if gold is label])
            for label in (*SIDES, Label.NOT_ENOUGH_EVIDENCE)
        ]
        turned = sum(gold in SIDES and label in SIDES and gold is not label for gold, label in predicted)
        whole = _share([gold is label for gold, label in predicted])
        yield f"{least:9.2f}  {whole:5.3f}  {by_label[0]:9.3f}  {by_label[1]:7.3f}  {by_label[2]:10.3f}  {turned:8}"


def leaning_table(judged: Sequence[Judged], side_from: float) -> Iterator[str]:
    """A line for each LEAN_BELOW: full and leaning verdicts for or against a claim, and how many of each are right."""
    decided = [one for one in judged if one.under(side_from) in SIDES]
    yield f"{'LEAN_BELOW':>10}  {'full':>5}  {'right':>5}  {'lean':>5}  {'right':>5}"
    for threshold in LEANS_TRIED:
        full = [one.gold is one.label for one in decided if one.confidence >= threshold]
        lean = [one.gold is one.label for one in decided if one.confidence < threshold]
        yield f"{threshold:10.2f}  {len(full):5}  {_share(full):5.3f}  {len(lean):5}  {_share(lean):5.3f}"


def _share(right: Sequence[bool]) -> float:
    return sum(right) / max(1, len(right))
