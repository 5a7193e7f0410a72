"""The whole rows of a CSV that was being written when its process ended, to go on after the last one."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from retrieval.errors import CorpusError
from retrieval.output.cells import BYTE_ORDER_MARK


def whole_rows(target: Path) -> tuple[list[list[str]], int]:
    """The rows of a CSV that are written to their end, and where the last of them ends, in bytes."""
    lines = target.read_bytes().splitlines(keepends=True)
    read = 0

    def following() -> Iterator[str]:
        nonlocal read
        for line in lines:
            read += 1
            text = line.decode("utf-8", "replace")
            yield (
                text.removeprefix(BYTE_ORDER_MARK) if read == 1 else text
            )  # only a row that was cut off can hold half a character

    rows: list[list[str]] = []
    end = counted = 0
    try:
        for row in csv.reader(following(), strict=True):
            if not lines[read - 1].endswith(b"\n"):
                break
            rows.append(row)
            end, counted = end + sum(map(len, lines[counted:read])), read
    except csv.Error:  # it ends inside quotation marks
        pass
    return rows, end


def go_on(target: Path, head: Sequence[str], given: Sequence[Sequence[str]]) -> list[list[str]]:
    """The rows of `target` that are done; what is behind the last whole one is cut off.

    head: the names of its columns. given: the rows of the input, with which its own must begin. Raises CorpusError if
    they do not, and OSError.
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
