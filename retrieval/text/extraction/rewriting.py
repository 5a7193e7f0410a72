"""The claims that a sentence makes, each worded to be read alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from retrieval.text.extraction.dates import absolute
from retrieval.text.extraction.quotations import quotation_in
from retrieval.text.extraction.splitting import halves
from retrieval.text.extraction.standing import Edit

_OPENER = re.compile(
    r"(?:However|Moreover|Furthermore|Meanwhile|Nevertheless|Nonetheless|Therefore|Thus|In addition|Besides|Indeed|Still|"
    r"For example|For instance|In fact|And|But|So|Also|Then|Yet)(?:, | (?=(?:the|a|an|he|she|it|they)\b))(?=\w)"
)
_SPACES = re.compile(r"\s+")
_ENDS = re.compile(r"[.!?…][\"'”’»)\]]*\Z")


@dataclass(frozen=True)
class Piece:
    """A claim worded to stand alone. speaker: who said it; empty if the text itself does. named: whether a name
    replaces a pronoun or a short name.
    """

    text: str
    speaker: str = ""
    named: bool = False


def stand_alone(doc: Any, edits: Sequence[Edit], written: date | None = None) -> list[Piece]:
    """The claims of a sentence: what was said, if somebody is quoted; each half, if both stand alone; else the
    sentence. doc: spaCy's parse. edits: replacements of pronouns and short names. written: the day of the text, if
    known.
    """
    text = doc.text
    quotation = quotation_in(doc)
    if quotation:
        speaker = _edited(text, *quotation.speaker, edits)
        said = " ".join(_edited(text, start, end, edits) for start, end in quotation.spans)
        return [Piece(_sentence(said, written), _SPACES.sub(" ", speaker))]
    found = halves(doc)
    if not found:
        return [Piece(_sentence(_edited(text, 0, len(text), edits), written), named=bool(edits))]
    pieces = []
    for half in found:
        said = _edited(text, half.start, half.end, edits)
        if half.subject:
            said = f"{_edited(text, *half.subject, edits)} {said}"
        pieces.append(Piece(_sentence(said, written)))
    return pieces


def plain(sentence: str) -> Piece:
    """A sentence without rewriting, on one line."""
    return Piece(_SPACES.sub(" ", sentence).strip())


def _edited(text: str, start: int, end: int, edits: Sequence[Edit]) -> str:
    parts, position = [], start
    for edit in edits:
        if start <= edit.start and edit.end <= end:
            parts += [text[position : edit.start], edit.text]
            position = edit.end
    return "".join([*parts, text[position:end]])


def _sentence(words: str, written: date | None) -> str:
    """One line with a capital and a full stop, without words that only link it to the previous sentence."""
    text = _SPACES.sub(" ", words).strip()
    text = _OPENER.sub("", text, count=1) if _OPENER.match(text) else text
    if written:
        text = absolute(text, written)
    text = text.rstrip(" ,;:")
    if not _ENDS.search(text):
        text += "."
    return text[:1].upper() + text[1:]
