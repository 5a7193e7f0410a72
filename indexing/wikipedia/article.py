"""Turns an article of the dump into a page of the corpus, or into passages.

The dump's documents are those of CirrusSearch: `page_id`, `title`, `opening_text`, `text`, `heading`, `redirect`,
`category`, `version` (the revision), `incoming_links`, `outgoing_link`. Any of them can be missing, and none is trusted:
addresses are built from title and revision, never taken from a dump.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from retrieval.stores.pages import encodable
from retrieval.text.languages import ENGLISH, Language, find_language, language_of_wiki, whole
from retrieval.text.sentences import sentence_spans
from retrieval.text.titles import BRACKET, fold
from retrieval.types import Page

INTRO, FULL = "intro", "full"
LONGEST_INTRO = 6_000  # characters
INTRO_GUESSED = 1_200  # characters kept of a text whose first heading cannot be found
LONGEST_ARTICLE = 1_000_000
LONGEST_ARTICLE_TITLE = 300
MOST_REDIRECTS, MOST_LINKS = 200, 60
LONGEST_NUMBER = 2**53 - 1  # the largest that JSON readers represent exactly
PASSAGE_WORDS = 120  # a passage ends with the sentence that reaches this many words

_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]")  # fmt: skip
_DISAMBIGUATION = re.compile(r"disambiguation|(?:.*\b)?disambiguation pages?\b.*", re.I)
_NEEDED = re.compile(r"\b(?:needing|needed|links?|errors?)\b", re.I)  # maintenance categories


@dataclass(frozen=True)
class Origin:
    """Where pages come from. site: such as en.wikipedia.org. day: the dump's, such as 2025-12-07. text: INTRO or FULL."""

    wiki: str
    site: str
    day: str
    text: str = INTRO

    @property
    def language(self) -> Language:
        """The wiki's language."""
        return find_language(language_of_wiki(self.wiki))

    @classmethod
    def of(cls, wiki: str, day: str, text: str = INTRO) -> Origin:
        """The source for a wiki's name in the dumps: enwiki, simplewiki."""
        return cls(wiki, f"{wiki.removesuffix('wiki').replace('_', '-')}.wikipedia.org", day, text)


def parse_article(document: Any, number: object, origin: Origin) -> list[Page]:
    """The pages of one document; none if it is not an article or has no text. number: the page's, from the line before
    the document. Raises ValueError, which says what is wrong.
    """
    if not isinstance(document, dict):
        raise ValueError("it is not a JSON object")
    if document.get("namespace") not in (None, 0):
        return []
    known_number = page_number(document, number)
    title = clean(document.get("title"))
    if not known_number or not title or len(title) > LONGEST_ARTICLE_TITLE:
        raise ValueError("it lacks a page_id or a title")
    page_id = f"{origin.wiki}/{known_number}"
    shared = _shared(document, title, origin)
    if shared["disambiguation"]:
        text = _intro(document) or clean(document.get("text"))[:LONGEST_INTRO]
        return [Page(page_id if origin.text == INTRO else f"{page_id}#1", title, text, (), **shared)] if text else []
    if origin.text == INTRO:
        text = _intro(document)
        passages = [(text, sentence_spans(text, origin.language))] if text else []
    else:
        passages = _passages(_body(document, origin.language), origin.language)
    pages: list[Page] = []
    first = 0
    for part, (text, spans) in enumerate(passages, 1):
        lines = tuple((line, start, end) for line, (start, end) in enumerate(spans, first))
        page = Page(page_id, title, text, lines, _links(document.get("outgoing_link"), title, text), **shared)
        if origin.text == FULL:
            names = page.names if part == 1 else ()
            page = replace(page, id=f"{page_id}#{part}", part=part, parts=len(passages), names=names)
        pages.append(page)
        first += len(spans)
    return pages


def page_number(document: Any, named: object) -> int | None:
    """The page's number, from the document or from the line before it; None if neither is a valid number."""
    return (_whole(document.get("page_id")) if isinstance(document, dict) else None) or _whole(named)


def article_of(page_id: str) -> tuple[str, int, bool]:
    """(wiki, number, whether it is a passage) of a page's id; ("", 0, False) if it is not from a dump."""
    match = re.fullmatch(r"([a-z]{2,12}wiki)/(\d{1,16})(#\d{1,9})?", page_id)
    return (match[1], int(match[2]), bool(match[3])) if match else ("", 0, False)


