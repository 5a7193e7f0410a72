"""A web page as the program reads it: its main text in sentences, with address and dates."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from retrieval.errors import WebError
from retrieval.settings import Settings
from retrieval.stores.knowledge_file import address_title, tidy_lines
from retrieval.stores.named import OPEN_WEB
from retrieval.text.sentences import sentence_spans
from retrieval.types import Page
from retrieval.web.extracting import HTML, XHTML, Extractor, Extracts
from retrieval.web.fetching import fetch
from retrieval.web.guard import read_networks

LONGEST_PAGE_TEXT = 200_000  # characters; the rest of a page is dropped
LONGEST_PAGE_TITLE = 200
SHORTEST_PAGE_TEXT = 40  # characters; a shorter text is useless


@dataclass(frozen=True)
class WebPage:
    """A web page. text: the main text, one line per paragraph. date: of publication, ISO 8601; empty if unknown. note:
    on what was left out, without a full stop; may be empty.
    """

    address: str
    title: str
    text: str
    date: str
    fetched: str
    note: str = ""

    def as_page(self) -> Page:
        """The page as a `Page` for the stages of a recipe."""
        lines = tuple((line, start, end) for line, (start, end) in enumerate(sentence_spans(self.text)))
        page = Page(self.address, self.title, self.text, lines, source=self.address, retrieved=self.fetched)
        return replace(page, published=self.date, corpus=OPEN_WEB)


def fetch_page(address: str, settings: Settings, extractor: Extracts | None = None) -> WebPage:
    """Fetch the page or PDF at a public address. Raises WebError if it cannot be read, and says why.

    extractor: one that stays open for more pages.
    """
    answer = fetch(address, read_networks(settings.web_private), settings.contact)
    given = (answer.content, answer.address, HTML if answer.type == XHTML else answer.type, answer.charset)
    if extractor is not None:
        found = extractor.extract(*given)
    else:
        with Extractor() as own:
            found = own.extract(*given)
    text = "\n".join(tidy_lines(found["text"]))[:LONGEST_PAGE_TEXT]
    if len(text) < SHORTEST_PAGE_TEXT:
        left_out = f" ({found['note']})" if found["note"] else ""
        raise WebError(f"{answer.address[:200]} holds no text worth reading{left_out}.")
    title = " ".join(tidy_lines(found["title"]))[:LONGEST_PAGE_TITLE] or address_title(answer.address)
    fetched = datetime.now(UTC).isoformat(timespec="seconds")
    return WebPage(answer.address, title, text, found["date"][:10], fetched, found["note"])
