"""Extracts the text that a reader sees in pasted text, each character with its offsets, without marks and broken lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, takewhile

from retrieval.text.files.document import has_ended, is_open
from retrieval.text.files.hyphens import is_cut, joined
from retrieval.text.pasted.citations import mark_spans
from retrieval.text.pasted.html_source import html_pieces, is_html
from retrieval.text.pasted.inline import Cut
from retrieval.text.pasted.markdown import markdown_cuts
from retrieval.text.pasted.posts import post_cuts
from retrieval.text.pasted.slips import slip_cuts
from retrieval.text.pasted.sources import source_cuts
from retrieval.text.pasted.subtitles import is_subtitles, subtitle_cuts
from retrieval.text.pasted.unseen import Piece, visible
from retrieval.text.pasted.wikitext import is_wikitext, wikitext_cuts

_ITEM = re.compile(r"[ \t>]{0,9}(?:[-*+•–]|\(?\w{1,3}[.)])[ \t]{1,4}(?:\[[ xX]\][ \t])?")
_POST = re.compile(
    r"(?:(?<!\S)#\w+|https?://\S+|(?<!\S)@\w+|[\U0001f000-\U0001faff]\ufe0f?)[ \t]*\n|\n[ \t]*(?:[\"“]?(?:RT )?@|[\u203c\u2600-\u27bf\U0001f000-\U0001faff])"
)
# Beginnings that keep a line separate: "Present: Ann Lee", "[12/05/2024, 09:15] Ann: …".
_LABEL = re.compile(r"[A-Z][a-z]+: |\[?\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? \d")
_GOES_ON = re.compile(
    r"(?!(?:and|or|to|und|oder|bis)\b)[^\W\d_A-Z]"
)  # after a divided word, unlike "pre- and post-war"
_LONGEST_ITEM = 30  # characters of a list mark
NARROWEST_TEXT, WIDEST_TEXT = 40, 120  # characters: least and most width of a text whose lines were broken to fit
LEAST_GOING_ON = 0.2  # share of broken lines that end within a phrase or before a word in lower case
FEWEST_NARROW, EVEN = 4, 0.6  # lines of an even narrower text; length of the shortest as a share of the longest


@dataclass(frozen=True)
class Prose:
    """The visible text, with the offsets of each of its characters in the raw text."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    hidden: int = 0  # words left out because the page hides them

    def given(self, start: int, end: int) -> tuple[int, int]:
        """The span of text[start:end] in the raw text."""
        return self.starts[start], self.ends[end - 1]


def read_prose(raw: str) -> Prose:
    """The visible text of plain text, Markdown, wikitext or HTML. Plain, unbroken text is returned as it is."""
    shown: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    hidden = 0
    for words, start, end in _pieces(raw):
        if not words:
            hidden += len(raw[start:end].split())
            continue
        if end - start == len(words):
            starts.extend(range(start, end))
            ends.extend(range(start + 1, end + 1))
        else:  # an entity or a tag: each visible character maps to all of it
            starts.extend([start] * len(words))
            ends.extend([end] * len(words))
        shown.append(words)
    text = "".join(shown)
    marks = ((*span, "") for span in mark_spans(text))
    cuts = sorted([*marks, *source_cuts(text), *post_cuts(text), *slip_cuts(text)])
    text, starts, ends = _cut(text, starts, ends, cuts)
    joints = [joint for joint in _joints(text) if not _begins_item(raw, text, starts, joint)]
    text, starts, ends = _cut(text, starts, ends, joints)
    return Prose(text, tuple(starts), tuple(ends), hidden)


def _cut(text: str, starts: list[int], ends: list[int], cuts: Iterable[Cut]) -> tuple[str, list[int], list[int]]:
    """Text, starts and ends after these cuts, which come in text order; of two that overlap, the first counts."""
    parts: list[str] = []
    firsts: list[int] = []
    lasts: list[int] = []
    position = 0
    for start, end, replacement in chain(cuts, [(len(text), len(text), "")]):
        if start < position:
            continue
        parts += [text[position:start], replacement]
        firsts += [*starts[position:start], *[starts[start] for _ in replacement]]
        lasts += [*ends[position:start], *[ends[end - 1] for _ in replacement]]
        position = end
    return "".join(parts), firsts, lasts


