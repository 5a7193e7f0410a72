"""The language of a text whose claims are sought: by its most common words or, if they do not decide, as in a text of two
sentences, by py3langid. `docs/experiments.md` has figures.
"""

from __future__ import annotations

from retrieval.text.extraction.language import (
    CLEARLY,
    ENGLISH,
    LEAST_SHARE,
    NAMES,
    SCRIPTS,
    UNKNOWN,
    common_shares,
    script_of,
)
from retrieval.text.languages.claims import other_than_english
from retrieval.text.languages.detecting import READ_CHARACTERS, english_among

FEW_WORDS = 8  # with less, most may be names
LIKELY, UNLIKELY = 0.2, 0.02  # least and most that English has of 17 languages where it is, or is not, the text's
NOT_TOLD = "The language of the text could not be told, so it was read as English."


def text_language(text: str) -> str:
    """`en`, another code of `NAMES`, or `und` for any other language; empty if the text does not decide it.

    The detector takes .7 s and 70 MB once; most English texts never need it.
    """
    if script_of(text):
        return UNKNOWN
    shares, count = common_shares(text)
    english = shares.pop(ENGLISH)
    if english >= LEAST_SHARE and english >= CLEARLY * max(shares.values()):
        return ENGLISH
    return _detected(text[:READ_CHARACTERS], count, {code for code, share in shares.items() if share})


def described_language(text: str, code: str) -> str:
    """For use in a sentence: `German`, `in Cyrillic script`. code: what `text_language` gives."""
    if script := script_of(text):
        return SCRIPTS[script]
    return NAMES.get(code, "in a language that ESOTERIC does not know")


def _detected(text: str, count: int, hinted: set[str]) -> str:
    """The answer of py3langid. hinted: languages with a common word in the text; no other is named."""
    likeliness, other = english_among(text)
    if likeliness >= LIKELY:
        return ENGLISH
    if other_than_english(text) or (count >= FEW_WORDS and likeliness <= UNLIKELY):
        return other if other in hinted else UNKNOWN
    return ""
