"""Claims that were checked by people, shown to a language model as examples: AVeriTeC's training file, where it is."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from retrieval.errors import SettingError
from retrieval.text.bm25 import Bm25, folded_words


@dataclass(frozen=True, slots=True)
class Example:
    """A claim, its questions with answers, and what was found of it."""

    claim: str
    questions: tuple[tuple[str, str], ...]
    label: str


# Shown where no file of examples is set. Written for this project.
OWN = (
    Example(
        "The new tram line to the harbour cost the city twice as much as the mayor had promised.",
        (
            ("What did the mayor say the tram line to the harbour would cost?", "He announced 40 million in 2016."),
            ("What did the tram line to the harbour cost in the end?", "The auditors counted 43 million."),
        ),
        "Refuted",
    ),
)


class Examples:
    """The nearest checked claims by BM25. Safe to share between threads."""

    def __init__(self, examples: tuple[Example, ...] = OWN) -> None:
        self._examples = examples
        self._index = Bm25([folded_words(example.claim) for example in examples])

    def nearest(self, claim: str, top_k: int) -> list[Example]:
        """At most `top_k`, nearest first; never the claim itself."""
        words = folded_words(claim)
        order = np.argsort(-self._index.scores(words), kind="stable").tolist()
        others = (self._examples[row] for row in order if folded_words(self._examples[row].claim) != words)
        return [example for example, _ in zip(others, range(top_k), strict=False)]


def read_examples(path: Path) -> Examples:
    """Examples of a file, ours where there is none. Raises SettingError where it is no such file."""
    if not path.exists():
        return Examples()
    try:
        found = tuple(_example(row) for row in json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise SettingError(
            f"EXAMPLES names {path}, which is no list of checked claims ({error!r}). Name AVeriTeC's train.json."
        ) from error
    return Examples(found or OWN)


def _example(row: dict[str, Any]) -> Example:
    pairs = [
        (question["question"], answer["answer"]) for question in row["questions"] for answer in question["answers"]
    ]
    return Example(str(row["claim"]), tuple((str(q), str(a)) for q, a in pairs), str(row["label"]))
