"""Earlier checks of claims that mean the same, with verdict and date.

Vectors find similar claims; rules (`retrieval/text/same_meaning.py`) then compare numbers and negations. A request computes
few vectors itself; a thread computes the rest.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sqlalchemy as sa

from app.jobs import known_claims
from app.jobs.known_claims import AskedClaims, Encode, Known, KnownClaims, batched
from app.tables.checks import table
from app.tables.database import storable
from app.tables.ownership import Account, visible
from app.tables.stored_check import DONE, VERDICT, VerdictColumns
from retrieval.errors import EsotericError
from retrieval.text.same_meaning import CUTOFF, may_mean_the_same

log = logging.getLogger(__name__)

NEAREST = 20  # nearest claims that the rules compare
LATEST_ALIKE = 40  # latest checks with the same meaning; the viewer gets the last that they may see
VECTORS_PATIENCE = 0.3  # seconds that a request spends on vectors
COMPARED_AT_ONCE = 256  # claims compared at once, which takes 20 MB beside 20,000 known ones
ROWS_A_QUERY = 500  # at most


@dataclass(frozen=True)
class Earlier(VerdictColumns):
    """A check of a claim with the same meaning. similarity: cosine of the two claims' vectors."""

    check_id: str
    claim: str
    against: str
    finished: str
    similarity: float
    state: str = DONE


class CheckedBefore:
    """Finds earlier checks. Thread-safe."""

    def __init__(self, engine: sa.Engine, resources: Any) -> None:
        self._engine, self._resources = engine, resources
        self._known, self._asked = KnownClaims(engine), AskedClaims()
        self._lock = threading.Lock()
        self._waiting: dict[str, None] = {}  # claims whose vectors are to be computed
        self._working = False

    def find(
        self, claim: str, without: str = "", against: str | None = None, viewer: Account | None = None
    ) -> Earlier | None:
        """The latest check with the same meaning, other than `without`, that the viewer may see; None if there is none. against:
        what the check must have read, as `sources.py` names it; None for anything."""
        return self.look_up([claim], without, against, viewer)[0][0]

    def look_up(
        self, claims: Sequence[str], without: str = "", against: str | None = None, viewer: Account | None = None
    ) -> tuple[list[Earlier | None], int]:
        """What `find` returns, for each claim; and the number of claims that are still to be compared, in the background."""
        nothing: list[Earlier | None] = [None] * len(claims)
        if not claims or not storable(against or ""):
            return nothing, 0
        try:
            encode = self._encode()
            more = self._known.learn(encode, known_claims.ENCODED_AT_ONCE, wait=False) == known_claims.ENCODED_AT_ONCE
            known = self._known.now()
            vectors = self._asked.within(claims, encode, VECTORS_PATIENCE) if known.claims else []
        except EsotericError as error:
            log.info("No earlier checks can be offered: %s", error)
            return nothing, 0
        uncompared = [claim for claim, vector in zip(claims, vectors, strict=False) if vector is None]
        if more or uncompared:
            self._continue(uncompared)
        if not known.claims:
            return nothing, 0
        matches = dict(_same(claims, vectors, known, without))
        rows = self._visible({check for same in matches.values() for check in same}, against, viewer)
        return [_latest(matches.get(number, {}), rows) for number in range(len(claims))], len(uncompared)

    def prepare(self, claims: Sequence[str]) -> None:
        """Compute the vectors of these claims before a page needs them, if there are any checks to compare with."""
        try:
            if self._known.any_checks():
                encode = self._encode()
                for batch in batched(dict.fromkeys(claims), known_claims.ENCODED_AT_ONCE):
                    self._asked.compute(batch, encode)
        except EsotericError as error:
            log.info("No earlier checks can be offered: %s", error)

    def catch_up(self, ready: Callable[[], bool]) -> None:
        """Once the program is ready, learn the checks of earlier processes in the background."""

        def wait() -> None:
            while not ready():
                time.sleep(1)
            self._continue([])

        threading.Thread(target=wait, name="earlier claims", daemon=True).start()

    def _encode(self) -> Encode:
        return self._resources.encoder().encode  # type: ignore[no-any-return]

    def _continue(self, claims: Sequence[str]) -> None:
        """Continue in the background until all checks are known and these claims have vectors."""
        with self._lock:
            self._waiting |= dict.fromkeys(claims[: known_claims.VECTORS_REMEMBERED])
            if self._working:
                return
            self._working = True
        threading.Thread(target=self._work, name="claims' vectors", daemon=True).start()

    def _work(self) -> None:
        try:
            encode, unfinished = self._encode(), True
            while unfinished:
                with self._lock:
                    batch = list(self._waiting)[: known_claims.ENCODED_AT_ONCE]
                if batch:
                    self._asked.compute(batch, encode)
                learned = self._known.learn(encode, known_claims.ENCODED_AT_ONCE)
                with self._lock:
                    for claim in batch:
                        del self._waiting[claim]
                    unfinished = self._working = bool(self._waiting) or learned == known_claims.ENCODED_AT_ONCE
        except Exception as error:
            log.info("Earlier checks are not learned for now: %s", error)
            with self._lock:
                self._waiting.clear()
                self._working = False

    def _visible(self, ids: set[str], against: str | None, viewer: Account | None) -> Mapping[str, sa.RowMapping]:
        """Id -> row of the checks that still exist, that the viewer may see and that read `against`."""
        allowed = visible(table, viewer)
        if against is not None:
            allowed &= sa.func.coalesce(table.c.against, "") == against
        columns = [table.c[name] for name in ("id", "claim", "against", "finished", *VERDICT)]
        query = sa.select(*columns).where(table.c.state == DONE, allowed)
        visible_rows: dict[str, sa.RowMapping] = {}
        with self._engine.connect() as connection:
            for batch in batched(sorted(ids), ROWS_A_QUERY):
                rows = connection.execute(query.where(table.c.id.in_(batch))).mappings()
                visible_rows |= {row["id"]: row for row in rows}
        return visible_rows


