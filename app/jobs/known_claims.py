"""Vectors of claims: of those that were checked, and of those that requests ask about.

A claim has one vector, however often it was checked. Vectors are computed a few at a time; the encoder caches them on disk.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

import numpy as np
import sqlalchemy as sa

from app.tables.checks import table
from app.tables.stored_check import DONE

ENCODED_AT_ONCE = 64  # claims that are encoded together: a quarter of a second
CHECKS_REMEMBERED = 20_000  # checks of earlier processes to compare with
VECTORS_REMEMBERED = 5_000  # vectors of requested claims in memory, 8 MB

Item = TypeVar("Item")
Encode = Callable[[Sequence[str]], Any]


@dataclass(frozen=True)
class Known:
    """claims: each once. checks: (end, id) of each claim's checks. vectors: a row for each claim; None without claims."""

    claims: list[str]
    checks: list[list[tuple[str, str]]]
    vectors: Any = None


class KnownClaims:
    """The claims of finished checks, learned from their table: first newer than the known ones, then older. Thread-safe."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._learning, self._lock = threading.Lock(), threading.Lock()
        self._rows: dict[str, int] = {}  # claim -> its row in `_vectors`
        self._claims: list[str] = []
        self._checks: list[list[tuple[str, str]]] = []
        self._vectors: Any = None  # with spare rows
        self._count = 0
        self._at_newest: set[str] = set()  # known checks that ended at the moment `_newest`
        self._newest, self._oldest = "", "9"  # the period whose finished checks are known
        self._nothing_earlier = False

    def learn(self, encode: Encode, most: int, wait: bool = True) -> int:
        """Learn up to `most` checks; returns their number, which is smaller if none are left. If another thread is learning,
        wait for it, or learn nothing."""
        if not self._learning.acquire(blocking=wait):
            return 0
        try:
            rows = self._unknown(most)
            if rows:
                new = [claim for claim in dict.fromkeys(row.claim for row in rows) if claim not in self._rows]
                self._add(rows, new, encode(new) if new else None)
            return len(rows)
        finally:
            self._learning.release()

    def now(self) -> Known:
        """The known claims."""
        with self._lock:
            vectors = None if self._vectors is None else self._vectors[: len(self._claims)]
            return Known(list(self._claims), list(self._checks), vectors)

    def any_checks(self) -> bool:
        """Whether any check has ended with a verdict."""
        with self._engine.connect() as connection:
            return connection.execute(_finished().limit(1)).first() is not None

    def _unknown(self, most: int) -> list[Any]:
        later = _finished().where(table.c.finished >= self._newest, table.c.id.not_in(self._at_newest))
        earlier = _finished().where(table.c.finished < self._oldest)
        with self._engine.connect() as connection:
            new: list[Any] = []
            if self._newest:
                new += connection.execute(later.order_by(table.c.finished, table.c.id).limit(most)).all()
            room = min(most - len(new), CHECKS_REMEMBERED - self._count)
            if room > 0 and not self._nothing_earlier:
                older = connection.execute(earlier.order_by(table.c.finished.desc(), table.c.id).limit(room)).all()
                self._nothing_earlier = bool(self._newest) and not older
                new += older
        return new

    def _add(self, rows: Sequence[Any], new: Sequence[str], vectors: Any) -> None:
        with self._lock:
            if vectors is not None:
                self._vectors = _appended(self._vectors, len(self._claims), vectors)
            for claim in new:
                self._rows[claim] = len(self._claims)
                self._claims.append(claim)
                self._checks.append([])
            for row in rows:
                place = self._rows[row.claim]
                self._checks[place] = [*self._checks[place], (row.finished, row.id)]
            self._count += len(rows)
        moments = [row.finished for row in rows]
        newest = max(self._newest, *moments)
        before = self._at_newest if newest == self._newest else set()
        self._at_newest = before | {row.id for row in rows if row.finished == newest}
        self._newest, self._oldest = newest, min(self._oldest, *moments)


class AskedClaims:
    """Vectors of claims to compare with the known ones. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._vectors: dict[str, Any] = {}

    def within(self, claims: Sequence[str], encode: Encode, seconds: float) -> list[Any]:
        """The vector of each claim; None if the time ran out before it. The first `ENCODED_AT_ONCE` are always computed."""
        wanted, until = list(dict.fromkeys(claims)), time.monotonic() + seconds
        with self._lock:
            vectors = {claim: self._vectors[claim] for claim in wanted if claim in self._vectors}
        missing = [claim for claim in wanted if claim not in vectors]
        for number, batch in enumerate(batched(missing, ENCODED_AT_ONCE)):
            if number and time.monotonic() > until:
                break
            vectors |= self.compute(batch, encode)
        return [vectors.get(claim) for claim in claims]

    def compute(self, claims: Sequence[str], encode: Encode) -> dict[str, Any]:
        """Compute and remember the vectors of these claims."""
        new = dict(zip(claims, encode(list(claims)), strict=True))
        with self._lock:
            self._vectors |= new
            for claim in list(self._vectors)[: max(0, len(self._vectors) - VECTORS_REMEMBERED)]:
                del self._vectors[claim]
        return new


def batched(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """The items in lists of `size`; the last may be shorter."""
    remaining = iter(items)
    while batch := list(islice(remaining, size)):
        yield batch


def _finished() -> sa.Select[Any]:
    query = sa.select(table.c.id, table.c.claim, table.c.finished)
    return query.where(table.c.state == DONE, table.c.label.is_not(None))


def _appended(matrix: Any, count: int, rows: Any) -> Any:
    """The matrix with these rows after its first `count`; if it is full, it grows by a quarter."""
    if matrix is None or count + len(rows) > len(matrix):
        larger = np.zeros((5 * (count + len(rows)) // 4, rows.shape[1]), dtype=np.float32)
        if matrix is not None:
            larger[:count] = matrix[:count]
        matrix = larger
    matrix[count : count + len(rows)] = rows
    return matrix
