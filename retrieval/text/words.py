"""Content words, for the cheap comparisons that come before a model reads anything."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterable

import Stemmer

from retrieval.text.titles import fold

# Words that tell nothing about a claim's topic. Short on purpose: "first", "only" and "not" do tell something.
FUNCTION_WORDS = frozenset(
    "a an the of in on at by for with to from and or is was are were be been being has have had it its his her their "
    "he she they that this as who which did does do there one s".split()
)

# In more than a third of 118,863 pages: most of what BM25 would read, and of no say in what it finds.
UBIQUITOUS_WORDS = frozenset("a and as by for in is it of on the to was".split())

_local = threading.local()


def content_words(text: str) -> frozenset[str]:
    """Folded, stemmed words of the text without function words (stemmer: Porter's second, `english` of Snowball)."""
    return frozenset(stem(word) for word in fold(text).split() if word not in FUNCTION_WORDS)


@functools.lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Stem of one folded word."""
    if not hasattr(_local, "stemmer"):  # A stemmer keeps state and must not be shared by threads.
        _local.stemmer = Stemmer.Stemmer("english")
    return str(_local.stemmer.stemWord(word))


def searched(words: Iterable[str]) -> list[str]:
    """A query's words that are worth looking up, once each: all of them where there are no rarer ones."""
    asked = list(dict.fromkeys(words))
    return [word for word in asked if word not in UBIQUITOUS_WORDS] or asked


def share(words: Iterable[str], weights: dict[str, float]) -> float:
    """Share of the total weight that the words carry, 0..1; words without weight count nothing."""
    total = sum(weights.values())
    return sum(weights.get(word, 0.0) for word in words) / total if total else 0.0
