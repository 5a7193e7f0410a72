"""Finds words that may be misspelt, and the word of the corpus that is meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from retrieval.text.titles import fold

LEAST_LETTERS = 5  # shorter words resemble too many others
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
LEAST_OF_NAME = 6  # letters of a word of a name: many short names differ in one letter
_WORD = re.compile(r"[^\W\d_]+")
_NAME = re.compile(r"(?=\b((?!The |An? )[A-Z][a-z]+ [A-Z][a-z]+)\b(?!['’-]))")


def claim_words(text: str) -> list[str]:
    """Words of a text, folded one by one, so that a possessive "s" does not become a word."""
    return [fold(found[0]) for found in _WORD.finditer(text)]


def doubtful(words: Iterable[str]) -> list[str]:
    """Folded words that may be misspelt, each once: they have only letters and are long enough."""
    letters = (word for word in words if word.isascii() and word.isalpha())
    return list(dict.fromkeys(word for word in letters if len(word) >= LEAST_LETTERS))


def one_edit_away(word: str) -> set[str]:
    """Words that result from inserting, deleting or changing one letter, or swapping it with the next (Damerau 1964).
    The first letter stays: it is rarely wrong.
    """
    parts = [(word[:at], word[at:]) for at in range(1, len(word) + 1)]
    shorter = {head + tail[1:] for head, tail in parts if tail}
    exchanged = {head + tail[1] + tail[0] + tail[2:] for head, tail in parts if len(tail) > 1}
    changed = {head + letter + tail[1:] for head, tail in parts if tail for letter in _LETTERS}
    longer = {head + letter + tail for head, tail in parts for letter in _LETTERS}
    return (shorter | exchanged | changed | longer) - {word}


def names(text: str) -> list[str]:
    """Two words in a row that are written as the name of a person."""
    return _NAME.findall(text)


def names_one_edit_away(name: str) -> dict[str, tuple[str, str]]:
    """Folded names in which one long word has another spelling: name -> (the word, the other spelling). Plurals ("Royal Rumbles")
    and other endings ("North American") are no misspellings. name: of two words.
    """
    words = fold(name).split()
    return {
        " ".join((*words[:at], near, *words[at + 1 :])): (word, near)
        for at, word in enumerate(words)
        if len(word) >= LEAST_OF_NAME
        for near in one_edit_away(word)
        if not near.startswith(word) and not word.startswith(near)
    }


def most_usual(held_by: Mapping[str, int]) -> str | None:
    """The word that most pages contain, of equal ones the first in the alphabet. None if no page contains any."""
    return min(((-pages, word) for word, pages in held_by.items() if pages), default=(0, None))[1]


def respelt_text(text: str, respelt: Mapping[str, str]) -> str:
    """The text with corrected spelling. respelt: folded word -> the word that is meant."""

    def right(found: re.Match[str]) -> str:
        meant = respelt.get(fold(found[0]))
        if meant is None:
            return found[0]
        return meant.capitalize() if found[0][0].isupper() else meant

    return _WORD.sub(right, text) if respelt else text


def respelt_runs(runs: Mapping[str, tuple[int, int]], respelt: Mapping[str, str]) -> dict[str, tuple[int, int]]:
    """Title keys with their offsets in the claim, and the same keys with corrected spelling."""
    right = {
        " ".join(respelt.get(word, word) for word in key.split()): place
        for key, place in runs.items()
        if not respelt.keys().isdisjoint(key.split())
    }
    return {**right, **runs}
