"""Joins the lines of printed pages to paragraphs: a full line continues in the next one, even across columns and pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from retrieval.text.files.hyphens import is_cut, joined
from retrieval.text.files.pdf.columns import OTHER_SIZE, SPEAKER, Line
from retrieval.text.files.pdf.margins import GLUED, PrintedPage, notes_from, usual_size
from retrieval.text.files.plain_text import NUMBER, SENTENCE_END

# In font sizes.
INDENT = 0.8
SPACE = 0.25
WIDER = 1.35  # times the usual distance of lines; a wider one begins a new paragraph
SHORT_LINE = 0.6  # of its column; a shorter line that does not end a sentence is a heading
LONG_LINE = 25  # letters; a shorter line at the end of a column is a heading, unless the next begins in lower case

_BULLET = re.compile(r"[-*•–·▪●■◦‣]\s|[•▪●■◦‣\ue000-\uf8ff]")  # symbol fonts have private characters
_WORD = re.compile(r"\S+")
_LEADER = re.compile(r"\s?(?:\.\s?){4,100}\s?\d{1,4}\Z")  # of a table of contents, with the number of the page
_STOP = re.compile(r"[.!?][”\"’)]?\s")  # between two sentences
_ENDED = re.compile(r"[.!?:;…。।۔][\"'”’»)\]]{0,3}$")


@dataclass
class Paragraph:
    """A paragraph. full: whether its last line reaches the end of the column."""

    text: str
    first: Line
    last: Line
    full: bool = False


def paragraphs_of(pages: Sequence[PrintedPage]) -> str:
    """The text of the pages, one line per paragraph; a form feed marks the end of each page, even within a paragraph."""
    usual = usual_size([page.columns for page in pages])
    text = _Text()
    for number, page in enumerate(pages):
        if number:
            text.turn()
        for separate in page.apart:
            text.set_apart(separate)
        for column in page.columns:
            first = notes_from(column, usual)
            for paragraph in paragraphs(column[:first]):
                text.add(paragraph)
            for note in paragraphs(column[first:]):
                text.set_apart(GLUED.sub(r"\g<0> ", note.text, count=1) if GLUED.match(note.text) else note.text)
    return text.ended()


class _Text:
    """Collects paragraphs in order; those outside the running text wait until the current sentence has ended."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._open: Paragraph | None = None
        self._turned = ""
        self._apart: list[str] = []

    def turn(self) -> None:
        """Begin a new page."""
        self._turned += "\f"

    def set_apart(self, text: str) -> None:
        self._apart.append(text)
        if self._open is None or _ENDED.search(self._open.text):
            self._close()

    def add(self, paragraph: Paragraph) -> None:
        if self._open and _goes_on(self._open, paragraph):
            text = _joined(self._open.text, paragraph.text, self._turned)
            self._open = Paragraph(text, self._open.first, paragraph.last, paragraph.full)
            self._turned = ""
        else:
            self._close()
            self._open = paragraph

    def ended(self) -> str:
        """Finish, and return the whole text."""
        self._close()
        return "\n".join(self._lines)

    def _close(self) -> None:
        """End the open paragraph."""
        opened = [_LEADER.sub("", self._open.text)] if self._open else []
        self._lines += [*opened, *self._apart, *filter(None, [self._turned])]
        self._open, self._apart, self._turned = None, [], ""


def paragraphs(column: Sequence[Line]) -> Iterator[Paragraph]:
    """The paragraphs of one column."""
    for block in _blocks(column):
        # In a short block, most lines may be short. A line that ends further right than nearly all of the column may be
        # an exception, so it does not define where full lines end.
        right = max(_right(block), min(max(line.x1 for line in block), _right(column)))
        prose = any(line.text[0].islower() for line in block[1:]) or any(_STOP.search(line.text) for line in block)
        paragraph: Paragraph | None = None
        for number, line in enumerate(block):
            full = number + 1 == len(block) or not _has_room(line, block[number + 1], right)
            if paragraph is not None and not _starts(paragraph.last, line, right, prose):
                paragraph = Paragraph(_joined(paragraph.text, line.text), paragraph.first, line, full)
                continue
            if paragraph is not None:
                yield paragraph
            paragraph = Paragraph(line.text, line, line, full)
        if paragraph is not None:
            # At the end of a column, the next word is unknown, so the line is full if no long word would have fitted.
            paragraph.full = right - paragraph.last.x1 < 3 * paragraph.last.size and len(block) > 1
            yield paragraph


