"""Everyday claims beside the sentence that says what their explanation says."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from evaluation.held_out import is_held_out_claim
from indexing.load import load_fever
from retrieval.models.onnx import OnnxPairScorer
from retrieval.stores.embedded.store import EmbeddedStore
from tests.making import dump_row, write_dump
from training.data.everyday_placed import FILES, placed_everyday

ROWS = [
    dump_row(
        "Otter",
        "Otters are carnivorous mammals that live near water .",
        "They eat fish and hold hands while they sleep .",
    ),
    dump_row("Tarn", "Tarn is a town ."),
]
CLAIMS = [f"The otters of zoo {number} are plants." for number in range(30)]  # one in eleven is kept apart


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> EmbeddedStore:
    folder = tmp_path_factory.mktemp("everyday")
    load_fever([write_dump(folder / "wiki-001.jsonl", ROWS)], str(folder / "store"))
    return EmbeddedStore(str(folder / "store"))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    pairs = folder / "training" / "everyday-pairs"
    pairs.mkdir(parents=True)
    rows = [
        {"claim": claim, "evidence": "Otters are mammals that live near water.", "label": "REFUTES", "title": "Otter"}
        for claim in CLAIMS
    ]
    rows.append({"claim": "Tarn is red.", "evidence": "Nobody knows why.", "label": "REFUTES", "title": "Tarn"})
    for name in FILES:
        with gzip.open(pairs / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in (rows if name == FILES[0] else []))
    return folder


def test_claims_kept_apart_come_with_the_place(store: EmbeddedStore, data: Path) -> None:
    claims = placed_everyday(store, OnnxPairScorer(), data)
    assert claims
    assert all(is_held_out_claim(claim.text) and not claim.natural for claim in claims)
    assert {claim.evidence for claim in claims} == {(frozenset({("Otter", 0)}),)}
