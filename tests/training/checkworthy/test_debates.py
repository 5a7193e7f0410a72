"""Debates are kept whole: seven measure, four calibrate, and always the same ones."""

from __future__ import annotations

from training.checkworthy.debates import CALIBRATING, KEPT_APART, Spoken, split

SPOKEN = [Spoken("A sentence.", 0, f"19{year}.txt", False) for year in range(60, 93) for _ in range(3)]


def test_debates_are_kept_whole() -> None:
    parts = split(SPOKEN)
    apart, calibrating, learned = (
        {one.debate for one in part} for part in (parts.apart, parts.calibrating, parts.learned)
    )
    assert (len(apart), len(calibrating), len(learned)) == (KEPT_APART, CALIBRATING, 33 - KEPT_APART - CALIBRATING)
    assert len(apart | calibrating | learned) == 33
    assert len(parts.apart) + len(parts.calibrating) + len(parts.learned) == len(SPOKEN)


def test_the_same_debates_are_kept_apart_whatever_their_order() -> None:
    assert {one.debate for one in split(SPOKEN[::-1]).apart} == {one.debate for one in split(SPOKEN).apart}
