"""Reads data sets of one JSON object per line, gzipped or not."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from retrieval.errors import CorpusError

Row = TypeVar("Row")


def read_lines(path: Path, read: Callable[[str, str], Row], what: str, limit: int | None = None) -> list[Row]:
    """The results of `read`, called with each line of a .jsonl or .jsonl.gz file and its position.

    what: the rows' name in errors, such as `pairs`. Raises CorpusError if the file cannot be read.
    """
    rows: list[Row] = []
    try:
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if limit is not None and len(rows) >= limit:
                    break
                if line.strip():
                    rows.append(read(line, f"{path}, line {number}"))
    except (gzip.BadGzipFile, EOFError, UnicodeDecodeError) as error:
        raise CorpusError(f"{path} is not a text file in UTF-8, or not gzipped as its name says.") from error
    except OSError as error:
        raise CorpusError(f"{path} cannot be read: {error.strerror}. Name a file of {what}.") from error
    return rows
