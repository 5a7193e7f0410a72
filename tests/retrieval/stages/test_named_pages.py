"""Pages that a claim names and the best sentences leave out."""

from __future__ import annotations

from dataclasses import replace

from retrieval.stages.reading_again import MOST_NAMES, unheard_pages, worth_reading
from retrieval.types import FactCheck, Page, Span
from tests.making import make_page
from tests.retrieval.stages.test_reading_again import ranked
from tests.retrieval.stages.test_stages import begun

BRIDGE = make_page("Amber Bridge", "The Amber Bridge was opened in 1931.", "It is 90 metres long.")
TOWER = make_page("Corn Tower", "The Corn Tower is a ruin.", "It was built in 1402.")
SONG = make_page("Corn Tower (song)", "Corn Tower is a song of 1999.")
CLAIM = "Amber Bridge is older than Corn Tower."


def check(*pages: Page, spans: tuple[str, ...] = ("Amber Bridge", "Corn Tower")) -> FactCheck:
    found = begun(CLAIM, *pages)
    hits = tuple(replace(hit, method="title and text") for hit in found.pages)
    named = tuple(Span(text, CLAIM.index(text), CLAIM.index(text) + len(text), "TITLE") for text in spans)
    return replace(found, pages=hits, spans=named)


def test_the_best_sentence_of_a_named_page_is_read_too() -> None:
    best = (ranked(BRIDGE, 0, 0.9), ranked(BRIDGE, 1, 0.8))
    others = (ranked(SONG, 0, 0.3), ranked(TOWER, 1, 0.2), ranked(TOWER, 0, 0.1))
    found = replace(check(BRIDGE, TOWER, SONG), sentences=(*best, *others))
    assert unheard_pages(found, best) == [others[1]], "of two pages with the name, the one that search ranks first"
    assert worth_reading(found, 2, 0.0) == (*best, others[1])
    assert unheard_pages(found, (*best, others[0])) == [], "one of the name's pages is heard"


def test_a_name_within_a_longer_one_is_not_another() -> None:
    amber = make_page("Amber", "Amber is a resin.")
    sentences = (ranked(BRIDGE, 0, 0.9), ranked(amber, 0, 0.1))
    found = replace(check(BRIDGE, amber, spans=("Amber Bridge", "Amber")), sentences=sentences)
    assert unheard_pages(found, sentences[:1]) == []


def test_pages_that_were_found_by_their_words_alone_are_not_named() -> None:
    found = check(BRIDGE, TOWER)
    found = replace(found, pages=(found.pages[0], replace(found.pages[1], method="text")))
    sentences = (ranked(BRIDGE, 0, 0.9), ranked(TOWER, 0, 0.1))
    assert unheard_pages(replace(found, sentences=sentences), sentences[:1]) == []


def test_no_more_names_than_a_few() -> None:
    pages = tuple(make_page(name, f"{name} is a word.") for name in CLAIM.rstrip(".").split())
    found = replace(
        check(*pages, spans=tuple(page.title for page in pages)), sentences=tuple(ranked(p, 0, 0.1) for p in pages)
    )
    assert len(unheard_pages(found, ())) == MOST_NAMES
