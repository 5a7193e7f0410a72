"""Scores claims as people type them, by kind of trouble: how many verdicts are right, and how many are the opposite."""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from evaluation.fever.data import identified
from evaluation.fever.run import describe_pipeline
from evaluation.machine import machine
from evaluation.metrics import Measure, mean, quantiles, scores_as_json
from evaluation.report.results_folder import Json, make_folder, write_json, write_rows
from retrieval.errors import ClaimError, CorpusError
from retrieval.pipeline import Pipeline
from retrieval.resources import Resources
from retrieval.text.claims import read_claim
from retrieval.types import SIDES, Claim, Label

WANTED_LABELS = {"S": Label.SUPPORTED, "R": Label.REFUTED, "N": Label.NOT_ENOUGH_EVIDENCE}
SOFT, NO_CLAIM = "?", "-"  # several verdicts are right; only no verdict is right
CASE_COLUMNS = ("set", "claim", "want")
CASE_NEEDS = f"the columns {', '.join(CASE_COLUMNS)}"


@dataclass(frozen=True)
class Case:
    """A claim of the file. kind: the name of its set. want: `S`, `R` or `N`, the right label; SOFT; or NO_CLAIM."""

    kind: str
    claim: str
    want: str


@dataclass(frozen=True)
class Outcome:
    """The outcome of one check. label: None if there is no verdict; note then says why. leans: see `Verdict`."""

    label: Label | None
    confidence: float = 0.0
    leans: bool = False
    note: str = ""
    milliseconds: float = 0.0


def evaluate_kinds(path: Path, out: Path, resources: Resources, recipe: str, limit: int | None = None) -> Json:
    """Check every claim as the application does; scorecard.json and cases.jsonl go into `out`. Returns the scorecard.

    Raises CorpusError if there is no claim to check, SettingError if `out` cannot be written.
    """
    cases = read_cases(path)[:limit]
    make_folder(out)
    pipeline, longest = resources.pipeline(recipe), resources.settings.claim_length
    bar = tqdm(cases, unit=" claims", mininterval=1, file=sys.stderr)
    pairs = [(case, _outcome(pipeline, case.claim, longest)) for case in bar]
    kinds = dict.fromkeys(case.kind for case in cases)
    card = {
        "data": {**identified(path), "claims": len(cases), "scored": len(cases), "failed": 0},
        "pipeline": describe_pipeline(resources, recipe),
        "metrics": _scores(pairs),
        "latency_ms": quantiles([one.milliseconds for _, one in pairs if one.milliseconds] or [0.0]),
        "machine": machine(),
        "sets": {kind: _scores([pair for pair in pairs if pair[0].kind == kind]) for kind in kinds},
    }
    write_json(out / "scorecard.json", card)
    write_rows(out / "cases.jsonl", [_row(*pair) for pair in pairs])
    return card


def read_cases(path: Path) -> list[Case]:
    """The rows of a .csv file. Raises CorpusError if it is not such a file, or holds no claim."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise CorpusError(f"{path} cannot be read ({error}). Name a .csv file in UTF-8 with {CASE_NEEDS}.") from error
    cases = [Case(*(str(row.get(name) or "") for name in CASE_COLUMNS)) for row in rows]
    known = {*WANTED_LABELS, SOFT, NO_CLAIM}
    if wrong := next((number for number, case in enumerate(cases, 2) if case.want not in known), None):
        raise CorpusError(
            f"Row {wrong} of {path} has no valid `want`. It needs {CASE_NEEDS}, want one of {', '.join(sorted(known))}."
        )
    if not cases:
        raise CorpusError(f"{path} holds no claim. It needs {CASE_NEEDS}.")
    return cases


def kinds_measures(cases: Sequence[Case], predicted: Sequence[Outcome]) -> dict[str, Measure]:
    """label_accuracy: share of claims with a single right label that get it; recall_LABEL: the same for claims of that
    label.

    opposite_verdicts: share of claims with a single right label that are refuted though true, or supported though
    false. no_verdict: share of texts that are not a claim that get no verdict.
    """
    labels = [one.label for one in predicted]
    pairs = [(WANTED_LABELS.get(case.want), label) for case, label in zip(cases, labels, strict=True)]
    opposite = [None if want is None else float({want, label} == set(SIDES)) for want, label in pairs]
    none = [None if case.want != NO_CLAIM else float(label is None) for case, label in zip(cases, labels, strict=True)]
    measures = {"label_accuracy": mean([None if want is None else float(label is want) for want, label in pairs])}
    for gold in WANTED_LABELS.values():
        hits = [float(label is want) if want is gold else None for want, label in pairs]
        measures[f"recall_{gold.value.lower()}"] = mean(hits)
    return {**measures, "opposite_verdicts": mean(opposite), "no_verdict": mean(none)}


def _scores(pairs: Sequence[tuple[Case, Outcome]]) -> Json:
    cases, predicted = zip(*pairs, strict=True)
    return scores_as_json(kinds_measures(cases, predicted))


def _outcome(pipeline: Pipeline, claim: str, longest: int) -> Outcome:
    """The program's answer. A claim that it refuses gets no verdict."""
    started = time.perf_counter()
    try:
        check = pipeline.run(Claim("", read_claim(claim, longest)))
    except ClaimError as error:
        return Outcome(None, note=str(error))
    spent = round((time.perf_counter() - started) * 1000, 2)
    verdict = check.verdict
    if verdict is None:
        return Outcome(None, note=" ".join(check.notes), milliseconds=spent)
    return Outcome(verdict.label, round(verdict.confidence, 4), verdict.leans, milliseconds=spent)


def _row(case: Case, predicted: Outcome) -> Json:
    label = str(predicted.label) if predicted.label else None
    row = {"set": case.kind, "claim": case.claim, "want": case.want, "said": label}
    return {**row, "confidence": predicted.confidence, "leans": predicted.leans, "note": predicted.note}
