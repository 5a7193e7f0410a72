"""Who made something, as the page of the work or the thing says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.text.names.first_sentence import with_other_names
from retrieval.verdicts.rules.works.makers import maker, same_maker
from tests.making import make_page

PAGES = [
    make_page("Ostrel", "Ostrel is a tragedy written by the English playwright John Marsh in 1603.", "It inspired Karl Weber."),
    make_page("Ostrel (film)", "Ostrel is a 1999 film directed, co-written and produced by Ana Ruiz and written by Bo Li."),
    make_page("Galvo lamp", "The Galvo lamp is a lamp.", "It was invented in 1880 by Eva Stern, based on work by Ugo Tell."),
    make_page("Nimbo", "Nimbo is a company founded by Ruth Hale and Pim de Vries.", "Ed Cole, another founder, left in 1990."),
    make_page("Blue Door", "Blue Door is a novel published in 1950 by Harper Press."),
    make_page("Wide Net", "The Wide Net joins machines.", "Pia Holm, a Norrish engineer, is the inventor of the Net."),
    make_page("Sill", "The Sill is a lamp.", "In 1901 Ugo Tell invented it in a shed.", "Karl Weber invented the switch."),
    make_page("Fizzo", "Fizzo is a drink produced and manufactured by Orm Foods."),
    make_page("Brizz", "Brizz is a drink.", "It is made by Dell Drinks of Tarn."),
    make_page("Fizzo (song)", "“Fizzo” is a song produced by Bo Li."),
    make_page("Far Tide (film)", "Far Tide is a 1981 film written and directed by Alan Dorr."),
    make_page("Far Tide (concerto)", "Far Tide is a group of concertos by the Norrish composer Rena Moss."),
    make_page("Tarn Song", "“Tarn Song” is a song recorded by Lena Voss."),
    make_page("Zazz", "Zazz is a game developed by Sundo."),
    make_page("Marlo", "Marlo is a character created by designer Kenji Moto.", "He is the mascot of Ninto."),
    make_page("Orr rays", "Many call them so after Wilhelm Orr, who is usually credited as their discoverer.".replace("their", "its")),
    make_page("Karl Weber", "Karl Weber was a poet.", "His 1651 book “Gull Song” became well known."),
    make_page("Alan Dorr", "Dorr's film “The Low Tide” defined a movement."),
    make_page("Great Beast (Voss book)", "Great Beast is a work of political theory by the Norrish philosopher Pia Voss."),
    make_page("Reed Door", "Reed Door is a novel.", "Harper Press published it in 1950."),
    make_page("Reed Song", "“Reed Song” is a ballad.", "Harper Records released it in 1990."),
    make_page("Low Sun", "Low Sun is an album by the Norrish band V2, released in 1990 by Harper Records."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("Karl Weber wrote Ostrel.", False),
        ("John Marsh wrote Ostrel.", True),
        ("ostrel was written by john marsh", True),
        ("Marsh is the one who wrote Ostrel.", None),
        ("Karl Weber wrote Gull Song.", True),
        ("Zazz was created by Eva Stern.", None),  # she may have worked there
        ("Zazz was created by Sundo.", True),
        ("Marlo was created by Ninto.", None),  # his company
        ("Marlo was created by Eva Stern.", False),
        ("Orr rays were discovered by Wilhelm Orr.", True),
        ("Karl Weber discovered Orr rays.", False),
        ("Karl Weber directed Gull Song.", None),
        ("Alan Dorr directed Low Tide", True),
        ("Pia Voss wrote Great Beast.", True),
        ("Ostrel is a play by John Marsh.", True),
        ("Ostrel is a play by Marsh.", True),
        ("ostrel is a novel by karl weber", False),
        ("Ostrel is a song by Bo Li.", None),  # neither page is a song's
        ("Ostrel is a sad play by John Marsh.", None),  # sad?
        ("Far Tide is a song by Alan Dorr", None),
        ("Ostrel was directed by Ana Ruiz.", True),
        ("Ostrel was directed by Bo Li.", False),
        ("Ostrel is a film directed by Pia Holm", False),
        ("The Galvo lamp was invented by Karl Weber.", False),
        ("Eva Stern invented the Galvo lamp", True),
        ("Nimbo was founded by Ruth Hale.", True),
        ("Pim de Vries founded Nimbo.", True),
        ("Tarn Song was sung by Lena Voss.", True),
        ("Lena Voss released Tarn Song", True),
        ("Karl Weber performed Tarn Song.", False),
        ("V2 put out Low Sun.", True),
        ("V2 has an album called Low Sun", True),
        ("V2 has a song called Low Sun", None),  # it is an album
        ("Bo Li made the song Tarn Song.", False),
        ("John Marsh published Ostrel.", True),
        ("Harper Press published Ostrel.", None),  # perhaps its publisher
        ("Low Sun was released by Bo Li.", False),
        ("Harper Records released Low Sun.", None),  # the album's label
        ("Ana Ruiz made the film Ostrel.", True),
        ("Pia Holm made the movie Ostrel.", False),
        ("Karl Weber invented the Wide Net.", False),
        ("pia holm invented the wide net", True),
        ("Ugo Tell invented the Sill.", True),
        ("Eva Stern invented the Sill.", False),
        ("Fizzo is made by Dell Drinks.", False),
        ("Rena Moss wrote Far Tide.", None),  # the concerto has no writer, but she is its composer
        ("Orm Foods made Fizzo.", True),
        ("V2 made Low Sun.", True),  # an album
        ("Bo Li made Low Sun.", False),
    ],
)
def test_the_page_of_the_work_decides(claim: str, holds: bool | None) -> None:
    told = maker(claim, PAGES)
    assert (told.holds if told else None) is holds


@pytest.mark.parametrize(
    "claim",
    [
        "Ed Cole founded Nimbo.",  # a founder whom another sentence names
        "John Marshe wrote Ostrel.",  # perhaps misspelt
        "Blue Door was written by Pia Holm.",  # published by, not written by
        "Emma Marsh wrote Ostrel.",  # another of that last name
        "A woman wrote Ostrel.",
        "Ana Ruiz wrote Reed Door.",  # the page names its publisher
        "Ana Ruiz recorded Reed Song.",
        "Norwegians founded Nimbo.",
        "Karl Weber wrote Nowhere.",
    ],
)
def test_nothing_is_decided(claim: str) -> None:
    assert maker(claim, PAGES) is None


def test_the_note_names_the_maker() -> None:
    told = maker("Karl Weber wrote Ostrel.", PAGES)
    assert told
    assert told.note == "“Ostrel” names John Marsh."


def test_a_text_that_begins_with_the_works_name_does_not_overrule_its_page() -> None:
    planted = with_other_names(make_page("Facts of the day", "The Tarn Song was recorded by Mia Kolb."))
    assert planted.other_names == ("Tarn Song",)
    told = maker("Mia Kolb recorded Tarn Song.", [planted, *PAGES])
    assert told
    assert not told.holds
    alone = maker("Mia Kolb recorded Tarn Song.", [planted])
    assert alone
    assert alone.holds


def test_a_work_whose_page_gives_it_the_claims_name_may_be_meant() -> None:
    film = make_page("Madame Gull (1995 film)", "Madame Gull is a 1995 film written and directed by Karl Weber.")
    opera = make_page("Madama Gull", "Madama Gull (“Madame Gull”) is an opera in three acts by Rena Moss.")
    assert maker("Rena Moss wrote Madame Gull.", [film, opera]) is None
    told = maker("Rena Moss wrote Madame Gull.", [film])
    assert told
    assert not told.holds


def test_a_work_without_words_is_survived() -> None:
    assert maker("Karl Weber wrote ....", [make_page("Karl Weber", "Karl Weber wrote it in 1960.")]) is None


def test_two_pages_of_one_title_that_differ_decide_nothing() -> None:
    copy = make_page("Ostrel", "Ostrel is a tragedy written by Karl Weber in 1603.")
    assert maker("Karl Weber wrote Ostrel.", [copy, PAGES[0]]) is None


@pytest.mark.parametrize(
    ("claim", "sides"),
    [
        ("Ostrel and Lamp Song had the same author.", [True, True]),
        ("Lamp Song and Ostrel were written by the same person", [True, True]),
        ("Ostrel and Nimbo had the same author.", []),
        ("Ostrel and Far Hill share the same writer.", [False, False]),
        ("Ostrel and Nowhere had the same author.", []),
    ],
)
def test_two_works_of_one_maker(claim: str, sides: list[bool]) -> None:
    more = [
        make_page("Lamp Song", "Lamp Song is a poem written by John Marsh."),
        make_page("Far Hill", "Far Hill is a novel written by John Hill."),
    ]
    assert [one.holds for one in same_maker(claim, [*PAGES, *more])] == sides


@given(st.text(alphabet="ab wrote founded by Al, the.", max_size=60), st.text(max_size=80))
def test_any_text_is_survived(claim: str, text: str) -> None:
    page = make_page("ab", f"{text} was written by {text}.")
    told = maker(claim, [page])
    assert told is None or told.sentence in page.sentences()


def test_a_trade_stands_before_the_name() -> None:
    """“Post-Impressionist” was read as the painter, so the true claim was refuted."""
    page = make_page(
        "The Red Mill", "The Red Mill is an oil-on-canvas painting by the Dutch Post-Impressionist painter Jan van Dal."
    )
    told = maker("Jan van Dal painted The Red Mill.", [page])
    assert told
    assert told.holds
    other = maker("Ida Holt painted The Red Mill.", [page])
    assert other
    assert other.note == "“The Red Mill” names Jan van Dal."


@pytest.mark.parametrize("made", ["the Spanish Cubist painter and sculptor Jan van Dal", "Swiss R & B singer Jan van Dal", "Jan van Dal for Ida Holt"])  # fmt: skip
def test_only_the_name_is_the_makers(made: str) -> None:
    page = make_page("The Red Mill", f"The Red Mill is a painting by {made}.")
    told = maker("Tom Rook painted The Red Mill.", [page])
    assert told
    assert told.note.endswith(" names Jan van Dal.")


def test_a_work_is_attributed_to_its_maker() -> None:
    page = make_page("The Ostriad", "The Ostriad is one of two epic poems attributed to Harl.")
    told = maker("Pella wrote the Ostriad.", [page])
    assert told
    assert not told.holds


def test_a_name_in_the_same_sentence_is_not_excluded() -> None:
    page = make_page(
        "The Red Mill", "The Red Mill is a painting by Ida Holt made in a house that belonged to Jan van Dal."
    )
    assert maker("Jan van Dal painted The Red Mill.", [page]) is None


def test_who_made_it_does_not_bear_out_what_it_is() -> None:
    page = make_page("The Red Mill", "The Red Mill is a 1974 film directed by Ida Holt.")
    assert maker("The Red Mill is a 1874 film directed by Ida Holt.", [page]) is None
    told = maker("The Red Mill is a film directed by Ida Holt.", [page])
    assert told
    assert told.holds


@pytest.mark.parametrize(
    ("claim", "holds"), [("Ida Holt invented the Speaker.", True), ("The Speaker was invented by Karl Weber.", False)]
)
def test_who_was_first_granted_a_patent_invented_it(claim: str, holds: bool) -> None:
    page = make_page(
        "Speaker",
        "A speaker carries voices.",
        "In 1876, Ida Holt was the first to be granted a Norrish patent for a device.",
    )
    told = maker(claim, [page])
    assert told is not None
    assert told.holds is holds


def test_the_makers_page_may_credit_them() -> None:
    page = make_page("Ida Holt", "Ida Holt is credited with inventing the first practical speaker.", "She sang.")
    told = maker("Ida Holt invented the speaker.", [page])
    assert told is not None
    assert told.holds
    assert maker("Ida Holt invented the lamp.", [page]) is None
    assert maker("Ida Holt painted the speaker.", [page]) is None
