"""Claims that were checked before and mean the same, with their verdict and date.

Vectors of stored claims are computed on request, a few at a time, newest first, and kept in memory and in the encoder's
cache. Rules come first (`retrieval/text/same_meaning.py`): vectors do not decide about numbers or negations.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sqlalchemy as sa

from app.accounts.ownership import Account, visible
from app.database import storable
from app.jobs.checks import DONE, table
from retrieval.errors import EsotericError
from retrieval.text.same_meaning import CUTOFF, may_mean_the_same

log = logging.getLogger(__name__)

AT_ONCE = 64  # claims whose vectors a request may have to wait for: a quarter of a second
REMEMBERED = 20_000  # checks to compare with, beside those that end while the program runs
NEAREST = 20  # nearest neighbours of a claim that are tested by the rules


@dataclass(frozen=True)
class Earlier:
    """A check that answered a claim of the same meaning. similarity: cosine of the two claims' vectors."""

    check_id: str
    claim: str
    label: str
    confidence: float | None
    abstained: bool | None
    against: str
    finished: str
    similarity: float
    state: str = DONE


class CheckedBefore:
    """Finds such checks. Thread-safe."""

    def __init__(self, engine: sa.Engine, resources: Any) -> None:
        self._engine, self._resources = engine, resources
        self._lock = threading.Lock()
        self._ids: list[str] = []
        self._claims: list[str] = []
        self._vectors: Any = None
        self._at_newest: set[str] = set()  # checks that ended at the later moment
        self._newest, self._oldest = "", "9"  # the period whose finished checks are known

    def find(
        self, claim: str, without: str = "", against: str | None = None, viewer: Account | None = None
    ) -> Earlier | None:
        """The latest check of a claim that means the same, other than check `without`; None if there is none. against:
        what it must have read; None: anything. viewer: who must be allowed to see it.
        """
        return self.find_all([claim], without, against, viewer)[0]

    def find_all(
        self, claims: Sequence[str], without: str = "", against: str | None = None, viewer: Account | None = None
    ) -> list[Earlier | None]:
        """The same for each of these claims."""
        if not claims or not storable(against or ""):
            return [None] * len(claims)
        try:
            encoder = self._resources.encoder()
            with self._lock:
                self._learn(encoder)
                ids, known, vectors = list(self._ids), list(self._claims), self._vectors
            if not known:
                return [None] * len(claims)
            cosines = encoder.encode(list(claims)) @ vectors.T
        except EsotericError as error:
            log.info("No earlier checks can be offered: %s", error)
            return [None] * len(claims)
        allowed = visible(table, viewer)
        if against is not None:
            allowed &= sa.func.coalesce(table.c.against, "") == against
        return [
            self._latest(claim, row, ids, known, without, allowed) for claim, row in zip(claims, cosines, strict=True)
        ]

    def _learn(self, encoder: Any) -> None:
        """Add checks that finished since, then ones older than all known, newest first."""
        wanted = sa.select(table.c.id, table.c.claim, table.c.finished)
        wanted = wanted.where(table.c.state == DONE, table.c.label.is_not(None))
        later = wanted.where(table.c.finished >= self._newest, table.c.id.not_in(self._at_newest)).order_by(
            table.c.finished, table.c.id
        )
        earlier = wanted.where(table.c.finished < self._oldest).order_by(table.c.finished.desc(), table.c.id)
        with self._engine.connect() as connection:
            new = list(connection.execute(later.limit(AT_ONCE)).all()) if self._newest else []
            if len(self._ids) < REMEMBERED:
                new += connection.execute(earlier.limit(AT_ONCE - len(new))).all()
        if not new:
            return
        vectors = encoder.encode([row.claim for row in new])
        self._vectors = vectors if self._vectors is None else np.concatenate([self._vectors, vectors])
        self._ids, self._claims = [*self._ids, *(row.id for row in new)], [*self._claims, *(row.claim for row in new)]
        moments = [row.finished for row in new]
        newest = max(self._newest, *moments)
        before = self._at_newest if newest == self._newest else set()
        self._at_newest = before | {row.id for row in new if row.finished == newest}
        self._newest, self._oldest = newest, min(self._oldest, *moments)

    def _latest(
        self, claim: str, cosines: Any, ids: list[str], known: list[str], without: str, allowed: sa.ColumnElement[bool]
    ) -> Earlier | None:
        nearest = [int(n) for n in np.argsort(-cosines, kind="stable")[:NEAREST] if cosines[n] >= CUTOFF]
        same = {ids[n]: float(cosines[n]) for n in nearest if ids[n] != without and may_mean_the_same(claim, known[n])}
        if not same:
            return None
        query = sa.select(table).where(table.c.id.in_(same), table.c.state == DONE, allowed)
        with self._engine.connect() as connection:
            row = connection.execute(query.order_by(table.c.finished.desc()).limit(1)).mappings().first()
        if row is None:  # deleted meanwhile
            return None
        shown = {name: row[name] for name in ("claim", "label", "confidence", "abstained", "finished")}
        return Earlier(row["id"], against=row["against"] or "", similarity=same[row["id"]], **shown)
