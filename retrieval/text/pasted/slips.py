"""Removes item marks within a line, such as "1)" or "(a)", and adds missing spaces: "the Louvre;it opened"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from unicodedata import normalize

from retrieval.text.pasted.inline import Cut

_ITEM = re.compile(
    r"(?:(?:(?<=\n)|\A)[ \t]{0,8}|(?<=[.!?:;,\])”\"][ \t])|(?<=[ \t]and )|(?<=[ \t]or )|(?<=[ \t]but ))"
    r"(?P<item>(?:(?:\d{1,2}|\(?(?:[a-h]|i{1,3}|i?v|vi{1,3}|i?x))\)|[•●▪■◦‣⁃∙·»→➢►✓*])[ \t]+)(?=[\"“‘'(]?[^\W_])"
)
_BULLET = re.compile(r"(?<=[^\s.!?:;,])[ \t]{1,3}[•●▪■◦‣➢►][ \t]{1,3}(?=[\"“‘'(]?[^\W_a-z])")  # within a line
# The time of a spoken line.
_TIME = re.compile(r"(?:(?<=\n)|\A)[ \t]*[\[(]?\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d{3})?[\])]?[ \t]+(?=\S)")
FEWEST_TIMES = 2
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
    times = list(_TIME.finditer(text))
    times = times if len(times) >= FEWEST_TIMES else []
    cuts += [(*match.span(), "\n") for match in times if not _LABELLED.match(text, match.end())]
    cuts += [(*match.span(), normalize("NFKC", match[0])) for match in _LIGATURE.finditer(text)]
    for match in _SPACE.finditer(text):
        before = re.split(r"\s", text[max(0, match.start() - _LONGEST_BESIDE_SIGN) : match.start()])[-1]
        after = re.split(r"\s", text[match.end() : match.end() + _LONGEST_BESIDE_SIGN], maxsplit=1)[0]
        if not _NO_PROSE.search(before + after):
            cuts.append((*match.span(), f"{match[0]} "))
    yield from sorted(cuts)


def _closes(text: str, match: re.Match[str]) -> bool:
    """Whether an apparent item number ends a bracket: "(see Fig. 2) it"."""
    before = text[max(0, match.start() - LONGEST_BRACKET) : match.start()].rpartition("\n")[2]
    closes = ")" in match["item"] and not match["item"].startswith("(")
    return closes and before.count("(") > before.count(")")
