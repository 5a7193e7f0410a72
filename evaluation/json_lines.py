"""Reads data sets of one JSON object per line, gzipped or not."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from retrieval.errors import CorpusError

Row = TypeVar("Row")
MALFORMED = (ValueError, KeyError, TypeError, AttributeError, RecursionError)  # what an unexpected row raises


def read_lines(path: Path, read: Callable[[Any], Row], what: str, needs: str, limit: int | None = None) -> list[Row]:
    """The results of `read`, called with each object of a .jsonl or .jsonl.gz file.

    what, needs: for errors, the name of one object, such as `pair`, and its fields. Raises CorpusError, which names
    the line that cannot be read. `read` may raise CorpusError with the rest of a sentence that begins with the line.
    """
    rows: list[Row] = []
    try:
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if limit is not None and len(rows) >= limit:
                    break
                if not line.strip():
                    continue
                try:
                    rows.append(read(json.loads(line)))
                except MALFORMED as error:
                    raise CorpusError(
                        f"{path}, line {number} is not a {what} ({error!r}). It needs {needs}."
                    ) from error
                except CorpusError as error:
                    raise CorpusError(f"{path}, line {number} {error}") from None
    except (gzip.BadGzipFile, EOFError, UnicodeDecodeError) as error:
        raise CorpusError(f"{path} is not a text file in UTF-8, or not gzipped as its name says.") from error
    except OSError as error:
        raise CorpusError(f"{path} cannot be read: {error.strerror}. Name a file of {what}s.") from error
    return rows
