"""Where someone is from or was born, as the page of the subject says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.text.names.nations import exclude, nation_of, nations_in
from retrieval.types import Page
from retrieval.verdicts.rules.people.origins import origin
from tests.making import make_page

PAGES = [
    make_page("Ilse Brandt", "Ilse Maria Brandt (1930 – 2012) was a leading Norwegian pilot.", "She fought in the Cuban war."),
    make_page("Jan Holm", "Jan Holm (born 2 May 1950) is a German-born Swiss and British actor.", "Holm lived in Japan."),
    make_page("Rosa Peel", "Rosa Peel is a Chilean singer.", "She became a Canadian citizen in 1990."),
    make_page("Tom Reed", "Tom Reed is an actor.", "He was born on a ship and raised in Perth, Australia."),
    make_page("Pia Ness", "Pia Ness is a Polish director.", "Born in Paris to Polish parents, she moved to Poland in 1937."),
    make_page("Ida Fell", "Ida Fell is a poet.", "Born in Ixor, a district of Brussels, she grew up in the Netherlands."),
    make_page("Rob Ness", "Rob Ness is a singer.", "Born on the Isle of Orm, he was raised in Manchester."),
    make_page("Cy Ray", "Cy Ray (born 2 May 1950 in Pell, New Mexico) is an actor."),
    make_page("Di Fell", "Di Fell (born 2 May 1950 in Pell, Georgia) is an actor."),
    make_page("House of Gull", "House of Gull is a 2021 American crime film."),
    make_page("Moor (film)", "Moor is a 1979 American drama film."),
    make_page("Nia Mar", "Nia Mar is a singer.", "Born in Saint James, Port of Spain, she lives in Spain."),
    make_page("Jan Orr", "Jan Orr was a writer.", "He had homes in Cuba and in Spain, and bought a house in Ketch, Idaho, where he committed suicide in 1961."),
    make_page("Eva Tam", "Eva Tam is a Norrish actress.", "She was born to Australian parents in Hawaii.", "Her mother died in Rome.", "Tam died in Varn, Scotland."),
    make_page("Anna Lind", "Anna Lind is a poet.", "She was born on 3 May 1901 in Visby, Gotland, Sweden, near Tarn, and grew up in Pell."),
    make_page("Ulan", "Ulan is the largest city of Mexico."),
    make_page("Berl", "Berl is a city in Germany."),
    make_page("Karl Moll", "Karl Moll was a Cuban-born German politician."),
    make_page("Moll (film)", "Moll is an Indian film."),
    make_page("Li Wen", "Li Wen is a Hong Kong actor."),
    make_page("Tide (1990 film)", "Tide is a 1990 Italian drama film."),
    make_page("Tide (2001 film)", "Tide is a 2001 South Korean film."),
    make_page("Ugo Colm", "Ugo Colm (Danish: “Ugo Kolm”; Dutch: “Hugo”) was a Chilean sailor."),
    make_page("Orrism", "Orrism is a tradition of Chinese origin.", "It has followers in Japan."),
    make_page("Varn stew", "Varn stew is a soup, originating in Hungary (or Poland)."),
    make_page("Bolt", "Bolt is a group of shops.", "Founded in Sweden by two sisters, it also sells in Norway."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("Ilse Brandt was Cuban.", False),
        ("Ida Fell was born in the Netherlands.", False),
        ("Ida Fell was born in Belgium.", True),
        ("Orrism began in Japan.", False),
        ("Varn stews come from Spain", False),
        ("Orrism originated in China", True),
        ("Varn stew comes from Hungary.", True),
        ("Varn stew was invented in Italy.", False),
        ("Ilse Brandt was the first Cuban pilot in space.", False),
        ("Ilse Brandt was the first Norwegian pilot in space.", None),
        ("Ilse Brandt was the first Cuban president.", None),
        ("Ugo Colm was Dutch.", False),
        ("Ilse Brandt was Norwegian", True),
        ("ilse brandt was norwegian", True),
        ("Ilse Brandt was a Swedish pilot.", False),
        ("Ilse Brandt came from Norway.", True),
        ("Jan Holm is from Switzerland.", True),
        ("Jan Holm was born in Germany.", True),
        ("Jan Holm was born in Peru.", False),
        ("Jan Holm was born in Ulan.", False),
        ("Jan Holm was born in Berl.", None),  # in Germany, but which town?
        ("Jan Holm was born in Britain.", False),
        ("Anna Lind was born in Texas.", False),
        ("Eva Tam was born in Australia.", False),
        ("Eva Tam was born in the United States.", True),
        ("Eva Tam was born in Texas.", None),
        ("Eva Tam died in Rome.", False),
        ("Jan Orr died in Idaho.", True),
        ("Gull is an Italian brand.", None),  # "of" stands before no last name
        ("Moor is a Canadian drama.", None),  # a series, perhaps
        ("Moor is a Canadian singer.", None),
        ("Moor is a Canadian drama film.", False),
        ("Nia Mar was born in Trinidad and Tobago.", True),
        ("Nia Mar was born in Spain.", False),
        ("Jan Orr died in Cuba.", False),
        ("Eva Tam died in Varn", True),
        ("Eva Tam was killed in France.", False),
        ("Pia Ness was born in Poland", False),
        ("Pia Ness was born in France", True),
        ("Pia Ness was born in Lyon", None),
        ("Karl Moll was born in London.", False),
        ("Pia Ness was born in Lund to Swedish parents", None),
        ("Rob Ness was born in Britain.", None),
        ("Cy Ray was born in the United States.", True),
        ("Cy Ray was born in Mexico.", False),
        ("Di Fell was born in the United States.", None),  # Georgia
        ("Anna Lind was born in Visby.", True),
        ("Anna Lind was born in Sweden.", True),
        ("Anna Lind was born in Finland in 1901.", False),
        ("Anna Lind was born in Lund.", False),
        ("Anna Lind was born in Pell.", False),  # where she only grew up
        ("Tide is a South Korean film.", None),  # the rest of the claim is not checked here
        ("Tide is South Korean.", True),
        ("Tide is a Japanese film.", False),
        ("Karl Moll was Cuban.", True),
        ("Moll was Polish.", None),  # the film is no evidence on the man
        ("Li Wen is from Japan.", False),
        ("Bolt is a Danish company.", False),
        ("Bolt is a Swedish company.", None),
        ("Bolt is Norwegian.", None),
        ("Ilse Brandt played for Chile.", False),
        ("Ilse Brandt played for the Norwegian national team.", None),
    ],
)
def test_the_page_of_the_subject_decides(claim: str, holds: bool | None) -> None:
    told = origin(claim, PAGES)
    assert (told.holds if told else None) is holds


@pytest.mark.parametrize(
    "claim",
    [
        "Jan Holm is English.",  # British too
        "Rosa Peel is Canadian.",  # a citizen
        "Anna Lind was born in Tarn.",  # a place on the page
        "Anna Lind was born in May.",
        "Anna Lind was born in Sweden in 1999.",  # the year is not checked here
        "Tom Reed was born in Perth.",
        "Nobody Known was Cuban.",
        "Ilse Brandt was brave.",
    ],
)
def test_nothing_is_decided(claim: str) -> None:
    told = origin(claim, PAGES)
    assert told is None


def test_the_note_quotes_only_what_the_page_says() -> None:
    for claim, note in (
        ("Ilse Brandt was Cuban.", "“Ilse Brandt” points to: Norway."),  # which says "Norwegian"
        ("Pia Ness was born in Cuba.", "“Pia Ness” points to: France."),  # "Paris"
    ):
        told = origin(claim, PAGES)
        assert told
        assert told.note == note


def test_names_and_adjectives_of_countries() -> None:
    assert list(nations_in("a Canadian-American actor from New Zealand")) == ["Canada", "United States", "New Zealand"]
    assert nation_of("south korean") == "South Korea"
    assert nation_of("Atlantis") == ""
    assert exclude("Cuba", "Norway")
    assert not exclude("England", "United Kingdom")
    assert not exclude("Cuba", "Cuba")


@given(st.text(alphabet="ab was born in Cuban Norway,(–-). ", max_size=60), st.text(max_size=80))
def test_any_text_is_survived(claim: str, text: str) -> None:
    pages: list[Page] = [make_page("ab", text or "ab."), make_page("A", f"A was born in {text}.")]
    told = origin(claim, pages)
    assert told is None or any(told.sentence in page.sentences() for page in pages)
