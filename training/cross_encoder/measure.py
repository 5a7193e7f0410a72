"""Measures the cross-encoder on claims it has not seen, pair by pair, without search."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import numpy as np

from evaluation.fever.data import GoldClaim, holds_group
from retrieval.models.onnx import OnnxPairScorer
from retrieval.models.pair_scorers import judge_texts
from retrieval.protocols import PageStore, PairScorer
from retrieval.text.sentences import with_title
from retrieval.types import Stance
from training.data.fever_pairs import candidate_pages, claim_pairs, sentences_of
from training.data.pairs import UNKNOWN, Pair, learning_claims


def measure_cross_encoder(store: PageStore, data: Path, seed: int) -> dict[str, float]:
    """Figures over the held-out claims; negatives as in training, drawn with `seed`."""
    _, claims = learning_claims(data)
    scorer = OnnxPairScorer()
    pairs = list(claim_pairs(store, claims, random.Random(seed)))
    begun = time.perf_counter()
    relevance, stance = score_pairs(scorer, pairs)
    speed = len(pairs) / (time.perf_counter() - begun)
    figures = pair_figures(pairs, relevance, stance)
    natural = [claim for claim in claims if claim.natural and claim.evidence]
    return {**figures, "gold_in_five": gold_in_five(store, scorer, natural), "pairs_per_s": round(speed, 1)}


def score_pairs(scorer: PairScorer, pairs: Sequence[Pair]) -> tuple[list[float], list[Stance]]:
    """Relevance and stance of each pair, in order. Neighbours with the same claim are scored together."""
    relevances: list[float] = []
    stances: list[Stance] = []
    for claim, group in groupby(pairs, key=lambda pair: pair.claim):
        relevance, stance = judge_texts(scorer, claim, [pair.sentence for pair in group])
        relevances += relevance
        stances += stance
    return relevances, stances


def pair_figures(pairs: Sequence[Pair], relevances: Sequence[float], stances: Sequence[Stance]) -> dict[str, float]:
    """Average precision of relevance; accuracy of stance on gold sentences, over three labels and over the two sides."""
    from sklearn.metrics import average_precision_score

    truth = np.array([pair.relevance for pair in pairs])
    gold = [i for i, pair in enumerate(pairs) if pair.relevance == 1 and pair.stance != UNKNOWN]
    probabilities = np.array([[s.supports, s.refutes, s.neutral] for s in stances])[gold]
    labels = np.array([pairs[i].stance for i in gold])
    return {
        "pairs": len(pairs),
        "relevance_average_precision": round(float(average_precision_score(truth, relevances)), 4),
        "stance_accuracy_gold": round(float((probabilities.argmax(axis=1) == labels).mean()), 4),
        "stance_two_way_gold": round(float((probabilities[:, :2].argmax(axis=1) == labels).mean()), 4),
    }


def gold_in_five(store: PageStore, scorer: PairScorer, claims: Sequence[GoldClaim]) -> float:
    """Share of claims with a whole evidence group among the five best of all sentences of gold and candidate pages."""
    hits = 0
    for claim in claims:
        gold = store.get(sorted({page for group in claim.evidence for page, _ in group}))
        pages = gold | {page.id: page for page in candidate_pages(store, claim.text, 5)}
        sentences = sentences_of(pages.values())
        relevance, _ = judge_texts(scorer, claim.text, [with_title(s) for s in sentences])
        best = sorted(range(len(sentences)), key=lambda i: -relevance[i])[:5]
        found = [(sentences[i].page_id, sentences[i].line) for i in best]
        hits += holds_group(claim, found)
    return round(hits / max(1, len(claims)), 4)
