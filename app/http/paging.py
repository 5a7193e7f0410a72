"""Long lists, a page at a time: newest first, each page beginning after the last row of the one before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from app.http.problems import Problem
from app.tables.database import storable
from retrieval.output.headline import LABELS

Row = TypeVar("Row")

A_PAGE = 25  # rows, for people
LONGEST_SEARCH = 500  # characters


@dataclass(frozen=True)
class Page(Generic[Row]):
    """rows: newest first. last: after which older ones follow; None if there are none."""

    rows: Sequence[Row]
    last: Row | None


def read_page(read: Callable[[int], Sequence[Row]], limit: int = A_PAGE) -> Page[Row]:
    """Up to `limit` rows. read: gives as many as it is asked for, if there are so many."""
    found = read(limit + 1)
    return Page(found[:limit], found[limit - 1] if len(found) > limit else None)


def read_search(search: str, verdict: str) -> tuple[str, str]:
    """The search words, and a label or nothing. Raises Problem 400."""
    search = search.strip()[:LONGEST_SEARCH]
    if not storable(search):
        raise Problem(400, "The search contains a character that cannot be stored. Type it again.")
    return search, verdict if verdict in LABELS else ""
