"""The training data: FEVER's claims and published claim-evidence pairs (`../shared/data/README.md`)."""

from __future__ import annotations

import gzip
import hashlib
import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from evaluation.fever.data import GoldClaim, read_claims
from evaluation.held_out import HELD_OUT_ONE_IN, is_held_out_claim
from retrieval.text.sentences import pair_text
from retrieval.text.titles import fold
from retrieval.types import Label

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
SUPPORTS, REFUTES, NEUTRAL = range(3)  # the order of the network's stance logits
STANCES = {"SUPPORTS": SUPPORTS, "REFUTES": REFUTES, "NOT ENOUGH INFO": NEUTRAL}
LABEL_STANCES = {Label.SUPPORTED: SUPPORTS, Label.REFUTED: REFUTES, Label.NOT_ENOUGH_EVIDENCE: NEUTRAL}
UNKNOWN = -1
UNMARKED_FROM = 0.85  # FEVER's gold is incomplete: a sentence this relevant counts as unmarked evidence
PAIRS, MINED = "pairs.jsonl.gz", "mined.jsonl.gz"  # in the folder of a training

# Pairs from each file of training/nli in the first training. Its other files differ too much from encyclopedia text.
NLI_SHARES = {
    "vitaminc-real": 31_000,
    "fever-train-nli": 14_000,
    "vitaminc-synthetic": 8_000,
    "te-new-protocols": 6_000,
    "conjnli": 2_000,
    "semiauto-wiki": 1_500,
}


@dataclass(frozen=True, slots=True)
class Pair:
    """One example. relevance 1, 0 or UNKNOWN; stance one of SUPPORTS, REFUTES, NEUTRAL, or UNKNOWN.

    sentence: one sentence, or several, one per line, which the network reads together.
    """

    claim: str
    sentence: str
    relevance: int
    stance: int


@cache
def learning_claims(data: Path) -> tuple[list[GoldClaim], list[GoldClaim]]:
    """(claims to learn from, claims held out for calibration and selection); do not change the lists."""
    claims = read_claims(data / "fever" / "claims-train.jsonl")
    learned = [claim for claim in claims if not is_held_out(claim.id)]
    return learned, [claim for claim in claims if is_held_out(claim.id)]


def is_held_out(claim_id: str) -> bool:
    """Whether a training claim is held out; decided by hash, so alike in every run."""
    digest = hashlib.sha256(claim_id.encode()).digest()
    return int.from_bytes(digest[:4], "big") % HELD_OUT_ONE_IN == 0


def json_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a file of gzipped JSON lines."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def learned_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows whose claim is not held out."""
    return (row for row in json_rows(path) if not is_held_out_claim(row["claim"]))


def read_nli(data: Path, rng: random.Random, shares: Mapping[str, int] = NLI_SHARES) -> list[Pair]:
    """Published pairs, without those about a held-out claim.

    A sentence that supports or refutes is relevant; for a neutral one that is unknown.
    """
    held_out = {fold(claim.text) for claim in learning_claims(data)[1]}
    pairs: list[Pair] = []
    for name, share in shares.items():
        path = data / "training" / "nli" / f"{name}.jsonl.gz"
        rows = [row for row in learned_rows(path) if fold(row["claim"]) not in held_out]
        pairs += [labelled_pair(row, row["evidence"]) for row in rng.sample(rows, min(share, len(rows)))]
    return pairs


def labelled_pair(row: Mapping[str, Any], text: str, title: str | None = None) -> Pair:
    """The row's claim with the text, after the title if there is one. Whether a neutral text is relevant is unknown."""
    stance = STANCES[row["label"]]
    text = pair_text(title, text) if title else text
    return Pair(row["claim"], text, UNKNOWN if stance == NEUTRAL else 1, stance)


def read_as_one(texts: Iterable[str]) -> str:
    """Several texts as the networks read them together: one on each line."""
    return "\n".join(" ".join(text.split()) for text in texts)


def write_pairs(path: Path, pairs: Iterable[Pair]) -> int:
    """Write pairs as gzipped JSON lines, whole or not at all; returns how many."""
    count, part = 0, path.with_suffix(".part")
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(part, "wt", encoding="utf-8", compresslevel=3) as file:
        for pair in pairs:
            count += 1
            file.write(json.dumps(asdict(pair), ensure_ascii=False) + "\n")
    part.replace(path)
    return count


def read_pairs(path: Path) -> list[Pair]:
    """Inverse of `write_pairs`."""
    return [Pair(**row) for row in json_rows(path)]


def made_once(path: Path, make: Callable[[], Iterable[Pair]]) -> list[Pair]:
    """The pairs of the file, made and written first if it does not exist."""
    if not path.exists():
        write_pairs(path, make())
    return read_pairs(path)


def by_claim(pairs: Iterable[Pair]) -> list[list[Pair]]:
    """The pairs of each claim, claims in order of appearance."""
    groups: dict[str, list[Pair]] = {}
    for pair in pairs:
        groups.setdefault(pair.claim, []).append(pair)
    return list(groups.values())


def word_count(pair: Pair) -> int:
    """The number of words in claim and sentence together."""
    return len(pair.claim.split()) + len(pair.sentence.split())


def stance_target(pair: Pair) -> list[float]:
    """Share of each stance: 1 for that of the pair; all 0 if it is unknown."""
    return [float(pair.stance == stance) for stance in (SUPPORTS, REFUTES, NEUTRAL)]