def _right(lines: Sequence[Line]) -> float:
    """The right edge of full lines; among many lines, one that ends further right is ignored."""
    return sorted(line.x1 for line in lines)[-2 if len(lines) > 4 else -1]


def _blocks(column: Sequence[Line]) -> Iterator[list[Line]]:
    """Runs of lines with the same size and distance."""
    pairs = [(above, below) for above, below in pairwise(column) if above.base > below.base]
    usual = median((above.base - below.base) / max(above.size, below.size) for above, below in pairs) if pairs else 0.0
    block: list[Line] = []
    for line in column:
        if block:
            step, size = block[-1].base - line.base, max(block[-1].size, line.size)
            most = (WIDER * min(usual, 1.5) if usual else 1.8) * size
            # A block may have wider line spacing than the rest of its column.
            most = max(most, 1.15 * (block[-2].base - block[-1].base)) if len(block) > 1 else most
            if abs(block[-1].size - line.size) > OTHER_SIZE * size or step > most or step < 0:
                yield block
                block = []
        block.append(line)
    if block:
        yield block


def _starts(before: Line, line: Line, right: float, prose: bool) -> bool:
    """Whether a line begins a new paragraph."""
    numbered = NUMBER.match(line.text)
    if _BULLET.match(line.text) or line.cells or before.cells or _LEADER.search(before.text):
        return True
    if numbered and NUMBER.match(before.text) and abs(line.x0 - before.x0) < SPACE * line.size:
        return True
    if is_cut(before.text, line.text):
        return False
    ended, room = bool(_ENDED.search(before.text)), _has_room(before, line, right)
    if numbered and (ended or room):
        return True
    if line.text[0].islower() and not ended:
        return False
    if ended:
        return SPEAKER.match(line.text) is not None or room or line.x0 - before.x0 > INDENT * line.size
    # Some programs break lines after a fixed number of letters, so a line may have room left within a sentence.
    if prose:
        return room and before.x1 - before.x0 < SHORT_LINE * (right - min(before.x0, line.x0))
    return room or len(before.text) < LONG_LINE


def _has_room(line: Line, following: Line, right: float) -> bool:
    """Whether the next line's first word would have fitted on this line, so that it was not full."""
    word = _WORD.match(following.text)
    width = (following.x1 - following.x0) * (len(word[0]) if word else 0) / max(1, len(following.text))
    return line.x1 + SPACE * line.size + width < right - SPACE * line.size


def _goes_on(before: Paragraph, paragraph: Paragraph) -> bool:
    """Whether a paragraph at the end of a column continues in the next column."""
    size = max(before.last.size, paragraph.first.size)
    if abs(before.last.size - paragraph.first.size) > OTHER_SIZE * size or _BULLET.match(paragraph.text):
        return False
    if any(end.search(before.text) for end in (_LEADER, SENTENCE_END, _ENDED)):
        return False
    if is_cut(before.text, paragraph.text) or paragraph.text[0].islower() or before.text.endswith(","):
        return True
    return before.full and len(before.last.text) >= LONG_LINE and not NUMBER.match(paragraph.text)


def _joined(before: str, after: str, turned: str = "") -> str:
    """Two texts joined. If a page ends between them, a form feed goes there, or after a word that is divided there."""
    if not is_cut(before, after):
        return f"{before}{turned or ' '}{after}"
    word, _, rest = after.partition(" ")
    return f"{joined(before, after)}{word}{turned or ' '}{rest}".rstrip(" ")
