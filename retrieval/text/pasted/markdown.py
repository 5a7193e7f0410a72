"""Markdown blocks: their marks, code, comments, rules and definitions, line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from retrieval.text.pasted.inline import Cut, inline_cuts
from retrieval.text.pasted.sources import source_links

_FENCE = re.compile(r"[ \t]{0,8}(?:>[ \t]?){0,3}(`{3,}|~{3,})[ \t]*([^`\n]*)")
_PROSE_IN_FENCE = ("markdown", "md", "text", "txt", "plaintext")  # code blocks with these names are read
_LONGEST_FENCE = 6  # signs; longer fences count as this long
_MARK = re.compile(
    r"[ \t]{0,8}(?:#{1,6}[ \t]+|>[ \t]?|[-*+•–:][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,3}[.)][ \t]+|\d\ufe0f?\u20e3[ \t]*)"
)
_MOST_QUOTATION_MARKS = 6  # before a line: a quotation in a list in a quotation
_RULE = re.compile(r"[ \t>]*([-*_=~])(?:[ \t]*\1){2,}[ \t]*\Z")
_CLOSED_HEADING = re.compile(r"[ \t]+#{1,6}[ \t]*\Z")
_DELIMITERS = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\Z")
_DEFINITION = re.compile(
    r"[ \t]{0,3}\[(?!\^)[^\[\]\n]{1,200}\]:[ \t]+<?(?:[a-z]{2,10}://|www\.|mailto:|[/#.])\S*(?:[ \t].*)?\Z"
    r"|[ \t]{0,3}\*\[[^\[\]\n]{1,60}\]:[ \t].*\Z"
)
_NOTE = re.compile(r"[ \t]{0,3}\[\^[\w-]{1,30}\]:[ \t]*")
_WHEN = r"(?:(?:In|On|By|Early|Late) )?(?:\d{1,2} )?(?:[A-Z][a-z]{2,8}\.? )?(?:\d{1,2}, )?\d{3,4}s?(?:[–-]\d{2,4})?(?: BC| AD)?"
# "**Owner:** The mill …", "**Owner** – The mill …", but not "**Born:** 1867" or "**1990:** The mill …", whose label
# gives a fact.
_LABEL = re.compile(
    rf"(\*{{1,2}}|__?)(?=\S)(?!{_WHEN}[*_:])"
    r"[^*_\n]{1,80}(?::\1|\1:|(?<=\S)\1(?=[ \t]{0,2}[–—-][ \t]))(?P<space>(?:[ \t]{0,2}[–—-])?[ \t]+)"
    r"(?=[\"“(]?[A-Z\d].{0,800}[.!?…][\"”’)]{0,2}\W{0,9}(?:\[[\d,; –-]{1,20}\]\W{0,9}){0,9}\Z)"
)
_INDENTED = re.compile(r"(?: {4}|\t)[ \t]*\S")
_ITEM = re.compile(r"[ \t]*(?:[-*+•–][ \t]|\(?\w{1,3}[.)][ \t]|>)")
_OF_CODE = re.compile(r"[={};<>]|\w\(|^\s*(?:#|//|\$ )")
_SENTENCE_END = re.compile(r"[.!?…:][\"'”’)]{0,2}\s*\Z")
_HIDDEN = (("<!--", "-->"), ("<think>", "</think>"))  # comments; the thinking of a language model
_BAR = re.compile(r"(?<!\\)\|")


class _Lines:
    """The lines of a text as offsets, without line breaks."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.spans: list[tuple[int, int]] = []
        start = 0
        for line in text.split("\n"):
            self.spans.append((start, start + len(line.rstrip("\r"))))
            start += len(line) + 1
        self.lacking: dict[str, int] = {}  # sign of a fence -> least length without a closing fence

    def __getitem__(self, number: int) -> str:
        return self.text[slice(*self.spans[number])]


def markdown_cuts(text: str) -> list[Cut]:
    """The cuts, in text order."""
    comments = list(_unseen(text))
    plain = _blanked(text, comments)
    lines = _Lines(plain)
    tables = _table_lines(lines)
    cuts: list[Cut] = [(start, end, "") for start, end in (*comments, *source_links(plain))]
    cuts += [(*lines.spans[at], "") for at in _indented_code(lines)]
    number = 0
    while number < len(lines.spans):
        fence = _FENCE.match(lines[number])
        if fence and (last := _closing(lines, number, fence)) is not None:
            if fence[2].strip().lower() in _PROSE_IN_FENCE:
                cuts += [(*lines.spans[number], ""), (*lines.spans[last], "")]
                for inner in range(number + 1, last):
                    cuts += _line_cuts(lines, inner, tables)
            else:
                cuts.append((lines.spans[number][0], lines.spans[last][1], ""))
            number = last + 1
            continue
        cuts += [(*lines.spans[number], "")] if fence else _line_cuts(lines, number, tables)
        number += 1
    return _apart(sorted(cuts, key=lambda cut: (cut[0], -cut[1])))


