"""The order in which the pages of a claim are read."""

from __future__ import annotations

import math

import pytest

from retrieval.stages.search import SUBJECT, rank_pages, with_named
from retrieval.text.names.forms import with_forms
from retrieval.text.ranking import title_spans
from retrieval.types import Hit
from tests.making import make_page


def test_rank_pages_by_hand() -> None:
    paris, film, atlas = make_page("Paris"), make_page("Paris (film)"), make_page("Atlas")
    spans = {"paris": (0, 5)}
    hits = rank_pages("Paris is big.", [(paris, True), (film, False)], [(atlas, 8.0), (paris, 4.0)], spans)
    assert [(hit.page.id, hit.method) for hit in hits] == [
        ("Paris", "title and text"),
        ("Paris_(film)", "title"),
        ("Atlas", "text"),
    ]
    # Both names begin the claim and hold the rarer of its two words, "paris" in two of three pages; "big" is in none.
    paris_weighs, big_weighs = math.log(1 + 3 / 2.5), math.log(1 + 3 / 0.5)
    shared = SUBJECT + paris_weighs / (paris_weighs + big_weighs)
    scores = [0.5 + 0.6 * 0.625 + shared, 0.36 * 0.625 + shared, 1.0]
    assert [hit.score for hit in hits] == pytest.approx(scores)


def test_a_general_statement_finds_the_page_of_its_subject_first() -> None:
    otter, film = make_page("Otter", "An otter is a mammal."), make_page("Swim", "To swim is to move in water.")
    claim = "Otters can swim."
    hits = rank_pages(claim, [(film, True), (otter, True)], [(film, 9.0)], with_forms(title_spans(claim)))
    assert [hit.page.id for hit in hits] == ["Otter", "Swim"]


def test_equal_pages_are_ordered_by_id() -> None:
    pages = [(make_page("X", id=page_id), 2.0) for page_id in ("c", "a", "b")]
    assert [hit.page.id for hit in rank_pages("y", [], pages, {})] == ["a", "b", "c"]


def test_a_page_that_the_claim_calls_by_its_title_keeps_a_place() -> None:
    """“Australia is larger than New Zealand” lost Australia to ten pages with “New Zealand” in their titles."""
    claim = "Varn is larger than Orland."
    runs, pages = title_spans(claim), [make_page(f"Orland {number}") for number in range(9)]
    hits = [Hit(page, 2.0, "text") for page in (*pages, make_page("Zell"))]
    named = [Hit(make_page(title), 1.0, "title") for title in ("Is", "Varn", "Orland")]
    kept = with_named(claim, [*hits, *named], runs, 10)
    assert [hit.page.title for hit in kept[:10]] == [*(f"Orland {number}" for number in range(8)), "Varn", "Orland"]
    assert {hit.page.title for hit in kept} == {hit.page.title for hit in (*hits, *named)}


def test_a_name_within_a_longer_one_keeps_none() -> None:
    claim = "New Orland is a town."
    hits = [Hit(make_page(title), 1.0, "title") for title in ("Town", "New Orland", "Orland")]
    assert with_named(claim, hits, title_spans(claim), 2) == hits
