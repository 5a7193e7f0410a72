"""Names that the claim spells otherwise than the only page of that name."""

from __future__ import annotations

import pytest

from retrieval.stages.search import PageSearch
from retrieval.stores.knowledge import KnowledgeStore
from retrieval.types import Claim, FactCheck
from tests.making import make_page

PAGES = [
    make_page("Michael Lindqvist", "Michael Lindqvist won the fencing cup."),
    make_page("Micheal Ross", "Micheal Ross is an Irish singer."),
    make_page("Royal Rumble", "The Royal Rumble, one of many rumbles, is a cup of wrestling."),
]


@pytest.mark.parametrize(
    ("claim", "read"),
    [
        ("Micheal Lindqvist won the cup.", "Michael Lindqvist won the cup."),  # "Micheal" is on a page
        ("Micheal Ross won the cup.", "Micheal Ross won the cup."),
        ("Micheal Lindqvist is Swedish.", "Micheal Lindqvist is Swedish."),  # perhaps somebody without a page
        ("He won both Royal Rumbles and a cup.", "He won both Royal Rumbles and a cup."),
    ],
)
def test_a_name_that_no_page_has_is_read_as_the_one_that_a_page_has(claim: str, read: str) -> None:
    (progress,) = PageSearch(KnowledgeStore(PAGES, language="en"), 5).run(FactCheck(Claim("c", claim)))
    assert progress.check.claim.reading == read
    assert bool(progress.check.notes) == (claim != read)
