"""BM25 in memory, for the documents of one claim (Robertson and Zaragoza 2009)."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from retrieval.text.languages import ENGLISH, Language
from retrieval.text.titles import fold
from retrieval.text.words import stem

SATURATION, LENGTH = 1.2, 0.75  # k1 and b, the usual values

_WORD = re.compile(r"[^\W_]+")


def folded_words(text: str) -> list[str]:
    """Words of a text as they are compared: folded, without punctuation."""
    return _WORD.findall(fold(text))


def indexed_words(text: str, language: Language) -> list[str]:
    """Words of a text as an index stores them: unchanged in English, as stems in other languages that have a stemmer."""
    return stemmed_words(text, index_stemmer(language))


def index_stemmer(language: Language) -> str:
    """The stemmer with which a corpus in this language is indexed and searched; empty for English."""
    return "" if language.code == ENGLISH.code else language.stemmer


def stemmed_words(text: str, stemmer: str) -> list[str]:
    """Words of a text as stems. stemmer: its name; if empty, words stay unchanged."""
    return [stem(word, stemmer) for word in folded_words(text)]


def stemmed_text(text: str, stemmer: str) -> str:
    """A text as it is indexed: its stems, or the text itself if there is no stemmer."""
    return " ".join(stemmed_words(text, stemmer)) if stemmer else text


class Bm25:
    """An inverted index over texts. Thread-safe: nothing changes once it is built."""

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        """texts: the words of each, from `folded_words`."""
        self._count = len(texts)
        lengths = np.array([len(words) for words in texts], dtype=np.float64)
        average = float(lengths.mean()) if self._count and lengths.any() else 1.0
        self._norms = SATURATION * (1 - LENGTH + LENGTH * lengths / average)
        rows: dict[str, list[int]] = {}
        counts: dict[str, list[int]] = {}
        for row, words in enumerate(texts):
            for word, count in Counter(words).items():
                rows.setdefault(word, []).append(row)
                counts.setdefault(word, []).append(count)
        self._postings = {word: (np.array(rows[word]), np.array(counts[word], dtype=np.float64)) for word in rows}

    def held_by(self, word: str) -> int:
        """The number of texts that contain a word."""
        return len(self._postings[word][0]) if word in self._postings else 0

    def rarity(self, word: str) -> float:
        """ln(1 + (n - df + 0.5) / (df + 0.5)), above 0 for every word."""
        frequency = self.held_by(word)
        return math.log(1 + (self._count - frequency + 0.5) / (frequency + 0.5))

    def scores(self, words: Collection[str]) -> NDArray[np.float64]:
        """One score for each text, (n,). A word that the query repeats counts once."""
        total = np.zeros(self._count)
        for word in sorted(set(words)):
            if word in self._postings:
                rows, counts = self._postings[word]
                total[rows] += self.rarity(word) * counts * (SATURATION + 1) / (counts + self._norms[rows])
        return total
