"""Checks a table of claims and writes a CSV with one row per claim."""

from __future__ import annotations

import csv
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from retrieval.errors import CorpusError, EsotericError
from retrieval.output.cells import BYTE_ORDER_MARK, safe_cell, safe_text
from retrieval.output.record import evidence_forms
from retrieval.output.tables.reading import claim_column, read_table
from retrieval.pipeline import Pipeline
from retrieval.text.claims import fold_claim, read_claim
from retrieval.types import Claim, FactCheck

ORIGIN = ("url", "revision", "retrieved")  # of the sentences in `evidence`, in the same order
COLUMNS = (
    *("label", "confidence", "reason", "evidence", "abstained", "grounded", "calibrated", "one_source", "error"),
    *ORIGIN,
    *("rating", "leans", "notes"),
)


@dataclass(frozen=True)
class Outcome:
    """How many claims were checked, and how many failed."""

    checked: int
    failed: int


def check_table(
    source: Path,
    target: Path,
    pipeline: Pipeline,
    longest: int,
    column: str = "",
    resume: bool = False,
    tell: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """Check a column of `source` (.csv, .tsv, .xlsx) and write its rows with our columns added, each row as soon as it
    is checked. A claim in several rows is checked once.

    column: see `claim_column`. resume: whether to keep the rows in `target`, which count as checked. tell: called with
    notes on the table. Raises CorpusError if a file cannot be read or written, or `target` was made from another table.
    """
    if target.exists() and source.exists() and target.samefile(source):
        raise CorpusError(f"{target} is the input table. Name another file with `--out`.")
    table = read_table(source)
    number = claim_column(table, column)
    for note in table.notes:
        tell(note)
    head = [*map(safe_text, table.columns), *COLUMNS]
    copied = [[*map(safe_text, row)] for row in table.rows]
    try:
        done = complete_rows(target, head, copied) if resume else []
        answers = [_written_answer(row[len(table.columns) :]) for row in done]
        known = {fold_claim(row[number]): old for row, old in zip(table.rows, answers, strict=False) if old}
        failed = answers.count({})
        with open(target, "a" if done else "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            if not done:
                file.write(BYTE_ORDER_MARK)
                writer.writerow(head)
            remaining = tqdm(table.rows[len(done) :], unit=" claims", file=sys.stderr, mininterval=0.5)
            for cells, row in zip(copied[len(done) :], remaining, strict=True):
                folded = fold_claim(row[number])
                answer = known.get(folded) or _answer(row[number], pipeline, longest)
                if "error" in answer:
                    failed += 1
                else:
                    known[folded] = answer
                writer.writerow([*cells, *(safe_cell(answer.get(name, "")) for name in COLUMNS)])
                file.flush()
    except OSError as error:
        raise CorpusError(f"{target} cannot be written: {error.strerror}. Name another file with `--out`.") from error
    return Outcome(len(table.rows) - failed, failed)


def _written_answer(cells: Sequence[str]) -> dict[str, str]:
    """The answer in a row that an earlier run wrote; empty if its check failed."""
    answer = dict(zip(COLUMNS, cells, strict=True))
    return {} if answer.pop("error") else answer


def _answer(text: str, pipeline: Pipeline, longest: int) -> dict[str, str]:
    """Column -> value, for our columns; only `error` if the check failed."""
    try:
        check = pipeline.run(Claim("", read_claim(text, longest)))
    except EsotericError as error:
        return {"error": str(error)}
    except Exception as error:  # of any kind, because the rows after it must not be lost
        return {"error": f"The check failed ({type(error).__name__}: {error})."}
    cells = {"evidence": " | ".join(_evidence(check)), **_origin(check), "notes": " ".join(check.notes)}
    verdict = check.verdict
    if verdict is None:  # for example, if the models were not measured in the corpus's language
        return {**cells, "reason": " ".join(check.notes)}
    share = f"{verdict.confidence:.4f}" if verdict.probabilities else ""
    return {
        **cells,
        "label": str(verdict.label),
        "confidence": share,
        "rating": share if verdict.rated else "",
        "reason": verdict.reason,
        "abstained": str(verdict.abstained),
        "leans": str(verdict.leans),
        "grounded": "" if verdict.grounded is None else str(verdict.grounded),
        "calibrated": str(verdict.calibrated),
        "one_source": str(verdict.one_source),
    }


def _evidence(check: FactCheck) -> Iterator[str]:
    corpora = {hit.page.id: f" ({hit.page.corpus})" for hit in check.pages if hit.page.corpus}
    for evidence in check.evidence:
        sentence = evidence.sentence
        yield f"{sentence.title}{corpora.get(sentence.page_id, '')}, sentence {sentence.line}: {sentence.text}"


def _origin(check: FactCheck) -> dict[str, str]:
    """Where each sentence of the evidence comes from, by column; empty if no sentence has a value."""
    evidence = [one.as_json() for one in evidence_forms(check, check.evidence)]
    columns = {name: ["" if one[name] is None else str(one[name]) for one in evidence] for name in ORIGIN}
    return {name: " | ".join(values) if any(values) else "" for name, values in columns.items()}


def whole_rows(target: Path) -> tuple[list[list[str]], int]:
    """The complete rows of a CSV, and the end of the last one, in bytes."""
    lines = target.read_bytes().splitlines(keepends=True)
    read = 0

    def following() -> Iterator[str]:
        nonlocal read
        for line in lines:
            read += 1
            text = line.decode("utf-8", "replace")  # only the row where the writer stopped can hold half a character
            yield text.removeprefix(BYTE_ORDER_MARK) if read == 1 else text

    rows: list[list[str]] = []
    end = counted = 0
    try:
        for row in csv.reader(following(), strict=True):
            if not lines[read - 1].endswith(b"\n"):
                break
            rows.append(row)
            end, counted = end + sum(map(len, lines[counted:read])), read
    except csv.Error:  # the file ends inside quotation marks
        pass
    return rows, end


def complete_rows(target: Path, head: Sequence[str], source: Sequence[Sequence[str]]) -> list[list[str]]:
    """The complete rows of `target`, which is truncated after them. head: its column names. source: the input's rows, with
    which those of `target` must begin. Raises CorpusError if one does not, and OSError.
    """
    if not target.exists():
        return []
    rows, end = whole_rows(target)
    done = rows[1:]
    alike = all(row[: len(cells)] == [*cells] for row, cells in zip(done, source, strict=False))
    if rows[:1] not in ([], [[*head]]) or len(done) > len(source) or not alike:
        raise CorpusError(f"{target} was not made from this table. Name another file with `--out`, or omit `--resume`.")
    os.truncate(target, end)
    return done
