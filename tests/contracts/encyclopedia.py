"""The pages that every store of the contract suites holds."""

from __future__ import annotations

from dataclasses import replace

from tests.making import make_page

ENCYCLOPEDIA = (
    make_page(
        "Savages (2012 film)", "Savages is a film by Oliver Stone.", "Blake Lively plays O.", links=("Oliver Stone",)
    ),
    make_page("Savages (band)", "Savages is an English rock band."),
    make_page("The Savages", "The Savages is a film of 2007."),
    make_page("Oliver Stone", "Oliver Stone is an American director.", "He was born in New York City."),
    make_page("New York City", "New York City is a city.", "It is not York."),
    make_page("York", "York is a city in England.", "The new city wall is old."),
    make_page("Beyoncé", "Beyoncé is an American singer."),
    make_page("Charlotte Brontë", "Charlotte Brontë wrote Jane Eyre.", id="Charlotte_Bronte\u0308"),
    make_page("Titanic", "Titanic was a ship."),
    make_page("Titanic (1997 film)", "Titanic is a film about a ship."),
    make_page("AT&T", "AT&T is a telephone company."),
    make_page("!!!", "!!! is a band."),
    make_page("Empty page"),
)

# Of a wiki's dump.
COUNTRY = replace(
    make_page("United States", "The United States is a country.", id="enwiki/1"),
    site="en.wikipedia.org", revision=7, retrieved="2025-12-07", names=("US", "U.S.A.", "America"), prior=900,
)  # fmt: skip
ARTICLE = tuple(
    replace(make_page("Moon", text, id=f"enwiki/2#{part}"), site="en.wikipedia.org", part=part, parts=3, names=names)
    for part, text, names in ((1, "The Moon is round.", ("Luna",)), (2, "It has craters.", ()), (3, "It is grey.", ()))
)
LIST_OF_MEANINGS = replace(
    make_page("Mercury (disambiguation)", "Mercury may refer to: a planet.", id="enwiki/3"),
    names=("Hg", "Mercury"), disambiguation=True,
)  # fmt: skip
