"""FEVER's published training claims with five sentences each (`../shared/data/training/fever-train`), as pairs.

None of them is in claims-train.jsonl. Their sentences come from a pool of gold sentences, so more of them are evidence
than on whole pages. A sentence's title is a guess, right five times in six.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from retrieval.text.sentences import pair_text
from training.data.pairs import (
    NEUTRAL,
    REFUTES,
    STANCES,
    SUPPORTS,
    UNKNOWN,
    Pair,
    labelled_pair,
    learned_rows,
    read_as_one,
)

READ_AS_ONE_SHARE = 0.12  # of claims that also come with two or three sentences read as one
# Share of decided claims that also get a sentence that is not evidence; the number of such sentences of an open claim.
BESIDE_SHARE, OPEN_BESIDE = 0.45, 2


@dataclass(frozen=True)
class TrainingClaim:
    """A claim and its sentences with their titles, as the networks read them. gold: indices of the evidence."""

    text: str
    stance: int
    sentences: tuple[str, ...]
    gold: tuple[int, ...]


def fever_training_claims(data: Path) -> Iterator[TrainingClaim]:
    """All claims that are not held out, in the order of the file."""
    return map(_claim, learned_rows(data / "training" / "fever-train" / "claims.jsonl.gz"))


def chosen_claims(claims: Iterable[TrainingClaim], most: Mapping[int, int], rng: random.Random) -> list[TrainingClaim]:
    """At most the given number of claims of each stance, chosen at random."""
    by_stance: dict[int, list[TrainingClaim]] = {stance: [] for stance in most}
    for claim in claims:
        by_stance[claim.stance].append(claim)
    return [claim for stance, found in by_stance.items() for claim in rng.sample(found, min(most[stance], len(found)))]


def claim_groups(claims: Iterable[TrainingClaim], rng: random.Random) -> Iterator[list[Pair]]:
    """The pairs of each claim: with its evidence, with other sentences, sometimes with several sentences together."""
    for claim in claims:
        pairs = _open_pairs(claim) if claim.stance == NEUTRAL else _decided_pairs(claim, rng)
        if rng.random() < READ_AS_ONE_SHARE:
            pairs.append(_together(claim, rng))
        yield pairs


def contrast_pairs(data: Path) -> Iterator[Pair]:
    """Pairs made from these claims by changing a number, month or date; most are refuted."""
    for row in learned_rows(data / "training" / "fever-train" / "contrast-synthetic.jsonl.gz"):
        title = (row["titles"] or row["titles_guess"] or [None])[0] or (row["titles_guess"] or [None])[0]
        yield labelled_pair(row, row["evidence"], title)


def _claim(row: dict[str, Any]) -> TrainingClaim:
    sentences = tuple(
        pair_text(title, text) if title else text for title, text in zip(row["titles"], row["sentences"], strict=True)
    )
    return TrainingClaim(row["claim"], STANCES[row["label"]], sentences, tuple(row["gold"]))


def _decided_pairs(claim: TrainingClaim, rng: random.Random) -> list[Pair]:
    """The pairs of a decided claim. One of several gold sentences may not decide alone: its stance is unknown."""
    assert claim.stance in (SUPPORTS, REFUTES)
    alone = len(claim.gold) == 1
    pairs = [Pair(claim.text, claim.sentences[claim.gold[0]], 1, claim.stance if alone else UNKNOWN)]
    if not alone:
        given = [claim.sentences[place] for place in claim.gold[:2]]
        pairs.append(Pair(claim.text, "\n".join(given), UNKNOWN, claim.stance))
    others = [text for place, text in enumerate(claim.sentences) if place not in claim.gold]
    if others and rng.random() < BESIDE_SHARE:
        pairs.append(Pair(claim.text, rng.choice(others), 0, NEUTRAL))
    return pairs


def _open_pairs(claim: TrainingClaim) -> list[Pair]:
    return [Pair(claim.text, text, 0, NEUTRAL) for text in claim.sentences[:OPEN_BESIDE]]


def _together(claim: TrainingClaim, rng: random.Random) -> Pair:
    """Two or three sentences, the evidence among them."""
    others = [text for place, text in enumerate(claim.sentences) if place not in claim.gold]
    shown = [*(claim.sentences[place] for place in claim.gold[:2]), *others][: rng.randint(2, 3)]
    rng.shuffle(shown)
    return Pair(claim.text, read_as_one(shown), UNKNOWN, claim.stance)
