"""What a later training changed in a network's file leads to the later file, and to no other."""

from __future__ import annotations

import lzma

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.models.patches import changed, difference


@given(st.integers(0, 500).flatmap(lambda size: st.tuples(*[st.binary(min_size=size, max_size=size)] * 2)))
def test_the_difference_of_two_files_leads_from_one_to_the_other(files: tuple[bytes, bytes]) -> None:
    before, after = files
    assert changed(before, difference(before, after)) == after


def test_a_byte_that_mostly_stays_takes_little_more_than_a_bit() -> None:
    before = bytes(range(256)) * 400
    after = bytearray(before)
    after[::7] = bytes((byte + 1) % 256 for byte in after[::7])
    assert len(difference(before, bytes(after))) < len(before) / 6


def test_changes_published_as_xz_are_read() -> None:
    before, after = b"abc" * 50, b"abd" * 50
    moved = bytes((a - b) % 256 for a, b in zip(after, before, strict=True))
    assert changed(before, lzma.compress(moved)) == after
    with pytest.raises(ValueError, match="another file"):
        changed(before[1:], lzma.compress(moved))


def test_files_of_two_lengths_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="3 and 2 bytes"):
        difference(b"abc", b"ab")


@pytest.mark.parametrize("before", [b"abcd", b"ab"])
def test_changes_of_another_file_are_refused(before: bytes) -> None:
    with pytest.raises(ValueError, match="another file"):
        changed(before, difference(b"abc", b"abd"))


def test_changes_that_are_cut_off_are_refused() -> None:
    with pytest.raises(ValueError, match="another file"):
        changed(b"abc" * 50, difference(b"abc" * 50, b"xyz" * 50)[:-9])
