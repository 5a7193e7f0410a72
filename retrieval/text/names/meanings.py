"""The meanings that a page lists for its title: "JFK are the initials of John F. Kennedy (…)"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from retrieval.text.names.first_sentence import LONGEST_NAME
from retrieval.text.titles import fold, without_bracket
from retrieval.types import Page

MOST_LINES = 20  # of a list
_HEAD = re.compile(r"[^,(:;–]{1,200}")
_CAPITALS = re.compile(r"[A-Z][\w.'’-]*(?: (?:(?:of|the|and|de|van|von) )*[A-Z0-9][\w.'’-]*)*")


def meanings(page: Page) -> list[str]:
    """Titles that the page's title may stand for: those that have it as initials, or that share a word with it.

    Other titles in such a list name something else: "Taipei is the capital of the Republic of China".
    """
    base = without_bracket(page.title)
    found: dict[str, None] = {}
    for _, start, end in page.lines[:MOST_LINES]:
        head = _HEAD.match(page.text, start, end)
        for name in _CAPITALS.findall(head[0]) if head else ():
            if name != base and len(name) <= LONGEST_NAME and _may_mean(fold(base), fold(name)):
                found[name] = None
    return list(found)


def _may_mean(base: str, name: str) -> bool:
    return base.replace(" ", "") in set(_initials(name)) or bool(set(base.split()) & set(name.split()))


def _initials(name: str) -> Iterator[str]:
    """The first letters of the words in a name, with and without short words such as "of"."""
    words = name.split()
    yield "".join(word[0] for word in words)
    yield "".join(word[0] for word in words if word not in ("of", "the", "and", "de", "for"))