def _pieces(raw: str) -> Iterator[Piece]:
    """The pieces of the text, read by its format."""
    if is_subtitles(raw):
        cuts = subtitle_cuts(raw)
    elif is_wikitext(raw):
        cuts = wikitext_cuts(raw)
    elif is_html(raw):
        yield from html_pieces(raw)
        return
    else:
        cuts = markdown_cuts(raw)
    position = 0
    for start, end, shown in cuts:
        yield from visible(raw, position, start)
        if shown:
            yield shown, start, end
        position = end
    yield from visible(raw, position, len(raw))


def _joints(text: str) -> Iterator[Cut]:
    """Line breaks in lines that were broken to fit, each with its replacement: a space, or nothing in a divided word."""
    lines = text.split("\n")
    narrow = _narrow(lines)
    broken = [_may_be_broken(lines, index, index in narrow) for index in range(len(lines) - 1)]
    goes_on = [
        fits and (lines[index + 1].lstrip()[0].islower() or is_open(lines[index].rstrip()))
        for index, fits in enumerate(broken)
    ]
    wrapped = sum(goes_on) >= LEAST_GOING_ON * max(1, sum(broken))  # not a list of posts or headlines
    position = 0
    for index, line in enumerate(lines[:-1]):
        bare, following = line.rstrip(), lines[index + 1].lstrip()
        cut = is_cut(bare, following) and bare[-2].isalpha() and _GOES_ON.match(following) is not None
        if cut or goes_on[index] or (broken[index] and wrapped and _as_wide(lines, index)):
            stop = position + len(line)
            if is_cut(bare, following):
                start = position + len(joined(bare, following))
                yield start, stop + 1 + len(lines[index + 1]) - len(following), ""
            else:
                yield stop, stop + 1, " "
        position += len(line) + 1


def _may_be_broken(lines: list[str], index: int, narrow: bool) -> bool:
    """Whether a line may go on in the next one, by its length, its last sign and the next line's first word."""
    bare, following = lines[index].rstrip(), lines[index + 1].lstrip()
    fits = NARROWEST_TEXT <= len(bare) <= WIDEST_TEXT or (bool(bare) and narrow)
    return fits and not has_ended(bare) and bare[-1] != ")" and bool(following) and not _LABEL.match(following)


def _narrow(lines: list[str]) -> set[int]:
    """The numbers of lines broken to fit a narrow column: unlike verse and lists, equally long and in lower case."""
    found: set[int] = set()
    first = 0
    for index in range(len(lines) + 1):
        if index < len(lines) and lines[index].strip():
            continue
        block = [line.strip() for line in lines[first:index]]
        if len(block) >= FEWEST_NARROW and max(map(len, block)) < NARROWEST_TEXT:
            small = sum(line[0].islower() for line in block[1:])
            even = min(map(len, block[:-1])) >= EVEN * max(map(len, block))
            if even and 3 * small >= len(block) - 1 and any(map(is_open, block[:-1])):
                found.update(range(first, index))
        first = index + 1
    return found


def _begins_item(raw: str, text: str, starts: Sequence[int], joint: Cut) -> bool:
    """Whether the line after a line break began with a list mark, now cut, or either line is a post."""
    place = joint[1]
    while place < len(text) and text[place].isspace():
        place += 1
    if place >= len(text):
        return False
    first = starts[place]
    mark = raw[max(raw.rfind("\n", 0, first) + 1, first - _LONGEST_ITEM) : first]
    start = max(raw.rfind("\n", 0, first), 0)
    post = _POST.search(raw[max(0, start - _LONGEST_ITEM) : first + 4])
    return post is not None or _ITEM.fullmatch(mark) is not None


def _as_wide(lines: list[str], index: int) -> bool:
    """Whether a line is about as long as the longest one near it, in its paragraph if that is long, and so was broken to fit."""
    near = lines[max(0, index - 3) : index], lines[index : index + 4]
    before, after = (list(takewhile(str.strip, part)) for part in (reversed(near[0]), near[1]))
    paragraph = [*before, *after] if len(before) + len(after) > 2 else [*near[0], *near[1]]
    around = [len(line) for line in paragraph if line.strip()]
    return len(around) > 2 and len(lines[index]) >= 0.8 * max(around)
