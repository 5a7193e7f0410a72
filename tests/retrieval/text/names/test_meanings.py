"""What a page that lists meanings says its title may stand for, and how a search follows it."""

from __future__ import annotations

import pytest

from retrieval.stages.search import find_pages
from retrieval.stores.knowledge import KnowledgeStore
from retrieval.text.names.first_sentence import meanings
from retrieval.text.ranking import title_spans
from retrieval.types import Page
from tests.making import make_page

LISTING = make_page(
    "AMB (disambiguation)", "AMB are the initials of Ada M. Brook (1901–1980), a poet.", "AMB may also refer to:"
)
POET = make_page("Ada M. Brook", "Ada Maria Brook was a poet.", "She was born in Norham.")


@pytest.mark.parametrize(
    ("page", "found"),
    [
        (LISTING, ["Ada M. Brook"]),
        (
            make_page("LR (disambiguation)", "LR or the League of Rivers is a union.", "LR may refer to:"),
            ["League of Rivers"],
        ),
        (make_page("Brook", "Brook may refer to:", "Ada Brook (1901–1980), poet", "Stone, a village"), ["Ada Brook"]),
        (make_page("Norham (disambiguation)", "Norham is the capital of the Lake Republic."), []),
        (make_page("X (disambiguation)"), []),
    ],
)
def test_meanings_of_a_title(page: Page, found: list[str]) -> None:
    assert meanings(page) == found


def test_a_search_follows_a_page_of_meanings() -> None:
    store = KnowledgeStore([LISTING, POET, make_page("Norham", "Norham is a town.")])
    claim = "AMB was born in Norham."
    hits = {hit.page.title: hit for hit in find_pages(store, claim, claim, title_spans(claim))}
    assert hits["Ada M. Brook"].page.other_names[-1] == "AMB"
    assert hits["Ada M. Brook"].method == "title and text"
    assert POET.other_names == ()
