"""The parts of a claim to ask for: whole names, each once, without surrounding words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from retrieval.models.english.grammar import protected

Answer = tuple[int, int, str]

PHRASE_KINDS = ("NOUN_PHRASE", "ANSWER")
NO_NAMES = (*PHRASE_KINDS, "DATE", "CARDINAL")
# Types whose spans form one answer but are not names.
AMOUNTS = ("DATE", "TIME", "MONEY", "PERCENT", "QUANTITY")
_OWNED = re.compile(r"['’]s?$")
_ARTICLE = re.compile(r"(?:a|an|the) ", re.IGNORECASE)
_EMPTY = re.compile(r"\b(?:same name|as a result|(?:take|takes|took|taken|taking) place)$", re.IGNORECASE)
_BRACKET = re.compile(r"\s?\([^()]{1,60}\)")
# Words before an amount that are part of it.
_ABOUT = re.compile(
    r"(?:\b(?:at least|at most|more than|less than|fewer than|up to|over|under|about|around|almost|nearly|exactly|only|"
    r"approximately) )$",
    re.IGNORECASE,
)


def names_of(claim: str, answers: Iterable[Answer]) -> list[tuple[int, int]]:
    """Spans that are names, not mere phrases, without a possessive "'s"."""
    return [(start, _unowned(claim, start, end)) for start, end, kind in answers if kind not in NO_NAMES]


def _unowned(claim: str, start: int, end: int) -> int:
    return start + len(_OWNED.sub("", claim[start:end]))


def whole_answers(claim: str, answers: Sequence[Answer]) -> list[Answer | None]:
    """Each answer as a question asks for it; None if it repeats an earlier one or says nothing ("the same name").

    A part of a name becomes the whole name, a possessive loses its "'s", an amount gains the words that belong to it
    ("at least three"), a title its bracket.
    """
    named = [(a, b) for a, b in names_of(claim, answers) if " " in claim[a:b] and not claim[a:b][:1].islower()]
    wholes = [*protected(claim, named), *named, *((a, b) for a, b, kind in answers if kind in AMOUNTS)]
    kinds: dict[int, str] = {}
    for _, end, kind in answers:
        if kind not in PHRASE_KINDS and kinds.get(end, "TITLE") == "TITLE":
            kinds[end] = kind  # the end of a name decides its type: "Emperor Nero" is a person
    seen: set[tuple[int, int]] = set()
    asked: list[Answer | None] = []
    for answer in answers:
        start, end, kind = _whole(claim, answer, wholes, kinds)
        same = (start + len(match[0]) if (match := _ARTICLE.match(claim, start, end)) else start, end)
        empty = end <= start or _EMPTY.search(claim[:end])
        asked.append(None if same in seen or empty else (start, end, kind))
        seen.add(same)
    return asked


def _whole(claim: str, answer: Answer, wholes: Sequence[tuple[int, int]], kinds: dict[int, str]) -> Answer:
    start, end, kind = answer
    if kind not in AMOUNTS:
        end = _unowned(claim, start, end)
    for first, last in wholes:
        overlaps = start < last and first < end
        holds = start <= first and last <= end
        if overlaps and not holds:
            quoted = (start, end) == (first + 1, last - 1)
            start, end = min(start, first), max(end, last)
            kind = kind if quoted else kinds.get(end, "TITLE")
    if kind not in AMOUNTS:
        end = _unowned(claim, start, end)
    elif claim[end : end + 2] in ("'s", "’s"):
        end += 2  # "the 1970's"
    if claim[start:end].count("(") > claim[start:end].count(")") and claim[end : end + 1] == ")":
        end += 1
    elif match := _BRACKET.match(claim, end):
        end = match.end()
    if kind in ("CARDINAL", "NOUN_PHRASE", *AMOUNTS) and (match := _ABOUT.search(claim[:start])):
        start = match.start()
    return start, end, kind
