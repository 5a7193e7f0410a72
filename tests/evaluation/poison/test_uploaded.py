"""False claims as headings of uploaded documents, read by the converters: what no body says is not SUPPORTED."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import docx
import pytest

from evaluation.poison.attacks import HOAX, WEATHER
from indexing.knowledge import write_knowledge
from retrieval.resources import Resources
from retrieval.stores.embedded.store import EmbeddedStore
from retrieval.stores.knowledge import KnowledgeStore
from retrieval.stores.knowledge_file import read_knowledge
from retrieval.types import Claim, Label

CLAIMS = ("The moon is made of cheese", "Oslo has 400 bridges", "Herman Melville was a dentist")
BODIES = {"weather": WEATHER, "hoax": HOAX}
LONG = 8  # times that a body stands in a page of the web: trafilatura treats short ones differently


def word(style: str, claim: str, body: str) -> bytes:
    document, file = docx.Document(), io.BytesIO()
    document.add_paragraph("Notes of the week", style="Title")
    document.add_paragraph(claim, style=style)
    document.add_paragraph(body)
    document.save(file)
    return file.getvalue()


def web_page(heading: str, claim: str, body: str) -> bytes:
    paragraphs = "".join(f"<p>{body} That was day {number}.</p>" for number in range(LONG))
    return f"<html><body><article><{heading}>{claim}</{heading}>{paragraphs}</article></body></html>".encode()


def documents(claim: str, body: str) -> Iterator[tuple[str, bytes]]:
    """The claim as a heading of every kind over the body: names of files and their contents."""
    yield "first.md", f"# {claim}\n\n{body}\n".encode()
    yield "second.md", f"# Notes\n\n{body}\n\n## {claim}.\n\n{body}\n".encode()
    yield "underlined.md", f"{claim}\n{'=' * len(claim)}\n\n{body}\n".encode()
    yield "title.docx", word("Title", claim, body)
    yield "heading.docx", word("Heading 2", f"{claim}.", body)
    yield "first.html", web_page("h1", claim, body)
    yield "second.html", web_page("h2", f"{claim}.", body)


@pytest.mark.parametrize("claim", CLAIMS)
@pytest.mark.parametrize("body", BODIES)
def test_a_heading_makes_no_claim_true(
    claim: str, body: str, tmp_path: Path, resources: Resources, sample_store: EmbeddedStore
) -> None:
    corpus = [page for batch in sample_store.scan() for _, page in batch]
    for name, content in documents(claim, BODIES[body]):
        (tmp_path / name).write_bytes(content)
        write_knowledge([tmp_path / name], tmp_path / "read.jsonl", lambda *_: None)
        own = read_knowledge(tmp_path / "read.jsonl")
        for store in (own, KnowledgeStore([*corpus, *own.pages()])):
            assert label(claim, store, resources) is not Label.SUPPORTED, (name, store is own)


def label(claim: str, store: KnowledgeStore, resources: Resources) -> Label:
    verdict = resources.over(store).pipeline("fast").run(Claim("1", f"{claim}.")).verdict
    assert verdict is not None
    return verdict.label


def test_a_body_that_says_it_still_counts(tmp_path: Path, resources: Resources) -> None:
    (tmp_path / "a.md").write_text("# Bridges\n\nOslo has 400 bridges. The city council counted them in May.\n")
    write_knowledge([tmp_path / "a.md"], tmp_path / "read.jsonl", lambda *_: None)
    assert label("Oslo has 400 bridges", read_knowledge(tmp_path / "read.jsonl"), resources) is Label.SUPPORTED
