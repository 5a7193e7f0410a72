"""How often a page is named by others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.__main__ import main
from indexing.mentions import count_mentions, names_in
from retrieval.stores import open_writer
from retrieval.stores.embedded.store import EmbeddedStore
from tests.making import make_page

COUNTRY = replace(make_page("United States", "The United States is a country."), names=("US", "America"))
PAGES = (
    COUNTRY,
    make_page("Oliver Stone", "Oliver Stone is a director from America, and America is large."),
    make_page("Savages (2012 film)", "A film by Oliver Stone of the US.", links=("United States",)),
    make_page("Stone", "In the United States, Stone is a name."),
    replace(make_page("US (disambiguation)", "US may be a country."), disambiguation=True),
)


@pytest.fixture
def store(tmp_path: Path) -> str:
    with open_writer(str(tmp_path / "store"), "test") as writer:
        writer.add(PAGES)
        writer.finish("Names")
    return str(tmp_path / "store")


def priors(store: str) -> dict[str, int]:
    return {page.id: page.prior for batch in EmbeddedStore(store).scan() for _, page in batch}


def test_pages_are_counted_that_name_another(store: str) -> None:
    told: list[str] = []
    before = EmbeddedStore(store).info()
    card = count_mentions(store, told.append)
    # Each page once for each of the country's names: America; US and United States; United States; US.
    assert priors(store) == {
        "United_States": 5, "Oliver_Stone": 1, "Savages_(2012_film)": 0, "Stone": 2, "US_(disambiguation)": 0,
    }  # fmt: skip
    assert (card.pages, card.name) == (before.pages, "Names")
    assert card.fingerprint != before.fingerprint
    assert told == ["3 of 5 pages have a new count of the pages that name them."]


def test_counting_again_changes_nothing(store: str) -> None:
    first, told = count_mentions(store, lambda _: None), list[str]()
    reader = EmbeddedStore(store)
    assert count_mentions(store, told.append).fingerprint == first.fingerprint
    assert reader.is_current()
    assert told == ["0 of 5 pages have a new count of the pages that name them."]


def test_only_wanted_pages_are_written(store: str) -> None:
    told: list[str] = []
    count_mentions(store, told.append, lambda page: page.title == "Stone")
    assert {page_id for page_id, prior in priors(store).items() if prior} == {"Stone"}
    assert told == ["1 of 5 pages have a new count of the pages that name them."]


def test_an_empty_corpus(tmp_path: Path) -> None:
    with open_writer(str(tmp_path / "store"), "test") as writer:
        writer.finish("Nothing")
    assert count_mentions(str(tmp_path / "store"), lambda _: None).pages == 0


def test_the_command(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mentions", "--store", store]) == 0
    assert "5 pages in" in capsys.readouterr().out
    assert priors(store)["Stone"] == 2


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("In Paris he met Marie Curie.", {"paris", "in paris", "marie", "curie", "marie curie"}),
        ("the University of Oxford", {"university", "university of", "university of oxford", "of oxford", "oxford"}),
        ("It is. He was", set()),
        ("Apollo 11 flew", {"apollo", "apollo 11", "11"}),
        ("", set()),
    ],
)
def test_names(text: str, names: set[str]) -> None:
    assert names_in(text) == names


@given(st.text())
def test_any_text_has_names_that_are_folded(text: str) -> None:
    assert all(name == name.strip() for name in names_in(text))