def clean(value: object) -> str:
    """The stored form of text: NFC, on one line, without invisible characters. Empty if the value is not a text."""
    if not isinstance(value, str):
        return ""
    text = " ".join(_UNSEEN.sub(" ", value[:LONGEST_ARTICLE]).split())
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def is_disambiguation(title: str, categories: Sequence[object], language: Language = ENGLISH) -> bool:
    """Whether the page only lists meanings of its title, by its categories, because the dump has no flag for it."""
    names = [name for name in categories if isinstance(name, str)]
    if any(_DISAMBIGUATION.fullmatch(name) and not _NEEDED.search(name) for name in names):
        return True
    if bracket := BRACKET.search(title):
        names.append(bracket[0].strip(" ()"))
    return any(whole(language.disambiguation).fullmatch(name.casefold()) for name in names)


def _shared(document: dict[str, Any], title: str, origin: Origin) -> dict[str, Any]:
    """The fields that all pages of an article share."""
    return {
        "site": origin.site,
        "revision": _whole(document.get("version")),
        "retrieved": origin.day,
        "names": _names(document.get("redirect"), title),
        "prior": _whole(document.get("incoming_links")) or 0,
        "disambiguation": is_disambiguation(title, _listed(document.get("category")), origin.language),
    }


def _names(redirects: object, title: str) -> tuple[str, ...]:
    """Titles that redirect to the page and whose key differs from that of its title."""
    names: dict[str, str] = {fold(title): title}
    for redirect in _listed(redirects):
        if isinstance(redirect, dict) and redirect.get("namespace") in (None, 0):
            redirect = redirect.get("title")
        name = clean(redirect)
        if name and len(name) <= LONGEST_ARTICLE_TITLE and len(names) <= MOST_REDIRECTS:
            names.setdefault(fold(name), name)
    return tuple(name for key, name in names.items() if key and key != fold(title))


def _intro(document: dict[str, Any]) -> str:
    """The text before the first heading."""
    if opening := clean(document.get("opening_text")):
        return _bounded(opening, LONGEST_INTRO)
    text = clean(document.get("text"))
    for heading in map(clean, _listed(document.get("heading"))[:1]):
        if heading and (match := _heading(heading).search(text)):
            return _bounded(text[: match.start()].strip(), LONGEST_INTRO)
    return _bounded(text, INTRO_GUESSED)


def _heading(heading: str) -> re.Pattern[str]:
    """A pattern for the heading itself: after the end of a sentence, before the start of another."""
    return re.compile(rf"(?<=[.!?…\"”’)\]])\s+{re.escape(heading)}(?=\s+[^\W_a-z]|\s*$)")


def _bounded(text: str, longest: int) -> str:
    """The text up to the last sentence that ends before `longest`."""
    if len(text) <= longest:
        return text
    ends = [end for _, end in sentence_spans(text[:longest])]
    return text[: ends[-2]] if len(ends) > 1 else text[:longest].rpartition(" ")[0] or text[:longest]


def _body(document: dict[str, Any], language: Language) -> str:
    """The article's text without the lists at its end."""
    text = clean(document.get("text"))
    end = len(text)
    for heading in map(clean, _listed(document.get("heading"))):
        if whole(language.tail).fullmatch(heading.casefold()):
            for match in _heading(heading).finditer(text, len(text) // 3):
                end = min(end, match.start())
    opening = clean(document.get("opening_text"))
    body = text[:end].strip()
    return body if not opening or opening[:40] in body[: len(opening) + 200] else f"{opening} {body}"


def _passages(text: str, language: Language) -> list[tuple[str, list[tuple[int, int]]]]:
    """Passages of a few sentences, each with the spans of its sentences."""
    groups: list[list[tuple[int, int]]] = []
    words = PASSAGE_WORDS
    for start, end in sentence_spans(text, language):
        if words >= PASSAGE_WORDS:
            groups.append([])
            words = 0
        groups[-1].append((start, end))
        words += text.count(" ", start, end) + 1
    return [
        (text[spans[0][0] : spans[-1][1]], [(start - spans[0][0], end - spans[0][0]) for start, end in spans])
        for spans in groups
    ]


def _links(targets: object, title: str, text: str) -> tuple[str, ...]:
    """Titles that the article links to and this text names, in text order."""
    places: dict[str, int] = {}
    for target in _listed(targets):
        if isinstance(target, str) and 2 < len(target) <= LONGEST_ARTICLE_TITLE:
            name = target.replace("_", " ")
            place = text.find(name.partition(" (")[0])
            if place >= 0 and name != title and encodable(name) and not _UNSEEN.search(name):
                places[name] = place
    return tuple(sorted(places, key=lambda name: (places[name], name))[:MOST_LINKS])


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _whole(value: object) -> int | None:
    """The value as a whole number above 0; None if it is not one."""
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= 16:
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= LONGEST_NUMBER else None
