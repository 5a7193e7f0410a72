"""An article of the dump as a page: fields that are missing, fields that lie, addresses that must not run."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.wikipedia.article import FULL, Origin, article_of, clean, is_disambiguation, parse_article
from retrieval.text.addresses import page_address
from retrieval.types import Page

ORIGIN = Origin.of("enwiki", "2025-12-07")
SENTENCES = "The Moon is a moon. It is round."


def article(**fields: Any) -> dict[str, Any]:
    return {"page_id": 7, "title": "Moon", "version": 12, "opening_text": SENTENCES, "text": SENTENCES, **fields}


def page(**fields: Any) -> Page:
    (found,) = parse_article(article(**fields), None, ORIGIN)
    return found


def test_a_page() -> None:
    found = page(redirect=[{"namespace": 0, "title": "Luna"}], incoming_links=5, outgoing_link=["Round_(shape)", "Sun"])
    assert found == Page(
        "enwiki/7", "Moon", SENTENCES, ((0, 0, 19), (1, 20, 32)), (), site="en.wikipedia.org", revision=12,
        retrieved="2025-12-07", names=("Luna",), prior=5,
    )  # fmt: skip


def test_sites() -> None:
    assert Origin.of("simplewiki", "").site == "simple.wikipedia.org"


class TestIntroduction:
    def test_opening_text(self) -> None:
        assert page(text="Something else. History It began.").text == SENTENCES

    def test_text_up_to_the_first_heading(self) -> None:
        text = "The History of it. It is round. History It began. Career More."
        assert (
            page(opening_text=None, text=text, heading=["History", "Career"]).text == "The History of it. It is round."
        )

    def test_a_bounded_beginning_where_the_heading_is_not_found(self) -> None:
        text = "This is a sentence. " * 200
        found = page(opening_text="", text=text, heading=["Lost"])
        assert 1000 < len(found.text) <= 1200
        assert found.text.endswith("sentence.")

    def test_headings_of_odd_signs(self) -> None:
        assert page(opening_text="", text="It is. C++ (old) It was.", heading=["C++ (old)"]).text == "It is."

    @pytest.mark.parametrize("fields", [{"opening_text": "", "text": ""}, {"opening_text": 5, "text": None}])
    def test_no_text_no_page(self, fields: dict[str, Any]) -> None:
        assert parse_article(article(**fields), None, ORIGIN) == []

    def test_other_namespaces_are_no_pages(self) -> None:
        assert parse_article(article(namespace=14), None, ORIGIN) == []


class TestMissingAndWrong:
    def test_the_number_of_the_action_serves(self) -> None:
        (found,) = parse_article({"title": "Moon", "text": "It is."}, "31", ORIGIN)
        assert (found.id, found.revision, found.names, found.prior) == ("enwiki/31", None, (), 0)

    @pytest.mark.parametrize("document", [[], "x", None, {}, {"title": "A"}, {"page_id": 1}, {"page_id": 0, "title": "A"},
        {"page_id": True, "title": "A"}, {"page_id": -3, "title": "A"}, {"page_id": 1, "title": "A" * 400}])  # fmt: skip
    def test_no_article(self, document: object) -> None:
        with pytest.raises(ValueError, match="it "):
            parse_article(document, None, ORIGIN)

    @pytest.mark.parametrize("version", [True, -1, 1.5, "x", None, 2**60, [1]])
    def test_a_version_that_is_none_gives_the_address_of_the_title(self, version: object) -> None:
        found = page(version=version)
        assert (found.revision, page_address(found)) == (None, "https://en.wikipedia.org/wiki/Moon")

    def test_addresses_of_the_dump_are_not_taken(self) -> None:
        found = page(title='javascript:alert(1)//"><script>', url="javascript:alert(1)", source="http://evil.example")
        address = page_address(found)
        assert address.startswith("https://en.wikipedia.org/w/index.php?title=javascript%3Aalert%281%29")
        assert not set(address) & set("<>\"'")

    def test_what_cannot_be_seen_is_dropped(self) -> None:
        found = page(title="Mo\u202eon\0", opening_text="It\u200b is\x1b[31m so.\u2028Yes.")
        assert (found.title, found.text) == ("Mo on", "It is [31m so. Yes.")

    @given(
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=20),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
            max_leaves=6,
        )
    )
    def test_no_value_of_a_field_breaks_the_reader(self, value: object) -> None:
        for name in (
            "opening_text",
            "text",
            "heading",
            "redirect",
            "category",
            "version",
            "incoming_links",
            "outgoing_link",
        ):
            for text in ("intro", FULL):
                for found in parse_article(article(**{name: value}), None, Origin.of("enwiki", "2025-12-07", text)):
                    assert all(0 <= start < end <= len(found.text) for _, start, end in found.lines)


class TestTitles:
    def test_redirects(self) -> None:
        redirects = [{"namespace": 0, "title": "Luna"}, {"namespace": 1, "title": "Talk:Moon"}, {"title": "The Moon!"},
            "Earth I", {"namespace": 0, "title": "moon"}, {"namespace": 0, "title": "LUNA"}, {"namespace": 0}, 5]  # fmt: skip
        assert page(redirect=redirects).names == ("Luna", "The Moon!", "Earth I")

    def test_as_many_as_are_of_use(self) -> None:
        assert len(page(redirect=[{"namespace": 0, "title": f"Moon {n}"} for n in range(5_000)]).names) == 200

    def test_links_are_those_that_the_text_names(self) -> None:
        found = page(outgoing_link=["Sun", "It", "Moon_(film)", "The_Moon", "is round"])
        assert found.links == ("The Moon", "Moon (film)", "is round")


@pytest.mark.parametrize(
    ("title", "categories", "told"),
    [
        ("Mercury", ["All article disambiguation pages"], True),
        ("Mercury", ["Disambiguation"], True),
        ("Mercury", ["Human name disambiguation pages"], True),
        ("Mercury (disambiguation)", [], True),
        ("Moon", ["Articles with links needing disambiguation from May 2020"], False),
        ("Moon", ["All articles with links needing disambiguation", "Moons"], False),
        ("Word-sense disambiguation", ["Computational linguistics", "Word-sense disambiguation"], False),
        ("Moon", [5, None], False),
    ],
)
def test_disambiguation(title: str, categories: list[Any], told: bool) -> None:
    assert is_disambiguation(title, categories) is told


def test_a_disambiguation_page_has_no_sentence_that_could_be_evidence() -> None:
    found = page(category=["Disambiguation pages"])
    assert (found.disambiguation, found.text, found.sentences()) == (True, SENTENCES, [])


class TestPassages:
    BODY = " ".join(f"This is sentence number {n}, which says one thing about the Moon and no more." for n in range(40))

    def passages(self, **fields: Any) -> list[Page]:
        return parse_article(article(opening_text="", **fields), None, Origin.of("enwiki", "2025-12-07", FULL))

    def test_they_are_the_text(self) -> None:
        found = self.passages(text=self.BODY)
        assert " ".join(part.text for part in found) == self.BODY
        assert [part.id for part in found] == [f"enwiki/7#{n}" for n in range(1, len(found) + 1)]
        assert {(part.parts, part.title, part.revision) for part in found} == {(len(found), "Moon", 12)}
        assert len(found) == 5

    def test_sentences_are_counted_through_the_article(self) -> None:
        found = self.passages(text=self.BODY)
        lines = [line for part in found for line, _, _ in part.lines]
        assert lines == list(range(40))
        texts = [sentence.text for part in found for sentence in part.sentences()]
        assert texts == [
            f"This is sentence number {n}, which says one thing about the Moon and no more." for n in range(40)
        ]

    def test_only_the_first_has_the_further_titles(self) -> None:
        found = self.passages(text=self.BODY, redirect=[{"namespace": 0, "title": "Luna"}])
        assert [part.names for part in found] == [("Luna",), (), (), (), ()]

    def test_lists_at_the_end_are_left_out(self) -> None:
        text = f"{self.BODY} See also Sun. References Smith, J. A book. 1990. External links A site."
        found = self.passages(text=text, heading=["See also", "References", "External links"])
        assert " ".join(part.text for part in found) == self.BODY

    def test_the_introduction_stands_before_a_text_that_lacks_it(self) -> None:
        origin = Origin.of("enwiki", "2025-12-07", FULL)
        (found,) = parse_article(article(text="History It began."), None, origin)
        assert found.text == f"{SENTENCES} History It began."


@pytest.mark.parametrize(
    ("page_id", "told"),
    [
        ("enwiki/7", ("enwiki", 7, False)),
        ("enwiki/7#12", ("enwiki", 7, True)),
        ("Moon", ("", 0, False)),
        ("document:enwiki/7#1", ("", 0, False)),
        ("enwiki/7/8", ("", 0, False)),
    ],
)
def test_ids(page_id: str, told: tuple[str, int, bool]) -> None:
    assert article_of(page_id) == told


@given(st.text())
def test_clean_text_is_one_line_that_can_be_stored(text: str) -> None:
    cleaned = clean(text)
    assert cleaned == " ".join(cleaned.split())
    assert cleaned.encode().decode() == cleaned
    assert clean(cleaned) == cleaned


@pytest.mark.parametrize(
    ("wiki", "title", "category", "listed"),
    [
        ("dewiki", "Mercury (Begriffsklärung)", "Planet", True),
        ("dewiki", "Mercury", "Begriffsklärung", True),
        ("eswiki", "Mercurio (desambiguación)", "Planeta", True),
        ("eswiki", "Mercurio", "Wikipedia:Desambiguación", True),
        ("eswiki", "Mercurio", "Wikipedia:Páginas de desambiguación", True),
        ("eswiki", "Mercurio", "Wikipedia:Desambiguación por revisar", False),
        ("enwiki", "Mercury (Begriffsklärung)", "Planets", False),
        ("dewiki", "Merkur (Planet)", "Planet des Sonnensystems", False),
    ],
)
def test_disambiguation_in_other_languages(wiki: str, title: str, category: str, listed: bool) -> None:
    document = {"page_id": 5, "title": title, "opening_text": "Am 3. Mai. Es gibt 2.", "category": [category]}
    (page,) = parse_article(document, None, Origin.of(wiki, "2025-12-07"))
    assert page.disambiguation is listed


def test_the_lists_at_the_end_of_an_article_in_another_language() -> None:
    text = "Die Stadt liegt am Meer. Sie hat einen Hafen. Einzelnachweise Weber: Die Stadt. Am 3. Mai 2001."
    document = {"page_id": 5, "title": "Stadt", "text": text, "heading": ["Einzelnachweise"]}
    (page,) = parse_article(document, None, Origin.of("dewiki", "2025-12-07", "full"))
    assert page.text == "Die Stadt liegt am Meer. Sie hat einen Hafen."
