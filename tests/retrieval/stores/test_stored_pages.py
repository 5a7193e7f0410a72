"""A page as every store keeps it."""

from __future__ import annotations

import json
import random

from hypothesis import given
from hypothesis import strategies as st

from retrieval.stores.embedded.writer import _Ids
from retrieval.stores.pages import encodable, id_of, pack, unpack
from retrieval.text.words import searched
from retrieval.types import Page

TEXTS = st.text(st.characters(codec="utf-8"))
LINES = st.tuples(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 10**6))


@given(st.builds(Page, TEXTS, TEXTS, TEXTS, st.lists(LINES).map(tuple), st.lists(TEXTS).map(tuple), TEXTS))
def test_the_bytes_of_a_page_are_its_record_as_plain_json(page: Page) -> None:
    # A corpus' fingerprint hangs on every byte, so another writer of JSON must not write it otherwise.
    record = [page.id, page.title, page.text, page.lines, page.links, page.source]
    assert pack(page) == json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()
    assert unpack(pack(page)) == page
    assert id_of(pack(page)) == page.id


@given(st.text('\\\\"a,[', max_size=12))
def test_the_id_is_found_among_quotation_marks_and_backslashes(page_id: str) -> None:
    assert id_of(pack(Page(page_id, '"', "Text.", ()))) == page_id


LATER = {
    "site": TEXTS, "revision": st.none() | st.integers(1, 2**53), "retrieved": TEXTS, "prior": st.integers(0, 2**53),
    "names": st.lists(TEXTS).map(tuple), "disambiguation": st.booleans(), "part": st.integers(0, 9), "parts": st.integers(0, 9),
}  # fmt: skip


@given(st.fixed_dictionaries(LATER))
def test_later_fields_stand_behind_the_record_of_the_first_version(later: dict[str, object]) -> None:
    page = Page("a", "A", "Text.", ((0, 0, 5),), **later)  # type: ignore[arg-type]
    assert unpack(pack(page)) == page
    first = b'["a","A","Text.",[[0,0,5]],[],""'
    assert pack(page).startswith(first)
    assert unpack(first + b"]") == Page("a", "A", "Text.", ((0, 0, 5),))
    assert set(json.loads(pack(page))[6:] and json.loads(pack(page))[6]) == {
        name for name, value in later.items() if value
    }


@given(st.text(), st.sampled_from(["", "\ud800", "\udfff", "\udbff\udc00"]))
def test_half_a_character_cannot_be_a_key(text: str, half: str) -> None:
    assert encodable(text + half) == (not any("\ud800" <= char <= "\udfff" for char in text + half))


def test_ids_that_were_added_are_known_and_few_others() -> None:
    ids = _Ids()
    names = [f"page {number}" for number in range(50_000)]
    assert sum(ids.add(name) for name in names) < 5
    random.Random(0).shuffle(names)
    assert all(ids.add(name) for name in names)


def test_frequent_words_are_left_out_unless_there_are_no_others() -> None:
    assert searched("the cat is in the hat in a cat".split()) == ["cat", "hat"]
    assert searched("the of the".split()) == ["the", "of"]
    assert searched([]) == []
