"""Puts documents from your own component into a check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from haystack import Document

from retrieval.haystack.opening import CheckUnderway
from retrieval.stores.knowledge_file import tidy_lines
from retrieval.text.sentences import sentence_spans
from retrieval.types import Evidence, Hit, Page

METHOD = "haystack"  # of pages from your own component


def with_documents(check: CheckUnderway, documents: Sequence[Document] | None) -> CheckUnderway:
    """The check with only these documents, in their order; unchanged if None.

    Documents with `page_id` and `start` in their `meta`, as steps give them, choose among the check's sentences. Others
    are pages: one of the check's (by `page_id`), or a new one with the document's content and the `title` and `url` of
    its `meta`.
    """
    if documents is None:
        return check
    record = check.record
    if not documents:
        return replace(check, record=replace(record, pages=(), sentences=(), evidence=()))
    places = {
        (one.meta.get("page_id", ""), one.meta["start"]): n for n, one in enumerate(documents) if "start" in one.meta
    }
    if places:
        sentences, evidence = _kept(record.sentences, places), _kept(record.evidence, places)
        return replace(check, record=replace(record, sentences=sentences, evidence=evidence))
    known = {hit.page.id: hit for hit in record.pages}
    pages = tuple(known.get(one.meta.get("page_id", "")) or _hit(one) for one in documents if one.content)
    return replace(check, record=replace(record, pages=pages))


def _kept(found: Sequence[Evidence], places: Mapping[tuple[str, int], int]) -> tuple[Evidence, ...]:
    """The sentences that have a place, in the order of their places."""

    def place(one: Evidence) -> int:
        return places.get((one.sentence.page_id, one.sentence.start), len(places))

    return tuple(one for one in sorted(found, key=place) if place(one) < len(places))


def _hit(document: Document) -> Hit:
    text = "\n".join(tidy_lines(document.content or ""))
    lines = tuple((line, start, end) for line, (start, end) in enumerate(sentence_spans(text)))
    title, source = (str(document.meta.get(name) or "") for name in ("title", "url"))
    return Hit(Page(document.id, title or document.id, text, lines, source=source), document.score or 0.0, METHOD)
