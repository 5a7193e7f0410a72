"""What every `PageStore` promises. A store's own test module inherits the class and says how a corpus is made."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from retrieval.errors import NoVectors
from retrieval.protocols import PageStore
from retrieval.stores.pages import digest
from retrieval.text.titles import fold, without_bracket
from retrieval.types import Page
from tests.contracts.encyclopedia import ARTICLE, COUNTRY, ENCYCLOPEDIA, LIST_OF_MEANINGS
from tests.making import make_page

MakeStore = Callable[[Sequence[Page]], PageStore]

# Each store's class runs the same test: to hypothesis, different executors.
ANY_STORE = settings(suppress_health_check=[HealthCheck.differing_executors])
SEARCHES = st.text() | st.text(alphabet="AND OR NOT TO +-\"~^:*?/\\()[]{}<>.,'`", max_size=40)


def ids(found: Sequence[tuple[Page, object]]) -> list[str]:
    return [page.id for page, _ in found]


class PageStoreContract:
    """Inherit it and give the fixture `make_store`, of module scope: pages to an open store that holds just these."""

    def test_is_a_page_store(self, store: PageStore) -> None:
        assert isinstance(store, PageStore)

    # get

    def test_get_gives_pages_as_they_were_added(self, store: PageStore) -> None:
        assert store.get([page.id for page in ENCYCLOPEDIA]) == {page.id: page for page in ENCYCLOPEDIA}

    def test_get_keeps_the_order_asked_for_and_leaves_out_unknown_ids(self, store: PageStore) -> None:
        found = store.get(["York", "no such page", "Beyoncé", "", "york", "York", "\0", "\ud800", "y" * 70_000])
        assert list(found) == ["York", "Beyoncé"]

    def test_get_nothing(self, store: PageStore) -> None:
        assert store.get([]) == {}

    def test_ids_are_told_apart_by_their_unicode_form(self, store: PageStore) -> None:
        assert store.get(["Charlotte_Brontë"]) == {}
        assert list(store.get(["Charlotte_Bronte\u0308"])) == ["Charlotte_Bronte\u0308"]

    def test_page_text_comes_back_to_the_letter(self, make_store: MakeStore) -> None:
        odd = [
            "a\u0301 b",
            "\ufeff\u200f\u202e",
            "🜚 👩‍👩‍👧 𝔘",
            "tab\tand\nbreak\r\u2028",
            "\x01\x7f\x85",
            "ﬁ İ ß \ufffd",
            '"\\/{}',
        ]
        pages = [
            make_page(f"Odd {number}", text, id=f"{number} {text}", links=(text,), source=text)
            for number, text in enumerate(odd)
        ]
        store = make_store(pages)
        assert store.get([page.id for page in pages]) == {page.id: page for page in pages}
        for page in pages:
            assert [sentence.text for sentence in store.get([page.id])[page.id].sentences()] == [page.text]

    # find_titles

    def test_whole_title(self, store: PageStore) -> None:
        found = store.find_titles(["Oliver Stone"])
        assert [(page.id, whole) for page, whole in found] == [("Oliver_Stone", True)]

    def test_title_without_its_bracket(self, store: PageStore) -> None:
        found = store.find_titles(["savages"])
        assert [(page.id, whole) for page, whole in found] == [
            ("Savages_(2012_film)", False),
            ("Savages_(band)", False),
        ]

    def test_whole_titles_come_first_within_a_span_and_spans_keep_their_order(self, store: PageStore) -> None:
        found = store.find_titles(["York", "titanic", "Beyoncé"])
        assert [(page.id, whole) for page, whole in found] == [
            ("York", True),
            ("Titanic", True),
            ("Titanic_(1997_film)", False),
            ("Beyoncé", True),
        ]

    @pytest.mark.parametrize(
        ("span", "page_id"),
        [
            ("BEYONCE", "Beyoncé"),
            ("Beyonce\u0301", "Beyoncé"),
            ("charlotte bronte", "Charlotte_Bronte\u0308"),
            ("  New   York-City. ", "New_York_City"),
            ("Savages 2012 film", "Savages_(2012_film)"),
            ("AT and T", "AT&T"),
            ("at&t", "AT&T"),
            ("!!!", "!!!"),
        ],
    )
    def test_case_accents_and_signs_do_not_count(self, store: PageStore, span: str, page_id: str) -> None:
        assert [(page.id, whole) for page, whole in store.find_titles([span])] == [(page_id, True)]

    def test_names_that_a_page_gives_itself(self, make_store: MakeStore) -> None:
        bridge = make_page("Lindenburg Bridge", "Lindenburg Bridge (LB), also known as the Amber Bridges, is a bridge.")
        other = make_page("Amber Bridges", "Amber Bridges is a village.")
        store = make_store([bridge, other])
        for span in ("amber bridge", "LB"):
            ((page, whole),) = store.find_titles([span])
            assert (page, whole, page.other_names) == (bridge, False, ("Amber Bridges", "LB"))
        named = store.find_titles(["amber bridges"])
        assert [(page.id, whole) for page, whole in named] == [(other.id, True), (bridge.id, False)]
        assert [page for page, _ in store.find_titles(["lb", "amber bridges"], 1)] == [bridge]

    @pytest.mark.parametrize(
        "span", ["Oliver", "Savages (1972 film)", "Oliver Stone Wall", "", "  ", "...", "\0", "🎬", "\ud800"]
    )
    def test_nothing_but_the_folded_title_matches(self, store: PageStore, span: str) -> None:
        assert store.find_titles([span]) == []

    def test_no_span_no_page(self, store: PageStore) -> None:
        assert store.find_titles([]) == []

    def test_a_page_appears_once(self, store: PageStore) -> None:
        found = store.find_titles(["Titanic 1997 film", "Titanic", "titanic", "TITANIC (1997 film)"])
        assert [(page.id, whole) for page, whole in found] == [("Titanic_(1997_film)", True), ("Titanic", True)]

    def test_top_k_cuts_the_promised_order(self, store: PageStore) -> None:
        spans = ["York", "Titanic", "Savages"]
        everything = store.find_titles(spans)
        assert len(everything) == 5
        alike = everything[3:]
        alike.sort(key=lambda match: digest(match[0]))
        for top_k in range(7):
            assert store.find_titles(spans, top_k) == (everything[:3] + alike[:1] if top_k == 4 else everything[:top_k])

    def test_top_k_takes_the_lowest_digests_of_many(self, make_store: MakeStore) -> None:
        pages = [make_page(f"Smith ({number:03})", id=f"{number * 7 % 50:02}") for number in range(50)]
        store = make_store([*pages, make_page("Smith", id="zz")])
        chosen = [page.id for page in sorted(pages, key=lambda page: digest(page))]
        assert ids(store.find_titles(["smith"], 4)) == ["zz", *sorted(chosen[:3])]

    # further titles, passages, disambiguation pages

    def test_later_fields_come_back(self, make_store: MakeStore) -> None:
        pages = [COUNTRY, *ARTICLE, LIST_OF_MEANINGS, make_page("Plain", "Plain.")]
        store = make_store(pages)
        assert store.get([page.id for page in pages]) == {page.id: page for page in pages}
        assert {page.id for batch in store.scan() for _, page in batch} == {page.id for page in pages}

    def test_a_further_title_is_as_good_as_its_own(self, make_store: MakeStore) -> None:
        store = make_store([COUNTRY, make_page("US (band)", "US is a band."), *ENCYCLOPEDIA])
        found = store.find_titles(["york", "u.s.", "US", "America"])
        assert [(page.id, whole) for page, whole in found] == [
            ("York", True),
            ("enwiki/1", True),
            ("US_(band)", False),
        ]

    def test_the_best_of_several_titles_says_where_a_page_stands(self, make_store: MakeStore) -> None:
        many = [make_page(f"Other {n}", "Text.", id=f"o{n}") for n in range(3)]
        store = make_store([replace(page, names=("second", "third")) for page in many] + [COUNTRY, *ENCYCLOPEDIA])
        everything = store.find_titles(["America", "second", "third", "US"])
        assert ids(everything) == ["enwiki/1", "o0", "o1", "o2"]
        assert ids(store.find_titles(["America", "second", "third", "US"], 1)) == ["enwiki/1"]
        assert len(store.find_titles(["second", "third", "US"], 2)) == 2

    def test_only_the_first_passage_bears_the_title(self, make_store: MakeStore) -> None:
        store = make_store(ARTICLE)
        assert ids(store.find_titles(["Moon", "Luna"])) == ["enwiki/2#1"]
        assert ids(store.search_text("craters"))[0] == "enwiki/2#2"

    def test_a_disambiguation_page_is_kept_and_never_found(self, make_store: MakeStore) -> None:
        store = make_store([LIST_OF_MEANINGS, make_page("Mercury (planet)", "Mercury is a planet.")])
        assert store.count() == 2
        assert store.get([LIST_OF_MEANINGS.id])[LIST_OF_MEANINGS.id].disambiguation
        assert ids(store.find_titles(["Mercury", "Mercury (disambiguation)", "Hg"])) == ["Mercury_(planet)"]
        assert ids(store.search_text("Mercury may refer to", ["may refer to"])) == ["Mercury_(planet)"]

    # search_text

    @pytest.mark.parametrize("query", ["", " ", "?!", "... --- ...", "🎬", "\0", "()", '"'])
    def test_a_query_without_words_finds_nothing(self, store: PageStore, query: str) -> None:
        assert store.search_text(query) == []

    def test_a_word_that_no_page_has(self, store: PageStore) -> None:
        assert store.search_text("xyzzy") == []

    def test_title_and_text_are_searched_and_the_best_comes_first(self, store: PageStore) -> None:
        found = store.search_text("American director Oliver Stone")
        assert ids(found)[0] == "Oliver_Stone"
        assert {"Savages_(2012_film)", "Beyoncé"} <= set(ids(found))
        scores = [score for _, score in found]
        assert scores == sorted(scores, reverse=True)
        assert min(scores) > 0

    @pytest.mark.parametrize("query", ["BEYONCÉ", "beyonce", "Beyonce\u0301"])
    def test_case_and_accents_of_a_query_do_not_count(self, store: PageStore, query: str) -> None:
        assert ids(store.search_text(query)) == ["Beyoncé"]

    @pytest.mark.parametrize(
        "query",
        [
            "director -Oliver",
            "+director +singer",
            '"Stone Oliver" director',
            "title:director",
            "director~2 Oliver^9",
            "director AND NOT Oliver",
            "text:[a TO z] director",
            "direct* (director",
            "director\\",
        ],
    )
    def test_a_query_is_plain_text(self, store: PageStore, query: str) -> None:
        assert "Oliver_Stone" in ids(store.search_text(query))

    @pytest.mark.parametrize(
        "query", ["AND OR NOT", '+ - " ~ ^ : *', '"', "a:b:c", "/a(b/", "city\0city", "\u202ecity", "\ud800 city"]
    )
    def test_odd_queries_are_answered(self, store: PageStore, query: str) -> None:
        assert len(store.search_text(query)) <= 10

    def test_very_long_queries_are_answered(self, store: PageStore) -> None:
        assert store.search_text("city " * 2_000) == store.search_text("city")
        assert ids(store.search_text(" ".join(f"word{number}" for number in range(1_400)) + " singer")) == ["Beyoncé"]
        assert store.search_text("x" * 100_000) == []

    def test_a_phrase_adds_its_own_score(self, store: PageStore) -> None:
        plain = dict(zip(ids(found := store.search_text("new york city")), (score for _, score in found), strict=True))
        found = store.search_text("new york city", ["New York City"])
        phrased = dict(zip(ids(found), (score for _, score in found), strict=True))
        raised = {page_id for page_id in plain if phrased[page_id] > plain[page_id] + 1e-6}
        assert raised == {"New_York_City", "Oliver_Stone"}

    def test_the_most_frequent_words_count_only_where_there_are_no_others(self, store: PageStore) -> None:
        assert store.search_text("The singer is in a city, and of the sea") == store.search_text("singer city sea")
        assert "The_Savages" in ids(store.search_text("the of"))

    def test_a_phrase_of_one_word_counts_too(self, store: PageStore) -> None:
        plain, phrased = store.search_text("singer"), store.search_text("singer", ["american"])
        assert ids(plain) == ["Beyoncé"]
        assert ids(phrased) == ["Beyoncé", "Oliver_Stone"]
        assert phrased[0][1] > plain[0][1]

    def test_a_phrase_is_found_without_a_query(self, store: PageStore) -> None:
        assert ids(store.search_text("", ["rock band"])) == ["Savages_(band)"]

    def test_phrases_without_words_change_nothing(self, store: PageStore) -> None:
        assert store.search_text("city", ["", "!?", "\0"]) == store.search_text("city")
        assert store.search_text("", ["", "!?"]) == []

    def test_ties_are_in_order_of_id_and_digests_choose_where_top_k_cuts(self, make_store: MakeStore) -> None:
        order = [7, 3, 9, 0, 5, 1, 8, 2, 6, 4]
        twins = [make_page("Twin", "Twins look alike.", id=f"twin {number}") for number in order]
        store = make_store([*twins, make_page("Twin", "Twins, twins, twins, twins alike.", id="z")])
        chosen = [page.id for page in sorted(twins, key=lambda page: digest(page))]
        assert ids(store.search_text("twins alike", top_k=100)) == ["z", *(f"twin {number}" for number in range(10))]
        for top_k in (1, 4, 10):
            found = ids(store.search_text("twins alike", top_k=top_k))
            assert found == ["z", *sorted(chosen[: top_k - 1])]
            assert ids(store.search_text("", ["look alike"], top_k=top_k)) == sorted(chosen[:top_k])

    def test_ties_among_many(self, make_store: MakeStore) -> None:
        twins = [make_page("Twin", "Twins look alike.", id=f"twin {number:04}") for number in range(700)]
        store = make_store(twins)
        chosen = [page.id for page in sorted(twins, key=lambda page: digest(page))]
        for top_k in (99, 100, 150, 699, 700, 1000):
            assert ids(store.search_text("", ["look alike"], top_k=top_k)) == sorted(chosen[:top_k])
            assert ids(store.find_titles(["twin"], top_k)) == sorted(chosen[:top_k])

    # rank_text

    def test_ids_and_scores_are_those_of_the_pages(self, make_store: MakeStore) -> None:
        odd = ('"', "\\", '\\"', 'a\\\\"b', "ü\n", "[", "🜚", "x" * 600, "#" + "0" * 64)
        twins = [make_page("Twin", "Twins look alike.", id=page_id) for page_id in (*odd, "9", "10", "z")]
        store = make_store([*twins, make_page("Other", "They look alike, alike."), *ENCYCLOPEDIA])
        for query, phrases in (("twins look", []), ("", ["look alike"]), ("city", ["new york"]), ("", [])):
            for top_k in (0, 1, 3, 10, 1000):
                found = store.search_text(query, phrases, top_k)
                ranked = store.rank_text(query, phrases, top_k)
                assert [page_id for page_id, _ in ranked] == ids(found)
                assert [score for _, score in ranked] == pytest.approx([score for _, score in found])
                assert list(store.get([page_id for page_id, _ in ranked]).values()) == [page for page, _ in found]

    @pytest.mark.parametrize("top_k", [0, -1])
    def test_no_place_no_page(self, store: PageStore, top_k: int) -> None:
        assert store.search_text("city", top_k=top_k) == []
        assert store.find_titles(["York"], top_k) == []

    def test_top_k_may_be_larger_than_the_corpus(self, store: PageStore) -> None:
        assert store.search_text("city", top_k=10**9) == store.search_text("city", top_k=len(ENCYCLOPEDIA))
        assert ids(store.find_titles(["York"], 10**9)) == ["York"]

    @ANY_STORE
    @given(query=SEARCHES, phrase=SEARCHES)
    def test_no_text_breaks_a_search(self, store: PageStore, query: str, phrase: str) -> None:
        assert len(store.search_text(query, [phrase], top_k=3)) <= 3
        for page, whole in store.find_titles([query, phrase]):
            assert fold(page.title if whole else without_bracket(page.title)) in {fold(query), fold(phrase)}
        assert set(store.get([query, phrase])) <= {query, phrase}

    @ANY_STORE
    @given(page_index=st.integers(0, len(ENCYCLOPEDIA) - 1), form=st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
    def test_every_page_is_found_by_its_title(self, store: PageStore, page_index: int, form: str) -> None:
        page = ENCYCLOPEDIA[page_index]
        for title in (page.title, page.title.upper(), page.title.lower()):
            assert (page, True) in store.find_titles([unicodedata.normalize(form, title)])  # type: ignore[arg-type]

    # both at once, and all of them

    def test_titles_and_texts_at_once_are_what_they_are_alone(self, store: PageStore) -> None:
        for query in ("Savages is a film by Oliver Stone.", "york", "", "!!!", "nothing of this"):
            spans = [query, *query.split(), "Titanic", "New York City"]
            for top_k in (0, 1, 3, 100):
                both = store.find_pages(spans, query, top_k, top_k)
                assert both == (store.find_titles(spans, top_k), store.search_text(query, top_k=top_k))

    def test_words_that_no_page_holds_are_respelt(self, make_store: MakeStore) -> None:
        pages = [make_page("Akira Kurosawa", "He won prizes."), make_page("Kurosava", "Kurosawa, prize, price, price.")]
        store = make_store([*pages, make_page("Prize", "A prize.")])
        words = ["kurasawa", "kurosava", "prise", "nobody", "kuras", "\x00", "kurosawa's"]
        assert store.respell(words) == {"kurasawa": "kurosawa", "prise": "prize"}
        assert store.respell([]) == {}

    def test_scan_gives_every_page_once_by_ascending_digest(self, make_store: MakeStore) -> None:
        pages = [make_page(f"Page {number}", f"Sentence {number}.") for number in range(60)]
        store = make_store(pages)
        found = [numbered for batch in store.scan() for numbered in batch]
        assert {page.id: page for _, page in found} == {page.id: page for page in pages}
        numbers = [number for number, _ in found]
        assert numbers == sorted(set(numbers))
        for place in (0, 30, 58, 59):
            rest = [numbered for batch in store.scan(numbers[place]) for numbered in batch]
            assert rest == found[place + 1 :]

    def test_without_vectors(self, store: PageStore) -> None:
        with pytest.raises(NoVectors, match=r"have no vectors\. Make them with `python -m indexing vectors --store"):
            store.score_vectors(["York"], np.ones((1, 3), np.float32))

    # the whole

    def test_count_and_info(self, store: PageStore) -> None:
        info = store.info()
        assert store.count() == info.pages == len(ENCYCLOPEDIA)
        assert len(info.fingerprint) == 16
        assert int(info.fingerprint, 16) > 0
        assert info.built.endswith("+00:00")
        assert info.bytes > 0

    def test_an_empty_store_answers(self, make_store: MakeStore) -> None:
        store = make_store([])
        assert store.count() == store.info().pages == 0
        assert store.get(["a"]) == {}
        assert store.find_titles(["a"]) == store.search_text("a") == []

    def test_close_twice(self, make_store: MakeStore) -> None:
        store = make_store(ENCYCLOPEDIA[:1])
        store.close()
        store.close()

    def test_eight_threads_at_once(self, store: PageStore) -> None:
        def ask(number: int) -> object:
            page = ENCYCLOPEDIA[number % len(ENCYCLOPEDIA)]
            return store.get([page.id]), store.find_titles([page.title]), store.search_text(page.text, [page.title])

        alone = [ask(number) for number in range(len(ENCYCLOPEDIA))]
        with ThreadPoolExecutor(8) as pool:
            together = list(pool.map(ask, range(8 * len(ENCYCLOPEDIA))))
        assert together == alone * 8
