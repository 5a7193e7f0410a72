"""Detects languages: by scripts and common words and, where these do not decide, with py3langid: naive Bayes over byte
sequences, offline (Lui and Baldwin 2012). `docs/experiments.md` has figures.

A claim is short and full of names, which belong to every language, so py3langid alone takes one English claim in sixty for
another language.
"""

from __future__ import annotations

import functools
import mmap
import re
import tempfile
from array import array
from collections.abc import Sequence
from typing import Any

from retrieval.text.extraction.language import (
    CLEARLY,
    COMMON_WORDS,
    LEAST_COMMON_SHARE,
    NAMES,
    SCRIPTS,
    UNKNOWN,
    common_shares,
    script_of,
)
from retrieval.text.languages import ENGLISH, ENGLISH_CODE

ENOUGH_WORDS, ENOUGH = 8, 0.9  # least words of a document, and least probability of its language
READ_CHARACTERS = 20_000
WORDS_TO_DETECT = 8  # in a shorter text, most words may be names
ENGLISH_FROM, NOT_ENGLISH_TO = 0.2, 0.02  # probabilities of English among 17 languages for a text
UNKNOWN_LANGUAGE = "The language of the text could not be detected, so it was read as English."
# The largest probability of English for a claim, and for its words in lower case, which are no names
WHOLE = 0.1
SMALL_SIGN = 0.055  # less than 1/17, the probability for a word without any sign of a language
WITH_SIGN = 0.2  # one of those words is common in another language and is not English
UNMARKED = 0.005  # there is no such sign, and the claim writes names in lower case, or everything in capitals
FEWEST_WORDS_JUDGED = 4  # of a page's sentence
FEWEST_SMALL_WORDS = 2  # of them in lower case, if none is a sign of a language

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


def detect_language(text: str) -> str:
    """The code of the text's language; empty if the text is too short or the result uncertain. The model takes .6 s and
    120 MB on first use, so call this in the process that reads documents.
    """
    if len(text.split()) < ENOUGH_WORDS:
        return ""
    code, probability = detector().classify(text[:READ_CHARACTERS])
    return str(code) if code and probability >= ENOUGH else ""


@functools.cache
def detector() -> Any:
    """py3langid's model, with probabilities."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def english_among(text: str) -> tuple[float, str]:
    """The probability that a short text is English and not another language in `NAMES`, and the likeliest other one."""
    ranked = dict(_of_known_languages().rank(text))  # likeliest first
    return ranked.pop(ENGLISH_CODE), str(next(iter(ranked)))


@functools.cache
def _of_known_languages() -> Any:
    """The model restricted to the languages in `NAMES`: a short text suffices to choose among 17, not among 140. Only
    their columns are loaded, so a process that never reads documents needs 30 MB less."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    whole = LanguageIdentifier.from_model_file(MODEL_FILE)
    columns = [column for column, code in enumerate(whole.nb_classes) if code in NAMES]
    return LanguageIdentifier(
        whole.nb_ptc[:, columns],
        whole.nb_pc[columns],
        [whole.nb_classes[column] for column in columns],
        _mapped(whole.tk_nextmove),
        whole.tk_output,
        norm_probs=True,
        tk_row=whole.tk_row,
    )


def _mapped(numbers: array[int]) -> memoryview:
    """The same numbers, mapped from an unnamed file: of its 42 MB, memory holds only the rows that claims need."""
    with tempfile.TemporaryFile() as file:
        numbers.tofile(file)
        file.flush()
        view: Any = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        return view.cast(numbers.typecode)  # type: ignore[no-any-return]


def other_than_english(claim: str) -> str:
    """The code of the language that a claim is clearly written in, if that is not English; `und` if its script is not
    Latin; empty if it is English or unclear. The code is that of the nearest language in `NAMES`: Norwegian counts as
    Danish. Claims of plain English words alone never load the detector, which takes .7 s and 70 MB once; after that, a
    claim takes a tenth of a millisecond.
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
    """As `other_than_english`, for a sentence of a page. Most pages contain foreign names and titles, so a sentence is English
    if plain English words outnumber those of other languages; the detector reads only one sentence in a hundred. Fragments
    ("Telephones: mobile cellular") are not judged; words in brackets, such as a name in its original language, do not count.
    """
    folded = [word.casefold() for word in _WORD.findall(sentence)]
    if sum(word in _ENGLISH for word in folded) > sum(word in _SIGNS for word in folded) or _IS_A.search(sentence):
        return ""
    text = _IN_BRACKETS.sub(" ", sentence)
    words = _WORD.findall(text)
    signs = any(word.casefold() in _SIGNS for word in words)
    tells = len(words) >= FEWEST_WORDS_JUDGED and (signs or len(_without_names(words)) >= FEWEST_SMALL_WORDS)
    return other_than_english(text) if tells or script_of(text) else ""


def _without_names(words: Sequence[str]) -> list[str]:
    """The words in lower case, without "de la" and the like before a capital; all words of a claim in capitals."""
    if all(word.isupper() for word in words):
        return [word.casefold() for word in words]
    followed = zip(words, [*words[1:], ""], strict=True)
    return [word for word, after in followed if not (word[0].isupper() or (word in _PARTICLES and after[:1].isupper()))]


def text_language(text: str) -> str:
    """`en`, another code in `NAMES`, or `und` for any other language; empty if the text does not decide. The detector
    takes .7 s and 70 MB once; most English texts never need it.
    """
    if script_of(text):
        return UNKNOWN
    shares, count = common_shares(text)
    english = shares.pop(ENGLISH_CODE)
    if english >= LEAST_COMMON_SHARE and english >= CLEARLY * max(shares.values()):
        return ENGLISH_CODE
    text = text[:READ_CHARACTERS]
    probability, other = english_among(text)
    if probability >= ENGLISH_FROM:
        return ENGLISH_CODE
    if other_than_english(text) or (count >= WORDS_TO_DETECT and probability <= NOT_ENGLISH_TO):
        return other if shares.get(other) else UNKNOWN  # no language without a common word in the text
    return ""


def described_language(text: str, code: str) -> str:
    """The language as a sentence names it: `German`, `in Cyrillic script`. code: from `text_language`."""
    script = script_of(text)
    return SCRIPTS[script] if script else NAMES.get(code, "in a language that ESOTERIC does not know")
