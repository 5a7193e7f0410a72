"""Matches the quotation marks of a whole text, where a quotation may span several sentences and paragraphs."""

from __future__ import annotations

import re
from dataclasses import dataclass

MARKS = "\"“”„«»'‘’"
_CLOSING = {"“": "”", "«": "»", '"': '"', "‘": "’", "'": "'"}
_OPENING = re.compile(r"""(?<![^\s(\[—–-])["“«‘'](?=\S)""")
_SINGLE_ENDS = re.compile(r"[,.!?…—–][’'](?![^\s)\]—–])")  # an apostrophe ends nothing
_PARAGRAPH = re.compile(r"[^\n]+")


@dataclass(frozen=True)
class Quoted:
    """text[start:end], with its marks. goes_on: whether it has no closing mark because the next paragraph continues it."""

    start: int
    end: int
    goes_on: bool = False


def quoted_spans(text: str) -> list[Quoted]:
    """The quotations in double or single marks, in text order; marks inside a quotation are part of it."""
    paragraphs = [match.span() for match in _PARAGRAPH.finditer(text) if not match[0].isspace()]
    found: list[Quoted] = []
    for number, (start, end) in enumerate(paragraphs):
        lacking: set[str] = set()  # marks without a closing one, each searched for only once: linear time
        opening = _OPENING.search(text, start, end)
        while opening:
            mark, after = opening[0], opening.end()
            close = -1 if mark in lacking else _closing(text, mark, after, end)
            if close >= 0:
                found.append(Quoted(opening.start(), close))
                after = close
            elif mark not in lacking:
                lacking.add(mark)
                following = text[slice(*paragraphs[number + 1])] if number + 1 < len(paragraphs) else ""
                if mark not in "'‘" and following.lstrip().startswith(mark):
                    found.append(Quoted(opening.start(), end, goes_on=True))
                    break
            opening = _OPENING.search(text, after, end)
    return found


def _closing(text: str, mark: str, start: int, end: int) -> int:
    """The offset after the closing mark; -1 if the paragraph has none."""
    if mark in "'‘":
        ends = _SINGLE_ENDS.finditer(text, start, end)
        return next((match.end() for match in ends if match[0][-1] == _CLOSING[mark]), -1)
    place = text.find(_CLOSING[mark], start, end)
    return place + 1 if place >= 0 else -1


def without_stray_marks(sentence: str) -> str:
    """The sentence without an unmatched double quotation mark."""
    if sentence.count("“") > sentence.count("”"):
        sentence = sentence.replace("“", "", 1)
    elif sentence.count("”") > sentence.count("“"):
        sentence = "".join(sentence.rsplit("”", 1))
    if sentence.count('"') % 2:
        at_start = sentence.lstrip().startswith('"')
        sentence = sentence.replace('"', "", 1) if at_start else "".join(sentence.rsplit('"', 1))
    return sentence


def closes_before_it_opens(part: str) -> bool:
    """Whether a part of a sentence begins inside double quotation marks."""
    odd = part.count('"') % 2 == 1 and part.rfind('"') not in {match.start() for match in _OPENING.finditer(part)}
    return odd or part.count("”") > part.count("“")
