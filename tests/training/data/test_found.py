"""Pairs of a claim as the search finds it: what decides, what does not, and titles that lie."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest

from evaluation.fever.data import GoldClaim
from indexing.load import load_fever
from retrieval.stores.embedded.store import EmbeddedStore
from retrieval.types import Label, Stance
from tests.making import dump_row, write_dump
from training.data.found import Found, find_candidates, found_groups
from training.data.pairs import NEUTRAL, REFUTES, SUPPORTS, UNKNOWN, Pair

ROWS = [
    dump_row("Oslo", "Oslo is the capital of Norway .", "It lies on a fjord .", "Its harbour is old ."),
    dump_row("Bergen", "Bergen is a city in Norway .", "It rains there ."),
    dump_row("Fjord", "A fjord is an inlet .", "Ice made it ."),
]
ALONE = GoldClaim("1", "Oslo is the capital of Norway.", Label.SUPPORTED, (frozenset({("Oslo", 0)}),))
REFUTED = GoldClaim("2", "Oslo is a city without a fjord.", Label.REFUTED, (frozenset({("Oslo", 1)}),))
SEVERAL = GoldClaim("3", "Bergen lies where ice was.", Label.SUPPORTED, (frozenset({("Bergen", 0), ("Fjord", 1)}),))
OPEN = GoldClaim("4", "Bergen has a mayor.", Label.NOT_ENOUGH_EVIDENCE, ())
CLAIMS = [ALONE, REFUTED, SEVERAL, OPEN]


class LengthScorer:
    """Holds long sentences for relevant, but never sure."""

    def score(self, claim: str, sentences: Sequence[str]) -> Iterator[tuple[list[int], list[float], list[Stance]]]:
        yield (
            list(range(len(sentences))),
            [min(0.8, len(text) / 100) for text in sentences],
            [Stance(0.2, 0.2, 0.6)] * len(sentences),
        )

    def judge_together(self, claim: str, sentences: Sequence[str]) -> Stance:
        return Stance(0.2, 0.2, 0.6)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[Found]:
    """What is found for the four claims."""
    folder = tmp_path_factory.mktemp("found")
    load_fever([write_dump(folder / "wiki-001.jsonl", ROWS)], str(folder / "store"))
    opened = EmbeddedStore(folder / "store")
    candidates = list(find_candidates(opened, LengthScorer(), CLAIMS))
    opened.close()
    return candidates


def drawn(found: list[Found], times: int = 60) -> list[Pair]:
    return [pair for seed in range(times) for group in found_groups(found, random.Random(seed)) for pair in group]


def test_gold_is_apart_from_what_stands_beside_it(found: list[Found]) -> None:
    for one in found:
        places = set().union(*one.claim.evidence)
        assert {(s.page_id, s.line) for s in one.gold} == places
        assert not {(s.page_id, s.line) for s in one.beside} & places


def test_the_most_relevant_stands_first_beside_the_gold(found: list[Found]) -> None:
    lengths = [len(f"{s.title} : {s.text}") for s in found[3].beside]
    assert len(lengths) > 1
    assert lengths == sorted(lengths, reverse=True)


def test_one_sentence_of_several_has_no_stance(found: list[Found]) -> None:
    stances = {pair.stance for pair in drawn(found) if pair.claim == SEVERAL.text and pair.relevance == 1}
    assert stances == {UNKNOWN}


def test_a_group_with_a_sentence_left_out_leaves_the_claim_open(found: list[Found]) -> None:
    together = [pair for pair in drawn(found) if pair.claim == SEVERAL.text and "\n" in pair.sentence]
    whole = [pair for pair in together if "a city in Norway" in pair.sentence and "Ice made it" in pair.sentence]
    short = [pair for pair in together if pair.stance == NEUTRAL]
    assert whole
    assert short
    assert SUPPORTS in {pair.stance for pair in whole}


def test_an_open_claim_is_neutral_everywhere(found: list[Found]) -> None:
    pairs = [pair for pair in drawn(found) if pair.claim == OPEN.text]
    assert {pair.stance for pair in pairs} == {NEUTRAL}
    assert {pair.relevance for pair in pairs} <= {0, UNKNOWN}


def test_a_title_that_states_the_claim_decides_nothing(found: list[Found]) -> None:
    said = [pair for pair in drawn(found) if pair.sentence.startswith(pair.claim.rstrip("."))]
    assert said
    for pair in said:
        by_body = "capital of Norway." in pair.sentence.split(" : ", 1)[1] and pair.claim == ALONE.text
        assert pair.stance == (SUPPORTS if by_body else NEUTRAL)


def test_he_of_another_page_decides_nothing(found: list[Found]) -> None:
    alone = [pair for pair in drawn(found) if pair.claim == REFUTED.text and "\n" not in pair.sentence]
    own = [pair for pair in alone if pair.sentence.endswith("It lies on a fjord.")]
    assert {pair.stance for pair in own if pair.sentence.startswith("Oslo")} == {REFUTES}
    assert {pair.stance for pair in own if not pair.sentence.startswith("Oslo")} == {NEUTRAL}
