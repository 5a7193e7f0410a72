"""What the models learn from."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

from evaluation.held_out import is_held_out_claim
from training.data.pairs import (
    NEUTRAL,
    NLI_SHARES,
    REFUTES,
    SUPPORTS,
    UNKNOWN,
    Pair,
    is_held_out,
    read_nli,
    read_pairs,
    stance_target,
    write_pairs,
)


def test_a_share_of_the_claims_is_kept_apart_always_the_same() -> None:
    kept = [number for number in range(11_000) if is_held_out(str(number))]
    assert 900 < len(kept) < 1_100
    assert kept[:8] == [25, 26, 30, 46, 49, 69, 70, 94], "on every machine, in every version: figures depend on it"


def test_pairs_survive_the_file(tmp_path: Path) -> None:
    pairs = [Pair("Ça va?", "Title : one\ntwo", 1, REFUTES), Pair("b", "", UNKNOWN, UNKNOWN)]
    assert write_pairs(tmp_path / "new" / "pairs.jsonl.gz", iter(pairs)) == 2
    assert read_pairs(tmp_path / "new" / "pairs.jsonl.gz") == pairs


def test_pairs_of_a_kept_apart_claim_are_so_in_every_spelling() -> None:
    kept = [f"Claim {number}" for number in range(1_100) if is_held_out_claim(f"Claim {number}")]
    assert 70 < len(kept) < 130
    assert all(is_held_out_claim(f" {claim.upper()}.") for claim in kept)


def write_data(data: Path, held_out: str) -> None:
    """One small file for each of the sources, and FEVER's claims: one, held out."""
    identifier = next(str(number) for number in range(100) if is_held_out(str(number)))
    claim = {"id": identifier, "claim": held_out, "label": "NOT ENOUGH INFO", "evidence": []}
    folder = data / "training" / "nli"
    for parent in (folder, data / "fever"):
        parent.mkdir(parents=True)
    (data / "fever" / "claims-train.jsonl").write_text(json.dumps(claim) + "\n", "utf-8")
    measured = next(f"claim {number}" for number in range(100) if is_held_out_claim(f"claim {number}"))
    rows = [("SUPPORTS", "true"), ("REFUTES", "false"), ("NOT ENOUGH INFO", "open")]
    rows += [("SUPPORTS", "Kept Apart."), ("SUPPORTS", measured)]
    for name in NLI_SHARES:
        with gzip.open(folder / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            for label, claim in rows:
                file.write(json.dumps({"claim": claim, "evidence": name, "label": label}) + "\n")


def test_published_pairs_leave_out_what_is_kept_apart(tmp_path: Path) -> None:
    write_data(tmp_path, "kept apart")
    pairs = read_nli(tmp_path, random.Random(0))
    assert len(pairs) == 3 * len(NLI_SHARES)
    known = {pair.claim: (pair.relevance, pair.stance) for pair in pairs}
    assert known == {"true": (1, SUPPORTS), "false": (1, REFUTES), "open": (UNKNOWN, NEUTRAL)}


def test_what_nobody_says_is_no_target() -> None:
    assert stance_target(Pair("a", "b", 1, REFUTES)) == [0, 1, 0]
    assert stance_target(Pair("a", "b", 1, NEUTRAL)) == [0, 0, 1]
    assert stance_target(Pair("a", "b", UNKNOWN, UNKNOWN)) == [0, 0, 0]
