"""Claims that compare two things, decided by the order in which a page puts one of them.

"Jupiter is bigger than Earth" beside "the largest planet", or "the second-largest cat after the tiger".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from retrieval.text.titles import fold, without_bracket
from retrieval.text.words import stem
from retrieval.types import Page, Sentence
from retrieval.verdicts.rules.comparatives import SENTENCES_ON_MEASURES, Comparison, asked_of
from retrieval.verdicts.rules.only_one.place import words_of
from retrieval.verdicts.rules.only_one.sentences import places_given
from retrieval.verdicts.rules.ruling import Ruling, is_about, pages_in_any_number, pages_meant, sentences_of

# Measure -> the words for the most of it, and for the least.
_ORDERS = {
    "size": ("largest", "smallest"),
    "height": ("highest tallest", "lowest shortest"),
    "length": ("longest", "shortest"),
    "depth": ("deepest", "shallowest"),
    "weight": ("heaviest", "lightest"),
    "speed": ("fastest", "slowest"),
    "temperature": ("hottest warmest", "coldest"),
    "population": ("populous", ""),
    "begin": ("youngest newest", "oldest"),
}
_LATER = r"(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:nd|rd|th))"
_IS_LATER = re.compile(_LATER)


def ranked(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence that gives one of the two things the first or the last place among things of the other's kind."""
    asked = asked_of(claim)
    orders = _ORDERS.get(asked.measure) if asked else None
    if asked is None or orders is None:
        return None
    if behind := _behind(asked, orders, pages):
        return behind
    most, least = (frozenset(map(stem, words.split())) for words in orders)
    for name, other, is_first in ((asked.first, asked.second, True), (asked.second, asked.first, False)):
        # The first sentence says what a thing is.
        kind = frozenset[str]().union(*(words_of(one.text) for one in sentences_of(pages_meant(other, pages)[:1], 1)))
        for sentence, place in _places(pages_meant(name, pages)):
            order = place & (most | least)
            later = any(map(_IS_LATER.fullmatch, place))
            if order and not later and place - order and place - order - {stem("most")} <= kind:
                more = bool(order & most) == is_first
                note = f"“{without_bracket(sentence.title)}” is the first in this order."
                return Ruling(sentence, more == asked.more, note)
    return None


def _behind(asked: Comparison, orders: tuple[str, str], pages: Sequence[Page]) -> Ruling | None:
    """The sentence that puts one of the two things behind the other in the order; None if there is none."""
    for name, other, is_first in ((asked.first, asked.second, True), (asked.second, asked.first, False)):
        others = pages_in_any_number(other, pages)[:1]
        names = "|".join(re.escape(one) for one in {other, *(without_bracket(page.title) for page in others)})
        for words, is_most in zip(orders, (True, False), strict=True):
            behind = re.compile(
                rf"\b{_LATER}[- ](?:{words.replace(' ', '|') or '-'})\b[^.;()]{{0,60}}? (?:after|behind|following) (?:only )?(?:the )?(?:{names})s?\b",
                re.IGNORECASE,
            )
            for sentence in sentences_of(pages_in_any_number(name, pages)[:1], SENTENCES_ON_MEASURES):
                match = behind.search(sentence.text)
                if match and is_about(sentence.title, sentence.text[: match.start()]):
                    more = is_most != is_first
                    return Ruling.quoting(sentence, match.group(), holds=more == asked.more)
    return None


def _places(pages: Sequence[Page]) -> Iterator[tuple[Sentence, frozenset[str]]]:
    """The places that the first page gives its subject today."""
    for sentence in sentences_of(pages[:1], SENTENCES_ON_MEASURES):
        for holder, words, now in places_given(sentence):
            if now is not False and fold(holder) == fold(without_bracket(sentence.title)):
                yield sentence, words
