"""The visible text, and the place of each of its characters in the given text.

Tags, comments, scripts and hidden parts are removed, entities are decoded, Markdown, marks of citations and signs of posts
are left out, lines broken to fit a width are joined. Every step is linear in the text: no search that may fail is repeated.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

from retrieval.text.files.hiding import Hiding
from retrieval.text.pasted.citations import mark_spans
from retrieval.text.pasted.markdown import markdown_cuts
from retrieval.text.pasted.posts import post_cuts

LONGEST_TAG = 2_000  # characters; anything longer is no tag
NARROWEST, WIDEST = 40, 120  # least characters of a line that was broken to fit

_BLOCKS = frozenset(
    "address article aside blockquote br dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr "
    "li main nav ol p pre section table tbody td tfoot th thead tr ul option title head body html".split()
)
_NEVER_SHOWN = frozenset(
    "script style template noscript svg iframe object textarea select math canvas head del s strike".split()
)
_VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
_TAG = re.compile(r"""</?([a-zA-Z][a-zA-Z0-9:-]*)((?:[^"'<>]|"[^"<>]*"|'[^'<>]*')*)>""")
_IS_HTML = re.compile(
    r"(?i)<!doctype html|<(?:html|body|p|div|article|section|main|dialog|span|h[1-6]|ul|ol|li|script|style)(?:\s[^<>]{0,200})?/?>"
)
_MAYBE_HTML = re.compile(r"(?i)<(?:a|br|table|td)(?:\s[^<>]{0,200})?/?>")  # which stand in Markdown, too
_IS_MARKDOWN = re.compile(r"(?m)^(?:#{1,6} |[-*+] |> ?|`{3}|~{3}|\|)|\*\*|\]\(")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,24}[0-9]{0,2});")
# Control characters, soft hyphens, invisible joiners, marks that change the reading direction or a sign's form.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20e3"
    "\ufe00-\ufe0f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]+"
)
# Signs that differ from these only in that no line breaks beside them, or in their width.
UNBREAKABLE = {
    **dict.fromkeys((0xA0, 0x2007, 0x2008, 0x2009, 0x200A, 0x202F, 0x205F, 0x3000), " "),
    0x2010: "-",
    0x2011: "-",
}


@dataclass(frozen=True)
class Prose:
    """text: the visible text. starts, ends: offsets in the given text of each of its characters. hidden: words that the
    page hides, which are left out.
    """

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    hidden: int = 0

    def given(self, start: int, end: int) -> tuple[int, int]:
        """The span of text[start:end] in the given text."""
        return self.starts[start], self.ends[end - 1]


def read_prose(given: str) -> Prose:
    """The visible text of plain text, Markdown or HTML. Plain, unbroken text is returned as it is."""
    shown: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    hidden = 0
    pieces = _html_pieces(given) if _is_html(given) else _plain_pieces(given)
    for words, start, end in pieces:
        if not words:
            hidden += len(given[start:end].split())
            continue
        if end - start == len(words):
            starts.extend(range(start, end))
            ends.extend(range(start + 1, end + 1))
        else:  # an entity or a tag: each visible character maps to the whole of it
            starts.extend([start] * len(words))
            ends.extend([end] * len(words))
        shown.append(words)
    text, starts, ends = _cut("".join(shown), starts, ends)
    return Prose(_joined_lines(text), tuple(starts), tuple(ends), hidden)


def _is_html(given: str) -> bool:
    return bool(_IS_HTML.search(given) or (_MAYBE_HTML.search(given) and not _IS_MARKDOWN.search(given)))


def _cut(text: str, starts: list[int], ends: list[int]) -> tuple[str, list[int], list[int]]:
    """The same without marks of citations and signs of posts."""
    parts: list[str] = []
    firsts: list[int] = []
    lasts: list[int] = []
    position = 0
    for start, end, instead in sorted(
        [*((*span, "") for span in mark_spans(text)), *post_cuts(text), (len(text), len(text), "")]
    ):
        if start < position:
            continue
        parts += [text[position:start], instead]
        firsts += [*starts[position:start], *[starts[at] for at in (start,) * len(instead)]]
        lasts += [*ends[position:start], *[ends[end - 1] for _ in instead]]
        position = end
    return "".join(parts), firsts, lasts


Piece = tuple[str, int, int]  # what is shown, empty if the page hides it, and its span in the given text


