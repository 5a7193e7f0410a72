"""What counts as one source: an article or a document, in whatever parts, revisions and corpora it was read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.documents import read_documents
from indexing.fever import parse_row
from indexing.knowledge import write_knowledge
from indexing.wikipedia.article import FULL, Origin, parse_article
from retrieval.stores.knowledge import KnowledgeStore
from retrieval.stores.knowledge_file import read_knowledge
from retrieval.stores.several import SeveralStores
from retrieval.text.addresses import source_of, whole_id
from retrieval.text.chunks import chunks
from retrieval.types import Evidence, Label, Page, Stance
from retrieval.verdicts.conflict import find_conflict
from retrieval.verdicts.policy import one_source
from tests.indexing.test_documents import pdf
from tests.making import dump_row, make_page

LONG = [
    f"Sentence number {number} of a long text says that the mill was built of brick and oak." for number in range(90)
]
CLAIM = "The mill was built of brick."


def article(title: str = "Mill", number: int = 7, wiki: str = "enwiki") -> list[Page]:
    """Its passages, as they are loaded."""
    document = {"page_id": number, "title": title, "namespace": 0, "text": " ".join(LONG), "version": 5}
    return parse_article(document, number, Origin.of(wiki, "2025-12-07", FULL))


def fever(title: str) -> Page:
    page = parse_row(dump_row(title, *LONG[:3]).encode())
    assert page is not None
    return page


def printed(tmp_path: Path) -> Path:
    """A PDF of four pages, each longer than a passage."""
    path = tmp_path / "mill.pdf"
    path.write_bytes(pdf(*(" ".join(LONG[start : start + 40]) for start in (0, 40, 20, 60))))
    return path


def both_sides(first: Page, second: Page) -> list[Evidence]:
    """A sentence of each page, one for the claim and one against it."""
    return [
        Evidence(first.sentences()[0], 0.9, Stance(0.9, 0.05, 0.05), "claim"),
        Evidence(second.sentences()[-1], 0.9, Stance(0.05, 0.9, 0.05), "claim"),
    ]


def are_one(first: Page, second: Page) -> bool:
    """Whether they are one source, in all that depends on it."""
    cited = both_sides(first, second)
    same = source_of(cited[0].sentence) == source_of(cited[1].sentence)
    agreeing = [replace(one, stance=cited[0].stance) for one in cited]
    assert one_source(Label.SUPPORTED, agreeing) is same
    assert (find_conflict(CLAIM, cited) is None) is same
    return same


def together(**stores: Sequence[Page]) -> list[Page]:
    """All pages, as a check reads them from several corpora."""
    several = SeveralStores({name: KnowledgeStore(pages, name) for name, pages in stores.items()})
    return [page for batch in several.scan() for _, page in batch]


def test_passages_of_an_article_are_one_source() -> None:
    first, *_, last = article()
    assert (first.id, last.parts > 3) == ("enwiki/7#1", True)
    assert are_one(first, last)
    assert not are_one(first, article("Mill (novel)", 8)[0])
    assert not are_one(first, article(wiki="simplewiki")[0]), "another encyclopedia"


def test_an_article_in_two_corpora_is_one_source() -> None:
    pages = together(old=[fever("Mill"), fever("Mill_-LRB-novel-RRB-")], new=article())
    old, other = (next(page for page in pages if page.title == title) for title in ("Mill", "Mill (novel)"))
    new = next(page for page in pages if page.id == "new:enwiki/7#2")
    assert are_one(old, new)
    assert not are_one(other, new)
    fetched = make_page("Mill - Wikipedia", *LONG[:2], id="https://en.m.wikipedia.org/wiki/mill?x=1#Brick")
    assert are_one(fetched, new)
    own_text = replace(new, id="new:document:F/a.txt#1", site="")
    assert not are_one(own_text, new), "a text of somebody's own with that title"


def test_parts_of_a_document_are_one_source(tmp_path: Path) -> None:
    (tmp_path / "other.txt").write_text(" ".join(LONG[:3]), "utf-8")
    pages = list(read_documents([printed(tmp_path), tmp_path / "other.txt"], lambda path, fault: None))
    parts = [page for page in pages if "mill.pdf" in page.id]
    assert len(parts) > 2
    assert are_one(parts[0], parts[-1])
    assert not are_one(parts[0], pages[-1])
    first, second = (page for page in together(mine=parts[:2]))
    assert are_one(first, second)


def test_parts_of_an_upload_are_one_source(tmp_path: Path) -> None:
    (tmp_path / "other.txt").write_text(" ".join(LONG[:3]), "utf-8")
    file = tmp_path / "knowledge.jsonl"
    write_knowledge([printed(tmp_path), tmp_path / "other.txt"], file, lambda *_: None)
    pages = read_knowledge(file).pages()
    parts = [page for page in pages if page.id.startswith("mill.pdf, page")]
    assert any(page.id.endswith(" (2)") for page in parts)
    for part in parts[1:]:
        assert are_one(parts[0], part)
    assert not are_one(parts[0], next(page for page in pages if page.id == "other.txt"))


def test_chunks_are_of_the_source_of_their_page() -> None:
    page = article()[0]
    assert {source_of(chunk) for chunk in chunks(page, 200)} == {source_of(page.sentences()[0])}


@pytest.mark.parametrize(
    ("page_id", "whole"),
    [
        ("enwiki/7", "enwiki/7"),
        ("enwiki/7#12", "enwiki/7"),
        ("corpus/x:document:F/a b.pdf#3", "corpus/x:document:F/a b.pdf"),
        ("x.pdf, page 3 (2)", "x.pdf"),
        ("x.pdf, pages 3-4", "x.pdf"),
        ("upload/1:notes (2).txt", "upload/1:notes (2).txt"),
        ("https://site.example/a_(2)", "https://site.example/a_(2)"),
        ("https://site.example/a (2)", "https://site.example/a"),
        ("Brunswick-LRB-2-RRB-", "Brunswick-LRB-2-RRB-"),
        ("Season (2)", "Season (2)"),
    ],
)
def test_ids_without_their_part(page_id: str, whole: str) -> None:
    assert whole_id(page_id) == whole


@given(st.text(max_size=60))
def test_any_id_is_of_some_source(page_id: str) -> None:
    assert source_of(replace(make_page("A", "B."), id=page_id).sentences()[0]) or not page_id
