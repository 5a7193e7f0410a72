"""Pairs that the stance model is measured on: the same claims in every run, balanced so that the claim alone is chance."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from evaluation.__main__ import main
from evaluation.held_out import HELD_OUT_ONE_IN, is_held_out_claim
from evaluation.stance.pairs import SOURCE, about_others, twins, without_evidence
from evaluation.stance.run import Pair, read_pairs

SUPPORTS, REFUTES, NEUTRAL = "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"
CLAIMS = [f"The bridge is {length} metres long." for length in range(400)]
HELD_OUT = [claim for claim in CLAIMS if is_held_out_claim(claim)]


def test_the_rule_is_by_the_folded_claim_and_does_not_change() -> None:
    assert HELD_OUT[:3] == [f"The bridge is {length} metres long." for length in (22, 58, 61)]
    assert 0.5 < len(HELD_OUT) * HELD_OUT_ONE_IN / len(CLAIMS) < 1.5
    assert all(is_held_out_claim(claim.upper().replace("THE", "Thé").removesuffix(".")) for claim in HELD_OUT)


def pairs_of(claim: str) -> list[Pair]:
    return [
        Pair(claim, "The long bridge, opened in 1901, measures 12 metres.", SUPPORTS),
        Pair(claim, "It is a bridge of steel.", NEUTRAL),
        Pair(claim, "A text about something else altogether.", REFUTES),
        Pair(claim, "The long bridge, opened in 1901, measures 13 metres.", REFUTES),
    ]


def test_twins_are_the_two_passages_most_alike() -> None:
    lonely = Pair("A claim that is only supported.", "Yes.", SUPPORTS)
    found = twins([*pairs_of("First."), lonely, *pairs_of("Second.")])
    assert [pair.claim for pair in found] == ["First.", "First.", "Second.", "Second."]
    assert [pair.label for pair in found] == [SUPPORTS, REFUTES] * 2
    assert "13 metres" in found[1].evidence


def test_pairs_without_evidence_are_even() -> None:
    found = without_evidence([pair for claim in CLAIMS[:9] for pair in pairs_of(claim)])
    assert Counter(pair.label for pair in found) == {SUPPORTS: 9, REFUTES: 9, NEUTRAL: 9}
    assert {pair.evidence for pair in found} == {""}


def test_a_claim_is_unseen_if_all_its_passages_are() -> None:
    pairs = [Pair("A.", "One.", SUPPORTS), Pair("A.", "Two.", REFUTES), Pair("B.", "Three.", SUPPORTS)]
    assert about_others(pairs, {"Two.", "Four."}) == pairs[2:]
    assert about_others(pairs, set()) == pairs


def test_four_files_of_held_out_claims(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "data" / SOURCE
    source.parent.mkdir(parents=True)
    rows = [{"claim": p.claim, "evidence": p.evidence, "label": p.label} for c in CLAIMS for p in pairs_of(c)]
    source.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))
    command = ["stance-pairs", "--data", str(tmp_path / "data"), "--out", str(tmp_path / "out")]
    assert main(command) == 0
    for name, each in (("pairs", 4), ("unseen", 0), ("twins", 2), ("no-evidence", 3)):
        written = read_pairs(tmp_path / "out" / f"{name}.jsonl")
        assert {pair.claim for pair in written} <= set(HELD_OUT)
        assert len(written) == each * len(HELD_OUT)
    assert main([*command[:2], str(tmp_path / "none"), *command[3:]]) == 2
    assert "cannot be read" in capsys.readouterr().err
    (tmp_path / "file").write_text("hello")
    assert main([*command[:-1], str(tmp_path / "file")]) == 2
    assert "cannot be written" in capsys.readouterr().err
