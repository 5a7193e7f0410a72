"""A text as it is reviewed before anything is checked: its sentences in order, which of them are chosen, what is folded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.jobs.checks import fold
from app.reports.requests import new_claim
from app.reports.table import NewClaim
from app.reports.texts import StoredText
from retrieval.output.record import Json
from retrieval.text.extraction.finder import THRESHOLD
from retrieval.text.extraction.kinds import CLAIM, FACT, OPINION

WORTHY = (CLAIM, FACT, OPINION)  # kinds whose score decides; the others are never chosen by it


@dataclass(frozen=True)
class Sentence:
    """A row of the review. number: its place in the text's list. twin: the number of an earlier one that says the same.

    begins: whether a paragraph of the text begins here. weighed: whether the threshold decides about it.
    """

    number: int
    text: str
    original: str
    kind: str
    score: float
    speaker: str
    chosen: bool
    twin: int | None
    begins: bool

    @property
    def weighed(self) -> bool:
        """Whether the threshold decides about it."""
        return self.kind in WORTHY and self.twin is None

    @property
    def rewritten(self) -> bool:
        """Whether the claim reads otherwise than its sentence."""
        return " ".join(self.text.split()) != " ".join(self.original.split())


def review(text: StoredText, threshold: float = THRESHOLD) -> list[Sentence]:
    """Its sentences; chosen are those worth checking whose score reaches the threshold, each claim once."""
    first: dict[str, int] = {}
    found: list[Sentence] = []
    end = 0
    for number, row in enumerate(text.sentences):
        twin = first.get(_folded(row["text"]))
        chosen = row["kind"] in WORTHY and row["score"] >= threshold and twin is None
        if row["kind"] in WORTHY:
            first.setdefault(_folded(row["text"]), number)
        begins = "\n" in text.content[end : row["start"]] or not found
        end = max(end, row["end"])
        words = (row["text"], row["original"], row["kind"], row["score"], row["speaker"])
        found.append(Sentence(number, *words, chosen, twin, begins))
    return found


def chosen_claims(text: StoredText, chosen: Sequence[str], edited: Mapping[str, str]) -> list[NewClaim]:
    """The claims of a sent review: the numbers ticked, each as it was edited; what says the same as another one once.

    Numbers that the text does not have are passed over: they were typed by nobody.
    """
    found: list[NewClaim] = []
    known: set[str] = set()
    for number in sorted({int(name) for name in chosen if name.isascii() and name.isdigit() and len(name) < 8}):
        if number >= len(text.sentences):
            continue
        row: Json = text.sentences[number]
        claim = edited.get(f"claim-{number}", "").strip() or row["text"]
        if _folded(claim) not in known:
            known.add(_folded(claim))
            found.append(new_claim(claim, row["original"], row["start"], row["end"], row["speaker"], row["context"]))
    return found


def read_threshold(typed: str | None) -> float:
    """A share as a number from 0 to 1; the usual one where it is none."""
    try:
        share = float(typed or THRESHOLD)
    except ValueError:
        return THRESHOLD
    return share if 0 <= share <= 1 else THRESHOLD


def _folded(text: str) -> str:
    return " ".join(fold(text).split())
