"""Extracts the words of pasted HTML, as a browser shows them, with their offsets: hidden, struck-out and raised text as in files."""

from __future__ import annotations

import html
import re
from collections.abc import Generator, Iterable, Iterator

from retrieval.text.files.equations import linear
from retrieval.text.files.hiding import Hiding, is_heard, read_attributes
from retrieval.text.files.html_rules import (
    BLOCKS,
    COMMENT,
    GONE,
    LONGEST_RAISED,
    MAY_BE_RAISED,
    NO_WORDS,
    QUOTATION_MARKS,
    goes_on,
    is_note_mark,
)
from retrieval.text.files.raised import SEEN, set_apart
from retrieval.text.pasted.unseen import INVISIBLE, Piece, visible

LONGEST_TAG = 2_000  # characters; anything longer does not count as a tag
LONGEST_EQUATION = 20_000  # characters
MOST_OPEN = 100  # open elements to search for the one that a closing tag ends
LONGEST_MARK = 500  # characters of raised text, including tags

_BLOCKS = BLOCKS.union("body br caption head html legend option summary title".split())
_NEVER_SHOWN = NO_WORDS.union(GONE, ("head",)) - {"button"}
_VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
_ENDED_BY_THE_NEXT = ("p", "li", "td", "th", "tr", "dt", "dd")
_TAG = re.compile(r"""</?([a-zA-Z][a-zA-Z0-9:-]*)((?:[^"'<>]|"[^"]*"|'[^']*')*)>""")
_ANY_TAG = re.compile(r"<[^<>]*>")
_IS_HTML = re.compile(
    r"(?i)<!doctype html|<(?:html|body|p|div|article|section|main|dialog|span|h[1-6]|ul|ol|li|dl|figure|tr|math|script|style)"
    r"(?:\s[^<>]{0,200})?/?>"
)
# Tags that Markdown has too.
_MAYBE_HTML = re.compile(r"(?i)<(?:a|br|table|td|blockquote|pre|details|q|time)(?:\s[^<>]{0,200})?/?>")
_IS_MARKDOWN = re.compile(r"(?m)^(?:#{1,6} |[-*+] |> ?|`{3}|~{3}|\|)|\*\*|\]\(")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,24}[0-9]{0,2});")
_DECLARED = re.compile(r"(?i)\bshadowroot(?:mode)?\s?=")
_COMMENT = re.compile(rf"(?i)\s*<a\s[^<>]{{0,200}}{COMMENT}")  # at the end of a document of Google Docs
_NOTE_LINK = re.compile(r"""(?i)\shref\s?=\s?["']?#""")


def is_html(raw: str) -> bool:
    """Whether a text is HTML, and not merely Markdown with a tag in it."""
    return bool(_IS_HTML.search(raw) or (_MAYBE_HTML.search(raw) and not _IS_MARKDOWN.search(raw)))


def html_pieces(raw: str) -> Iterator[Piece]:
    """The text that the page shows and hides, without text that no browser ever shows, such as scripts."""
    return _Page(raw).pieces()


