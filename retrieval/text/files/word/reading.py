"""Reads a .docx as Word shows it with all changes accepted (ECMA-376, part 1).

Inserted and moved text, content controls, smart tags, field results, text boxes and notes are read. Deleted, hidden and
struck-out text is not, nor are white letters on white; a note counts what was left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from retrieval.text.files.document import MARK, Converted, is_sentence, listed, row_lines, with_headings
from retrieval.text.files.equations import linear, name_of
from retrieval.text.files.plain_text import real_title
from retrieval.text.files.raised import Run, join_runs
from retrieval.text.files.word import parts
from retrieval.text.files.word.parts import OFF, Styles, WordFile, attribute, child, is_coloured

Lines = list[str]

_LEFT_OUT = {"del": "deleted", "moveFrom": "moved", "delText": "deleted"}
_COUNTED = (
    ("hidden", "hidden word"), ("struck", "struck-out word"), ("comments", "comment"), ("images", "image"),
    ("embedded", "embedded object"), ("inserted files", "inserted file"), ("symbols", "unknown symbol"),
)  # fmt: skip
_SPACES = frozenset(("tab", "br", "cr", "ptab"))
_HOLDERS = frozenset("ins moveTo hyperlink smartTag customXml fldSimple sdtContent dir bdo ruby rubyBase".split())
_CHOICE = "\0"
_SYMBOL = re.compile(
    r'\s*SYMBOL\s+(?P<number>0x[\da-fA-F]{1,4}|\d{1,4})\b(?:[^"]{0,40}\\f\s*"(?P<font>[^"]{1,40})")?', re.IGNORECASE
)
_PAGE = re.compile(r" \d{1,4}\Z")
_NOTE_MARKS = frozenset(("footnoteReference", "endnoteReference", "footnoteRef", "endnoteRef"))


def read_word(content: bytes) -> Converted:
    """The text of a .docx. Raises CorpusError, which says what is wrong with it."""
    file = WordFile(content)
    body = file.body()
    reader = _Reader(file, _endless_fields(body))
    lines = [*reader.blocks(body), *reader.note_lines("endnote")]
    return with_headings(real_title(file.title()), "\n".join(lines)).noting(reader.note())


class _Reader:
    """Walks the elements of a document in order."""

    def __init__(self, file: WordFile, endless: frozenset[Any]) -> None:
        self._styles: Styles = file.styles()
        self._notes = {kind: file.notes(f"{kind}s") for kind in ("footnote", "endnote")}
        self._counts: Counter[str] = Counter(comments=file.comments())
        self._fields: list[bool] = []  # for each open field: whether its result has begun
        self._codes: list[str] = []  # the open fields' instructions, until their results begin
        self._endless = endless
        self._pending: dict[str, list[str]] = {"footnote": [], "endnote": []}
        self._boxes: Lines = []
        self._coloured = file.is_coloured()  # whether the page, table or text box being read has a coloured background
        self._shaded = False  # whether the current paragraph has a coloured background, its own or that around it
        self._in_table = False

    def blocks(self, parent: Any) -> Lines:
        """The lines of the paragraphs and tables of an element."""
        lines: Lines = []
        carried: list[Run] = []  # from paragraphs whose end was deleted: they continue in the next one
        for element in _blocks(parent):
            if name_of(element) == "tbl":
                lines += self._table(element)
                continue
            if name_of(element) == "altChunk":
                self._counts["inserted files"] += 1
                continue
            style = _style(element)
            self._shaded = self._coloured or self._styles.is_shaded(element, style)
            runs = [*carried, *self._runs(element, style)]
            carried = runs if self._goes_on(element) else []
            if not carried:
                lines += self._paragraph(element, runs)
        if carried:
            lines += self._paragraph(None, carried)
        return lines

    def note(self) -> str:
        """A note on what was left out; empty if nothing was."""
        count = self._counts
        changes = listed((count[kind], f"word {kind}", f"words {kind}") for kind in ("inserted", "deleted", "moved"))
        left_out = listed((count[kind], noun, f"{noun}s") for kind, noun in _COUNTED)
        accepted = f"its tracked changes were read as accepted ({changes})" if changes else ""
        return "; ".join(filter(None, (accepted, f"left out: {left_out}" if left_out else "")))

    def _paragraph(self, element: Any, runs: Sequence[Run]) -> Lines:
        text = " ".join(join_runs(runs).replace(MARK, "").split())
        style = "" if element is None else _style(element)
        if text and self._styles.is_contents(style):
            return [f"{MARK}{_PAGE.sub('', text)}"]
        heading = text and self._styles.is_heading(style)
        boxes, self._boxes = self._boxes, []
        notes = [] if self._in_table else self.note_lines("footnote")  # a table row with a note stays one row
        return [*filter(None, [f"{MARK}{text}" if heading else text]), *boxes, *notes]

    def note_lines(self, kind: str) -> Lines:
        """The footnotes or endnotes that wait to be read."""
        numbers, self._pending[kind] = self._pending[kind], []
        found = (self._notes[kind].pop(number, None) for number in numbers)  # each note is read once
        return [line for note in found if note is not None for line in self.blocks(note)]

    def _table(self, table: Any) -> Lines:
        lines: Lines = []
        coloured, nested = self._coloured, self._in_table
        self._coloured, self._in_table = coloured or _has_colours(table), True
        above: dict[int, Lines] = {}  # the cells of the row above
        for row in _inside(table, "tr"):
            properties = child(row, "trPr")
            if (gone := child(properties, "del") is not None) or _is_on(child(properties, "hidden")):
                self._leave_out("deleted" if gone else "hidden", _all_text(row))
                continue
            cells = [self._merged(cell, above) for cell in self._cells(row)]
            above = dict(enumerate(cells))
            lines += row_lines([[line.replace(MARK, "") for line in cell] for cell in cells])
        self._coloured, self._in_table = coloured, nested
        return lines if nested else [*lines, *self.note_lines("footnote")]

    def _merged(self, cell: Any, above: Mapping[int, Lines]) -> Lines:
        """A cell's lines; if it is merged with the cell above, that cell's lines if they are a name or a figure."""
        merged = child(cell, "tcPr", "vMerge")
        place = sum(name_of(before) == "tc" for before in cell.itersiblings(preceding=True))
        lines, shown = self.blocks(cell), above.get(place, [])
        if merged is None or attribute(merged, "val") == "restart" or any(lines):
            return lines
        return shown if len(shown) == 1 and not is_sentence(shown[0]) else lines

    def _cells(self, row: Any) -> Iterator[Any]:
        for cell in _inside(row, "tc"):
            if child(cell, "tcPr", "cellDel") is None:
                yield cell
            else:
                self._leave_out("deleted", _all_text(cell))

    def _goes_on(self, paragraph: Any) -> bool:
        """Whether the paragraph mark is deleted or hidden, or the paragraph is a drop cap."""
        has_no_end = any(_is_on(child(paragraph, "pPr", "rPr", name)) for name in ("del", "moveFrom", "vanish"))
        return has_no_end or attribute(child(paragraph, "pPr", "framePr"), "dropCap") in ("drop", "margin")

    def _runs(self, element: Any, style: str, inserted: bool = False) -> Iterator[Run]:
        """The pieces of a paragraph or of an element in it. style: the paragraph's."""
        for part in element:
            name = name_of(part)
            if name == "r":
                yield from self._run(part, style, inserted)
            elif name in _LEFT_OUT:
                self._leave_out(_LEFT_OUT[name], _all_text(part))
            elif name == "sdt":
                if not _shows_placeholder(part):
                    yield from self._runs(part, style, inserted)
            elif name in ("oMath", "oMathPara"):
                yield from [Run(linear(part))] if all(self._fields) else ()
            elif name in _HOLDERS:
                yield from self._runs(part, style, inserted or name == "ins")
            elif name == "AlternateContent":
                yield from self._runs(_choice(part), style, inserted)

    def _run(self, run: Any, style: str, inserted: bool) -> Iterator[Run]:
        look = self._styles.look(run, style)
        waiting, boxes = {kind: list(numbers) for kind, numbers in self._pending.items()}, self._boxes
        pieces = list(self._pieces(run, look.font, style))
        words = "".join(piece.text for piece in pieces)
        # "nato" is shown as NATO; a name typed with a capital stays as it is, so that search finds it.
        if look.capitals and words.islower():
            pieces = [piece._replace(text=piece.text.upper()) for piece in pieces]
        unseen = look.white and not (look.shaded or self._shaded)
        if look.hidden or look.tiny or look.struck or unseen:
            self._leave_out("struck" if look.struck else "hidden", words)
            self._pending, self._boxes = waiting, boxes  # its notes and text boxes are not shown either
            return
        if inserted:
            self._leave_out("inserted", words)
        yield from (piece._replace(raised=look.raised and not piece.text.isspace()) for piece in pieces)

    def _pieces(self, run: Any, font: str, style: str) -> Iterator[Run]:
        custom = False  # whether a note mark that the author typed follows
        for part in run:
            name = name_of(part)
            if name == "fldChar":
                if part not in self._endless:
                    yield from map(Run, self._field(attribute(part, "fldCharType"), part))
            elif name == "instrText" and self._codes:
                self._codes[-1] += part.text or ""
            elif not all(self._fields):
                continue
            elif name == "t":
                text = parts.without_private(" ".join((part.text or "").splitlines()), font)
                yield Run(text, note=custom)
            elif name in _SPACES:
                yield Run(" ")
            elif name == "noBreakHyphen":
                yield Run("-")
            elif name == "sym":
                yield Run(self._symbol(part))
            elif name in _NOTE_MARKS:
                custom = self._note(name, part)
            else:
                yield from self._held(name, part, style)

    def _held(self, name: str, part: Any, style: str) -> Iterator[Run]:
        """The pieces for a run's contents other than text."""
        if name in ("drawing", "pict", "object"):
            self._picture(name, part)
        elif name == "AlternateContent":
            for inner in _choice(part):
                yield from self._held(name_of(inner), inner, style)
        elif name == "ruby":
            yield from self._runs(part, style)
        elif name in ("delText", "delInstrText"):
            self._leave_out("deleted", part.text or "" if name == "delText" else "")

    def _field(self, kind: str, part: Any) -> Iterator[str]:
        """Track where fields begin and end; yields what a field without a stored result shows, such as a chosen entry."""
        if kind == "begin":
            self._fields.append(False)
            self._codes.append(_chosen(part))
        elif kind == "separate" and self._fields:
            self._fields[-1] = True
        elif kind == "end" and self._fields:
            self._fields.pop()
            code = self._codes.pop()
            if all(self._fields):
                yield from filter(None, [_without_result(code)])

    def _note(self, name: str, part: Any) -> bool:
        if name in ("footnoteReference", "endnoteReference"):
            self._pending[name.removesuffix("Reference")].append(attribute(part, "id"))
        return attribute(part, "customMarkFollows") not in ("", *OFF)

    def _symbol(self, part: Any) -> str:
        try:
            found = parts.symbol(attribute(part, "font"), int(attribute(part, "char") or "0", 16))
        except ValueError:
            found = ""
        self._counts["symbols"] += not found
        return found

    def _picture(self, name: str, part: Any) -> None:
        """Set text boxes aside until their paragraph ends, and count pictures."""
        boxes = [inner for inner in part.iter("{*}txbxContent") if _outer(inner, part)]
        for box in boxes:
            outside = self._boxes, self._fields, self._codes, self._coloured, self._shaded
            self._boxes, self._fields, self._codes = [], [], []
            self._coloured = True  # a box's fill is not read, so assume one
            lines = self.blocks(box)
            self._boxes, self._fields, self._codes, self._coloured, self._shaded = outside
            self._boxes = [*self._boxes, *lines]
        if not boxes:
            self._counts["embedded" if name == "object" else "images"] += 1

    def _leave_out(self, kind: str, text: str) -> None:
        self._counts[kind] += len(text.split())


