"""Of the pages that a phrase finds, only those are read that the next step of recipe `esoteric` can use."""

from __future__ import annotations

from retrieval.stages.esoteric.pages import TextMatch
from retrieval.types import Hit
from tests.retrieval.stages.test_esoteric import (
    ASKED,
    BAND,
    FILM,
    PARIS,
    STORE,
    STREAM,
    TopicEncoder,
    VectorShelf,
    begun,
    hits,
    last,
    ranking,
)  # fmt: skip


def test_without_vectors_the_likeliest_pages_go_on_with_those_in_brackets() -> None:
    before = (Hit(FILM, 0.9, "bracket"),)
    check = begun("The Seine flows through Paris in a city.", "city", "Paris", pages=before)
    for encoded, kept in ((1, []), (2, ["Seine"]), (3, ["Paris", "Seine"]), (9, ["Savages (band)", "Paris", "Seine"])):
        found = last(TextMatch(STORE, 1000, encoded=encoded), check)  # type: ignore[arg-type]
        assert [hit.page.title for hit in found.pages[1:]] in (kept, kept[::-1])
        assert "3 are new" in found.details["text"]
        assert found.found == ()


def test_with_vectors_only_pages_that_answer_a_question_are_read() -> None:
    encoder = TopicEncoder()
    store = VectorShelf((PARIS, FILM, BAND, STREAM), encoder, (PARIS, FILM, BAND))
    stage = TextMatch(store, 1000, encoded=40, model="topics")  # type: ignore[arg-type]
    check = begun(
        "Paris has a band in the city by the river.",
        "city",
        "river",
        "band",
        pages=hits(PARIS, method="title"),
        questions=ASKED,
    )
    after = last(stage, check)
    assert after.pages == check.pages
    assert [page_id for page_id, _ in after.found] == [page.id for page in (FILM, BAND, STREAM)]
    done = last(ranking(store, encoder, model="topics"), after)
    assert store.asked == [STREAM.id, FILM.id], "the one without a vector, to be encoded; then the one that is kept"
    assert {hit.page.title for hit in done.pages} == {"Paris", "Savages (2012 film)", "Seine"}
    assert done.found == ()
    store.pages = (PARIS,)
    assert [hit.page.title for hit in last(ranking(store, encoder, model="topics"), after).pages] == ["Paris"]
