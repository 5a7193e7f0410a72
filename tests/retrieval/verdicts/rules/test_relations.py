"""Claims that turn a relation round."""

from __future__ import annotations

import pytest

from retrieval.verdicts.rules.relations import related
from tests.making import make_page

PAGES = [
    make_page("Mira Holt", "Mira Holt was a Danish philosopher.", "She is known through the writings of her students Tom Rook and Ane Dal."),
    make_page("Tom Rook", "Tom Rook was a philosopher."),
    make_page("Lumo", "Lumo is an Estonian video service owned by Borealis.", "Headquartered in Tartu, it has 200 employees."),
    make_page("Pixo", "Pixo is a studio based in Tarn, Norr that is a subsidiary of The Ole Borealis Company."),
    make_page("Borealis", "Borealis is an Estonian company."),
    make_page("Ben Ash", "Ben Ash (1839 – 1863) was the sniper who assassinated Lord Varn."),
    make_page("Lord Varn", "Lord Varn was a poet."),
    make_page("Orland", "Orland is a country.", "Orland invaded Vasland in 1639.", "Vasland invaded Orland in 1712."),
    make_page("1890", "Troops fought against Lundia, which had invaded Tarnia in 1890.", "Lundia's brief occupation of Tarnia in 1901 failed."),
    make_page("Vasland", "Vasland is a country."),
    make_page("Edda Q. Marsh", "Edda Quill Marsh was the mayor of Tarn.", "In 1961, Marsh succeeded Bell after his death."),
    make_page("Karl Bell", "Karl Bell was the mayor of Tarn."),
    make_page("Old Norr", "Old Norr was a kingdom."),
    make_page("New Norr", "New Norr is a republic.", "It was preceded by Old Norr and succeeded by the Union."),
    make_page("Tarno", "Tarno is the sixth-largest moon of Joss."),
    make_page("VVX", "VVX is a virus that causes the acquired waning syndrome (Orn), which lasts."),
    make_page("Orn", "Orn is a disease.", "It is caused by infection with the small waning virus VVX."),
]  # fmt: skip


@pytest.mark.parametrize(
    "claim",
    [
        "Mira Holt was a student of Tom Rook.",
        "Mira Holt was Tom Rook's pupil.",
        "Tom Rook taught Mira Holt.",
        "Tom Rook was the teacher of Mira Holt.",
        "Borealis is a subsidiary of Lumo.",
        "Borealis is owned by Lumo.",
        "Lumo acquired Borealis.",
        "Ben Ash was killed by Lord Varn.",
        "Vasland invaded Orland in 1639.",
        "Lundia was invaded by Tarnia in 1890.",
        "Tarnia occupied Lundia in 1901.",
        "Karl Bell succeeded Edda Marsh.",
        "Orn causes VVX.",
        "New Norr came before Old Norr.",
        "Old Norr came after New Norr",
        "Old Norr succeeded New Norr",
    ],
)
def test_a_relation_told_the_other_way_refutes(claim: str) -> None:
    told = related(claim, PAGES)
    assert told
    assert not told.holds
    assert told.note.endswith("tells it the other way round.")


@pytest.mark.parametrize(
    "claim",
    [
        "Tom Rook was a student of Mira Holt.",
        "Lumo is owned by Borealis.",
        "Ben Ash assassinated Lord Varn.",
        "Orland invaded Vasland in 1639.",
        "Edda Q. Marsh succeeded Karl Bell.",  # "Marsh" and "Bell" on her page
        "Edda Marsh succeeded Karl Bell.",  # without her initial
        "Karl Bell was succeeded by Edda Marsh.",
        "VVX causes Orn.",
        "Borealis owns Pixo.",
        "Old Norr came before New Norr.",
        "New Norr came after Old Norr.",
        "Orn is caused by VVX.",
    ],
)
def test_the_page_of_either_supports(claim: str) -> None:
    told = related(claim, PAGES)
    assert told
    assert told.holds


def test_a_third_page_decides_nothing() -> None:
    pages = [make_page("Lumo", "Lumo is a firm."), make_page("Kale", "Lumo is owned by Kale Tarn.")]
    assert related("Lumo is owned by Kale Tarn.", pages[1:]) is None
    assert related("Lumo is owned by Kale Tarn.", pages) is None


@pytest.mark.parametrize(
    "claim",
    [
        "Ben Ash assassinated Lord Varn in a theatre.",  # the place is not checked here
        "Vasland invaded Orland.",  # both did, once each
        "Vasland invaded Orland in 1650.",  # no page tells of that year
        "Ane Dal taught Tom Rook.",
        "Mira Holt taught Mira Holt.",
        "Lumo has 200 employees.",
        "Tarno is the largest moon of Joss.",  # it is one of them
        "Lumo is the second subsidiary of Borealis.",
    ],
)
def test_everything_else_is_left_open(claim: str) -> None:
    assert related(claim, PAGES) is None


def test_a_sentence_on_someone_else_says_nothing() -> None:
    page = make_page("Tom Rook", "Tom Rook wrote of Ida Ness, a student of Mira Holt.")
    assert related("Mira Holt was a student of Tom Rook.", [page]) is None
