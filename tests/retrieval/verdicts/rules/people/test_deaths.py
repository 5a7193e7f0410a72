"""Claims that say how someone died."""

from __future__ import annotations

import pytest

from retrieval.verdicts.rules.people.deaths import death
from tests.making import make_page

PAGES = [
    make_page("Ada Moor", "Ada Moor was an Orlandish sailor.", "She died of dysentery in 1596 near Aalby."),
    make_page("Bo Lind", "Bo Lind was a politician.", "In 1940 he was assassinated in Aalby by a spy."),
    make_page("Ned Orr", "Orr died in May 1982 in Tarn, after accidentally overdosing on sleeping pills."),
    make_page("Cy Ray", "Cy Ray was a painter.", "Ray died in a plane crash in 1990."),
    make_page("Ole Berg", "Ole Berg was a pilot.", "Berg died in 1968 when the jet that he was flying crashed."),
    make_page("Di Fell", "Di Fell was a painter.", "Her father Jon Fell died of cancer."),
    make_page("Flo Berg", "Flo Berg was a preacher.", "After Jon Fell declared her guilty she was burned at the stake."),
    make_page("Eva Lund", "Eva Lund was a poet.", "She was murdered, or committed suicide.", "She committed suicide."),
]  # fmt: skip


@pytest.mark.parametrize(
    "claim",
    [
        "Ada Moor was eaten by a shark",
        "Ada Moor was murdered by a cook.",
        "Ada Moor died in a car crash",
        "Ned Orr died in a plane crash",
        "Ada Moor died of cancer",
        "Ada Moor committed suicide.",
        "Bo Lind died of pneumonia.",
        "Bo Lind died in his sleep",
        "Cy Ray was executed in 1990.",
        "Flo Berg died of old age.",
        "Cy Ray died in a car crash.",
        "Ole Berg was killed in a train crash",
        "Ole Berg died of cancer",
    ],
)
def test_another_death_refutes(claim: str) -> None:
    told = death(claim, PAGES)
    assert told
    assert not told.holds


@pytest.mark.parametrize("claim", ["Bo Lind was murdered.", "Bo Lind was killed", "Cy Ray was killed."])
def test_another_word_for_the_same_death_supports(claim: str) -> None:
    told = death(claim, PAGES)
    assert told
    assert told.holds


@pytest.mark.parametrize(
    "claim",
    [
        "Ada Moor was killed.",
        "Ada Moor died of an infection",
        "Ada Moor was born in Aalby.",
        "Bo Lind was executed.",
        "Cy Ray was murdered",
        "Cy Ray died in a crash.",
        "Ole Berg died in an aircraft crash.",
        "Di Fell was murdered by a cook.",
        "Eva Lund died of poison.",
    ],
)
def test_other_claims_are_left_alone(claim: str) -> None:
    assert death(claim, PAGES) is None
