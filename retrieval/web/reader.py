"""Reads the pages that a web search finds, within the operator's rules."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from retrieval.settings import Settings
from retrieval.text.extraction.language import language_of
from retrieval.types import Page
from retrieval.web.extracting import HTML, Extractor
from retrieval.web.pages import fetch_page
from retrieval.web.rules import Rules, open_rules


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
        """A function that reads a page. It may run in several threads, which fetch in parallel but take turns to
        extract.
        """
        with Extractor() as extractor:
            one_by_one = _OneByOne(extractor)

            def read(address: str) -> Page | None:
                found = fetch_page(address, self.settings, one_by_one)
                if not self.rules.allow(found.address) or not self.rules.in_time(found.date):
                    return None  # a redirect led to an excluded site, or the page was published too late
                if language_of(found.text) not in self.languages:
                    return None
                return found.as_page()

            yield read


class _OneByOne:
    """An extractor that several threads share."""

    def __init__(self, extractor: Extractor) -> None:
        self._extractor, self._lock = extractor, threading.Lock()

    def extract(self, content: bytes, address: str, kind: str = HTML, charset: str = "") -> dict[str, str]:
        with self._lock:
            return self._extractor.extract(content, address, kind, charset)


def open_reader(settings: Settings, languages: Collection[str]) -> PageReader:
    """Raises SettingError."""
    return PageReader(settings, open_rules(settings), frozenset(languages))
