"""Addresses of pages and of sentences in them, and which pages count as one source.

Titles and addresses come from outside, so they are always checked.
"""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import SplitResult, quote, unquote, urlsplit, urlunsplit

from retrieval.types import Page, Sentence

LONGEST_ADDRESS = 2_000
WHOLE_QUOTATION = 120  # characters: a fragment quotes this much in full; of a longer quotation it gives both ends
WORDS_AT_AN_END = 6

_SITE = re.compile(r"[a-z0-9-]{1,40}(?:\.[a-z0-9-]{1,40}){1,4}")
_PRINTED = re.compile(r"(?s)(.*?), pages? (\d+)(?:-\d+)?")
_UNENCODED = "/:?#[]@!$&()*+,;=%~"  # left unencoded in a page id that is already an address
# The ids that loaders make: "enwiki/7#3" and "document:F/x.pdf#2" for passages, "x.pdf, page 3 (2)" for parts of an
# upload, "ADDRESS (2)" for the second text of an address.
_NUMBERED = re.compile(r"(.+)#\d{1,9}")
_UPLOADED = re.compile(r"(.+\.\w{2,5})(?:, pages? \d+(?:-\d+)?)?(?: \(\d+\))?", re.IGNORECASE)
_AGAIN = re.compile(r"(https?://\S+)(?: \(\d+\))?", re.IGNORECASE)
_WIKIPEDIA = re.compile(r"https?://([a-z-]{2,20})(?:\.m)?\.wikipedia\.org/wiki/([^?#]+)(?:[?#].*)?", re.IGNORECASE)


def page_address(page: Page) -> str:
    """The page's address: a wiki's revision (its title if the revision is unknown), a web address (http or https), or a document's
    name and page. Empty if it has none.
    """
    if page.site:
        if not _SITE.fullmatch(page.site):
            return ""
        title = page.title.replace(" ", "_")
        if page.revision is None:
            return f"https://{page.site}/wiki/{quote(title, safe='/,()!*', errors='replace')}"
        encoded = quote(title, safe="", errors="replace")
        return f"https://{page.site}/w/index.php?title={encoded}&oldid={int(page.revision)}"
    if web := web_address(page.source):
        return web
    printed = _PRINTED.fullmatch(page.source)
    name, number = (printed[1], printed[2]) if printed else (page.source, "")
    name = re.split(r"[/\\]", name.rstrip("/\\"))[-1]
    return (quote(name, safe="", errors="replace") + (f"#page={number}" if number else ""))[:LONGEST_ADDRESS]


def opens(address: str) -> bool:
    """Whether a browser can open the address: it is a web address, not the name of a document."""
    return address.startswith(("https://", "http://"))


def web_address(text: str) -> str:
    """The text as a web address without user name and password; empty if it is not one."""
    if len(text) > LONGEST_ADDRESS or not text.lower().startswith(("https://", "http://")):
        return ""
    try:
        parts = urlsplit(text.strip())
        host, port = parts.hostname or "", parts.port
        host = host if host.isascii() else host.encode("idna").decode()
    except ValueError:
        return ""
    if not host or re.search(r"[^\w.:-]", host):
        return ""
    place = (f"[{host}]" if ":" in host else host) + (f":{port}" if port else "")
    path, query, fragment = (quote(part, safe=_UNENCODED, errors="replace") for part in parts[2:])
    return urlunsplit(SplitResult(parts.scheme, place, path, query, fragment))


def quotation_address(page: Page, start: int, end: int) -> str:
    """The page's address with a text fragment that leads to `page.text[start:end]`; without one if it would match an earlier
    passage of the text, or if the page may have changed since. (Text Fragments, a report of the W3C's WICG:
    `#:~:text=first words,last words`.)
    """
    address = page_address(page)
    fragment = text_fragment(page.text, start, end)
    if not opens(address) or not fragment or (page.site and page.revision is None):
        return address
    return f"{address}{'' if '#' in address else '#'}:~:text={fragment}"


def text_fragment(text: str, start: int, end: int) -> str:
    """The fragment by which a browser finds `text[start:end]`; empty if it would match an earlier passage."""
    quotation = text[start:end]
    if not quotation.strip() or "\n" in quotation.strip():
        return ""
    words = quotation.split()
    if len(quotation) > WHOLE_QUOTATION and len(words) > 2 * WORDS_AT_AN_END:
        first, last = " ".join(words[:WORDS_AT_AN_END]), " ".join(words[-WORDS_AT_AN_END:])
        begins = text.find(first)
        if begins == start and text.find(last, begins + len(first)) + len(last) == end:
            return f"{_encoded(first)},{_encoded(last)}"
    return _encoded(quotation) if text.find(quotation) == start else ""


def source_of(sentence: Sentence) -> str:
    """A key that all sentences of an article or document share: for a wiki's article its title, so that two corpora
    agree; for anything else, the page's id without its part number. Two uploads of the same name count as one document.
    """
    if sentence.site:
        return _article(sentence.site, sentence.title)
    page_id = whole_id(sentence.page_id)
    if found := _WIKIPEDIA.fullmatch(page_id):
        return _article(f"{found[1]}.wikipedia.org", unquote(found[2]))
    return page_id


def whole_id(page_id: str) -> str:
    """The prefix of a page's id that all parts of its article or document share."""
    for form in (_NUMBERED, _AGAIN, _UPLOADED):
        if found := form.fullmatch(page_id):
            return found[1]
    return page_id


def _encoded(text: str) -> str:
    """The text percent-encoded, including the three characters that separate the parts of a fragment."""
    return quote(text.strip(), safe="", errors="replace").replace("-", "%2D")


def _article(site: str, title: str) -> str:
    name = unicodedata.normalize("NFC", " ".join(title.replace("_", " ").split()))
    return f"{site.lower()}/wiki/{name[:1].upper()}{name[1:]}"
