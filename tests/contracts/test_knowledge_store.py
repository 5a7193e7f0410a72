"""A claim's own documents keep the store's contract, and what is wrong with their file is counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.errors import StoreDamaged, StoreMissing
from retrieval.stores.knowledge import KnowledgeStore
from retrieval.stores.knowledge_file import LONGEST_PAGE, Faults, address_title, mend, read_knowledge, read_pages
from tests.contracts.page_store import MakeStore, PageStoreContract
from tests.making import make_page


@pytest.fixture(scope="module")
def make_store() -> MakeStore:
    return KnowledgeStore


class TestKnowledgeStore(PageStoreContract):
    pass


def row(url: str, *sentences: object) -> bytes:
    return json.dumps(
        {"claim_id": "0", "type": "claim", "query": "q", "url": url, "url2text": list(sentences)}
    ).encode()


def test_a_file_as_published(tmp_path: Path) -> None:
    path = tmp_path / "0.json"
    path.write_bytes(
        row("https://www.town.example/2020/the-old-bridge.html", "The bridge opened in 1931. It is 300 m long.", "It is red.")
        + b"\n"
        + row("https://news.example/7", "(meta data) TITLE: A bridge | News", "(meta data) AUTHOR: Nobody", "It closed in 1999.")
    )  # fmt: skip
    store = read_knowledge(path)
    one, two = sorted(store.pages(), key=lambda page: page.title)
    assert (one.title, two.title) == ("A bridge | News", "town.example: the old bridge")
    assert one.text == "It closed in 1999."
    assert [s.text for s in two.sentences()] == ["The bridge opened in 1931.", "It is 300 m long.", "It is red."]
    assert all(two.text[s.start : s.end] == s.text for s in two.sentences())
    assert two.id == two.source == "https://www.town.example/2020/the-old-bridge.html"
    assert store.info().name == "0.json"
    assert store.notes == ()


def test_what_is_wrong_is_counted(tmp_path: Path) -> None:
    long = ["word " * 200] * 600  # 600,000 characters
    content = b"\n".join(
        [
            row("a", "One text."),
            row("b", "One  text.", " "),  # the same text, once spaces are evened
            b"{not json",
            b'["a list"]',
            row("c"),
            row("d", " ", 7, None),
            b'{"url": "e"}',
            row("f", *long),
            '{"url": "g", "url2text": ["Café au lait."]}'.encode("cp1252"),
            row("h", "He canâ€™t say cafÃ©."),
            row("a", "Another text at the same address."),
        ]
    )
    path = tmp_path / "k.json"
    path.write_bytes(content)
    faults = Faults()
    pages = {page.id: page for page in read_pages(content, faults)}
    assert faults == Faults(bad_lines=2, empty=3, duplicates=1, cut=1, recoded=2)
    assert list(pages) == ["a", "f", "g", "h", "a (2)"]
    assert LONGEST_PAGE - 10 < len(pages["f"].text) <= LONGEST_PAGE
    assert pages["g"].text == "Café au lait."
    assert pages["h"].text == "He can’t say café."
    assert len(read_knowledge(path).notes) == 5


def test_a_list_in_one_file_is_read_too() -> None:
    faults = Faults()
    content = json.dumps([{"url": "a", "url2text": "One text."}, 3], indent=1).encode()
    assert [page.text for page in read_pages(content, faults)] == ["One text."]
    assert faults.bad_lines == 1


@pytest.mark.parametrize("content", [b"", b"\n\n", b"nothing", b"\xff\xfe\x00", row("a", "")])
def test_a_file_without_documents_is_an_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "k.json"
    path.write_bytes(content)
    with pytest.raises(StoreDamaged, match="contains no document"):
        read_knowledge(path)


def test_no_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StoreMissing, match="cannot be read"):
        read_knowledge(tmp_path / "none.json")


@given(st.lists(st.binary(max_size=80) | st.lists(st.text(max_size=40), max_size=3).map(lambda t: row("u", *t))))
def test_no_bytes_break_the_reading(lines: list[bytes]) -> None:
    for page in read_pages(b"\n".join(lines), Faults()):
        assert page.text
        assert all(page.text[start:end].strip() for _, start, end in page.lines)


@pytest.mark.parametrize(
    ("url", "title"),
    [
        ("https://web.archive.org/web/20201129141238/https://scoop.example/exposed-the-disaster/", "scoop.example: exposed the disaster"),
        ("https://site.example", "site.example"),
        ("https://site.example/12345?x=1", "site.example"),
        ("", ""),
    ],
)  # fmt: skip
def test_an_address_as_a_title(url: str, title: str) -> None:
    assert address_title(url) == title


@given(st.text())
def test_mending_leaves_good_text_alone(text: str) -> None:
    assert mend(mend(text)) == mend(text) or "Ã" in text or "â" in text or "Â" in text
    assert mend("Pokémon, naïve, 5 £, “quoted”") == "Pokémon, naïve, 5 £, “quoted”"


@pytest.mark.parametrize(
    ("language", "text", "query", "phrase"),
    [
        ("de", "Die Straßenbahn fährt über die alte Brücke.", "Straßenbahnen", "alten Brücken"),
        ("es", "El tranvía cruza el puente antiguo.", "tranvías", "puentes antiguos"),
    ],
)
def test_words_are_looked_up_by_the_rules_of_their_language(language: str, text: str, query: str, phrase: str) -> None:
    pages = [make_page("One", text), make_page("Two", "Nada. Nichts.")]
    told, untold = KnowledgeStore(pages, language=language), KnowledgeStore(pages)
    assert [page.id for page, _ in told.search_text(query)] == ["One"]
    assert [page.id for page, _ in told.search_text("", [phrase])] == ["One"]
    assert untold.search_text(query) == untold.search_text("", [phrase]) == []
    assert told.info().language == language


def test_documents_declare_their_language(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    rows = [
        {"url": f"{code}.txt", "language": code, "url2text": ["Am 3. Mai war es so. Punkt."]} for code in ("de", "en")
    ]
    path.write_text("\n".join(map(json.dumps, rows[:1])), "utf-8")
    assert read_knowledge(path).info().language == "de"
    path.write_text("\n".join(json.dumps({**row, "url2text": [row["url"]]}) for row in rows), "utf-8")
    assert read_knowledge(path).info().language == "de+en"
    path.write_text(json.dumps({**rows[0], "language": "<script>"}), "utf-8")
    assert read_knowledge(path).info().language == ""