def _chosen(beginning: Any) -> str:
    """The entry chosen from a form field's list; empty if it has no list."""
    choices = next(beginning.iter("{*}ddList"), None)
    entries = [attribute(entry, "val") for entry in choices if name_of(entry) == "listEntry"] if choices is not None else []  # fmt: skip
    places = [attribute(child(choices, name), "val") for name in ("result", "default")]
    place = next((int(written) for written in places if written.isdecimal() and len(written) < 4), 0)
    return f"{_CHOICE}{entries[place]}" if place < len(entries) else ""


def _without_result(code: str) -> str:
    """The text that a field without a stored result shows."""
    if code.startswith(_CHOICE):
        return code[len(_CHOICE) :].split(" FORMDROPDOWN")[0]
    found = _SYMBOL.match(code)
    if found is None:
        return ""
    number = int(found["number"], 16) if found["number"].lower().startswith("0x") else int(found["number"])
    return parts.symbol(found["font"] or "", number + parts.PRIVATE) if found["font"] else chr(number)


def _endless_fields(body: Any) -> frozenset[Any]:
    """The beginnings of fields that a damaged document never ends, of which Word shows nothing."""
    opened: list[Any] = []
    for part in body.iter("{*}fldChar"):
        kind = attribute(part, "fldCharType")
        if kind == "begin":
            opened.append(part)
        elif kind == "end" and opened:
            opened.pop()
    return frozenset(opened)


