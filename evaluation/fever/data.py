"""Reads FEVER claims in their published format (Thorne et al., NAACL 2018), one JSON object per line."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from evaluation.json_lines import read_lines
from retrieval.types import Label, Sentence

LABELS = {
    "SUPPORTS": Label.SUPPORTED,
    "REFUTES": Label.REFUTED,
    "NOT ENOUGH INFO": Label.NOT_ENOUGH_EVIDENCE,
}
# FEVER has no label for conflicting evidence, so it counts as undecided.
FEVER_NAMES = {label: name for name, label in LABELS.items()} | {Label.CONFLICTING: "NOT ENOUGH INFO"}

Pointer = tuple[str, int]


@dataclass(frozen=True)
class GoldClaim:
    """A claim with its gold answer.

    evidence: groups of (page id, line); one whole group proves the label. Empty if the label is NOT ENOUGH INFO.
    natural: whether one whole group is in whole pages of the corpus; complete: whether one is in the corpus. kind: the
    claim's class in the data set (`class` or `kind`); empty if it has none.
    """

    id: str
    text: str
    label: Label
    evidence: tuple[frozenset[Pointer], ...]
    natural: bool = True
    complete: bool = True
    kind: str = ""

    @property
    def verifiable(self) -> bool:
        """Whether the claim has gold evidence."""
        return bool(self.evidence)

    @cached_property
    def pointers(self) -> frozenset[Pointer]:
        """The sentences of all gold groups."""
        return frozenset().union(*self.evidence)


def read_claims(path: Path, limit: int | None = None) -> list[GoldClaim]:
    """Claims of a .jsonl or .jsonl.gz file. Raises CorpusError, which names a line that cannot be read."""
    return read_lines(path, row_claim, "FEVER claim", "id, claim, label and evidence", limit)


def row_claim(row: Mapping[str, Any]) -> GoldClaim:
    """A claim from one object of the published format. Raises KeyError, TypeError or ValueError."""
    groups = {
        frozenset((page, sentence) for _, _, page, sentence in group if page is not None)
        for group in row.get("evidence", ())
    }
    return GoldClaim(
        id=str(row["id"]),
        text=_text(row["claim"]),
        label=LABELS[row["label"]],
        evidence=tuple(sorted(filter(None, groups), key=sorted)),
        natural=row.get("natural", True),
        complete=row.get("complete", True),
        kind=_text(row.get("class") or row.get("kind") or ""),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("claim or class is not text")
    return value


def pointer_to(sentence: Sentence) -> Pointer:
    """The sentence as gold evidence names it."""
    return sentence.page_id, sentence.line


def identified(path: Path) -> dict[str, Any]:
    """A data set's name and digest, as scorecards give them."""
    return {"path": path.name, "sha256": file_digest(path)}


def file_digest(path: Path) -> str:
    """sha256 of a file, hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def holds_group(gold: GoldClaim, found: Sequence[Pointer]) -> bool:
    """Whether one whole gold group is among the sentences found."""
    return any(group <= set(found) for group in gold.evidence)


def holds_pages(gold: GoldClaim, found: Sequence[str]) -> bool:
    """Whether the pages of one whole gold group are among those found."""
    return any({page for page, _ in group} <= set(found) for group in gold.evidence)
