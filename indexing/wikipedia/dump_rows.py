"""Reads one file of a dump in a separate process: decompressing and parsing take longer than loading."""

from __future__ import annotations

import bz2
import functools
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import orjson

from indexing.fever_rows import Prepare, Producer, excerpt
from indexing.wikipedia.article import Origin, page_number, parse_article
from retrieval.errors import CorpusError

DOCUMENTS_A_BATCH = 500
LONGEST_DOCUMENT = 64_000_000  # bytes
_DAMAGES = (OSError, EOFError, ValueError, zlib.error)


@dataclass
class Batch:
    """Results from some lines of a file. rows: the file's documents read so far. position: in the compressed file, in
    bytes. articles: the pages of each, prepared for a store if requested. linked: the number of articles whose incoming
    links the dump counts. bad: a sentence for each invalid document. bad_numbers: their page numbers, 0 if neither the
    document nor the line before it has one. empty: the number of documents without text.
    """

    rows: int = 0
    position: int = 0
    articles: list[list[Any]] = field(default_factory=list)
    linked: int = 0
    bad: list[str] = field(default_factory=list)
    bad_numbers: list[int] = field(default_factory=list)
    empty: int = 0


class Damaged(CorpusError):
    """A file cannot be read to the end."""


def read_batches(path: Path, origin: Origin, skip: int = 0, prepare: Prepare | None = None) -> Iterator[Batch]:
    """All documents of the file except the first `skip`. prepare: applied to each page. Raises Damaged."""
    batch = Batch()
    try:
        with open(path, "rb") as packed, _unpacked(path, packed) as stream:
            for number, (action_id, raw) in enumerate(_documents(path.name, stream), 1):
                if number <= skip:
                    continue
                batch.rows = number
                _parse(batch, f"{path.name}, page {number}", action_id, raw, origin, prepare)
                if number % DOCUMENTS_A_BATCH == 0:
                    batch.position = packed.tell()
                    yield batch
                    batch = Batch(rows=number)
            batch.position = packed.tell()
    except _DAMAGES as error:
        raise Damaged(f"{path.name} is damaged or cut short: {error}.") from error
    batch.rows = max(batch.rows, skip)
    yield batch


def _unpacked(path: Path, packed: IO[bytes]) -> io.BufferedReader:
    stream: Any = packed
    if path.suffix == ".bz2":
        stream = bz2.BZ2File(packed)
    elif path.suffix == ".gz":
        stream = gzip.GzipFile(fileobj=packed)
    return io.BufferedReader(stream, 1 << 20)


def _documents(name: str, stream: io.BufferedReader) -> Iterator[tuple[object, bytes]]:
    """(page number, line of the document); the number is in the action, the line before the document."""
    action_id: object = None
    while raw := stream.readline(LONGEST_DOCUMENT):
        if len(raw) == LONGEST_DOCUMENT:
            raise Damaged(f"{name} holds a line of more than {LONGEST_DOCUMENT:,} bytes, which no page has.")
        if raw.startswith((b'{"index":{', b'{"index": {')) and len(raw) < 1_000:
            action_id = None
            with suppress(orjson.JSONDecodeError, KeyError, AttributeError):
                action_id = orjson.loads(raw)["index"].get("_id")
        elif raw.strip():
            yield action_id, raw
            action_id = None


def _parse(batch: Batch, place: str, action_id: object, raw: bytes, origin: Origin, prepare: Prepare | None) -> None:
    document: Any = None
    try:
        document = orjson.loads(raw)
        pages = parse_article(document, action_id, origin)
    except (ValueError, RecursionError) as error:
        batch.bad.append(f"{place} was left out: {error} ({excerpt(raw)!r}).")
        batch.bad_numbers.append(page_number(document, action_id) or 0)
        return
    if not pages:
        batch.empty += 1
        return
    batch.linked += pages[0].prior > 0
    batch.articles.append([prepare(page) for page in pages] if prepare else pages)


class Reader(Producer[Batch]):
    """A process that reads one file, in batches, and prepares its pages."""

    def __init__(self, path: Path, origin: Origin, skip: int, prepare: Prepare | None) -> None:
        self.path = path
        super().__init__(path.name, functools.partial(read_batches, path, origin, skip, prepare))
