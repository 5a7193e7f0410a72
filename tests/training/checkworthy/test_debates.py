"""Debates are kept whole: seven measure, four calibrate, and always the same ones."""

from __future__ import annotations

from training.checkworthy.debates import CALIBRATING, HELD_OUT, Spoken, split

SPOKEN = [Spoken("A sentence.", 0, f"19{year}.txt", False) for year in range(60, 93) for _ in range(3)]


def test_debates_are_kept_whole() -> None:
    parts = split(SPOKEN)
    apart, calibrating, learned = (
        {one.debate for one in part} for part in (parts.held_out, parts.calibrating, parts.learned)
    )
    assert (len(apart), len(calibrating), len(learned)) == (HELD_OUT, CALIBRATING, 33 - HELD_OUT - CALIBRATING)
    assert len(apart | calibrating | learned) == 33
    assert len(parts.held_out) + len(parts.calibrating) + len(parts.learned) == len(SPOKEN)


def test_the_same_debates_are_kept_apart_whatever_their_order() -> None:
    assert {one.debate for one in split(SPOKEN[::-1]).held_out} == {one.debate for one in split(SPOKEN).held_out}
