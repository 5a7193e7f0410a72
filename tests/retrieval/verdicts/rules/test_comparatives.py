"""Two things compared by what their pages say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.types import Page
from retrieval.verdicts.rules.comparatives import asked_of, compared
from tests.making import make_page

PAGES = [
    make_page("Mount Orna", "Mount Orna is a mountain in Varn.", "It rises 4,810 m above sea level."),
    make_page("Pell", "Pell is a peak.", "With a height of 20,000 ft, it is seldom climbed."),
    make_page("Tarnworks", "Tarnworks is a company.", "It was founded in 1994 by two sisters."),
    make_page("Ostia (company)", "Ostia makes shoes.", "Founded in 2004, it has three shops."),
    make_page("Ostia (disambiguation)", "Ostia was founded in 1804, or refers to a town."),
    make_page("Ilse Brandt", "Ilse Brandt (14 March 1879 – 18 April 1955) was a painter."),
    make_page("Jan Brandt", "Jan Brandt (born 3 May 1950) is a sailor."),
    make_page("Varn", "Varn is a country.", "It covers an area of 632,702 km2.", "Its population is 80.7 million."),
    make_page("Lund", "Lund is smaller than Varn, which has 632,702 km2.", "Its area is 9,000 square miles."),
    make_page(
        "Gell",
        "Gell is a country.",
        "It is the world's fifth largest country, and home to the largest lake of the south.",
    ),
    make_page(
        "Mell",
        "At 300 metres, Mell is the 19th largest country in the world.",
        "Its port is the second largest city in the world.",
    ),
    make_page("Lake Ull", "With many islands, Lake Ull is the second-largest lake in the north after Lake Unn."),
    make_page("The Moor", "The Moor is the third largest country in the world."),
    make_page("Lake Unn", "Lake Unn is a lake."),
    make_page("Brill", "The brill (“Avis”) is the second-largest bird by height, after its relative, the dall."),
    make_page("Dall", "The dall is a bird."),
    make_page("Anna I", "Anna I (1516 – 1558) was the Queen of Norr from July 1553.", "King Otto fled in 1549."),
    make_page("Knut VI", "Knut VI (1537 – 1553) was King of Norr (1547–1553)."),
    make_page("Vic Moor", "Vic Moor was the vice president from 1940, and president from 1950 to 1954."),
    make_page("Jan Kell", "Jan Kell (1900 – 1980) was the second President of Norr, serving from 1946 to 1950."),
    make_page("Eli Tam", "Eli Tam was the president of Norr (1935–1939 and 1952–1954)."),
    make_page("Ada Sund", "Ada Sund was lieutenant governor from 1950, and governor from 1960."),
    make_page("Ole Sund", "Ole Sund was governor from 1955 to 1958."),
    make_page("The War of Owls", "The War of Owls is a book published in 1990."),
    make_page("Orm", "Orm is the second planet from the Sun and the second-smallest planet in Norr, after Tell."),
    make_page("Tell", "Tell is the fourth planet from the Sun."),
    make_page("Zell", "Zell is the eighth and farthest known planet orbiting the Sun."),
    make_page("The Gull", "The Gull is a hero.", "He first appeared in June 1938."),
    make_page("The Owl", "The Owl is a hero.", "She made her debut in May 1939."),
    make_page("Ios", "Slightly larger than Tarn's Moon, Ios is a moon of Joss.", "It is no smaller than Tell."),
    make_page("Long War", "The Long War, of which Knut told in 1990, was a war that lasted from 1974 to 1980."),
    make_page("Old Film", "Old Film is a 1972 crime film."),
    make_page("New Film", "New Film was released on May 25, 1977."),
]


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("Pell is higher than Mount Orna.", True),
        ("the mount orna is taller than pell", False),
        ("Orna is lower than Pell.", True),
        ("Pell is not higher than Mount Orna.", False),
        ("Tarnworks is older than Ostia.", True),
        ("Tarnworks was founded after Ostia", False),
        ("Ilse Brandt was older than Jan Brandt.", True),
        ("Ilse Brandt died before Jan Brandt was born.", False),
        ("Varn is bigger than Lund.", True),
        ("Lund is larger than Varn.", False),
        ("Old Film came out before New Film did.", True),
        ("Gell is larger than Mell.", True),
        ("Mell is bigger than Gell.", False),
        ("The Moor is larger than Mell.", True),
        ("Lake Unn is larger than Lake Ull.", True),
        ("Lake Ull is larger than Lake Unn.", False),
        ("Lake Ull is smaller than Lake Unn.", True),
        ("Tarnworks was founded 20 years after Ostia.", False),
        ("Old Film came out before the Long War", True),
        ("old film came out after the long war", False),
        ("New Film came out before the Long War.", False),
        ("Knut VI was king before Anna I", True),
        ("Anna I was queen before Knut VI was", False),
        ("Vic Moor was president right after Jan Kell.", True),
        ("jan kell was president of norr after vic moor", False),
        ("Ada Sund was governor after Ole Sund", True),
        ("Old Film came out before The War of Owls", True),
        ("brills are bigger than dalls", False),
        ("Dalls are larger than brills.", True),
        ("Orm is smaller than Tell.", False),
        ("Tell is bigger than Orm", False),
        ("Orm is closer to the Sun than Tell.", True),
        ("Orm is further away from the sun than Zell", False),
        ("In Varn, Pell is higher than Mount Orna.", True),
        ("The Gull first appeared before the Owl.", True),
        ("Ios is bigger than our moon.", True),
        ("Ios is smaller than the moon", False),
    ],
)  # fmt: skip
def test_what_both_pages_say_decides(claim: str, holds: bool) -> None:
    found = compared(claim, PAGES)
    assert found is not None
    assert found.holds is holds
    for one in (found.first, found.second):
        assert one.text in one.sentence.text


@pytest.mark.parametrize(
    "claim",
    [
        "Pell is higher than Mount Tarn.",  # no page
        "Mell has more people than Gell.",
        "Pell is older than Mount Orna.",  # no date
        "Pell is nicer than Mount Orna.",
        "Pell is higher than Pell.",
        "Brandt was older than Jan Brandt.",  # a last name has many bearers
        "Ostia is older than Varn.",
        "Tarnworks was founded 20 years before Ostia was.",  # how long before is not compared
        "Pell is high.",
        "Eli Tam was president after Vic Moor",  # he was so twice
        "Eli Tam was president before Jan Kell",
        "Vic Moor was vice president before Jan Kell",
        "Ada Sund was governor right after Ole Sund",
        "Ada Sund was governor long after Ole Sund",
        "Ilse Brandt died before Jan Brandt died.",  # one of them lives
    ],
)
def test_it_says_nothing_where_a_value_is_missing(claim: str) -> None:
    assert compared(claim, PAGES) is None


def test_a_value_beside_the_other_name_does_not_count() -> None:
    pages = [
        make_page("Rhone", "The Rhone is the second river after the Dana, which is 2,850 km long."),
        make_page("Dana", "The Dana is 2,850 km long."),
    ]
    assert compared("The Rhone is longer than the Dana.", pages) is None


def test_of_several_bearers_of_a_last_name_the_one_whom_most_pages_name_is_meant() -> None:
    pages = [
        make_page("Pia Tarn", "Pia Tarn (born 1963) is an actress."),
        make_page("Jon Tarn", "Jon Tarn (born 1936) is a writer."),
        make_page("Ilse Brandt", "Ilse Brandt (14 March 1879 – 18 April 1955) was a painter."),
        make_page("Requiem", "Requiem is a picture by Otto Tarn."),
        make_page("Otto Tarn", "Otto Tarn (2 May 1820 – 1 July 1890) was a painter."),
    ]
    found = compared("Brandt was born before Tarn", pages)
    assert found
    assert (found.holds, found.second.sentence.title) == (False, "Otto Tarn")


def test_values_too_near_each_other_decide_nothing() -> None:
    pages = [make_page("Orn", "Orn is 300 m tall."), make_page("Pel", "Pel is 301 metres tall.")]
    assert compared("Orn is taller than Pel.", pages) is None


@given(st.text(max_size=60), st.text(max_size=60))
def test_nothing_raises(claim: str, said: str) -> None:
    asked_of(claim)
    pages: list[Page] = [make_page("A", said or "-"), make_page("B", claim or "-")]
    compared("A is taller than B.", pages)
    compared(f"A is older than {claim}", pages)
