"""The review of a text before anything is checked: its sentences in order, which are chosen, which are folded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.reports.requests import new_claim
from app.reports.table import NewClaim
from app.reports.texts import StoredText
from retrieval.output.record import Json
from retrieval.text.claims import fold_claim
from retrieval.text.extraction.finder import THRESHOLD
from retrieval.text.extraction.kinds import CLAIM, FACT, OPINION

WORTHY = (CLAIM, FACT, OPINION)  # kinds that are chosen by score; the others never are


@dataclass(frozen=True)
class Sentence:
    """A row of the review. number: its place in the text's list. twin: the number of an earlier sentence with the same
    claim.

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
        """Whether the claim's wording differs from its sentence."""
        return " ".join(self.text.split()) != " ".join(self.original.split())


def review(text: StoredText, threshold: float = THRESHOLD) -> list[Sentence]:
    """The rows; chosen are those worth checking whose score reaches the threshold, each claim once."""
    first: dict[str, int] = {}
    found: list[Sentence] = []
    end = 0
    for number, row in enumerate(text.sentences):
        twin = first.get(fold_claim(row["text"]))
        chosen = row["kind"] in WORTHY and row["score"] >= threshold and twin is None
        if row["kind"] in WORTHY:
            first.setdefault(fold_claim(row["text"]), number)
        begins = "\n" in text.content[end : row["start"]] or not found
        end = max(end, row["end"])
        words = (row["text"], row["original"], row["kind"], row["score"], row["speaker"])
        found.append(Sentence(number, *words, chosen, twin, begins))
    return found


def chosen_claims(text: StoredText, chosen: Sequence[str], edited: Mapping[str, str]) -> list[NewClaim]:
    """The claims of a submitted review: the numbers ticked, each as edited; duplicates once. Numbers that the text
    lacks are ignored: no form sends them.
    """
    found: list[NewClaim] = []
    known: set[str] = set()
    for number in sorted({int(name) for name in chosen if name.isascii() and name.isdigit() and len(name) < 8}):
        if number >= len(text.sentences):
            continue
        row: Json = text.sentences[number]
        claim = edited.get(f"claim-{number}", "").strip() or row["text"]
        if fold_claim(claim) not in known:
            known.add(fold_claim(claim))
            found.append(new_claim(claim, row["original"], row["start"], row["end"], row["speaker"], row["context"]))
    return found


def read_threshold(typed: str | None) -> float:
    """A share as a number from 0 to 1; the default if it is none."""
    try:
        share = float(typed or THRESHOLD)
    except ValueError:
        return THRESHOLD
    return share if 0 <= share <= 1 else THRESHOLD
