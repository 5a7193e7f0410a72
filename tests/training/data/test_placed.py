"""Where the evidence of a published claim stands in the corpus."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from evaluation.held_out import is_held_out_claim
from indexing.load import load_fever
from retrieval.stores.embedded.store import EmbeddedStore
from retrieval.types import Label
from tests.making import dump_row, write_dump
from training.data.placed import placed_apart, placed_claims

ROWS = [
    dump_row(
        "Oslo",
        "Oslo is the capital and most populous city of Norway .",
        "In 1624 a fire destroyed the medieval town and King Christian IV built Christiania .",
        "Norway .",
    ),
    dump_row("Echo", *["The valley repeats every sentence of the old song ."] * 5),
]
CLAIMS = {
    "Oslo is Norway's capital.": ("Oslo is the capital and the most populous city in Norway.", "SUPPORTS", {0}),
    "Oslo burnt in 1824.": (
        "Oslo is the capital and most populous city of Norway. In 1624 a fire destroyed the medieval town and King "
        "Christian IV built Christiania.",
        "REFUTES",
        {0, 1},
    ),
    "Oslo lies in Norway.": ("The harbour of the municipality, which is in Norway, belongs to it.", "SUPPORTS", None),
    "Oslo has trams.": (
        "In 1624 a fire destroyed the medieval town, and trams, buses, ferries and an underground railway followed in "
        "later centuries under seven different companies.",
        "SUPPORTS",
        None,
    ),
    "The valley of Echo repeats a song.": ("The valley repeats every sentence of the old song.", "SUPPORTS", None),
}


@pytest.fixture(scope="module")
def placed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Label, set[int]]]:
    """Label and lines of each claim that was placed."""
    folder = tmp_path_factory.mktemp("placed")
    load_fever([write_dump(folder / "wiki-001.jsonl", ROWS)], str(folder / "store"))
    published = folder / "training" / "nli"
    published.mkdir(parents=True)
    with gzip.open(published / "fever-train-nli.jsonl.gz", "wt", encoding="utf-8") as file:
        for claim, (evidence, label, _) in CLAIMS.items():
            file.write(json.dumps({"claim": claim, "evidence": evidence, "label": label}) + "\n")
    store = EmbeddedStore(folder / "store")
    learned, kept_apart = placed_claims(store, Path(folder))
    store.close()
    assert not any(is_held_out_claim(claim.text) for claim in learned)
    assert all(is_held_out_claim(claim.text) for claim in kept_apart)
    return {
        claim.text: (claim.label, {line for _, line in claim.evidence[0]})
        for claim in [*learned, *kept_apart]
        if len(claim.evidence) == 1
    }


@pytest.mark.parametrize("claim", CLAIMS)
def test_evidence_is_found_where_the_page_says_most_of_it(
    placed: dict[str, tuple[Label, set[int]]], claim: str
) -> None:
    _, label, lines = CLAIMS[claim]
    expected = None if lines is None else (Label.SUPPORTED if label == "SUPPORTS" else Label.REFUTED, lines)
    assert placed.get(claim) == expected


def test_claims_kept_apart_are_placed_too_and_open_ones_need_a_page(tmp_path: Path) -> None:
    load_fever([write_dump(tmp_path / "wiki-001.jsonl", ROWS)], str(tmp_path / "store"))
    folder = tmp_path / "training" / "fever-train"
    folder.mkdir(parents=True)
    apart = [
        claim for claim in (f"Oslo is Norway's capital number {n}." for n in range(300)) if is_held_out_claim(claim)
    ]
    decided = "Oslo is the capital and the most populous city in Norway."
    rows = [
        {"id": 1, "claim": apart[0], "label": "REFUTES", "sentences": ["Rain.", decided], "titles": [None, None], "gold": [1]},
        {"id": 2, "claim": apart[1], "label": "NOT ENOUGH INFO", "sentences": ["It snows."], "titles": ["Oslo"], "gold": []},
        {"id": 3, "claim": apart[2], "label": "NOT ENOUGH INFO", "sentences": ["It snows."], "titles": ["Bergen"], "gold": []},
        {"id": 4, "claim": "Oslo is Norway's capital.", "label": "SUPPORTS", "sentences": [decided], "titles": ["Oslo"], "gold": [0]},
    ]  # fmt: skip
    assert not is_held_out_claim(str(rows[3]["claim"]))
    with gzip.open(folder / "claims.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    store = EmbeddedStore(tmp_path / "store")
    found = placed_apart(store, tmp_path, 9)
    store.close()
    assert [(claim.text, claim.label) for claim in found] == [
        (apart[0], Label.REFUTED),
        (apart[1], Label.NOT_ENOUGH_EVIDENCE),
    ]
    assert found[0].evidence == (frozenset({("Oslo", 0)}),)
    assert not any(claim.natural for claim in found), "whether their pages are whole is not known"
