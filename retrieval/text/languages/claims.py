"""Decides whether a claim, or a sentence of a page, is in a language other than English.

A claim is short and full of names, which belong to every language, so py3langid alone takes one English claim in sixty
for another language; `docs/experiments.md` has figures.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.extraction.language import COMMON_WORDS, UNKNOWN, script_of
from retrieval.text.extraction.language import ENGLISH as ENGLISH_CODE
from retrieval.text.languages.detecting import english_among
from retrieval.text.languages.english import ENGLISH

# The largest probability of English for a claim, and for its words in lower case, which are no names
WHOLE = 0.1
SMALL_SIGN = 0.055  # less than 1/17, the probability for a word without any sign of a language
WITH_SIGN = 0.2  # one of those words is common in another language and is not English
UNMARKED = 0.005  # there is no such sign, and the claim writes names in lower case, or everything in capitals
FEWEST, FEWEST_SMALL = 4, 2  # least words of a page's sentence; and in lower case, if none is a sign of a language

_OTHERS = frozenset().union(*(words for code, words in COMMON_WORDS.items() if code != ENGLISH_CODE))
_PLAIN = (
    "after also always any because been before being between both died during ever every first into many most never only "
    "other published received released some than them then there these those through two until when where while without "
    "won worked wrote played appeared directed sang sung filmed dates adapts"
)
_ENGLISH = (ENGLISH.function_words | COMMON_WORDS[ENGLISH_CODE] | frozenset(_PLAIN.split())) - _OTHERS
_PARTICLES = frozenset("van der den de la le du di da del della dos das do von zu y e el al los las les".split())
_ENGLISH_TOO = frozenset(
    "met die war hat den men plus over no pro per con son sur sin ten dan come mint care far".split()
)
_SIGNS = _OTHERS - ENGLISH.function_words - COMMON_WORDS[ENGLISH_CODE] - _PARTICLES - _ENGLISH_TOO
_WORD = re.compile(r"[^\W\d_]+")
_IN_BRACKETS = re.compile(r"\[[^\[\]]*\]|\([^()]*\)")
_IS_A = re.compile(r"\b(?:is|was) an?\b", re.IGNORECASE)


def other_than_english(claim: str) -> str:
    """The code of the language that a claim is clearly written in, if that is not English; `und` if its script is not
    Latin; empty if it is English or unclear.

    The code is that of the nearest language in `NAMES`: Norwegian counts as Danish. Claims of plain English words alone
    never load the detector, which takes .7 s and 70 MB once; after that, a claim takes a tenth of a millisecond.
    """
    if script_of(claim):
        return UNKNOWN
    words = _WORD.findall(claim)
    small = _without_names(words)
    if not small:
        return ""
    sign = not _SIGNS.isdisjoint(small)
    if not sign and (_IS_A.search(claim) or not _ENGLISH.isdisjoint({words[0].casefold(), *small})):
        return ""
    english, other = english_among(claim)
    if english > WHOLE:
        return ""
    if words[0][0].isupper() and not claim.isupper():
        most = WITH_SIGN if sign else SMALL_SIGN
    else:
        most = SMALL_SIGN if sign else UNMARKED
    return other if english_among(" ".join(small))[0] <= most else ""


def sentence_other_than_english(sentence: str) -> str:
    """As `other_than_english`, for a sentence of a page. Since most pages contain foreign names and titles, a sentence
    in which plain English words outnumber those of other languages is English; so the detector reads only one sentence
    in a hundred. Fragments ("Telephones: mobile cellular") are not judged, and words in brackets, such as a name in its
    original language, do not count.
    """
    if _is_plain(sentence) or _IS_A.search(sentence):
        return ""
    text = _IN_BRACKETS.sub(" ", sentence)
    words = _WORD.findall(text)
    signs = any(word.casefold() in _SIGNS for word in words)
    tells = len(words) >= FEWEST and (signs or len(_without_names(words)) >= FEWEST_SMALL)
    return other_than_english(text) if tells or script_of(text) else ""


def _is_plain(sentence: str) -> bool:
    """Whether plain English words outnumber those of other languages."""
    words = [word.casefold() for word in _WORD.findall(sentence)]
    return sum(word in _ENGLISH for word in words) > sum(word in _SIGNS for word in words)


def _without_names(words: Sequence[str]) -> list[str]:
    """The words in lower case, without "de la" and the like before a capital; all words of a claim in capitals."""
    if all(word.isupper() for word in words):
        return [word.casefold() for word in words]
    followed = zip(words, [*words[1:], ""], strict=True)
    return [word for word, after in followed if not (word[0].isupper() or (word in _PARTICLES and after[:1].isupper()))]
