"""Training pairs of a claim: its evidence, and sentences beside it."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from evaluation.fever.data import GoldClaim
from indexing.load import load_fever
from retrieval.stores.embedded.store import EmbeddedStore
from retrieval.types import Label
from tests.making import dump_row, make_page, write_dump
from training.data.fever_pairs import candidate_pages, claim_pairs, gold_pairs
from training.data.pairs import NEUTRAL, REFUTES, SUPPORTS, UNKNOWN, Pair

ROWS = [
    dump_row("Oslo", "Oslo is the capital of Norway .", "It lies on a fjord .", "Its harbour is old ."),
    dump_row("Bergen", "Bergen is a city in Norway .", "It rains there ."),
    dump_row("Fjord", "A fjord is an inlet .", "Ice made it ."),
]
CLAIM = GoldClaim("1", "Oslo is the capital of Norway.", Label.SUPPORTED, (frozenset({("Oslo", 0)}),))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedStore]:
    """Three pages."""
    folder = tmp_path_factory.mktemp("pairs")
    load_fever([write_dump(folder / "wiki-001.jsonl", ROWS)], str(folder / "store"))
    opened = EmbeddedStore(folder / "store")
    yield opened
    opened.close()


def test_evidence_first_then_sentences_that_say_nothing(store: EmbeddedStore) -> None:
    gold, *others = claim_pairs(store, [CLAIM], random.Random(0))
    assert gold == Pair(CLAIM.text, "Oslo : Oslo is the capital of Norway.", 1, SUPPORTS)
    assert 2 <= len(others) <= 4
    assert len(set(others)) == len(others)
    assert all((pair.relevance, pair.stance) == (0, NEUTRAL) and pair.sentence != gold.sentence for pair in others)


def test_pairs_are_the_same_for_the_same_seed(store: EmbeddedStore) -> None:
    first, second = (list(claim_pairs(store, [CLAIM], random.Random(7))) for _ in range(2))
    assert first == second


def test_a_claim_without_evidence_has_only_neutral_pairs(store: EmbeddedStore) -> None:
    claim = GoldClaim("2", "Bergen has a fjord.", Label.NOT_ENOUGH_EVIDENCE, ())
    pairs = list(claim_pairs(store, [claim], random.Random(0)))
    assert pairs
    assert {(pair.relevance, pair.stance) for pair in pairs} == {(0, NEUTRAL)}


def test_candidates_are_named_in_the_claim_or_share_its_words(store: EmbeddedStore) -> None:
    pages = [page.title for page in candidate_pages(store, "Bergen lies on a fjord.")]
    assert pages[0] == "Bergen"
    assert "Fjord" in pages


def test_half_a_refutation_has_no_stance() -> None:
    pages = {"A": make_page("A", "one", "two")}
    both = (frozenset({("A", 0), ("A", 1)}),)
    refuted = GoldClaim("3", "claim", Label.REFUTED, both)
    assert [pair.stance for pair in gold_pairs(refuted, pages)] == [UNKNOWN, UNKNOWN]
    alone = GoldClaim("4", "claim", Label.REFUTED, (frozenset({("A", 1)}),))
    assert [pair.stance for pair in gold_pairs(alone, pages)] == [REFUTES]
    supported = GoldClaim("5", "claim", Label.SUPPORTED, both)
    assert [pair.stance for pair in gold_pairs(supported, pages)] == [SUPPORTS, SUPPORTS]
