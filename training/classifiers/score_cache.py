"""Predictions of networks, cached on disk by content, so that fitting a classifier again takes seconds."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

from retrieval.protocols import PairScorer
from retrieval.types import Stance


class KeptScorer:
    """A `PairScorer` that looks each pair up in the cache first. For one thread at a time."""

    def __init__(self, scorer: PairScorer, model: str, path: Path) -> None:
        """model: the name of the scorer's model, part of every key."""
        self._scorer, self._model = scorer, model
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = sqlite3.connect(path, isolation_level=None)
        self._file.execute("PRAGMA synchronous=OFF")  # Scores lost in a crash are computed again.
        self._file.execute("CREATE TABLE IF NOT EXISTS judged (key BLOB PRIMARY KEY, scores TEXT)")

    def score(self, claim: str, sentences: Sequence[str]) -> Iterator[tuple[list[int], list[float], list[Stance]]]:
        """As `PairScorer.score`; cached pairs come first, in one batch."""
        keys = [hashlib.sha256("\0".join((self._model, claim, text)).encode()).digest() for text in sentences]
        found = {row: kept for row, key in enumerate(keys) if (kept := self._known(key)) is not None}
        if found:
            yield list(found), [kept[0] for kept in found.values()], [Stance(*kept[1:]) for kept in found.values()]
        missing = [row for row in range(len(sentences)) if row not in found]
        for places, scores, stances in self._scorer.score(claim, [sentences[row] for row in missing]):
            rows = [missing[place] for place in places]
            for row, score, s in zip(rows, scores, stances, strict=True):
                judged = json.dumps([score, s.supports, s.refutes, s.neutral])
                self._file.execute("INSERT OR REPLACE INTO judged VALUES (?, ?)", (keys[row], judged))
            yield rows, scores, stances

    def judge_together(self, claim: str, sentences: Sequence[str]) -> Stance:
        """As `PairScorer.judge_together`; not cached."""
        return self._scorer.judge_together(claim, sentences)

    def _known(self, key: bytes) -> list[float] | None:
        row = self._file.execute("SELECT scores FROM judged WHERE key = ?", (key,)).fetchone()
        return list(map(float, json.loads(row[0]))) if row else None