def _blocks(parent: Any) -> Iterator[Any]:
    """An element's paragraphs and tables, with those in content controls and similar wrappers."""
    for element in parent:
        name = name_of(element)
        if name in ("p", "tbl", "altChunk"):
            yield element
        elif name == "AlternateContent":
            yield from _blocks(_choice(element))
        elif name in _HOLDERS or (name == "sdt" and not _shows_placeholder(element)):
            yield from _blocks(element)


def _shows_placeholder(control: Any) -> bool:
    """Whether a content control shows only a prompt, such as "Click here"."""
    return _is_on(child(control, "sdtPr", "showingPlcHdr"))


def _inside(parent: Any, tag: str) -> Iterator[Any]:
    """A table's rows or a row's cells, with those in content controls."""
    for element in parent:
        if name_of(element) == tag:
            yield element
        elif name_of(element) == "sdt" or name_of(element) in _HOLDERS:
            yield from _inside(element, tag)


def _choice(alternatives: Any) -> Any:
    """The first of alternatives for several versions of Word, which newer versions read."""
    return next(iter(alternatives), ())


def _outer(box: Any, part: Any) -> bool:
    """Whether a text box is neither inside another one nor an alternative form of one."""
    between = takewhile(lambda above: above is not part, box.iterancestors())
    return not any(name_of(above) in ("txbxContent", "Fallback") for above in between)


def _has_colours(table: Any) -> bool:
    """Whether a table's cells have a background colour, or may inherit one from its style."""
    style = attribute(child(table, "tblPr", "tblStyle"), "val")
    return style.casefold() not in ("", "tablenormal", "tablegrid") or any(map(is_coloured, table.iter("{*}shd")))


def _style(paragraph: Any) -> str:
    return attribute(child(paragraph, "pPr", "pStyle"), "val")


def _is_on(element: Any) -> bool:
    """Whether a property is present and not switched off."""
    return element is not None and attribute(element, "val") not in OFF


def _all_text(element: Any) -> str:
    return " ".join(part.text or "" for part in element.iter("{*}t", "{*}delText"))
