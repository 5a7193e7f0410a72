"""Phrases of frequent words alone: searching for one takes longer than the rest of a search and seldom adds a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence

FREQUENT = 0.1  # a word in more than this share of the pages' texts is frequent
LARGE = 1_000_000  # pages of a corpus; smaller ones are searched quickly enough


def told_apart(
    phrases: Sequence[Sequence[str]], pages: int, held_by: Callable[[list[str]], Sequence[int]]
) -> tuple[list[Sequence[str]], list[Sequence[str]]]:
    """(phrases to look for, phrases of frequent words alone); each one as words.

    The second ones are searched only if the first ones, and the query beside them, find no page. pages: of the corpus.
    held_by: the number of pages whose text holds each word.
    """
    if pages < LARGE or not phrases:
        return list(phrases), []
    asked = list(dict.fromkeys(word for phrase in phrases for word in phrase))
    frequent = {word for word, held in zip(asked, held_by(asked), strict=True) if held > FREQUENT * pages}
    return (
        [phrase for phrase in phrases if not frequent.issuperset(phrase)],
        [phrase for phrase in phrases if frequent.issuperset(phrase)],
    )
