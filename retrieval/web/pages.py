"""Web pages as the program reads them: the main text in sentences, with address and dates, by the operator's rules."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from retrieval.errors import WebError
from retrieval.settings import Settings
from retrieval.stores.knowledge_file import address_title, tidy_lines
from retrieval.stores.named import OPEN_WEB
from retrieval.text.extraction.language import language_of
from retrieval.text.sentences import sentence_spans
from retrieval.types import Page
from retrieval.web.extracting import HTML, XHTML, Extractor
from retrieval.web.fetching import fetch
from retrieval.web.guard import read_networks
from retrieval.web.rules import Rules, open_rules

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


def fetch_page(address: str, settings: Settings, extractor: Extractor | None = None) -> WebPage:
    """Fetch the page or PDF at a public address. Raises WebError, which says why it cannot be read. extractor: an open
    one, to use for several pages.
    """
    answer = fetch(address, read_networks(settings.web_private), settings.contact)
    kind = HTML if answer.type == XHTML else answer.type
    with nullcontext(extractor) if extractor else Extractor() as opened:
        extracted = opened.extract(answer.content, answer.address, kind, answer.charset)
    text = "\n".join(tidy_lines(extracted["text"]))[:LONGEST_PAGE_TEXT]
    if len(text) < SHORTEST_PAGE_TEXT:
        left_out = f" ({extracted['note']})" if extracted["note"] else ""
        raise WebError(f"{answer.address[:200]} holds no text worth reading{left_out}.")
    title = " ".join(tidy_lines(extracted["title"]))[:LONGEST_PAGE_TITLE] or address_title(answer.address)
    fetched = datetime.now(UTC).isoformat(timespec="seconds")
    return WebPage(answer.address, title, text, extracted["date"][:10], fetched, extracted["note"])


@dataclass(frozen=True)
class PageReader:
    """Fetches and reads pages. languages: codes of the languages to read; pages in others are left out."""

    settings: Settings
    rules: Rules
    languages: frozenset[str] = frozenset({"en"})

    def allow(self, address: str) -> bool:
        """Whether the rules allow fetching the page."""
        return self.rules.allow(address)

    @contextmanager
    def opened(self) -> Iterator[Callable[[str], Page | None]]:
        """A function that reads a page. Several threads may call it: they fetch in parallel, but take turns to extract."""
        with Extractor() as extractor:

            def read(address: str) -> Page | None:
                found = fetch_page(address, self.settings, extractor)
                if not self.rules.allow(found.address) or not self.rules.in_time(found.date):
                    return None  # a redirect led to an excluded site, or the page was published too late
                return found.as_page() if language_of(found.text) in self.languages else None

            yield read


def open_reader(settings: Settings, languages: Collection[str]) -> PageReader:
    """The reader of pages in these languages. Raises SettingError."""
    return PageReader(settings, open_rules(settings), frozenset(languages))
