"""Fits the verdict of recipe `careful`, and how it combines its two readings, on claims that neither network has seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from evaluation.fever.data import GoldClaim, pointer_to
from retrieval.models.fitted.joined_reading import (
    EVIDENCE_FEATURES,
    evidence_features,
    evidence_shares,
    joined_stances,
)
from retrieval.models.fitted.logistic import logistic_of
from retrieval.models.fitted.verdict import SENTENCES
from retrieval.models.fitted.verdict import features as verdict_features
from retrieval.models.pair_scorers import judge_texts
from retrieval.pipeline import Pipeline
from retrieval.protocols import PairScorer
from retrieval.recipes.careful import Careful
from retrieval.recipes.declaring import make
from retrieval.recipes.fast import RANKED
from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.stages.bridges import bridges_of
from retrieval.stages.reading_again import text_read, unless_bridged, weights_behind, worth_reading
from retrieval.stores.embedded.store import EmbeddedStore
from retrieval.text.quantities.stances import exactly
from retrieval.text.sentences import as_read
from retrieval.types import Claim, Evidence, FactCheck, Label, Stance
from retrieval.verdicts.local import scorer_of_all
from training.classifiers.fitting import Matrix, classifier, logistic_file, progress, write_fitted
from training.classifiers.verdict import fit_claims
from training.data.everyday_placed import placed_everyday
from training.data.pairs import learning_claims
from training.data.placed import fitting_claims

READING_STRENGTH = 0.3  # sklearn's C, of the regression of `reading.json`
# Weight of a claim whose evidence is on stubs alone. A stub holds little besides the evidence, so its claims are
# easier than those over whole pages; with equal weights, the verdict is overconfident on whole pages.
STUB_WEIGHT = 0.7
# Added to the log odds of a label, because of FEVER's claims over whole pages two thirds are open and few are refuted,
# unlike claims that people type. Accuracy on natural training claims, labels evened, is unchanged
# (docs/experiments.md).
SHIFTS = {Label.NOT_ENOUGH_EVIDENCE: -0.2, Label.REFUTED: 0.4}


@dataclass(frozen=True)
class Read:
    """A claim, its best sentences as the first pass ranks them, and the reader's relevance and stance for each.

    bridges: the sentence that each was read with, if any. rest: the sentences ranked next, which the reader skipped.
    """

    claim: GoldClaim
    first: tuple[Evidence, ...]
    relevances: list[float]
    stances: list[Stance]
    bridges: list[Evidence | None]
    rest: tuple[Evidence, ...] = ()


def fit_careful(store: str, data: Path, out: Path, seed: int) -> None:
    """Read the held-out claims as the recipe does, fit, write reading.json and careful_verdict.json into `out`."""
    resources = Resources(Settings(store=store, conflicting_from=0.0))
    pages = EmbeddedStore(store)
    claims = [*placed_everyday(pages, resources.pair_scorer(), data), *fitting_claims(pages, data)]
    knobs, checks = Careful.of(resources.settings), first_passes(resources, claims)
    read = read_again(checks, resources.reader(), knobs.read_sentences, knobs.read_from)
    known = {claim.id for claim in learning_claims(data)[1]}
    reading = fit_reading([case for case in read if case.claim.id in known])  # the others' evidence is not fully marked
    write_fitted(out / "reading.json", reading)
    inputs = verdict_inputs(read, reading, resources)
    verdict = fit_claims(inputs, [case.claim for case in read], SHIFTS, seed, STUB_WEIGHT)
    write_fitted(out / "careful_verdict.json", verdict)


def first_passes(resources: Resources, claims: Sequence[GoldClaim]) -> list[tuple[GoldClaim, FactCheck]]:
    """Each claim with the first pass's result."""
    pipeline = Pipeline("careful", make(RANKED, resources, Careful()))
    return [(claim, pipeline.run(Claim(claim.id, claim.text))) for claim in progress(claims, "claims")]


def read_again(
    checks: Sequence[tuple[GoldClaim, FactCheck]], reader: PairScorer, most: int, least: float
) -> list[Read]:
    """Run the reader on each claim's sentences that are `worth_reading`."""
    read = []
    for claim, check in progress(checks, "claims read"):
        first = worth_reading(check.sentences, most, least)
        bridges = bridges_of(check, first)
        texts = [text_read(evidence, bridge) for evidence, bridge in zip(first, bridges, strict=True)]
        relevances, stances = judge_texts(reader, claim.text, texts)
        rest = check.sentences[len(first) : SENTENCES]
        read.append(Read(claim, first, relevances, stances, list(bridges), rest))
    return read


def fit_reading(read: Sequence[Read]) -> dict[str, Any]:
    """The contents of `reading.json`: the model of the probability that a sentence is evidence."""
    verifiable = [case for case in read if case.claim.verifiable]
    rows = np.vstack(
        [evidence_features(case.claim.text, case.first, case.relevances, case.stances) for case in verifiable]
    )
    gold = [pointer_to(evidence.sentence) in case.claim.pointers for case in verifiable for evidence in case.first]
    return logistic_file(classifier(READING_STRENGTH).fit(rows, gold), ("evidence",), EVIDENCE_FEATURES)


def verdict_inputs(read: Sequence[Read], reading: dict[str, Any], resources: Resources) -> Matrix:
    """The verdict's features of each claim, its sentences ordered by both readings."""
    first, second = resources.pair_scorer(), resources.chosen().answer_scorer()
    evidence = logistic_of(reading)
    rows = []
    for case in read:
        shares = evidence_shares(evidence, case.claim.text, case.first, case.relevances, case.stances)
        both = joined_stances([e.stance for e in case.first], case.stances)
        stances = unless_bridged(both, case.stances, case.bridges)
        order = sorted(range(len(case.first)), key=lambda row: -shares[row])
        ranked = [*(case.first[row] for row in order), *case.rest][:SENTENCES]
        weights = [*(shares[row] for row in order), *weights_behind(shares, case.rest)]
        ordered_stances = [*(stances[row] for row in order), *(behind.stance for behind in case.rest)]
        scorer = scorer_of_all(weights, first, second)
        together = scorer.judge_together(case.claim.text, [as_read(evidence) for evidence in ranked])
        exact = [exactly(case.claim.text, evidence.title, evidence.sentence.text) for evidence in ranked]
        rows.append(verdict_features(weights, ordered_stances, together, exact))
    return np.array(rows)