def _plain_pieces(given: str) -> Iterator[Piece]:
    position = 0
    for start, end, shown in markdown_cuts(given):
        yield from _visible(given, position, start)
        if shown:
            yield shown, start, end
        position = end
    yield from _visible(given, position, len(given))


def _visible(given: str, start: int, end: int) -> Iterator[Piece]:
    """given[start:end] without invisible characters."""
    position = start
    for match in _INVISIBLE.finditer(given, start, end):
        if match.start() > position:
            yield given[position : match.start()].translate(UNBREAKABLE), position, match.start()
        position = match.end()
    if end > position:
        yield given[position:end].translate(UNBREAKABLE), position, end


def _html_pieces(given: str) -> Iterator[Piece]:
    """What is hidden comes too, but for what no browser shows, as scripts."""
    page = Hiding(given)
    position, hidden, depth, silent = 0, "", 0, False
    while position < len(given):
        sign = given.find("<", position)
        sign = len(given) if sign < 0 else sign
        if not hidden:
            yield from _words(given, position, sign)
        elif not silent:
            yield "", position, sign
        if sign == len(given):
            return
        name, closing, attributes, end = _tag(given, sign)
        if hidden == "p" and name in _BLOCKS:  # a paragraph ends where the next block begins
            hidden, position = "", sign
            continue
        opens = not closing and name not in _VOID and attributes[-1:] != "/"
        if hidden:
            if name == hidden and attributes[-1:] != "/":
                depth += -1 if closing else 1
            if depth <= 0:
                hidden = ""
            silent = hidden in _NEVER_SHOWN or (opens and name in _NEVER_SHOWN)
        elif name in _NEVER_SHOWN or (name and opens and page.hides_tag(name, attributes)):
            if opens:
                hidden, depth, silent = name, 1, name in _NEVER_SHOWN
        elif not name and end == sign + 1:
            yield "<", sign, end
        elif name in _BLOCKS:
            yield "\n", sign, end
        position = end


def _tag(given: str, start: int) -> tuple[str, bool, str, int]:
    """(name, whether it closes, attributes, end) of what begins with "<"; no name for comments and stray signs."""
    if given.startswith("<!--", start):
        end = given.find("-->", start + 4)
        return "", False, "", len(given) if end < 0 else end + 3
    if given.startswith(("<!", "<?"), start):
        end = given.find(">", start, start + LONGEST_TAG)
        return "", False, "", start + 1 if end < 0 else end + 1
    match = _TAG.match(given, start, start + LONGEST_TAG)
    if not match:
        return "", False, "", start + 1
    return match[1].lower(), given[start + 1] == "/", match[2], match.end()


def _words(given: str, start: int, end: int) -> Iterator[Piece]:
    """Running text of a page: entities decoded, line breaks as spaces."""
    position = start
    for match in _ENTITY.finditer(given, start, end):
        yield from _unbroken(given, position, match.start())
        sign = html.unescape(match[0])
        if not _INVISIBLE.fullmatch(sign):
            yield sign.replace("\xa0", " "), match.start(), match.end()
        position = match.end()
    yield from _unbroken(given, position, end)


def _unbroken(given: str, start: int, end: int) -> Iterator[Piece]:
    for shown, first, last in _visible(given, start, end):
        yield shown.translate({10: " ", 13: " ", 9: " "}), first, last


def _joined_lines(text: str) -> str:
    """Line breaks within a paragraph turned into spaces if the lines were broken to fit; the same length."""
    lines = text.split("\n")
    joined: list[str] = []
    for index, line in enumerate(lines[:-1]):
        following = lines[index + 1].lstrip()
        broken = NARROWEST <= len(line.rstrip()) <= WIDEST and line.rstrip()[-1] not in '.!?:;…"”»)'
        goes_on = bool(following) and (following[0].islower() or (broken and _as_wide(lines, index)))
        joined.append(line + (" " if broken and goes_on else "\n"))
    return "".join(joined) + lines[-1]


def _as_wide(lines: list[str], index: int) -> bool:
    """Whether a line is about as long as the longest around it: then it was broken to fit."""
    around = [len(line) for line in lines[max(0, index - 3) : index + 4] if line.strip()]
    return len(around) > 2 and len(lines[index]) >= 0.8 * max(around)
