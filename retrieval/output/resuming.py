"""Finds the complete rows of a CSV whose writer was interrupted, so that it can resume after them."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from retrieval.errors import CorpusError
from retrieval.output.cells import BYTE_ORDER_MARK


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


def go_on(target: Path, head: Sequence[str], given: Sequence[Sequence[str]]) -> list[list[str]]:
    """The complete rows of `target`, which is truncated after the last one. head: its column names. given: the input's
    rows, with which those of `target` must begin. Raises CorpusError if one does not, and OSError.
    """
    if not target.exists():
        return []
    rows, end = whole_rows(target)
    done = rows[1:]
    alike = all(row[: len(cells)] == [*cells] for row, cells in zip(done, given, strict=False))
    if rows[:1] not in ([], [[*head]]) or len(done) > len(given) or not alike:
        raise CorpusError(f"{target} was not made from this table. Name another file with `--out`, or omit `--resume`.")
    os.truncate(target, end)
    return done
