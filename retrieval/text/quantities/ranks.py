"""Places in an order: "second-largest country in the world", "the tallest", "44th president"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from retrieval.text.languages import ENGLISH
from retrieval.text.quantities.finding import Kind, Quantity
from retrieval.text.quantities.stated import Statement
from retrieval.text.words import stem

_SUPERLATIVE = re.compile(r"\b(?P<word>[a-z]{2,}est|most [a-z]+|least [a-z]+|best|worst)\b(?![-'’])", re.IGNORECASE)
_NOT_SUPERLATIVE = frozenset(
    "west east rest test guest forest interest request protest contest harvest priest latest northwest southwest northeast southeast "
    "midwest invest suggest arrest crest chest nest best-selling quest vest pest zest attest conquest digest everest budapest "
    "honest modest manifest earnest tempest bequest ernest".split()
)
_SAME = {"biggest": "largest", "greatest": "largest", "tallest": "highest", "quickest": "fastest"}
_DETERMINED = re.compile(r"(?:\b(?:the|its|their|his|her|a|our|single)|['’]s?)(?: \w+ly)? \Z", re.IGNORECASE)
_END = re.compile(
    r"[,;:.()–—]| (?:after|behind|with|and|but|which|who|that|following|until|since|when|although|as|is|was|are|has|had)\b"
)
_BY = re.compile(r"\bby (?:[\w-]+ ){0,2}[\w-]+")
_PREDICATED = re.compile(
    r"\b(?:is|was|are|were|be|been|being|as|became|become|remains|remained|ranks|ranked|placed|finished|came|,) (?:[\w'’.-]+ ){0,3}\Z|(?:,| and) (?:the|its) \Z"
)
_WORLD = frozenset({"world", "earth", "globe", "planet", "worldwid", "ever"})
_WORDS = re.compile(r"[\w'’-]+")
_SCOPE = 80  # characters after a rank that may limit its order


def ranks(text: str, found: Sequence[Quantity]) -> Iterator[tuple[Quantity | None, Statement]]:
    """Each with the ordinal that is part of it. The statement's low and high are the place; of is the order; detail has the stems of
    what is ordered, and where. It is loose unless it is predicated: "her second album won" names an album only.
    """
    ordinals = {one.end: one for one in found if one.kind is Kind.RANK}
    for match in _SUPERLATIVE.finditer(text):
        word = match["word"].lower()
        if word in _NOT_SUPERLATIVE:
            continue
        ordinal = ordinals.pop(match.start(), None) or ordinals.pop(match.start() - 1, None)
        start = ordinal.start if ordinal else match.start()
        determined = ordinal or _DETERMINED.search(text, max(0, start - 20), start)
        if determined and not text[max(0, start - 7) : start].lower().endswith("one of "):
            yield ordinal, _rank(text, start, match.end(), stem(_SAME.get(word, word)), ordinal)
    for end, ordinal in ordinals.items():
        noun = re.match(r" ([A-Za-z]{4,})", text[end : end + 30])
        if noun and noun[1].lower() not in ENGLISH.function_words and not noun[1].endswith("ed"):  # "first published"
            yield ordinal, _rank(text, ordinal.start, ordinal.end, f"nth {stem(noun[1].lower())}", ordinal)


def _rank(text: str, start: int, end: int, order: str, ordinal: Quantity | None) -> Statement:
    place = int(ordinal.value) if ordinal else 1
    predicated = _PREDICATED.search(text, max(0, start - 40), start)
    scope = scope_of(text, start, end)
    return Statement(Kind.RANK, start, end, order, place, place, detail=scope, loose=predicated is None)


def scope_of(text: str, start: int, end: int) -> frozenset[str]:
    """Stems of the words behind a rank, and of "the world's" before it; the whole world does not limit an order."""
    rest = text[end : end + _SCOPE].replace("U.S.", "US")
    if stop := _END.search(rest):
        rest = rest[: stop.start()]
    rest = _BY.sub(" ", rest)
    before = re.search(r"([\w-]+)['’]s \Z", text[max(0, start - 30) : start])
    words = [word.lower() for word in _WORDS.findall(rest)] + ([before[1].lower()] if before else [])
    stems = frozenset(stem(word) for word in words if word not in ENGLISH.function_words and not word.isdecimal())
    return stems - _WORLD
