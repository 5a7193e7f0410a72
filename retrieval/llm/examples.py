"""Claims checked by people, to show a language model as examples: AVeriTeC's training file, if present."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import SettingError
from retrieval.protocols import Encoder, Matrix
from retrieval.text.bm25 import Bm25, folded_words


@dataclass(frozen=True, slots=True)
class Example:
    """A claim, its questions with answers, and its verdict."""

    claim: str
    questions: tuple[tuple[str, str], ...]
    label: str


NO_EXAMPLES = (
    "The language model was shown no checked claims as examples, because none are installed. "
    "Fetch them: python -m retrieval examples --get."
)


class Examples:
    """Finds the nearest checked claims, by BM25 or by embedding. Safe to share between threads."""

    def __init__(self, examples: Sequence[Example] = (), queries: Encoder | None = None, claims: Encoder | None = None):
        """queries, claims: encoders for the claim to be checked and for the examples; None for BM25."""
        self._examples, self._queries, self._claims = tuple(examples), queries, claims
        self._index = Bm25([folded_words(example.claim) for example in self._examples])

    def __len__(self) -> int:
        return len(self._examples)

    def by_embedding(self, queries: Encoder, claims: Encoder) -> Examples:
        """The same examples, found by embedding."""
        return Examples(self._examples, queries, claims)

    def nearest(self, claim: str, top_k: int) -> list[Example]:
        """At most `top_k` examples, the nearest first; never the claim itself."""
        if not self._examples:
            return []
        words = folded_words(claim)
        order = np.argsort(-self._scores(claim, words), kind="stable").tolist()
        others = (self._examples[row] for row in order if folded_words(self._examples[row].claim) != words)
        return [example for example, _ in zip(others, range(top_k), strict=False)]

    def _scores(self, claim: str, words: Sequence[str]) -> NDArray[Any]:
        if self._queries and self._claims:
            return np.asarray(self._vectors @ self._queries.encode([claim])[0])
        return self._index.scores(words)

    @functools.cached_property
    def _vectors(self) -> Matrix:
        assert self._claims
        return self._claims.encode([example.claim for example in self._examples])


def read_examples(path: Path) -> Examples:
    """The examples of a file; none if the file is missing. Raises SettingError if it is not a file of checked claims."""
    if not path.exists():
        return Examples()
    try:
        found = tuple(_example(row) for row in json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise SettingError(
            f"EXAMPLES names {path}, which is not a list of checked claims ({error!r}). Name AVeriTeC's train.json."
        ) from error
    return Examples(found)


def _example(row: dict[str, Any]) -> Example:
    pairs = [
        (question["question"], answer["answer"]) for question in row["questions"] for answer in question["answers"]
    ]
    return Example(str(row["claim"]), tuple((str(q), str(a)) for q, a in pairs), str(row["label"]))