def _same(
    claims: Sequence[str], vectors: Sequence[Any], known: Known, without: str
) -> Iterator[tuple[int, dict[str, float]]]:
    """Yield (number of a claim, {id of a check with the same meaning: similarity}), for claims with such checks."""
    numbers = [number for number, vector in enumerate(vectors) if vector is not None]
    for batch in batched(numbers, COMPARED_AT_ONCE):
        cosines = np.stack([vectors[number] for number in batch]) @ known.vectors.T
        for row in np.flatnonzero((cosines >= CUTOFF).any(axis=1)):
            claim, number = claims[batch[row]], batch[row]
            same = [near for near in _nearest(cosines[row]) if may_mean_the_same(claim, known.claims[near])]
            checks = [(*check, float(cosines[row, near])) for near in same for check in known.checks[near]]
            latest = sorted((check for check in checks if check[1] != without), reverse=True)[:LATEST_ALIKE]
            if latest:
                yield number, {check: similarity for _, check, similarity in latest}


def _nearest(cosines: Any) -> list[int]:
    """The columns that reach the cutoff; if there are more than `NEAREST`, the nearest."""
    columns = np.flatnonzero(cosines >= CUTOFF)
    if len(columns) > NEAREST:
        columns = columns[np.argpartition(-cosines[columns], NEAREST - 1)[:NEAREST]]
    return [int(column) for column in columns]


def _latest(same: Mapping[str, float], rows: Mapping[str, sa.RowMapping]) -> Earlier | None:
    shown = [rows[check] for check in same if check in rows]  # others are deleted, or hidden from the viewer
    if not shown:
        return None
    row = max(shown, key=lambda row: row["finished"])
    verdict = {name: row[name] for name in VERDICT}
    return Earlier(row["id"], row["claim"], row["against"] or "", row["finished"], same[row["id"]], **verdict)
