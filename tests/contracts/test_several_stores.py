"""Several corpora read as one keep the store's contract, up to their pages' ids; what each brings is merged by relevance."""

from __future__ import annotations

import numpy as np
import pytest

from retrieval.errors import NoVectors
from retrieval.stores.knowledge import KnowledgeStore
from retrieval.stores.several import SCALED_PAGES, SeveralStores
from retrieval.types import Page
from tests.contracts.encyclopedia import ENCYCLOPEDIA
from tests.making import make_page

BRIDGE = make_page("Old bridge", "The old bridge of York opened in 1931.", "It is 300 m long.")
FOLDER = (
    BRIDGE,
    make_page("York", "Our own notes on York: the mayor lives there."),
    make_page("Menu", "Soup and bread."),
)


def several(*folder: Page) -> SeveralStores:
    return SeveralStores(
        {"corpus": KnowledgeStore(ENCYCLOPEDIA, "Wikipedia"), "notes": KnowledgeStore(folder, "My folder")}
    )


@pytest.fixture(scope="module")
def store() -> SeveralStores:
    return several(*FOLDER)


def test_pages_of_the_same_id_are_told_apart_and_name_their_corpus(store: SeveralStores) -> None:
    found = store.get(["notes:York", "corpus:York", "York", "other:York", "notes:Nobody"])
    assert [(page_id, page.corpus) for page_id, page in found.items()] == [
        ("notes:York", "My folder"),
        ("corpus:York", "Wikipedia"),
    ]
    assert found["notes:York"].id == "notes:York"
    assert found["notes:York"].text != found["corpus:York"].text


def test_titles_of_all_corpora_in_one_order(store: SeveralStores) -> None:
    found = store.find_titles(["Savages", "York"])
    assert [(page.id, whole) for page, whole in found] == [
        ("corpus:Savages_(2012_film)", False),
        ("corpus:Savages_(band)", False),
        ("corpus:York", True),
        ("notes:York", True),
    ]
    assert len(store.find_titles(["York"], top_k=1)) == 1


def test_the_relevant_page_is_first_whichever_corpus_it_is_in(store: SeveralStores) -> None:
    for query, best in (
        ("The old bridge opened in 1931.", "notes:Old_bridge"),
        ("Oliver Stone is an American director.", "corpus:Oliver_Stone"),
    ):
        found = store.search_text(query, top_k=4)
        assert found[0][0].id == best, query
        assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
    assert store.search_text("", ()) == []
    assert store.search_text("no such words anywhere") == []


def test_a_small_corpus_that_knows_nothing_does_not_crowd_out_the_large_one() -> None:
    """Each corpus's own best page would be as good as any other by its own measure."""
    found = several(make_page("Menu", "Soup and a city."), make_page("Rota", "Anna, Tom.")).search_text(
        "New York City is a city.", top_k=3
    )
    assert found[0][0].id == "corpus:New_York_City"


@pytest.mark.parametrize("top_k", [0, 1, 7, 20, 60, 199, 1000])
def test_ids_and_scores_are_those_of_the_pages_of_which_few_are_read(
    monkeypatch: pytest.MonkeyPatch, top_k: int
) -> None:
    twins = [make_page("Twin", "Twins look alike.", id=str(number)) for number in range(100)]
    store = several(*twins[:60], *(make_page(f"Page {n}", "They look alike " + "again " * n) for n in range(40)))
    for query, phrases in (("twins look", []), ("", ["look alike"]), ("city", ["new york"]), ("nobody", [])):
        found = store.search_text(query, phrases, top_k)
        read: list[int] = []
        get = KnowledgeStore.get
        with monkeypatch.context() as patch:
            patch.setattr(
                KnowledgeStore, "get", lambda self, ids, get=get, read=read: read.append(len(ids)) or get(self, ids)
            )
            patch.setattr(SeveralStores, "search_text", None)
            ranked = store.rank_text(query, phrases, top_k)
        assert ranked == [(page.id, score) for page, score in found]
        assert sum(read) <= 2 * SCALED_PAGES + (60 if 0 < top_k < 100 else 0), (
            "the best, and those that tie with the last"
        )


def test_each_corpus_keeps_its_own_order(store: SeveralStores) -> None:
    alone = [page.id for page, _ in KnowledgeStore(ENCYCLOPEDIA).search_text("a film of the city", top_k=50)]
    merged = [page.id for page, _ in store.search_text("a film of the city", top_k=50)]
    assert [page_id.removeprefix("corpus:") for page_id in merged if page_id.startswith("corpus:")] == alone


def test_one_round_trip_finds_the_same(store: SeveralStores) -> None:
    titles, texts = store.find_pages(["York", "Old bridge"], "the old bridge of York", 10, 5)
    assert titles == store.find_titles(["York", "Old bridge"], 10)
    assert texts == store.search_text("the old bridge of York", top_k=5)


def test_a_word_that_one_of_them_holds_is_spelt_right(store: SeveralStores) -> None:
    assert store.respell(["englich", "notee"]) == {"englich": "english", "notee": "notes"}
    assert several(make_page("Name", "Mr Englich lives here.")).respell(["englich"]) == {}


def test_what_they_hold_together(store: SeveralStores) -> None:
    info = store.info()
    assert (info.pages, info.name) == (len(ENCYCLOPEDIA) + len(FOLDER), "Wikipedia and My folder")
    assert store.count() == info.pages
    assert several(*FOLDER).info().fingerprint == info.fingerprint != several(BRIDGE).info().fingerprint
    digests = [number for batch in store.scan() for number, _ in batch]
    assert len(digests) == info.pages
    assert digests == sorted(digests)
    assert [number for batch in store.scan(digests[3]) for number, _ in batch] == digests[4:]


def test_without_vectors_that_can_be_compared_there_are_none(store: SeveralStores) -> None:
    assert store.info().vector_model == ""
    with pytest.raises(NoVectors, match="indexing vectors"):
        store.score_vectors(["corpus:York"], np.zeros((1, 3), np.float32))
