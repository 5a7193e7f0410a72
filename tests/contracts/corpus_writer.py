"""What every `CorpusWriter` promises. A store's own test module inherits the class and says how a writer is opened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

import pytest

from retrieval.protocols import CorpusWriter, PageStore
from retrieval.stores import lookups
from retrieval.types import CorpusInfo, Page
from tests.making import make_page

OpenWriter = Callable[..., AbstractContextManager[CorpusWriter]]
OpenStore = Callable[[], PageStore]

OLD = (make_page("Mercury", "Mercury is a planet."), make_page("Venus", "Venus is a planet."))
NEW = (make_page("Mars", "Mars is red."), make_page("Venus", "Venus is bright."))


class CorpusWriterContract:
    """Inherit it and give two fixtures of function scope, over the same empty place.

    open_writer(job, replace=False, restart=False): a writer in a `with`. open_store(): a reader of what is there now.
    """

    @staticmethod
    def load(open_writer: OpenWriter, pages: Sequence[Page], job: str = "job", **options: bool) -> CorpusInfo:
        with open_writer(job, **options) as writer:
            writer.add(pages)
            return writer.finish("planets")

    def test_pages_are_there_after_finish(self, open_writer: OpenWriter, open_store: OpenStore) -> None:
        card = self.load(open_writer, OLD)
        store = open_store()
        assert store.get(["Mercury", "Venus"]) == {page.id: page for page in OLD}
        assert (store.count(), store.info().fingerprint, store.info().name) == (2, card.fingerprint, "planets")

    def test_add_says_how_many_were_given(self, open_writer: OpenWriter) -> None:
        with open_writer("job") as writer:
            assert writer.add(iter(OLD)) == 2
            assert writer.add(OLD[:1]) == 1
            assert writer.add(()) == 0

    def test_a_page_replaces_the_one_with_its_id(self, open_writer: OpenWriter, open_store: OpenStore) -> None:
        with open_writer("job") as writer:
            writer.add([make_page("Mercury", "Mercury is a god."), OLD[0]])
            writer.add([make_page("Venus", "Venus is a goddess."), OLD[1]])
            writer.finish("")
        assert open_store().get(["Mercury", "Venus"]) == {page.id: page for page in OLD}
        assert open_store().count() == 2
        assert open_store().search_text("goddess") == []

    def test_adding_to_a_corpus_keeps_the_other_pages(self, open_writer: OpenWriter, open_store: OpenStore) -> None:
        self.load(open_writer, OLD)
        self.load(open_writer, NEW)
        assert open_store().get(["Mercury", "Venus", "Mars"]) == {"Mercury": OLD[0], "Mars": NEW[0], "Venus": NEW[1]}
        assert open_store().count() == 3

    def test_replace_leaves_the_other_pages_out(self, open_writer: OpenWriter, open_store: OpenStore) -> None:
        self.load(open_writer, OLD)
        self.load(open_writer, NEW, replace=True)
        assert open_store().count() == 2
        assert open_store().get(["Mercury"]) == {}

    def test_removed_pages_are_gone_and_unknown_ids_are_no_error(
        self, open_writer: OpenWriter, open_store: OpenStore
    ) -> None:
        self.load(open_writer, OLD)
        with open_writer("job") as writer:
            writer.remove(["Mercury", "Pluto"])
            writer.finish("")
        assert open_store().count() == 1
        assert open_store().find_titles(["Mercury"]) == []

    def test_readers_keep_their_corpus_while_the_next_is_built_and_after(
        self, open_writer: OpenWriter, open_store: OpenStore
    ) -> None:
        self.load(open_writer, OLD)
        reader = open_store()
        answers = [reader.info(), reader.get(["Mercury", "Venus"]), reader.search_text("planet")]
        with open_writer("job", replace=True) as writer:
            writer.add(NEW)
            writer.checkpoint({"row": 1})
            assert open_store().info() == reader.info()
            assert [reader.info(), reader.get(["Mercury", "Venus"]), reader.search_text("planet")] == answers
            writer.finish("")
        assert [reader.info(), reader.get(["Mercury", "Venus"]), reader.search_text("planet")] == answers
        assert open_store().search_text("planet") == []
        assert [page.id for page, _ in open_store().search_text("venus mars")] != []

    def test_what_is_not_finished_is_not_seen(self, open_writer: OpenWriter, open_store: OpenStore) -> None:
        self.load(open_writer, OLD)
        with open_writer("job") as writer:
            writer.add(NEW)
            writer.checkpoint({})
        assert open_store().get(["Mars"]) == {}

    def test_the_same_job_goes_on_from_its_checkpoint(self, open_writer: OpenWriter, open_store: OpenStore) -> None:
        with open_writer("job") as writer:
            assert writer.position is None
            writer.add(OLD)
            writer.checkpoint({"row": 2, "file": "ä"})
            writer.add(NEW)
        with open_writer("job") as writer:
            assert writer.position == {"row": 2, "file": "ä"}
            writer.add(NEW)
            writer.finish("")
        assert open_store().count() == 3
        with open_writer("job") as writer:
            assert writer.position is None

    def test_fingerprint_is_of_the_content_alone(self, open_writer: OpenWriter) -> None:
        pages = [make_page(f"Page {number}", f"Sentence {number}.") for number in range(50)]
        first = self.load(open_writer, pages, replace=True)
        again = self.load(open_writer, pages[::-1], "another job", replace=True)
        assert (again.fingerprint, again.pages) == (first.fingerprint, 50)
        half = self.load(open_writer, pages[:25], replace=True)
        assert half.fingerprint != first.fingerprint
        assert self.load(open_writer, pages[20:]).fingerprint == first.fingerprint

    @pytest.mark.parametrize(
        "other",
        [
            make_page("Mars", "Mars is  red."),
            make_page("Mars", "Mars is red.", links=("Red",)),
            make_page("mars", "Mars is red.", id="Mars"),
            make_page("Mars", "Mars is red.", id="mars"),
            make_page("Mars", "Mars is", "red."),
        ],
    )
    def test_fingerprint_sees_every_difference(self, open_writer: OpenWriter, other: Page) -> None:
        prints = {self.load(open_writer, pages, replace=True).fingerprint for pages in (NEW[:1], [other])}
        assert len(prints) == 2

    def test_fingerprint_of_a_corpus_brought_up_to_date_is_that_of_a_fresh_one(self, open_writer: OpenWriter) -> None:
        week = [replace(page, revision=7, retrieved="2025-12-07") for page in (*OLD, NEW[0])]
        later = [replace(page, retrieved="2025-12-14") for page in week[:2]]
        changed = replace(later[1], text="Venus is hot.", revision=8)
        self.load(open_writer, week)
        with open_writer("update") as writer:
            writer.add([changed])
            writer.remove(["Mars"])
            updated = writer.finish("planets")
        fresh = self.load(open_writer, [later[0], changed], replace=True)
        assert (updated.fingerprint, updated.pages) == (fresh.fingerprint, fresh.pages)

    @pytest.mark.parametrize(
        "other", [{"revision": 8}, {"names": ("Red planet",)}, {"prior": 3}, {"site": "a.example"}]
    )
    def test_fingerprint_covers_all_but_the_day_that_a_page_was_taken(
        self, open_writer: OpenWriter, other: dict[str, Any]
    ) -> None:
        page = replace(NEW[0], revision=7, retrieved="2025-12-07")
        before = self.load(open_writer, [page]).fingerprint
        same = self.load(open_writer, [replace(page, retrieved="2025-12-14")], replace=True)
        assert same.fingerprint == before
        assert self.load(open_writer, [replace(page, **other)], replace=True).fingerprint != before

    def test_phrases_of_frequent_words_alone_are_left_out_where_others_find_pages(
        self, open_writer: OpenWriter, open_store: OpenStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(lookups, "FREQUENT_SHARE", 0.5)
        monkeypatch.setattr(lookups, "LARGE_CORPUS", 1)
        films = [make_page(f"Film {number}", "It is a long film by her.") for number in range(3)]
        rare = make_page("Rare", "A long film by Varda, set in Sète.")
        self.load(open_writer, [*films, rare, make_page("Sète", "Sète lies by the sea.")])
        store = open_store()
        alone = dict(store.rank_text("", ["film by"]))
        assert len(alone) == 4, "there is no other phrase"
        named = dict(store.rank_text("", ["Sète"]))
        assert set(named) == {"Rare", "Sète"}
        assert dict(store.rank_text("", ["film by", "Sète", "long"])) == pytest.approx(named)
        assert set(dict(store.rank_text("", ["by Varda", "film by"]))) == {"Rare"}, "one rare word is enough"
        assert set(dict(store.rank_text("Varda", ["film by"]))) == {"Rare"}, "a query finds pages too"
        assert store.rank_text("", ["by Sète", "film by"]) == store.rank_text("", ["film by"]), "the other finds none"

    @pytest.mark.parametrize(
        ("language", "text", "query", "phrase"),
        [
            ("de", "Die Straßenbahn fährt über die alte Brücke.", "Straßenbahnen", "alten Brücken"),
            ("es", "El tranvía cruza el puente antiguo.", "tranvías", "puentes antiguos"),
        ],
    )
    def test_words_are_looked_up_by_the_rules_of_the_language(
        self, open_writer: OpenWriter, open_store: OpenStore, language: str, text: str, query: str, phrase: str
    ) -> None:
        page = make_page("One", text)
        with open_writer("job", language=language) as writer:
            writer.add([page, make_page("Two", "Nada. Nichts.")])
            writer.finish("", language)
        with open_writer("more") as writer:
            writer.add([make_page("Three", text)])
            writer.finish("", language)
        store = open_store()
        assert [page.id for page, _ in store.search_text(query)] == ["One", "Three"]
        assert [page.id for page, _ in store.search_text("", [phrase])] == ["One", "Three"]
        assert store.get(["One"]) == {"One": page}
        assert store.find_titles(["one"]) == [(page, True)]
        assert (store.respell(["strasenbahn"]), bool(store.info().stemmer)) == ({}, True)
        with open_writer("english", language="en", replace=True) as writer:
            writer.add([page])
            writer.finish("", "en")
        assert (open_store().search_text(query), open_store().info().stemmer) == ([], "")
