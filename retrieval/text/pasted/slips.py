"""Removes item marks, such as "1)", "(a)" or "2.1", and running heads of pages; adds missing spaces: "the Louvre;it opened"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from string import ascii_lowercase
from unicodedata import normalize

from retrieval.text.pasted.citations import PASTED
from retrieval.text.pasted.inline import Cut

_ITEM = re.compile(
    r"(?:(?:(?<=\n)|\A)[ \t]{0,8}|(?<=[.!?:;,\])”\"][ \t])|(?<=[ \t]and )|(?<=[ \t]or )|(?<=[ \t]but ))"
    r"(?P<item>(?:(?:\d{1,2}|\(?(?:[a-h]|i{1,3}|i?v|vi{1,3}|i?x))\)|[•●▪■◦‣⁃∙·»→➢►✓*])[ \t]+)(?=[\"“‘'(]?[^\W_])"
)
_BULLET = re.compile(r"(?<=[^\s.!?:;,])[ \t]{1,3}[•●▪■◦‣➢►][ \t]{1,3}(?=[\"“‘'(]?[^\W_a-z])")  # within a line
# The time of a spoken line.
_TIME = re.compile(r"(?:(?<=\n)|\A)[ \t]*[\[(]?\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d{3})?[\])]?[ \t]+(?=\S)")
FEWEST_TIMES = 2
_LINE = r"(?:(?<=\n)|\A)[ \t]{0,8}"
_SECTION = re.compile(
    rf"{_LINE}(?P<number>\d{{1,2}}(?:\.\d{{1,2}}){{1,3}})\.?[ \t]{{1,4}}(?=[\"“]?[A-Z][\w’']* )"
)  # "2.1 The"
_LETTER = re.compile(rf"{_LINE}(?P<letter>[a-z])\.[ \t]{{1,4}}(?=\S)")  # "a. The"
FEWEST_COUNTED = 2
SHORTEST_BROKEN = 40  # characters of a line that was broken to fit
# A salutation that a sentence follows, unlike "Dear Evan Hansen, a musical, opened".
_SALUTATION = re.compile(rf"{_LINE}Dear [^\n,.!?]{{1,50}},[ \t]{{1,4}}(?!(?:an?|the|which|who|whose)\b)(?=\w)")
_MARKED_STOP = re.compile(rf"(?:{PASTED})\s+[\"“‘(]?[A-Z]")
_NOTE_MARK = re.compile(
    r"(?<=[a-z]{3},)[1-9]\d?(?=[ \t]+[a-z]{2})"
)  # of a note, where others follow full stops: "high,2 and"
# A page's running head or number within a sentence, as text copied from a PDF has it.
_HEAD = re.compile(
    r"(?<=[^\s.!?:;”\"])[ \t]{0,9}\n(?:[ \t]{0,9}\n){0,3}[ \t]{0,40}"
    r"(?:(?:\d{1,4}[ \t]{3,90}\S[^\n]{1,80}|\S[^\n]{1,80}?[ \t]{3,90}\d{1,4})[ \t]{0,9}\n(?:[ \t]{0,9}\n){0,3}(?=[a-z\d])"
    r"|(?:[-–] ?\d{1,4} ?[-–]|(?:[Pp]age )?\d{1,4}(?: (?:of|/) \d{1,4})?)[ \t]{0,9}\n(?:[ \t]{0,9}\n){0,3}(?=[a-z]))"
)
LONGEST_BRACKET = 200  # characters
_LABELLED = re.compile(r"[A-Z][\w.'’ -]{0,40}:[ \t]")  # a speaker's label, which keeps its time
_SPACE = re.compile(
    r"(?:(?<=[^\W\d_]{2})|(?<=\d))(?P<sign>[;,])(?=[^\W\d_]{2})(?!(?<=\b[Tt][Ll];)[Dd][Rr]\b)|(?<=[^\W\d_]{2})(?P<before>[;,])(?=\d)"
)
_LIGATURE = re.compile("[\ufb00-\ufb06]")  # "ﬁ"
_LONGEST_BESIDE_SIGN = 60  # characters to look at beside a sign
_NO_PROSE = re.compile(r"://|www\.|[@/\\_=<>{}|&]")


def slip_cuts(text: str) -> Iterator[Cut]:
    """The cuts, in text order."""
    cuts = [(*match.span("item"), "") for match in _ITEM.finditer(text) if not _closes(text, match)]
    cuts += [(*match.span(), "\n") for match in _BULLET.finditer(text)]
    heads = (match for match in _HEAD.finditer(text) if _is_long(text, match.start()))
    cuts += [(*match.span(), "\n") for match in heads]
    cuts += [(*match.span(), "") for match in _counted(text)]
    cuts += [(*match.span(), "") for match in _SALUTATION.finditer(text)]
    if _MARKED_STOP.search(text):
        cuts += [(*match.span(), "") for match in _NOTE_MARK.finditer(text)]
    times = list(_TIME.finditer(text))
    times = times if len(times) >= FEWEST_TIMES else []
    cuts += [(*match.span(), "\n") for match in times if not _LABELLED.match(text, match.end())]
    cuts += [(*match.span(), normalize("NFKC", match[0])) for match in _LIGATURE.finditer(text)]
    marked = {start for start, _, _ in cuts}
    for match in _SPACE.finditer(text):
        if match.end() in marked:
            continue
        before = re.split(r"\s", text[max(0, match.start() - _LONGEST_BESIDE_SIGN) : match.start()])[-1]
        after = re.split(r"\s", text[match.end() : match.end() + _LONGEST_BESIDE_SIGN], maxsplit=1)[0]
        if not _NO_PROSE.search(before + after):
            cuts.append((*match.span(), f"{match[0]} "))
    yield from sorted(cuts)


def _is_long(text: str, end: int) -> bool:
    """Whether a line that ends at this offset may have been broken to fit, unlike a label of a figure below it."""
    return end - text.rfind("\n", 0, end) > SHORTEST_BROKEN


def _counted(text: str) -> Iterator[re.Match[str]]:
    """Numbers of sections and letters of items at the beginnings of lines, if they count on."""
    sections, letters = list(_SECTION.finditer(text)), list(_LETTER.finditer(text))
    numbers = [tuple(map(int, match["number"].split("."))) for match in sections]
    if len(sections) >= FEWEST_COUNTED and all(before < after for before, after in pairwise(numbers)):
        yield from sections
    if len(letters) >= FEWEST_COUNTED and ascii_lowercase.startswith("".join(match["letter"] for match in letters)):
        yield from letters


def _closes(text: str, match: re.Match[str]) -> bool:
    """Whether an apparent item number ends a bracket: "(see Fig. 2) it"."""
    before = text[max(0, match.start() - LONGEST_BRACKET) : match.start()].rpartition("\n")[2]
    closes = ")" in match["item"] and not match["item"].startswith("(")
    return closes and before.count("(") > before.count(")")
