"""The language of a text that may hold claims: by its most common words or, where these do not decide (as in a text of two
sentences), by py3langid. `docs/experiments.md` has figures.
"""

from __future__ import annotations

from retrieval.text.extraction.language import (
    CLEARLY,
    ENGLISH,
    LEAST_COMMON_SHARE,
    NAMES,
    SCRIPTS,
    UNKNOWN,
    common_shares,
    script_of,
)
from retrieval.text.languages.claims import other_than_english
from retrieval.text.languages.detecting import READ_CHARACTERS, english_among

FEW_WORDS = 8  # in a shorter text, most words may be names
# Probabilities of English among 17 languages: from LIKELY up, the text is English; below UNLIKELY, it is not.
LIKELY, UNLIKELY = 0.2, 0.02
NOT_TOLD = "The language of the text could not be told, so it was read as English."


def text_language(text: str) -> str:
    """`en`, another code in `NAMES`, or `und` for any other language; empty if the text does not decide.

    The detector takes .7 s and 70 MB once; most English texts never need it.
    """
    if script_of(text):
        return UNKNOWN
    shares, count = common_shares(text)
    english = shares.pop(ENGLISH)
    if english >= LEAST_COMMON_SHARE and english >= CLEARLY * max(shares.values()):
        return ENGLISH
    return _detected(text[:READ_CHARACTERS], count, {code for code, share in shares.items() if share})


def described_language(text: str, code: str) -> str:
    """The language as a sentence names it: `German`, `in Cyrillic script`. code: from `text_language`."""
    if script := script_of(text):
        return SCRIPTS[script]
    return NAMES.get(code, "in a language that ESOTERIC does not know")


def _detected(text: str, count: int, hinted: set[str]) -> str:
    """The language according to py3langid. hinted: languages with a common word in the text; no other is returned."""
    likeliness, other = english_among(text)
    if likeliness >= LIKELY:
        return ENGLISH
    if other_than_english(text) or (count >= FEW_WORDS and likeliness <= UNLIKELY):
        return other if other in hinted else UNKNOWN
    return ""
