"""A recipe's answers, one record per claim and line of `claims.jsonl`, or read from predictions made elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evaluation.fever.data import FEVER_NAMES, LABELS, Pointer, pointer_to
from evaluation.json_lines import read_lines
from retrieval.errors import CorpusError
from retrieval.stages.languages import label_of
from retrieval.types import FactCheck

_NUMBER = re.compile(r"0|[1-9][0-9]{0,17}")
RECORDED_PAGES, RECORDED_SENTENCES = 20, 20  # the depth of the recall curves
SUBMITTED_EVIDENCE = 5  # FEVER's shared task reads no further sentences


@dataclass(frozen=True)
class Answer:
    """The answer to one claim, in the form that is scored.

    pages, sentences: best first, as far as they were read. evidence: the sentences shown for it. methods: how each page
    was found; empty if unknown. confidence, milliseconds: None if unknown. gold_stance: how many gold sentences have
    the right stance, and how many were judged. timings: milliseconds by stage.
    """

    label: str
    confidence: float | None
    pages: tuple[str, ...]
    sentences: tuple[Pointer, ...]
    milliseconds: float | None = None
    evidence: tuple[Pointer, ...] = ()
    gold_stance: tuple[int, int] | None = None
    timings: Mapping[str, float] = field(default_factory=dict)
    claim: str = ""
    peak_rss_mb: int = 0
    methods: tuple[str, ...] = ()

    def as_row(self, id: str) -> dict[str, Any]:
        """A line of `claims.jsonl`: the submission's fields and those that only this program reads."""
        return {
            "id": id,
            "claim": self.claim,
            "predicted_label": self.label,
            "predicted_evidence": [list(pointer) for pointer in self.sentences],
            "predicted_pages": list(self.pages),
            "page_methods": list(self.methods),
            "shown_evidence": [list(pointer) for pointer in self.evidence],
            "confidence": self.confidence,
            "gold_stance": list(self.gold_stance) if self.gold_stance else None,
            "milliseconds": self.milliseconds,
            "timings_ms": dict(self.timings),
            "peak_rss_mb": self.peak_rss_mb,
        }

    def as_submission(self, id: str) -> dict[str, Any]:
        """The shared task's format, in which ids are numbers."""
        evidence = [list(pointer) for pointer in self.sentences[:SUBMITTED_EVIDENCE]]
        return {
            "id": int(id) if _NUMBER.fullmatch(id) else id,
            "predicted_label": self.label,
            "predicted_evidence": evidence,
        }


def answer_of(check: FactCheck, milliseconds: float | None) -> Answer:
    """A finished check in the form that is scored."""
    label, confidence = label_of(check)
    return Answer(
        label=FEVER_NAMES[label],
        confidence=confidence if check.verdict else None,
        pages=tuple(hit.page.id for hit in check.pages[:RECORDED_PAGES]),
        sentences=tuple(pointer_to(e.sentence) for e in check.sentences[:RECORDED_SENTENCES]),
        milliseconds=milliseconds,
        evidence=tuple(pointer_to(e.sentence) for e in check.evidence),
        timings=dict(check.timings),
        claim=check.claim.text,
        methods=tuple(hit.method for hit in check.pages[:RECORDED_PAGES]),
    )


def read_predictions(path: Path) -> dict[str, Answer]:
    """Answers by claim id, from FEVER's submission format or from `claims.jsonl`.

    A submission names only sentences: they count as the evidence shown, and their pages, in the same order, as the
    pages found. Raises CorpusError, which names a line that cannot be read, or that answers a claim again.
    """
    answers: dict[str, Answer] = {}

    def add(row: Mapping[str, Any]) -> None:
        id, answer = str(row["id"]), row_answer(row)
        if id in answers:
            raise CorpusError(f"answers claim {id[:40]} a second time. Keep one prediction per claim.")
        answers[id] = answer

    needs = "id, predicted_label and predicted_evidence: [[page id, line number], …]"
    read_lines(path, add, "prediction", needs)
    return answers


def row_answer(row: Mapping[str, Any]) -> Answer:
    """Inverse of `Answer.as_row`; fields that a submission lacks may be missing. Raises KeyError, TypeError or ValueError."""
    label = row["predicted_label"].upper()
    if label not in LABELS:
        raise ValueError(f"{label[:40]!r} is not one of FEVER's labels")
    sentences = _pointers(row["predicted_evidence"])
    pages = row.get("predicted_pages")
    shown = row.get("shown_evidence")
    stance = row.get("gold_stance")
    return Answer(
        label=label,
        confidence=_share(row.get("confidence")),
        pages=tuple(dict.fromkeys(page for page, _ in sentences)) if pages is None else tuple(map(str, pages)),
        sentences=sentences,
        methods=tuple(map(str, row.get("page_methods", ()))),
        milliseconds=row.get("milliseconds"),
        evidence=sentences if shown is None else _pointers(shown),
        gold_stance=(int(stance[0]), int(stance[1])) if stance else None,
        timings=row.get("timings_ms") or {},
        claim=row.get("claim") or "",
        peak_rss_mb=row.get("peak_rss_mb") or 0,
    )


def _pointers(pairs: Iterable[Any]) -> tuple[Pointer, ...]:
    found = tuple((page, line) for page, line in pairs)
    if not all(isinstance(page, str) and type(line) is int for page, line in found):
        raise TypeError("evidence is not made of page ids and line numbers")
    return found


def _share(value: Any) -> float | None:
    if value is None:
        return None
    if not 0.0 <= float(value) <= 1.0:
        raise ValueError("confidence is not between 0 and 1")
    return float(value)
