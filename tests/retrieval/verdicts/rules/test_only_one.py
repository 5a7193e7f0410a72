"""A place that only one can hold: who holds it is said by a sentence, whatever a network makes of its words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.types import Page
from retrieval.verdicts.rules.only_one.capitals import is_of_elsewhere
from retrieval.verdicts.rules.only_one.holder import holder_of, is_of_another_order, is_of_fewer
from retrieval.verdicts.rules.only_one.place import place_of
from retrieval.verdicts.rules.ruling import Ruling
from tests.making import make_page

PAGES = [
    make_page("Varn", "Varn is a country.", "Its capital is Lund, and its largest port is Pell."),
    make_page("Lund", "Lund (also Londe) is the federal capital of Varn and the seat of its parliament."),
    make_page("Pell", "Pell is the capital of the province of Ostia, Varn's third largest."),
    make_page("Mount Orna", "Mount Orna, also known as Old Orna, is Earth's highest mountain."),
    make_page("K9", "K9, also Mount Godric, is the second highest mountain on Earth."),
    make_page("Ilse Brandt", "Ilse Maria Brandt (1930 – 2012) was a pilot and the first person to walk on Tarn."),
    make_page("Jan Holm", "Jan Holm was the second person to walk on Tarn."),
    make_page(
        "Marsh", "However, iron is the most abundant element, and the marsh was formerly the largest lake of Varn."
    ),
    make_page(
        "Orrin", "The orrin is a large African mammal, the tallest living terrestrial animal and the largest grazer."
    ),
    make_page("Zell", "The zell can run faster than any other land animal— as fast as 110 km/h."),
    replace(make_page("Old Brook", "Old Brook is a city."), names=("O.B.",)),
    make_page("Orland", "Sund is the country's capital, while Harl holds the seat of government."),
    make_page("Harl", "Harl is a town."),
    make_page(
        "Zill",
        "With an area of 44 hectares (110 acres), and 842 people, it is the smallest internationally recognized independent state in the world by area.",
    ),
    make_page("The Point", "The Point is a town."),
    make_page("Nettle", "Nettle is the eighth and farthest known planet orbiting the Sun."),
    make_page("Joss", "Joss is the fifth planet from the Sun and the heaviest planet in the Solar System."),
    make_page("Merk", "Merk is the smallest and innermost planet."),
    make_page("Zill City", "Zill City is a town."),
    make_page("Grand Ocean", "The Grand Ocean is the deepest ocean on Earth."),
    make_page("Brill", "The brill is the largest living bird in Varn."),
    make_page("Mount Ull", "Mount Ull, on an island, is the highest mountain in Norr at 3,776.24 m."),
    make_page("Dove", "Dove is the smallest and closest to the Sun of the eight planets."),
    make_page("Ena Bork", "Ena Bork is the most successful and most decorated sailor of all time."),
    make_page("Gorm Airport", "Gorm Airport is an airport in the city of Gorm, the capital of Norr."),
    make_page("Gorm", "Gorm is a port."),
    make_page("Kaka", "The kaka is rare.", "Its traits make it unique; it is the world's only flightless parrot."),
    make_page("Mount Ebb", "Mount Ebb is a steep mountain in Sund, the lowest mountain in the north."),
    make_page("Sund", "Sund is a country."),
    make_page("Ohio", "Ohio is a state.", "The state's largest city is Dell.", "The nation's deepest mine is Mell."),
    make_page("War Museum", "The museum shows Old Fort (now Mell Park, Ohio's largest)."),
    make_page("Dell", "Dell is the 28th most populous city in the country."),
    make_page(
        "Isle",
        "Isle is the fourth-smallest state, but the 11th-most populous and the most densely populated of the 50 United States.",
    ),
]


def found(claim: str, pages: list[Page] = PAGES) -> Ruling | None:
    place = place_of(claim)
    return place and holder_of(place, [sentence for page in pages for sentence in page.sentences()], pages)


@pytest.mark.parametrize(
    ("claim", "holder", "holds"),
    [
        ("Pell is the capital of Varn.", "Lund", False),
        ("Lund is the capital of Varn", "Lund", True),
        ("Lund is Varn's capital.", "Lund", True),
        ("The capital of Varn is Pell.", "Lund", False),
        ("Varn’s capital is Lund.", "Lund", True),
        ("Mount Orna is the highest mountain in the world.", "Mount Orna", True),
        ("K9 is the highest mountain in the world.", "Mount Orna", False),
        ("Jan Holm was the first man to walk on Tarn.", "Ilse Brandt", False),
        ("Ilse Brandt was the first human on Tarn.", "Ilse Brandt", True),
        ("OB is the capital of Varn", "Lund", False),
        ("The Point is the capital of Varn.", "Lund", False),
        ("Harl is the capital of Orland", "Sund", False),
        ("Orrins are the tallest land animals", "Orrin", True),
        ("Zells are the tallest land animals.", "Orrin", False),
        ("The orrin is the largest grazer.", "Orrin", True),
        ("The zell is the fastest land animal", "Zell", True),
        ("Zill is the smallest country in the world.", "Zill", True),
        ("Varn is the smallest country in the world", "Zill", False),
        ("The brill is the biggest bird in Varn.", "Brill", True),
        ("Nettle is the farthest planet from the Sun.", "Nettle", True),
        ("Merk is the farthest planet from the Sun.", "Nettle", False),
        ("Joss is the heaviest planet.", "Joss", True),
        ("Merk is the smallest planet", "Merk", True),
        ("The Grand is the deepest ocean.", "Grand Ocean", True),
        ("Mount Ull is the highest mountain in Norr", "Mount Ull", True),
        ("K9 is the highest mountain in Norr", "Mount Ull", False),
        ("Dove is the closest planet to the Sun.", "Dove", True),
        ("Ena Bork is the most decorated sailor ever.", "Ena Bork", True),
        ("Ena Bork is the most successful sailor ever.", "Ena Bork", True),
        ("Gorm is the capital of Norr.", "Gorm", True),
        ("The kaka is the only parrot that can't fly.", "Kaka", True),
        ("Mount Ebb is the lowest mountain in the north.", "Mount Ebb", True),
        ("Dell is the biggest city in Ohio.", "Dell", True),
        ("the biggest grazer is the orrin", "Orrin", True),
    ],
)  # fmt: skip
def test_the_holder_decides(claim: str, holder: str, holds: bool) -> None:
    told = found(claim)
    assert told
    assert told.holds == holds
    assert told.note.endswith(f" names {holder}.") != holds


@pytest.mark.parametrize(
    "claim",
    [
        "Pell is a capital of Varn.",  # not the only one
        "Pell was the capital of Varn.",  # another time
        "Pell is the capital of Ostia Minor.",  # another place
        "Nowhere is the capital of Varn.",  # no page of this name, which may be another name of the holder
        "Pell is the most abundant element.",  # the sentence does not begin with the one it is about
        "Pell is the largest lake of Varn.",  # no longer
        "Jan Holm was the First Lady of Varn.",
        "Lund lies in Varn.",
    ],
)
def test_nothing_is_decided(claim: str) -> None:
    assert found(claim) is None


@pytest.mark.parametrize("claim", ["The capital of PNG is Pell.", "Orm is the most populous state capital in Norr."])
def test_initials_and_the_largest_of_all_capitals_are_not_of_elsewhere(claim: str) -> None:
    place = place_of(claim)
    assert place
    text = (
        "Pell is the capital of Papua New Guinea."
        if "PNG" in claim
        else "Orm is the most populous state capital in Norr."
    )
    assert not is_of_elsewhere(place, text, "Pell")


def test_a_sentence_that_names_the_subject_beside_the_holder_refutes() -> None:
    pages = [make_page("Norr", "Divided into 11 towns, its capital is Vad and its largest town Sha.")]
    told = found("Sha is the capital of Norr.", pages)
    assert told
    assert not told.holds
    named = [make_page("Norr", "Its capital is Vad, also called Sha.")]
    assert found("Sha is the capital of Norr.", named) is None


def test_the_holder_may_be_the_subject_under_an_earlier_name() -> None:
    pages = [
        make_page("Gus", "Gus was the founder of the empire."),
        make_page("Gaius Mell", "Mell was a friend of Octo, the first emperor of Norr, who reigned as Ulm Gus."),
    ]
    assert found("Gus was the first emperor of Norr.", pages) is None


def test_pages_that_differ_decide_nothing() -> None:
    pages = [*PAGES, make_page("Pell guide", "Pell is the capital of Varn.")]
    assert found("Pell is the capital of Varn.", pages) is None
    assert found("Lund is the capital of Varn.", pages) is None


def test_a_towns_own_page_says_whose_capital_it_is() -> None:
    """One page may say anything of a town. Norway and Ghana: countries that the program knows."""
    claim, news = "Gorm is the capital of Norway.", make_page("Travel news", "Gorm is the capital of Norway.")
    assert found(claim, [make_page("Gorm", "Gorm is a port."), news]) == Ruling(news.sentences()[0], True)
    for what in ("capital", "capital and most populous city"):
        own = make_page("Gorm", f"Gorm is the {what} of Ghana.")
        for pages in ([own], [own, news]):
            told = found(claim, pages)
            assert told
            assert (told.sentence, told.holds) == (own.sentences()[0], False)
    assert found("Gorm was the capital of Norway.", [own]) is None, "it may have been, once"
    assert found(claim, [make_page("Gorm", "Gorm is the capital of the Reeds."), news]) is None


@pytest.mark.parametrize("whose", ["Anhui province, China", "Jiangxi, China", "the province of Ostia", "Tajikistan"])
def test_the_capital_of_a_part_is_not_that_of_another_country(whose: str) -> None:
    own = make_page("Gorm", f"Gorm is the capital of {whose}.")
    told = found("The capital of Uzbekistan is Gorm.", [own])
    assert told
    assert not told.holds


def test_a_capital_is_named_with_the_country_of_its_province() -> None:
    told = found("The capital of Jiangxi is Gorm.", [make_page("Gorm", "Gorm is the capital of Jiangxi, China.")])
    assert told
    assert told.holds


def test_another_name_of_the_holder_holds_it_whatever_else_has_that_name() -> None:
    renamed = replace(
        make_page("Sund", "Sund is a port.", "It is the largest port of Varn."), other_names=("Old Sund",)
    )
    pages = [make_page("Old Sund (film)", "Old Sund is a film."), renamed]
    told = found("Old Sund is the largest port of Varn.", pages)
    assert told
    assert told.holds
    stopped = place_of("The capital of Varn is Lund.")
    assert stopped
    assert stopped.subject == "Lund"


def test_the_capital_of_another_place() -> None:
    capital, largest = place_of("Pell is the capital of Varn."), place_of("Pell is the largest city.")
    assert capital
    assert largest
    assert is_of_elsewhere(capital, "Pell is the capital of the province of Ostia in Varn.", "Pell")
    assert not is_of_elsewhere(capital, "Pell is the capital and largest city of Varn.", "Pell")
    assert not is_of_elsewhere(largest, "Pell is the capital of Ostia.", "Pell")
    assert is_of_elsewhere(capital, "The capital and largest city is Pell.", "Ostia")
    assert not is_of_elsewhere(capital, "Its capital is Pell.", "Varn")


def test_what_a_sentence_begins_with_holds_the_place_on_any_page() -> None:
    skin = place_of("The pelt is the largest organ of the human body.")
    assert skin
    page = make_page(
        "Cover system", "The cover system is a set of organs.", "The pelt is the largest organ in the body."
    )
    told = holder_of(skin, page.sentences(), [page])
    assert told
    assert told.holds
    assert (
        holder_of(skin, make_page("Cover system", "The organ is the largest organ in the body.").sentences(), [page])
        is None
    )


def test_a_word_of_the_place_makes_no_other_name() -> None:
    largest = place_of("Elder Orrism is the largest branch of Orrism.")
    assert largest
    elder, younger = (
        make_page("Elder Orrism", "Elder Orrism is a branch of Orrism."),
        make_page("Younger Orrism", "Younger Orrism is the largest branch of Orrism."),
    )
    told = holder_of(largest, younger.sentences(), [elder, younger])
    assert told
    assert not told.holds


def test_a_place_beside_being() -> None:
    highest = place_of("Fell is the highest town in Varn.")
    assert highest
    page = make_page("Orl", "Another known town is Fell, being the highest town in Varn, More than 900 meters high.")
    told = holder_of(highest, page.sentences(), [make_page("Fell", "Fell is a town.")])
    assert told
    assert told.holds


def test_a_rank_in_another_order() -> None:
    deepest = place_of("Lake Orm is the deepest lake in the world.")
    assert deepest
    assert is_of_another_order(deepest, "It is the seventh-largest lake in the world by surface area.")
    assert not is_of_another_order(deepest, "It is the second-deepest lake, and the fifth-largest.")
    assert not is_of_another_order(deepest, "It is the largest lake.")
    assert not is_of_another_order(deepest, "Orm is the fifth lake of the chain, and the deepest.")


def test_the_first_in_orbit_is_not_the_first_in_space() -> None:
    place = place_of("Ole Berg was the first Norrish man in space.")
    assert place
    assert is_of_fewer(place, "He became the first Norrish man to orbit the Earth and the fifth person in space.")
    assert not is_of_fewer(place, "He was the first Norrish man to fly in space.")


def test_the_first_to_do_something_is_not_the_first() -> None:
    first, to_go = place_of("Gorm was the first emperor of Norr."), place_of("Gorm was the first emperor to go.")
    assert first
    assert to_go
    assert is_of_fewer(first, "He was the first emperor of Norr to kill himself.")
    assert not is_of_fewer(first, "He was the first emperor of Norr.")
    assert not is_of_fewer(first, "He was the first man to climb it.")


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Gorm, officially New Gorm, is the capital, the center of the Greater Gorm Area, and the largest city of Norr.", "Norr's capital is Gorm."),
        ("Gorm is the capital city of the United Arab Emirates.", "Gorm is the capital of the UAE."),
        ("Gorm is the capital of the United Kingdom.", "The capital of Britain is Gorm"),
    ],
)  # fmt: skip
def test_a_capital_beside_other_things_and_under_another_name(text: str, claim: str) -> None:
    told = found(claim, [make_page("Gorm", text)])
    assert told
    assert told.holds


def test_what_else_a_sentence_tells_does_not_limit_the_capital_that_it_names() -> None:
    land = make_page("Norr", "Lund, the country's capital and second-largest city, was once one of the richest.")
    told = found("Gorm is the capital of Norr.", [make_page("Gorm", "Gorm is a city in Norr."), land])
    assert told
    assert not told.holds
    land = make_page("Norr", "The capital of the republic is the city of Lund.")
    told = found("Lund is the capital of Norr.", [make_page("Lund", "Lund is a city."), land])
    assert told
    assert told.holds
    assert found("Lund is the capital of Norr.", [land]) == told, "its own page need not be there"
    part = make_page("Lund", "Lund is the capital city of the state of Norr, in Orland and the largest city in Orland.")
    told = found("Lund is the capital of Norr.", [part])
    assert told
    assert told.holds
    part = make_page("Pell", "It is the capital and largest city of Pell Province, and the third-largest town in Norr.")
    assert not found("Pell is the capital of Norr.", [part])
    told = found(
        "Lund is the capital of Norr.", [make_page("Lund", "Lund is the capital city of the U.S. State of Norr.")]
    )
    assert told
    assert told.holds
    once = make_page("Pell", "Pell is a city.", "It was the capital of Norr until Lund was built.")
    told = found("Pell is the capital of Norr.", [once])
    assert told
    assert not told.holds
    assert found("Pell was the capital of Norr.", [once]) is None
    city = make_page("Peru", "It is ruled from the capital city of Lund.")
    assert found("Lund is the capital of Peru.", [make_page("Lund", "Lund is a city."), city])
    was = make_page("Norr", "Lund, the country's former capital, was once one of the richest.")
    assert found("Gorm is the capital of Norr.", [make_page("Gorm", "Gorm is a city in Norr."), was]) is None


def test_a_rank_in_another_order_decides_nothing() -> None:
    told = found("Isle is the most densely populated US state.")
    assert told
    assert told.holds
    assert found("Mell is Ohio's deepest mine.") is None  # which its page gives the country


@pytest.mark.parametrize("title", ["The Moor", "Moor"])
def test_an_article_does_not_hide_a_lower_rank(title: str) -> None:
    told = found(
        f"{title} is the largest town in Norr.", [make_page(title, "The Moor is the second largest town in Norr.")]
    )
    assert told
    assert not told.holds


def test_a_title_without_words_is_survived() -> None:
    assert found("... is the driest desert in Norr.", [make_page("...", "A dot is the driest desert in Norr.")]) is None


def test_a_clause_on_something_else_does_not_hide_a_place() -> None:
    pages = [make_page("Kap", "It is unique among its kind; it is the world's only blind parrot, the heaviest parrot.")]
    told = found("The kap is the only blind parrot.", pages)
    assert told
    assert told.holds


def test_neither_a_commonwealth_nor_a_state_behind_a_town_is_the_holder() -> None:
    lou = make_page("Lou", "Lou is the largest city in the Commonwealth of Ostia and the 28th most populous city.")
    told = found("Lou is the largest city in Ostia.", [lou])
    assert told
    assert told.holds
    towns = make_page("Coast", "There are Pell, the seat; Lund, New Norr, the largest city in New Norr; and Gorm.")
    assert found("Lund is the largest city in New Norr.", [towns, make_page("Lund", "Lund is a city.")]) is None


@given(st.text(alphabet="abK is the first capital of Varn's,.’ ", max_size=60), st.text(max_size=80))
def test_any_text_is_survived(claim: str, text: str) -> None:
    place, pages = place_of(claim), [make_page("Varn", text or "Varn.")]
    if place is None:
        return
    is_of_elsewhere(place, text, "Varn")
    held = holder_of(place, pages[0].sentences(), pages)
    assert held is None or held.sentence in pages[0].sentences()
