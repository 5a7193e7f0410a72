"""Content words, for cheap comparisons before a model reads anything."""

from __future__ import annotations

import functools
import math
import threading
from collections.abc import Iterable

import Stemmer

from retrieval.text.languages import ENGLISH, Language
from retrieval.text.titles import fold

FUNCTION_WORDS = ENGLISH.function_words

LONGEST_WORD_REMEMBERED = 40  # letters; longer strings are not words, and an upload full of them could fill the cache

_local = threading.local()


def content_words(text: str, language: Language = ENGLISH) -> frozenset[str]:
    """Folded, stemmed words of the text without function words (Snowball's stemmers; for English, Porter's second)."""
    return frozenset(stem(word, language.stemmer) for word in fold(text).split() if word not in language.function_words)


def stems(text: str) -> frozenset[str]:
    """Folded, stemmed words of an English text, function words included."""
    return frozenset(map(stem, fold(text).split()))


def shared_words(wanted: frozenset[str], texts: Iterable[str], language: Language = ENGLISH) -> list[frozenset[str]]:
    """For each text, those of the wanted content words that it contains: `content_words(text, language) & wanted`.
    Folding works on each token between spaces, so a token is folded once, however many texts contain it.
    """
    seen, known, found = set[str](), set(language.function_words), list[frozenset[str]]()
    stems: dict[str, str] = {}  # folded word -> its stem, if that is wanted
    held: dict[str, set[str]] = {}  # text between two spaces -> its wanted stems
    for text in texts:
        parts = set(text.split())
        new = parts - seen
        folded = set(fold(" ".join(new)).split())
        stems |= {word: root for word in folded - known if (root := stem(word, language.stemmer)) in wanted}
        if not stems.keys().isdisjoint(folded):
            named = ((part, {stems[word] for word in fold(part).split() if word in stems}) for part in new)
            held |= {part: roots for part, roots in named if roots}
        seen |= parts
        known |= folded
        found.append(frozenset().union(*(roots for part, roots in held.items() if part in parts)))
    return found


def stem(word: str, stemmer: str = "english") -> str:
    """The stem of a folded word; the word itself if there is no stemmer."""
    if not stemmer:
        return word
    return _remembered_stem(word, stemmer) if len(word) <= LONGEST_WORD_REMEMBERED else _stem(word, stemmer)


def _stem(word: str, stemmer: str) -> str:
    if not hasattr(_local, stemmer):  # A stemmer has state, so threads must not share one.
        setattr(_local, stemmer, Stemmer.Stemmer(stemmer))
    return str(getattr(_local, stemmer).stemWord(word))


_remembered_stem = functools.lru_cache(maxsize=100_000)(_stem)


def searched(words: Iterable[str], language: Language = ENGLISH) -> list[str]:
    """The distinct words of a query to look up: without the most frequent ones, unless there are no others."""
    asked = list(dict.fromkeys(words))
    return [word for word in asked if word not in language.ubiquitous] or asked


def share(words: Iterable[str], weights: dict[str, float]) -> float:
    """The share of the total weight that the words have, 0..1, in whatever order; words without a weight count as 0."""
    total = math.fsum(weights.values())
    return math.fsum(weights.get(word, 0.0) for word in words) / total if total else 0.0
