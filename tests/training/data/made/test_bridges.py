"""Claims that need two pages, and FEVER's of that kind."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from evaluation.fever.data import GoldClaim
from indexing.load import load_fever
from retrieval.stores.embedded.store import EmbeddedStore
from retrieval.types import Label
from tests.making import dump_row, write_dump
from training.data.made.bridges import bridge_pairs, find_bridges, gold_bridges
from training.data.pairs import NEUTRAL, REFUTES, SUPPORTS, Pair

ROWS = [
    dump_row("Seven_Samurai", "Seven Samurai is a 1954 film directed by Akira Kurosawa .", "It is long ."),
    dump_row("Akira_Kurosawa", "Akira Kurosawa , a director .", "He made 30 films in all his life .", "Rain ."),
    dump_row("Alien", "Alien is a film directed by Ridley Scott .", "It is dark ."),
    dump_row("Ridley_Scott", "Ridley Scott was a knight , they say .", "He made 90 films in all his life ."),
]


class NoNames:
    def extract(self, claim: str) -> list[tuple[int, int, str]]:
        return []


@pytest.fixture
def store(tmp_path: Path) -> EmbeddedStore:
    load_fever([write_dump(tmp_path / "wiki-001.jsonl", ROWS)], str(tmp_path / "store"))
    return EmbeddedStore(tmp_path / "store")


def made(store: EmbeddedStore) -> list[Pair]:
    pages = sorted(store.sample(10, 0), key=lambda page: page.id)
    return list(bridge_pairs(list(find_bridges(pages, store)), NoNames(), {}, random.Random(0)))


def test_a_claim_of_two_pages_holds_only_with_both_sentences(store: EmbeddedStore) -> None:
    said = "The director of Seven Samurai made 30 films in all his life."
    pairs = [pair for pair in made(store) if pair.claim == said]
    second = "Akira Kurosawa : He made 30 films in all his life."
    first = "Seven Samurai : Seven Samurai is a 1954 film directed by Akira Kurosawa."
    other = "Alien : Alien is a film directed by Ridley Scott."
    found = {pair.sentence: pair.stance for pair in pairs}
    assert found[f"{second}\n{first}"] == SUPPORTS
    assert found[second] == NEUTRAL
    assert found.get(f"{second}\n{other}", NEUTRAL) == NEUTRAL


def test_a_changed_fact_refutes(store: EmbeddedStore) -> None:
    refuted = [pair for pair in made(store) if pair.stance == REFUTES]
    assert refuted
    for pair in refuted:
        assert "\n" in pair.sentence
        assert pair.claim.split(" made ")[-1] not in pair.sentence


def test_of_fevers_claims_the_sentence_that_was_led_to_is_read_with_its_bridge(store: EmbeddedStore) -> None:
    group = frozenset({("Seven_Samurai", 0), ("Akira_Kurosawa", 1)})
    claim = GoldClaim("1", "Seven Samurai was made by a man of 30 films.", Label.SUPPORTED, (group,))
    alone = GoldClaim("2", "Alien is dark.", Label.SUPPORTED, (frozenset({("Alien", 1)}),))
    ((pair, beside),) = gold_bridges([claim, alone], store, random.Random(0))
    assert (pair.stance, pair.sentence.split("\n")[0]) == (
        SUPPORTS,
        "Akira Kurosawa : He made 30 films in all his life.",
    )
    assert beside.stance == NEUTRAL
    assert beside.sentence.split("\n")[1] == pair.sentence.split("\n")[1]
