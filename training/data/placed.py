"""Finds in the corpus the evidence of published FEVER claims, of which only the text is published."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from evaluation.fever.data import LABELS, GoldClaim
from evaluation.held_out import is_held_out_claim
from retrieval.protocols import PageStore
from retrieval.text.titles import fold
from retrieval.text.words import content_words
from retrieval.types import Page
from training.data.found import first_hits
from training.data.pairs import json_rows, learning_claims

MOST_EVIDENCE_LINES = 3  # more come from a page that repeats itself
SHORTEST_EVIDENCE = 4  # of a sentence, so that a heading does not count as evidence
OF_SENTENCE, OF_EVIDENCE = 0.8, 0.75  # shares of words that two texts must have in common to count as the same


def placed_claims(store: PageStore, data: Path) -> tuple[list[GoldClaim], list[GoldClaim]]:
    """(claims to learn from, held-out claims) of `fever-train-nli` whose evidence is on a page of the corpus.

    All are supported or refuted. None is in claims-train.jsonl.
    """
    placed = list(_placed(store, json_rows(data / "training" / "nli" / "fever-train-nli.jsonl.gz")))
    learned = [claim for claim in placed if not is_held_out_claim(claim.text)]
    return learned, [claim for claim in placed if is_held_out_claim(claim.text)]


MOST_PLACED = 400  # of each label


def fitting_claims(store: PageStore, data: Path) -> list[GoldClaim]:
    """The claims that the verdict is fitted on: FEVER claims that no network has seen, about equally many of each label.

    Those held out from claims-train.jsonl come first; the evidence of the others is known only in part.
    """
    found = placed_apart(store, data, MOST_PLACED)
    placed = [one for label in LABELS.values() for one in [c for c in found if c.label is label][:MOST_PLACED]]
    return [*learning_claims(data)[1], *placed]


def placed_apart(store: PageStore, data: Path, most_open: int) -> list[GoldClaim]:
    """Held-out claims of `fever-train`, for fitting the models that weigh the networks' scores.

    They are decided claims whose first gold sentence is on a page of the corpus, and at most `most_open` open claims
    whose subject has a page there. None is in claims-train.jsonl.
    """
    rows = json_rows(data / "training" / "fever-train" / "claims.jsonl.gz")
    apart = [row for row in rows if is_held_out_claim(row["claim"])]
    decided = ({**row, "evidence": row["sentences"][row["gold"][0]]} for row in apart if len(row["gold"]) == 1)
    opened = (row for row in apart if not row["gold"] and _has_subject(store, row["claim"], row["titles"][0]))
    found = [*_placed(store, decided), *(_open(row) for row in islice(opened, most_open))]
    return [replace(claim, natural=False) for claim in found]


def _has_subject(store: PageStore, claim: str, title: str | None) -> bool:
    """Whether search finds the page of this title for the claim."""
    return title is not None and any(fold(hit.page.title) == fold(title) for hit in first_hits(store, claim))


def _open(row: dict[str, Any]) -> GoldClaim:
    return GoldClaim(f"open-{row['id']}", row["claim"], LABELS[row["label"]], ())


def _placed(store: PageStore, rows: Iterable[dict[str, Any]]) -> Iterator[GoldClaim]:
    for number, row in enumerate(rows):
        for hit in first_hits(store, row["claim"]):
            if lines := evidence_lines(hit.page, row["evidence"]):
                group = frozenset((hit.page.id, line) for line in lines)
                yield GoldClaim(f"placed-{number}", row["claim"], LABELS[row["label"]], (group,))
                break


def evidence_lines(page: Page, evidence: str) -> list[int]:
    """The lines of the page that match the evidence, if they contain most of it; else none.

    The page may be newer than the evidence, so words are compared, not characters.
    """
    wanted, found, lines = content_words(evidence), set[str](), list[int]()
    for sentence in page.sentences():
        words = content_words(sentence.text)
        if len(words) >= SHORTEST_EVIDENCE and len(words & wanted) >= OF_SENTENCE * len(words):
            found |= words
            lines.append(sentence.line)
    whole = len(lines) <= MOST_EVIDENCE_LINES and len(found & wanted) >= OF_EVIDENCE * len(wanted)
    return lines if whole else []
