"""Long lists, a page at a time, newest first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from app.http.problems import Problem
from app.tables.database import storable
from retrieval.output.headline import LABELS

Row = TypeVar("Row")

A_PAGE = 25  # rows on a page for people
LONGEST_SEARCH = 500  # characters
MOST_DIGITS = 9  # of a number; a larger one does not fit into a column


@dataclass(frozen=True)
class Page(Generic[Row]):
    """rows: newest first. last: the row after which the next page begins; None on the last page."""

    rows: Sequence[Row]
    last: Row | None


def read_page(read: Callable[[int], Sequence[Row]], limit: int = A_PAGE) -> Page[Row]:
    """A page of up to `limit` rows. read: returns at most this number of rows."""
    rows = read(limit + 1)
    return Page(rows[:limit], rows[limit - 1] if len(rows) > limit else None)


def read_number(typed: str) -> int:
    """The number in a form or an address; 0 if there is none."""
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) <= MOST_DIGITS else 0


def read_search(search: str, verdict: str) -> tuple[str, str]:
    """The words to search, and the label to filter by, which may be empty. Raises Problem 400."""
    search = search.strip()[:LONGEST_SEARCH]
    if not storable(search):
        raise Problem(400, "The search contains a character that cannot be stored. Type it again.")
    return search, verdict if verdict in LABELS else ""