def _unseen(text: str) -> Iterator[tuple[int, int]]:
    for opening, closing in _HIDDEN:
        start = text.find(opening)
        while start >= 0 and (end := text.find(closing, start + len(opening))) >= 0:
            position = end + len(closing)
            yield start, position
            start = text.find(opening, position)


def _indented_code(lines: _Lines) -> Iterator[int]:
    """Lines after an empty one that are indented by four spaces and look like code: none ends like a sentence."""
    number, before = 0, ""
    while number < len(lines.spans):
        last = number
        while last < len(lines.spans) and _INDENTED.match(lines[last]):
            last += 1
        block = [lines[at] for at in range(number, last)]
        apart = number == 0 or not lines[number - 1].strip()
        is_code = any(map(_OF_CODE.search, block)) and not any(map(_SENTENCE_END.search, block))
        if is_code and apart and not _ITEM.match(before):
            yield from range(number, last)
        before = next((line for line in (*block[::-1], lines[number]) if line.strip()), before)
        number = max(last, number + 1)


def _blanked(text: str, spans: list[tuple[int, int]]) -> str:
    """The text with these parts replaced by spaces; line breaks stay."""
    parts, position = [], 0
    for start, end in spans:
        parts += [text[position:start], re.sub(r"[^\n]", " ", text[start:end])]
        position = end
    return "".join([*parts, text[position:]])


def _closing(lines: _Lines, number: int, opening: re.Match[str]) -> int | None:
    """The number of the line that closes a fence; None if there is none."""
    sign, length = opening[1][0], min(len(opening[1]), _LONGEST_FENCE)
    if length >= lines.lacking.get(sign, _LONGEST_FENCE + 1):
        return None
    for later in range(number + 1, len(lines.spans)):
        found = _FENCE.match(lines[later])
        if found and found[1][0] == sign and len(found[1]) >= length and not found[2].strip():
            return later
    lines.lacking[sign] = length
    return None


def _table_lines(lines: _Lines) -> set[int]:
    """Table rows: the line above a row of dashes, that row, and the lines with bars below it; also lines within bars."""
    found: set[int] = set()
    for number in range(len(lines.spans)):
        line = lines[number].strip()
        if "|" not in line:
            continue
        if (len(line) > 2 and line[0] == line[-1] == "|") or number - 1 in found:
            found.add(number)
        elif "-" in line and number and "|" in lines[number - 1] and _DELIMITERS.match(line):
            found |= {number - 1, number}
    return found


def _line_cuts(lines: _Lines, number: int, tables: set[int]) -> Iterator[Cut]:
    start, end = lines.spans[number]
    line = lines.text[start:end]
    if _RULE.match(line) or _DEFINITION.match(line) or (number in tables and _DELIMITERS.match(line)):
        yield start, end, ""
        return
    place = start
    for _ in range(_MOST_QUOTATION_MARKS):
        mark = _MARK.match(lines.text, place, end)
        if not mark:
            break
        place = mark.end()
    if note := _NOTE.match(lines.text, place, end):
        place = note.end()
    if place > start:
        yield start, place, ""
    if "#" in line[: place - start] and (closed := _CLOSED_HEADING.search(lines.text, place, end)):
        yield closed.start(), end, ""
        end = closed.start()
    if line.endswith("\\") and not line.endswith("\\\\"):  # a line break in Markdown
        yield end - 1, end, ""
        end -= 1
    if label := _LABEL.match(line, place - start):
        yield start + label.start("space"), start + label.end("space"), "\n"
    if number in tables:
        yield from ((bar.start(), bar.end(), "\n") for bar in _BAR.finditer(lines.text, place, end))
    yield from inline_cuts(lines.text, place, end)


def _apart(cuts: list[Cut]) -> list[Cut]:
    """The cuts without those inside another one."""
    found: list[Cut] = []
    for cut in cuts:
        if cut[0] < cut[1] and (not found or cut[0] >= found[-1][1]):
            found.append(cut)
    return found
