"""Markdown within a line: links, images, emphasis, struck-out words, code, escapes, tags."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from retrieval.text.files.equations import from_latex
from retrieval.text.files.raised import SEEN, set_apart
from retrieval.text.pasted.unseen import UNBREAKABLE

Cut = tuple[int, int, str]  # start, end, replacement

_PART_END = re.compile(r"</(?:summary|div)\b", re.IGNORECASE)  # tags that end a run of text
_OF_EQUATIONS = re.compile(r"[\\^_={}]")
_TEXT = r"(?:[^\[\]\n\\]|\\.|\[[^\[\]\n]{0,100}\]){0,300}"
_TARGET = r"\(\s?(?:<[^<>\n]{0,800}>|(?:[^\s()<>]|\([^\s()<>]{0,200}\)){0,800})(?:\s+(?:\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'))?\s?\)"
LINK = rf"\[{_TEXT}\](?:{_TARGET}|\[[^\[\]\n]{{0,100}}\](?!\())"
ADDRESS = r"(?:https?://|www\.)[^\s<>\[\]()]{1,800}"
_ATTRIBUTES = r"(?:\s+[\w:-]{1,30}\s?=[^<>\n]{0,300})?(?:\s?/)?"
_TAGS = "abbr|acronym|big|bdi|bdo|cite|code|details|dfn|div|em|font|ins|kbd|mark|q|samp|small|strong|span|strike|sub|summary|sup|time|tt|var|[abisu]"
_INLINE = re.compile(
    rf"\\(?:\((?P<round>[^\n]{{1,300}}?)\\\)|\[(?P<square>[^\n]{{1,300}}?)\\\])"
    rf"|(?P<escape>\\(?=[!-/:-@\[-`{{-~]))"
    rf"|(?<!`)(?P<ticks>`{{1,3}})(?!`)(?P<code>[^`\n]{{1,300}})(?P=ticks)(?!`)"
    rf"|<(?P<address>(?:https?://|mailto:)[^\s<>]{{1,800}})>"
    rf"|(?P<image>!\[{_TEXT}\](?:{_TARGET}|\[[^\[\]\n]{{0,100}}\]))"
    rf"|(?P<footnote>\^\[[^\[\]\n]{{1,300}}\](?!\^))"
    rf"|(?P<dollars>\${{1,2}})(?=[^\s$])(?P<equation>[^$\n]{{1,300}})(?<=\S)(?P=dollars)(?![\d$])"
    rf"|(?<![\w:])(?P<picture>:[a-z][a-z0-9_+-]{{2,30}}:)(?![\w:])"
    rf"|(?P<link>{LINK})"
    rf"|(?P<bare>{ADDRESS})"
    rf"|(?<!~)~~(?=\S)(?P<struck>[^~\n]{{1,500}})~~(?!~)"
    rf"|(?<=\w)~(?P<low>\w{{1,10}})~"
    r"|(?P<entity>&(?:[a-zA-Z]{2,8}|#\d{1,7}|#x[\da-f]{1,6});)"
    rf"|(?<=\S)\^(?P<raised>\[?[\w+−-]{{1,12}}\]?)\^"
    rf"|(?<![=!<>])==(?=[^\s=])(?P<lit>[^=\n]{{1,500}})==(?!=)"
    rf"|(?P<broken><br\s?/?>)"
    rf"|<(?P<gone>del|s|strike){_ATTRIBUTES}>[^<\n]{{0,500}}</(?P=gone)\s?>"
    rf"|<sup{_ATTRIBUTES}>(?P<sup>[^<\n]{{1,20}}|\[\^?\d{{1,3}}\]{_TARGET})</sup>"
    rf"|(?P<tag><(?:{_TAGS}){_ATTRIBUTES}>|</(?:{_TAGS})\s?>)"
    rf"|(?P<run>\*{{1,50}}|_{{1,50}}|`{{1,50}})",
    re.IGNORECASE,
)


def inline_cuts(text: str, start: int, end: int) -> list[Cut]:
    """The cuts in text[start:end], one line, in text order. Links that only cite are cut by `source_links`."""
    cuts: list[Cut] = []
    runs: list[re.Match[str]] = []
    position = start
    while match := _INLINE.search(text, position, end):
        position = max(match.end(), match.start() + 1)
        if match["run"]:
            runs.append(match)
        elif match["link"]:
            close = closing_bracket(text, match.start(), match.end())
            cuts += [(match.start(), match.start() + 1, ""), (close, match.end(), "")]
            cuts += inline_cuts(text, match.start() + 1, close)
        elif match["code"]:
            cuts += _around(match, "code")
        elif equation := match["equation"] or match["round"] or match["square"]:
            dollars = match["dollars"] or ""
            if len(dollars) == 2 or _OF_EQUATIONS.search(equation):
                cuts.append((*match.span(), from_latex(equation)))
            else:
                cuts += [] if dollars else [(match.start(), match.start() + 1, "")]  # the backslash
                position = match.start() + (len(dollars) or 2)
        else:
            cuts += _mark_cuts(text, match)
    cuts += _emphasis(text, runs, start, end)
    return sorted(cuts)


def _mark_cuts(text: str, match: re.Match[str]) -> Iterator[Cut]:
    """The cuts for marks other than links and emphasis."""
    group = next((name for name in ("address", "low", "lit") if match[name]), "")
    if group:
        yield from _around(match, group)
    elif match["entity"]:
        shown = unescape(match[0]).translate(UNBREAKABLE)
        yield from [(*match.span(), shown)] if shown != match[0] else []
    elif raised := match["raised"] or match["sup"]:
        yield _raised(text, match, raised.strip())
    elif not match["bare"]:
        ends = _PART_END.match(match[0]) and text[match.end() : match.end() + 1].strip()
        struck = (match["struck"] or match["gone"]) and text[match.start() - 1 : match.start()] == " "
        struck = struck and text[match.end() : match.end() + 1] in tuple(".,;:!?")
        yield match.start() - bool(struck), match.end(), "\n" if match["broken"] or ends else ""


def _around(match: re.Match[str], group: str) -> list[Cut]:
    """The cuts before and after a group, which stays."""
    return [(match.start(), match.start(group), ""), (match.end(group), match.end(), "")]


def _raised(text: str, match: re.Match[str], raised: str) -> Cut:
    """The cut for raised text, as in files: a note mark after a word is left out; "10^9" and "1st" are written out."""
    before = text[max(0, match.start() - SEEN) : match.start()].rpartition("\n")[2]
    shown = set_apart(before, raised, text[match.end() : match.end() + SEEN].partition("\n")[0])
    first = match.start() - (not shown and before[-1:] == " " and bool(before.strip()))
    return first, match.end(), shown


def closing_bracket(text: str, start: int, end: int) -> int:
    """Where the bracket that opens at `start` closes; `end` if it does not close by then."""
    depth = 0
    for place in range(start, end):
        if text[place] in "[]" and text[place - 1 : place] != "\\":
            depth += 1 if text[place] == "[" else -1
            if not depth:
                return place
    return end


def _emphasis(text: str, runs: list[re.Match[str]], start: int, end: int) -> list[Cut]:
    """The cuts for runs of two or more signs, and for pairs of single ones (CommonMark's flanking rules, simplified)."""
    cuts: list[Cut] = []
    opened: dict[str, int] = {}
    for run in runs:
        sign, first, last = run[0][0], run.start(), run.end()
        if len(run[0]) > 1 or sign == "`":
            cuts.append((first, last, ""))
            continue
        before = text[first - 1] if first > start else " "
        after = text[last] if last < end else " "
        inside = before.isalnum() and after.isalnum()
        if inside and (sign == "_" or before.isdigit() or after.isdigit()):
            continue  # "snake_case", "5*3"
        if sign in opened and not before.isspace():
            cuts += [(opened.pop(sign), 0, ""), (first, last, "")]
        elif not after.isspace() and (not before.isalnum() or inside):
            opened[sign] = first
    return [(first, last or first + 1, shown) for first, last, shown in cuts]
