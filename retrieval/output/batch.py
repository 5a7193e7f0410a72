"""Checks a table of claims: a table in, a CSV out, one row per claim."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from retrieval.errors import CorpusError, EsotericError
from retrieval.output.cells import safe_cell
from retrieval.output.tables import claim_column, read_table
from retrieval.pipeline import Pipeline
from retrieval.text.claims import read_claim
from retrieval.types import Claim, FactCheck

COLUMNS = ("label", "confidence", "reason", "evidence", "abstained", "grounded", "calibrated", "one_source", "error")
# What a spreadsheet would run as a formula (OWASP, CSV injection), in both widths of the signs.


@dataclass(frozen=True)
class Outcome:
    """How many claims were checked, and how many could not be."""

    checked: int
    failed: int


def check_table(source: Path, target: Path, pipeline: Pipeline, longest: int, column: str = "") -> Outcome:
    """Check a column of `source` (.csv, .tsv, .xlsx) and write its rows with our columns added.

    column: its name or number; without it, the one called `claim`, else the one that looks most like claims. Rows appear in `target` as they are done. Raises CorpusError if a file cannot be read or written.
    """
    if target.exists() and source.exists() and target.samefile(source):
        raise CorpusError(f"{target} is the input table. Name another file with `--out`.")
    table = read_table(source)
    number = claim_column(table, column)
    checked = failed = 0
    try:
        with open(target, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow([*table.columns, *COLUMNS])
            for row in tqdm(table.rows, unit=" claims", file=sys.stderr, mininterval=0.5):
                answer = _answer(row[number], pipeline, longest)
                failed += bool(answer[-1])
                checked += not answer[-1]
                writer.writerow([*row, *map(safe_cell, answer)])
                file.flush()
    except OSError as error:
        raise CorpusError(f"{target} cannot be written: {error.strerror}. Name another file with `--out`.") from error
    return Outcome(checked, failed)


def _answer(text: str, pipeline: Pipeline, longest: int) -> list[str]:
    try:
        check = pipeline.run(Claim("", read_claim(text, longest)))
    except EsotericError as error:
        return [""] * (len(COLUMNS) - 1) + [str(error)]
    except Exception as error:  # whatever it is, the rows that follow must not be lost
        return [""] * (len(COLUMNS) - 1) + [f"The check failed ({type(error).__name__}: {error})."]
    verdict = check.verdict
    if verdict is None:  # as over a corpus in a language that the reader was not measured in
        return ["", "", " ".join(check.notes), " | ".join(_evidence(check)), *[""] * (len(COLUMNS) - 4)]
    return [
        str(verdict.label),
        f"{verdict.confidence:.4f}" if verdict.probabilities else "",
        verdict.reason,
        " | ".join(_evidence(check)),
        str(verdict.abstained),
        "" if verdict.grounded is None else str(verdict.grounded),
        str(verdict.calibrated),
        str(verdict.one_source),
        "",
    ]


def _evidence(check: FactCheck) -> Iterator[str]:
    corpora = {hit.page.id: f" ({hit.page.corpus})" for hit in check.pages if hit.page.corpus}
    for evidence in check.evidence:
        sentence = evidence.sentence
        yield f"{sentence.title}{corpora.get(sentence.page_id, '')}, sentence {sentence.line}: {sentence.text}"
