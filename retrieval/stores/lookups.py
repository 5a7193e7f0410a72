"""Prepares what stores look up: title keys of spans, phrases worth a search, and misspelt words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from retrieval.text.spelling import doubtful, most_usual, one_edit_away
from retrieval.text.titles import fold

TITLE_BOOST = 1.5  # of a word in the title
LONGEST_TOKEN = 60  # bytes of an indexed word; longer ones are addresses or noise
FREQUENT_SHARE = 0.1  # of the pages' texts; a word in more is frequent
LARGE_CORPUS = 1_000_000  # pages; smaller corpora are searched quickly enough


def folded(spans: Sequence[str]) -> list[str]:
    """The spans as title keys, each once."""
    return list(dict.fromkeys(filter(None, map(fold, spans))))


def split_by_frequency(
    phrases: Sequence[Sequence[str]], pages: int, frequencies: Callable[[list[str]], Sequence[int]]
) -> tuple[list[Sequence[str]], list[Sequence[str]]]:
    """(phrases to look for, phrases of frequent words only); each is a list of words.

    A phrase of frequent words takes longer than the rest of a search and seldom adds a page, so it is searched only if
    the others and the query find none. pages: in the corpus. frequencies: gives the number of pages whose text contains
    each word.
    """
    if pages < LARGE_CORPUS or not phrases:
        return list(phrases), []
    words = list(dict.fromkeys(word for phrase in phrases for word in phrase))
    frequent = {word for word, count in zip(words, frequencies(words), strict=True) if count > FREQUENT_SHARE * pages}
    return (
        [phrase for phrase in phrases if not frequent.issuperset(phrase)],
        [phrase for phrase in phrases if frequent.issuperset(phrase)],
    )


def respelt(words: Sequence[str], frequency: Callable[[str], int]) -> dict[str, str]:
    """The most common word one edit away, for each word that no page contains. frequency: pages that contain a word."""
    unknown = [word for word in doubtful(words) if not frequency(word)]
    likely = {word: most_usual({near: frequency(near) for near in one_edit_away(word)}) for word in unknown}
    return {word: meant for word, meant in likely.items() if meant}
