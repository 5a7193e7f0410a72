"""What adapters add to a file of matrices: whole steps, the same on every machine, and close to what was learned."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.models.adapters import EXACT, LARGEST, Adapter, adapted, fitted, packed, unpacked

RANKS, SHAPE = 4, (24, 40)


def learned(seed: int, sizes: list[float]) -> tuple[np.ndarray, np.ndarray]:
    """Two narrow matrices, the ranks of which are of these sizes."""
    rng = np.random.default_rng(seed)
    down, up = rng.normal(size=(SHAPE[0], len(sizes))), rng.normal(size=(len(sizes), SHAPE[1]))
    return down * np.array(sizes), up


@given(st.integers(0, 99), st.lists(st.floats(0, 50), min_size=RANKS, max_size=RANKS))
@settings(max_examples=60, deadline=None)
def test_an_adapter_is_close_to_what_was_learned(seed: int, sizes: list[float]) -> None:
    down, up = learned(seed, sizes)
    wanted, found = down @ up, fitted(down, up, 0).moves()
    assert np.abs(found - wanted).max() <= 0.05 * max(np.abs(wanted).max(), 1e-6)


@given(st.integers(0, 99), st.lists(st.floats(1e-6, 1e6), min_size=RANKS, max_size=RANKS))
@settings(max_examples=60, deadline=None)
def test_its_sums_are_exact_in_any_order(seed: int, sizes: list[float]) -> None:
    one = fitted(*learned(seed, sizes), 0)
    assert LARGEST**2 * RANKS * 2 ** int(one.shifts.max() - one.shifts.min()) <= 2**EXACT
    order = np.random.default_rng(seed).permutation(RANKS)
    other = Adapter(one.down[:, order], one.up[order], one.shifts[order], 0)
    assert np.array_equal(one.moves(), other.moves())
    exactly = one.down.astype(object) @ (
        one.up.astype(object) * 2 ** (int(one.shifts.max()) - one.shifts.astype(object))[:, None]
    )
    assert np.array_equal(one.moves().astype(np.float64) * 2.0 ** int(one.shifts.max()), exactly.astype(np.float64))


def test_it_moves_its_own_matrix_by_whole_steps_and_no_other() -> None:
    before = np.random.default_rng(0).integers(0, 256, 10 + 2 * SHAPE[0] * SHAPE[1], dtype=np.uint8)
    one = fitted(*learned(1, [3.0] * RANKS), place=10 + SHAPE[0] * SHAPE[1])
    after = np.frombuffer(adapted(before.tobytes(), packed({"layer.0.query": one})), np.uint8)
    assert np.array_equal(after[: one.place], before[: one.place])
    wanted = np.clip(before[one.place :] + np.rint(one.moves()).ravel(), 0, 255)
    assert np.array_equal(after[one.place :], wanted)
    assert not np.array_equal(after, before)


def test_a_file_of_adapters_is_read_as_it_was_written() -> None:
    two = {name: fitted(*learned(seed, [1.0, 2.0]), place) for seed, (name, place) in enumerate([("a.b", 0), ("c", 7)])}
    content = packed(two)
    assert content == packed(two), "the same bytes each time"
    found = unpacked(content)
    assert list(found) == ["a.b", "c"]
    for name, one in two.items():
        assert np.array_equal(found[name].moves(), one.moves())
        assert found[name].place == one.place


def test_adapters_of_another_file_are_refused() -> None:
    content = packed({"layer.0.query": fitted(*learned(1, [1.0]), place=0)})
    with pytest.raises(ValueError, match=r"layer\.0\.query belongs to another file"):
        adapted(bytes(SHAPE[0] * SHAPE[1] - 1), content)
    with pytest.raises(ValueError, match="pickle"):
        adapted(bytes(10), b"not a file of adapters")
