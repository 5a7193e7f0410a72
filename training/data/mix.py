"""The shipped cross-encoder's training data, and how often it sees each part."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice
from pathlib import Path

from evaluation.fever.data import GoldClaim
from evaluation.held_out import is_held_out_claim
from retrieval.models.english.parser import SpacySpans
from retrieval.protocols import PageStore
from retrieval.text.sentences import pair_text
from training.data.made.details import detail_pairs
from training.data.made.twins import Named, twin_pairs
from training.data.pairs import LABEL_STANCES, STANCES, UNKNOWN, Pair, learning_claims, read_as_one, read_nli

MINED_TIMES = 2  # how often each mined pair is seen
FEWEST_TOGETHER, MOST_TOGETHER = 3, 4  # sentences read together; a claim without evidence has four mined ones


@dataclass(frozen=True)
class Mix:
    """The pairs of a training. nli: pairs from each file of training/nli, and how often they are seen.

    looked_at: number of claims whose pages provide sentences for pairs made by rule. twins, details: at most so many.
    joint_times: how often the sentences of each claim are read together.
    """

    nli: Mapping[str, tuple[int, int]]
    looked_at: int
    twins: int
    details: int
    joint_times: int = 2


# VitaminC teaches most: its pairs turn on single facts.
SECOND = Mix(
    {
        "vitaminc-real": (31_000, 3),
        "vitaminc-synthetic": (18_000, 1),
        "fever-train-nli": (19_000, 1),
        "te-new-protocols": (16_000, 1),
        "wanli-subset": (12_000, 1),
        "lingnli": (10_000, 1),
        "conjnli": (6_000, 1),
        "breaking-nli": (3_000, 1),
        "semiauto-wiki": (3_000, 1),
    },
    looked_at=4_000,
    twins=100_000,
    details=0,
)
# More from FEVER's pages, less from other kinds of text.
THIRD = Mix(
    {
        "vitaminc-real": (31_000, 2),
        "vitaminc-synthetic": (18_000, 1),
        "fever-train-nli": (19_000, 1),
        "te-new-protocols": (8_000, 1),
        "wanli-subset": (8_000, 1),
        "mnli-dev": (8_000, 1),
        "conjnli": (4_000, 1),
        "breaking-nli": (3_000, 1),
        "semiauto-wiki": (3_000, 1),
    },
    looked_at=6_000,
    twins=20_000,
    details=20_000,
)
# Teaches when a claim stays open: more claims without evidence, also with several sentences read together, and more of
# VitaminC again.
FOURTH = replace(
    THIRD,
    nli={
        **THIRD.nli,
        "vitaminc-real": (31_000, 3),
        "te-new-protocols": (4_000, 1),
        "wanli-subset": (4_000, 1),
        "mnli-dev": (4_000, 1),
    },
    looked_at=7_000,
    twins=30_000,
    details=30_000,
    joint_times=3,
)
MIXES = {"second": SECOND, "third": THIRD, "fourth": FOURTH}


def mixed_pairs(store: PageStore, mined: Sequence[Pair], data: Path, seed: int, mix: Mix) -> list[Pair]:
    """All pairs in order of use. mined: pairs of FEVER's claims, from `training.data.fever_pairs.mined_pairs`."""
    rng = random.Random(seed)
    learned = learning_claims(data)[0]
    pairs = list(mined) * MINED_TIMES
    for _ in range(mix.joint_times):
        pairs += joint_pairs(learned, mined, rng)
    for name, (share, times) in mix.nli.items():
        pairs += read_nli(data, rng, {name: share}) * times
    pairs += fool_me_twice(data)
    sentences = list(named_sentences(store, rng.sample(learned, min(mix.looked_at, len(learned))), rng))
    pairs += islice(twin_pairs(sentences, rng), mix.twins)
    pairs += islice(detail_pairs(sentences[::-1], rng), mix.details)
    rng.shuffle(pairs)
    return pairs


def joint_pairs(claims: Iterable[GoldClaim], mined: Sequence[Pair], rng: random.Random) -> Iterator[Pair]:
    """One pair per claim: all its mined sentences read together, as for the verdict, and the claim's label.

    mined: pairs of single sentences, grouped by claim, gold first. Claims with and without evidence get equally many
    sentences, or the number alone would reveal the label.
    """
    labels = {claim.text: claim.label for claim in claims}
    for text, group in groupby((pair for pair in mined if pair.claim in labels), key=lambda pair: pair.claim):
        pairs = list(group)
        gold, rest = (
            [pair.sentence for pair in pairs if (pair.relevance == 1) is is_gold] for is_gold in (True, False)
        )
        chosen = (gold[:3] + rest)[: rng.randint(FEWEST_TOGETHER, MOST_TOGETHER)]
        rng.shuffle(chosen)
        yield Pair(text, read_as_one(chosen), UNKNOWN, LABEL_STANCES[labels[text]])


def fool_me_twice(data: Path) -> Iterator[Pair]:
    """Claims written to mislead, with the passage that decides each."""
    for part in ("dev", "test"):
        for line in (data / "training" / f"fool-me-twice-{part}.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            passage = " ".join(piece["text"] for piece in row["gold_evidence"])
            if not is_held_out_claim(row["text"]):
                yield Pair(row["text"], pair_text(row["wikipedia_page"], passage), 1, STANCES[row["label"]])


def named_sentences(store: PageStore, claims: Sequence[GoldClaim], rng: random.Random) -> Iterator[Named]:
    """One sentence of each page that the claims suggest, with its names."""
    extractor = SpacySpans()
    seen: set[str] = set()
    for claim in claims:
        pages = [page for page, _ in store.search_text(claim.text, top_k=3) if page.id not in seen]
        seen.update(page.id for page in pages)
        for page in pages:
            sentences = [s for s in page.sentences() if 40 <= len(s.text) <= 200]
            if sentences:
                sentence = rng.choice(sentences)
                yield Named(sentence, tuple(extractor.extract(sentence.text)))
