"""Statements in which every word is capitalised: "Mayor Closes Every Library", "FROGS ARE REPTILES".

The tagger takes their verbs for names, so denials and relations would be missed. Here the verb and function words lose
their capitals; names keep theirs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from retrieval.text.grammar import ALL_SUBJECTS, AUXILIARIES, FINITE, is_finite
from retrieval.text.typed.noise import SMALL_WORDS

SHORTEST_HEADLINE = 5  # words; shorter texts are mostly names ("Some Like It Hot"), unless they contain a copula
LONGEST_HEADLINE = 40  # words; a longer text is not a headline
_COPULA = re.compile(
    r"(?<!\bWho) (?i:is|are|was|were|has|have|had|isn['’]t|aren['’]t|wasn['’]t|weren['’]t|can['’]t|can|does|do|did) "
)
_SMALL = SMALL_WORDS | frozenset(
    "isn't aren't wasn't weren't can't don't doesn't didn't won't hasn't haven't cannot been has have had while when".split()
)


def in_sentence_case(language: Any, text: str, shouted: bool = False) -> str:
    """The statement as a sentence; empty if not all words are capitalised or they make no statement.

    shouted: whether all letters are capitals, as in few names. Then two words and a verb suffice.
    """
    words = text.split()
    if not 3 <= len(words) <= LONGEST_HEADLINE or any(w[0].islower() and w.lower() not in _SMALL for w in words):
        return ""
    if len(words) < SHORTEST_HEADLINE and not shouted and not _COPULA.search(text):
        return ""
    plain = [words[0], *(word.lower() if word.lower() in _SMALL else word for word in words[1:])]
    verbs = _verbs(language, words)
    for lowered in (*({verb} for verb in verbs), set(verbs)):  # one verb, else all: "Will Be Thrown"
        cased = " ".join(word.lower() if place in lowered else word for place, word in enumerate(plain))
        if lowered and _is_stated(language(cased), cased, lowered):
            return cased
    return ""


def _verbs(language: Any, words: list[str]) -> list[int]:
    """Places of the words that are verbs when all words are in lower case; the likeliest main verb first."""
    lowered = [word.lower() for word in words]
    places = {start: place for place, start in enumerate(_starts(lowered)) if place}
    verbs = [token for token in language(" ".join(lowered)) if token.tag_ in FINITE or token.pos_ in ("VERB", "AUX")]
    verbs.sort(key=lambda token: token.dep_ != "ROOT")
    return [places[token.idx] for token in verbs if token.idx in places]


def _is_stated(parsed: Any, text: str, verbs: set[int]) -> bool:
    """Whether the main verb, or its auxiliary, is at one of these places, is finite and follows its subject."""
    starts = {start for place, start in enumerate(_starts(text.split())) if place in verbs}
    for token in (token for token in parsed if token.idx in starts):
        main = token.head if token.dep_ in AUXILIARIES else token
        if main.dep_ == "ROOT" and is_finite(main):
            return any(child.dep_ in ALL_SUBJECTS for child in main.lefts)
    return False


def _starts(words: Sequence[str]) -> list[int]:
    """The offset of each word when single spaces join them."""
    return list(accumulate((len(word) + 1 for word in words[:-1]), initial=0))
