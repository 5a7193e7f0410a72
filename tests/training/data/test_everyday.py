"""Pairs of everyday kind, FEVER's published claims, and how people spell claims."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.held_out import is_held_out_claim
from training.data.everyday import as_typed, everyday_pairs
from training.data.fever_train import chosen_claims, claim_groups, contrast_pairs, fever_training_claims
from training.data.pairs import NEUTRAL, REFUTES, SUPPORTS, UNKNOWN, Pair


def write(path: Path, rows: Sequence[dict[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row) + "\n")


def learned(number: int) -> str:
    """A claim that is not kept apart."""
    return next(c for c in (f"Bridge {number} of road {n} is old." for n in range(99)) if not is_held_out_claim(c))


def apart() -> str:
    return next(c for c in (f"Bridge {n} is old." for n in range(99)) if is_held_out_claim(c))


def claim_row(number: int, label: str, gold: list[int], claim: str = "") -> dict[str, object]:
    sentences = [f"Sentence {place} of {number}." for place in range(5)]
    return {"id": number, "claim": claim or learned(number), "label": label, "sentences": sentences,
            "titles": ["Bridge", None, "Road", "Road", "Road"], "sure": [True] * 5, "gold": gold}  # fmt: skip


@pytest.fixture
def data(tmp_path: Path) -> Path:
    rows = [claim_row(1, "SUPPORTS", [0]), claim_row(2, "REFUTES", [0, 1]), claim_row(3, "NOT ENOUGH INFO", [])]
    rows.append(claim_row(4, "REFUTES", [1], apart()))
    write(tmp_path / "training" / "fever-train" / "claims.jsonl.gz", rows)
    contrast = {"evidence": "It was built in 1901.", "claim": learned(9), "label": "REFUTES", "titles": [None]}
    write(
        tmp_path / "training" / "fever-train" / "contrast-synthetic.jsonl.gz", [contrast | {"titles_guess": ["Pier"]}]
    )
    everyday = [
        {"evidence": "Tea is a drink.", "claim": learned(5), "label": "SUPPORTS", "title": "Tea"},
        {"evidence": "Tea is hot.", "claim": learned(6), "label": "NOT ENOUGH INFO"},
        {"evidence": "word " * 80, "claim": learned(7), "label": "SUPPORTS"},
        {"evidence": "Tea is green.", "claim": apart(), "label": "REFUTES"},
    ]
    write(tmp_path / "training" / "everyday-pairs" / "some.jsonl.gz", everyday)
    return tmp_path


def test_claims_come_with_their_evidence_and_what_is_none(data: Path) -> None:
    claims = list(fever_training_claims(data))
    assert [claim.stance for claim in claims] == [SUPPORTS, REFUTES, NEUTRAL], "the claim kept apart is not among them"
    first, second, third = (group for group in claim_groups(claims, random.Random(0)))
    assert first[0] == Pair(learned(1), "Bridge : Sentence 0 of 1.", 1, SUPPORTS)
    assert second[0].stance == UNKNOWN, "one of several gold sentences need not decide alone"
    assert second[1] == Pair(learned(2), "Bridge : Sentence 0 of 2.\nSentence 1 of 2.", UNKNOWN, REFUTES)
    assert {(pair.relevance, pair.stance) for pair in third if "\n" not in pair.sentence} == {(0, NEUTRAL)}


def test_what_is_no_evidence_is_never_gold(data: Path) -> None:
    claims = list(fever_training_claims(data))
    for seed in range(30):
        for claim, group in zip(claims, claim_groups(claims, random.Random(seed)), strict=True):
            gold = {claim.sentences[place] for place in claim.gold}
            assert not gold & {pair.sentence for pair in group if pair.relevance == 0}


def test_no_more_claims_than_wanted_are_chosen(data: Path) -> None:
    chosen = chosen_claims(fever_training_claims(data), {SUPPORTS: 1, REFUTES: 0, NEUTRAL: 5}, random.Random(0))
    assert [claim.stance for claim in chosen] == [SUPPORTS, NEUTRAL]


def test_contrast_pairs_take_the_likely_title(data: Path) -> None:
    assert list(contrast_pairs(data)) == [Pair(learned(9), "Pier : It was built in 1901.", 1, REFUTES)]


def test_everyday_pairs_are_short_and_none_is_kept_apart(data: Path) -> None:
    pairs = everyday_pairs(data, 60, random.Random(0), {"some": 9})
    wanted = [Pair(learned(5), "Tea : Tea is a drink.", 1, SUPPORTS), Pair(learned(6), "Tea is hot.", UNKNOWN, NEUTRAL)]
    assert sorted(pairs, key=lambda pair: pair.claim) == sorted(wanted, key=lambda pair: pair.claim)


@given(st.lists(st.text(max_size=40), max_size=6), st.integers(0, 50))
def test_pairs_of_a_claim_are_spelt_alike_and_keep_all_else(claims: list[str], seed: int) -> None:
    pairs = [Pair(claim, f"s{n}", 1, SUPPORTS) for n, claim in enumerate(claims) for _ in range(2)]
    typed = list(as_typed(pairs, random.Random(seed)))
    assert [pair.sentence for pair in typed] == [pair.sentence for pair in pairs]
    assert all(a.claim == b.claim for a, b in zip(typed[::2], typed[1::2], strict=True))


def test_spelling_changes_some_claims_in_each_way() -> None:
    claims = [f"Beyoncé sang song {number}." for number in range(400)]
    typed = [pair.claim for pair in as_typed([Pair(claim, "s", 1, SUPPORTS) for claim in claims], random.Random(2))]
    assert any(text == text.lower() for text in typed)
    assert any("Beyonce" in text for text in typed)
    assert any(not text.endswith(".") for text in typed)
    assert sum(text == claim for text, claim in zip(typed, claims, strict=True)) > 100
