"""The order of the reader's pairs, and its rate."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.data.pairs import NEUTRAL, Pair
from training.reader.schedule import LATER_ROUNDS, ROUNDS, Round, claim_batches, rate_in


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 90)), max_size=120), st.integers(1, 9), st.integers(0, 9))
def test_every_pair_once_in_batches_that_are_full(drawn: list[tuple[int, int]], size: int, seed: int) -> None:
    pairs = [Pair(f"claim {claim}", "sentence", 0, NEUTRAL) for claim, _ in drawn]
    batches = claim_batches([[0] * length for _, length in drawn], pairs, size, random.Random(seed), window=3)
    assert sorted(index for batch in batches for index in batch) == list(range(len(drawn)))
    assert all(0 < len(batch) <= size for batch in batches)


def test_pairs_of_one_claim_share_a_batch() -> None:
    pairs = [Pair(f"claim {number // 3}", "sentence", 0, NEUTRAL) for number in range(12)]
    lengths = [10, 90, 40, *range(20, 29)]
    for batch in claim_batches([[0] * length for length in lengths], pairs, 3, random.Random(1)):
        assert len({pairs[index].claim for index in batch}) == 1


def test_the_rate_goes_up_and_then_from_one_share_to_the_other() -> None:
    plan = Round("any", 0, (0.8, 0.2), warmup=0.1)
    assert rate_in(plan, 0) == 0
    assert rate_in(plan, 0.05) == pytest.approx(0.4)
    assert rate_in(plan, 0.1) == pytest.approx(0.8)
    assert rate_in(plan, 0.55) == pytest.approx(0.5)
    assert rate_in(plan, 1) == pytest.approx(0.2)


@pytest.mark.parametrize("rounds", [ROUNDS, LATER_ROUNDS], ids=["first", "later"])
def test_the_rounds_share_the_time_and_end_at_nothing(rounds: tuple[Round, ...]) -> None:
    assert sum(plan.share for plan in rounds) == pytest.approx(1)
    assert rounds[-1].rates[1] == 0
    assert len({(plan.name, plan.seed) for plan in rounds}) == len(rounds), "each round has its own file of pairs"
