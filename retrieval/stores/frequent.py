"""Sets aside phrases of frequent words: such a phrase takes longer than the rest of a search and seldom adds a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence

FREQUENT = 0.1  # share of the pages' texts; a word in more is frequent
LARGE = 1_000_000  # pages; smaller corpora are searched quickly enough


def split_by_frequency(
    phrases: Sequence[Sequence[str]], pages: int, held_by: Callable[[list[str]], Sequence[int]]
) -> tuple[list[Sequence[str]], list[Sequence[str]]]:
    """(phrases to look for, phrases of frequent words only); each is a list of words.

    The second group is searched only if the first one and the query find no page. pages: in the corpus. held_by: gives
    the number of pages whose text contains each word.
    """
    if pages < LARGE or not phrases:
        return list(phrases), []
    asked = list(dict.fromkeys(word for phrase in phrases for word in phrase))
    frequent = {word for word, held in zip(asked, held_by(asked), strict=True) if held > FREQUENT * pages}
    return (
        [phrase for phrase in phrases if not frequent.issuperset(phrase)],
        [phrase for phrase in phrases if frequent.issuperset(phrase)],
    )
