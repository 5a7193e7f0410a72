"""The order in which pairs are learned, and how fast."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.cross_encoder.schedule import SORTED_TOGETHER, batch_plan, rate_at


@given(st.lists(st.integers(3, 96), max_size=400), st.integers(1, 4))
def test_every_pair_is_used_once(lengths: list[int], batch_size: int) -> None:
    plan = batch_plan(lengths, batch_size, random.Random(0))
    assert sorted(index for batch in plan for index in batch) == list(range(len(lengths)))
    assert all(len(batch) <= batch_size for batch in plan)


def test_neighbours_in_use_have_like_length_and_epochs_do_not_mix() -> None:
    lengths = [random.Random(n).randint(3, 96) for n in range(2 * SORTED_TOGETHER * 8)]
    plan = batch_plan(lengths, 8, random.Random(0))
    assert max(index for batch in plan[:SORTED_TOGETHER] for index in batch) < SORTED_TOGETHER * 8
    spread = [max(lengths[i] for i in batch) - min(lengths[i] for i in batch) for batch in plan]
    assert sum(spread) / len(spread) < 10


def test_the_learning_rate_rises_and_falls() -> None:
    assert rate_at(0.0, 0.1) == 0
    assert rate_at(0.05, 0.1) == pytest.approx(0.5)
    assert rate_at(0.1, 0.1) == pytest.approx(1)
    assert rate_at(1.0, 0.1) == pytest.approx(0)
