"""Tidies text: control characters, broken lines, meaningless titles."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

from retrieval.text.files.hyphens import is_cut, joined

LONGEST_TITLE_LINE = 200  # characters
SENTENCE_END = re.compile(r"[.!…。।۔]\W{0,3}$")

NUMBER = re.compile(r"\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)]\s")  # of an item in a list
LINE_BREAK = re.compile("\r\n?|[\x0b\x85\u2028\u2029]")
_SPACE = re.compile(r"[^\S\n\f]+")
# Control characters, invisible joiners, which keep search from finding words, direction marks, lone surrogates.
_CONTROL = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u200b\u2060\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)
_PLAIN = str.maketrans(
    {"\u2010": "-", "\u2011": "-", "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
)
_DEFAULT_TITLES = {"untitled", "untitled document", "document", "document1", "word document", "microsoft word"}


def tidy(text: str) -> str:
    """The text in NFC, without control characters, double spaces and empty lines, one line per paragraph. Idempotent."""
    text = _CONTROL.sub("", LINE_BREAK.sub("\n", text)).translate(_PLAIN)
    lines = (line.strip(" ") for line in _SPACE.sub(" ", unicodedata.normalize("NFC", text)).split("\n"))
    return "\n".join(line for line in lines if line).strip("\n ")


def unwrap(text: str) -> str:
    """Join lines broken to fit a page, and words divided there. A form feed ends a paragraph."""
    lines = [line.strip() for line in LINE_BREAK.sub("\n", text.replace("\f", "\n\n")).split("\n")]
    width = _width(lines)
    if not width:
        return "\n".join(lines)
    pieces, before = [""], ""
    for line in lines:
        goes_on = line[:1].islower() if len(before) < 0.7 * width else line[:1].isalnum()
        if not before or not goes_on or NUMBER.match(line):
            pieces.append("\n")
        elif is_cut(before, line):
            pieces[-1] = joined(before, line)
        else:
            pieces.append(" ")
        pieces.append(line)
        before = line
    return "".join(pieces)


def _width(lines: list[str]) -> int:
    """The width at which lines were broken; 0 if they were not, as in lists, verse and paragraphs of one line."""
    widths = sorted(len(line) for line in lines if line.strip())
    width = widths[len(widths) * 9 // 10] if widths else 0
    first_letters = [line[0] for before, line in pairwise(lines) if before.strip() and line.strip()]
    uncapitalized = [first.isalpha() and not first.isupper() for first in first_letters]
    # In English prose, two in three lines after a break begin in lower case; in German, one in two.
    return width if 40 <= width <= 200 and sum(uncapitalized) > 0.3 * len(uncapitalized) else 0


def real_title(title: str) -> str:
    """The title on one line; empty if it is an editor's default."""
    title = re.sub(r"^Microsoft (Word|PowerPoint) - ", "", tidy(title).replace("\n", " "))
    return "" if title.casefold() in _DEFAULT_TITLES else title[:LONGEST_TITLE_LINE].strip()