class _Page:
    """Walks through a page from tag to tag."""

    def __init__(self, raw: str) -> None:
        self._raw = raw
        self._styles = Hiding(raw)
        self._quotes = 0  # open quotations
        self._before = ""  # the last words shown on the current line
        self._shades = [("", self._styles.shade_of_page)]  # of the open elements, if letters may be white

    def pieces(self) -> Iterator[Piece]:
        raw, position = self._raw, 0
        while position < len(raw):
            tag_start = raw.find("<", position)
            tag_start = len(raw) if tag_start < 0 else tag_start
            if self._shades[-1][1].hides:
                yield "", position, tag_start
            else:
                yield from self._shown(_words(raw, position, tag_start))
            if tag_start == len(raw):
                return
            name, closing, attributes, end = _tag(raw, tag_start)
            opens = not closing and name not in _VOID and attributes[-1:] != "/"
            if not name and end == tag_start + 1:
                yield from self._shown([("<", tag_start, end)])
            elif name == "math" and opens and (equation := self._equation(tag_start)):
                end = equation[2]
                yield from self._shown([equation] if equation[0] else [])
            elif opens and name and (mark := self._raised(name, attributes, tag_start, end)):
                end = mark[2]
                yield from self._shown([mark] if mark[0] else [])
            elif opens and self._is_left_out(name, attributes, end) and not self._shows_equation(name, end):
                end = yield from self._skipped(name, attributes, tag_start, end)
                if self._before[-1:].isdigit() and is_heard(read_attributes(attributes)):
                    yield from self._shown([(" ", tag_start, end)])  # "2<span class=sr-only>+</span>1/2"
            elif name:
                self._colour(name, closing, attributes)
                yield from self._shown(self._sign_of(name, closing, tag_start, end))
            position = end

    def _colour(self, name: str, closing: bool, attributes: str) -> None:
        """Track the colours in the open elements."""
        if not self._styles.has_white or name in _VOID:
            return
        if not closing:
            before = self._shades[-1][0]
            if (before == "p" and name in _BLOCKS) or (before == name and name in _ENDED_BY_THE_NEXT):
                self._shades.pop()
            shade = self._styles.shade(name, read_attributes(attributes), self._shades[-1][1])
            self._shades.append((name, shade))
        elif name in (recent := [opened for opened, _ in self._shades[:0:-1][:MOST_OPEN]]):
            del self._shades[-1 - recent.index(name) :]

    def _shown(self, pieces: Iterable[Piece]) -> Iterator[Piece]:
        for piece in pieces:
            self._before = (self._before + piece[0])[-SEEN:].rpartition("\n")[2]
            yield piece

    def _sign_of(self, name: str, closing: bool, start: int, end: int) -> Iterator[Piece]:
        """The text that a tag itself shows: a new line, a quotation mark."""
        if name == "br":
            yield " " if goes_on(self._before, self._raw[end : end + SEEN]) else "\n", start, end
        elif name in _BLOCKS:
            yield "\n", start, end
        elif name == "q":
            self._quotes += not closing
            yield QUOTATION_MARKS[(self._quotes + 1) % 2][closing], start, end
            self._quotes -= closing and self._quotes > 0

    def _is_left_out(self, name: str, attributes: str, end: int) -> bool:
        if name == "p" and _COMMENT.match(self._raw, end):
            return True
        if name in _NEVER_SHOWN:
            return name != "template" or not _DECLARED.search(attributes)
        values = read_attributes(attributes)
        return self._styles.hides(name, values) or self._styles.strikes(name, values)

    def _skipped(self, name: str, attributes: str, tag_start: int, end: int) -> Generator[Piece, None, int]:
        """Skip an element that is left out; returns its end. Words count as hidden only if a style hides them."""
        raw, depth, inner = self._raw, 1, ""
        silent = name in _NEVER_SHOWN or self._styles.strikes(name, read_attributes(attributes))
        while end < len(raw):
            position, tag_start = end, raw.find("<", end)
            tag_start = len(raw) if tag_start < 0 else tag_start
            if not silent and not inner:
                yield "", position, tag_start
            if tag_start == len(raw):
                return tag_start
            tag, closing, attributes, end = _tag(raw, tag_start)
            if name == "p" and tag in _BLOCKS and tag != "br":  # the next block ends a paragraph
                return tag_start
            if tag == name and attributes[-1:] != "/":
                depth += -1 if closing else 1
                if not depth:
                    return end
            if tag in _NEVER_SHOWN and attributes[-1:] != "/":
                inner = "" if closing else tag
        return len(raw)

    def _raised(self, name: str, attributes: str, start: int, end: int) -> Piece | None:
        """Raised text, or a note mark's link, separated from the text before it."""
        if name not in MAY_BE_RAISED:
            return None
        close = self._raw.find(f"</{name}", end, end + LONGEST_MARK)
        if close < 0:
            return None
        within, values = self._raw[end:close], read_attributes(attributes)
        inner = html.unescape(" ".join(_ANY_TAG.sub("", within).split()))
        noted = is_note_mark(name, values, inner, bool(_NOTE_LINK.search(within)))
        if not (noted or name == "sup" or self._styles.raises(name, values)) or len(inner) > LONGEST_RAISED:
            return None
        if f"<{name}" in within and name != "sup":
            return None
        stop = self._raw.find(">", close, close + SEEN)
        stop = close if stop < 0 else stop + 1
        after = self._raw[stop : stop + SEEN].partition("<")[0]
        return INVISIBLE.sub("", "" if noted else set_apart(self._before, inner, after)), start, stop

    def _equation(self, start: int) -> Piece | None:
        from lxml import etree  # type: ignore[import-untyped]

        end = self._raw.find("</math>", start, start + LONGEST_EQUATION)
        if end < 0:
            return None
        end += len("</math>")
        tree = etree.fromstring(self._raw[start:end], etree.HTMLParser(no_network=True))
        element = None if tree is None else next(tree.iter("math"), None)
        text = "" if element is None else linear(element) or element.get("alttext", "")
        return " ".join(INVISIBLE.sub("", text).split()), start, end

    def _shows_equation(self, name: str, end: int) -> bool:
        """Whether a hidden element contains only an equation: pages hide an equation if they show its picture."""
        if name in _BLOCKS or not self._raw[end : end + SEEN].lstrip().startswith("<math"):
            return False
        _, closed, after = self._raw[end : end + LONGEST_EQUATION].partition("</math>")
        return bool(closed) and after.lstrip().startswith(f"</{name}")


def _tag(raw: str, start: int) -> tuple[str, bool, str, int]:
    """(name, whether it closes, attributes, end) of a tag; the name is empty for comments and stray "<" signs."""
    if raw.startswith("<!--", start):
        end = raw.find("-->", start + 4)
        return "", False, "", len(raw) if end < 0 else end + 3
    if raw.startswith(("<!", "<?"), start):
        return "", False, "", max(start, raw.find(">", start, start + LONGEST_TAG)) + 1
    match = _TAG.match(raw, start, start + LONGEST_TAG)
    if not match:
        return "", False, "", start + 1
    return match[1].lower(), raw[start + 1] == "/", match[2], match.end()


def _words(raw: str, start: int, end: int) -> Iterator[Piece]:
    """A page's running text, with entities decoded and spaces for line breaks."""
    position = start
    for match in _ENTITY.finditer(raw, start, end):
        yield from _unbroken(raw, position, match.start())
        char = html.unescape(match[0])
        if not INVISIBLE.fullmatch(char):
            yield char.replace("\xa0", " "), match.start(), match.end()
        position = match.end()
    yield from _unbroken(raw, position, end)


def _unbroken(raw: str, start: int, end: int) -> Iterator[Piece]:
    for shown, first, last in visible(raw, start, end):
        yield shown.translate({10: " ", 13: " ", 9: " "}), first, last
