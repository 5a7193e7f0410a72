"""Reads the rows of a FEVER dump, in a second process if it saves time, because reading takes as long as storing."""

from __future__ import annotations

import functools
import itertools
import multiprocessing
import os
import signal
import zlib
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from multiprocessing.connection import Connection
from typing import Any, Generic, NamedTuple, TypeVar

from indexing.fever import Source, parse_row
from retrieval.errors import CorpusError
from retrieval.types import Page

ROWS_A_BATCH = 500
EXCERPT = 80
WORTH_A_PROCESS = 10_000_000  # bytes of dump files; for fewer, a process takes longer to start than it saves


class Row(NamedTuple):
    """A row, and the load's position after it: `rows` of file `file` are done, `digest` is their CRC-32. page: ready to
    store; None without a page. fault: what is wrong with the row, and how the row begins.
    """

    file: int
    rows: int
    digest: int
    page: Any = None
    fault: str = ""


Item = TypeVar("Item")
Prepare = Callable[[Page], Any]


def read_rows(
    sources: Sequence[Source], file: int, rows: int, digest: int, addresses: bool, prepare: Prepare
) -> Generator[Row, None, None]:
    """The rows after this position. After a file's last row comes one that marks the file as done.

    prepare: a picklable function, called in the process that reads. Raises CorpusError if a file is damaged, or if the
    part that an earlier call read has changed.
    """
    batches = functools.partial(read_batches, sources, file, rows, digest, addresses, prepare)
    size = sum(path.stat().st_size for path in {source.path for source in sources[file:]})
    if size < WORTH_A_PROCESS or len(os.sched_getaffinity(0)) < 2:
        yield from itertools.chain.from_iterable(batches())
        return
    with closing(Producer("the dump", batches)) as producer:
        while (batch := producer.receive()) is not None:
            yield from batch


def read_batches(
    sources: Sequence[Source], file: int, rows: int, digest: int, addresses: bool, prepare: Prepare
) -> Iterator[list[Row]]:
    """The rows of `read_rows`, in lists."""
    batch: list[Row] = []
    try:
        for number, source in enumerate(sources[file:], file):
            for row in _rows_of(source, number, rows, digest, addresses, prepare):
                batch.append(row)
                if len(batch) == ROWS_A_BATCH:
                    yield batch
                    batch = []
            batch.append(Row(number + 1, 0, 0))
            rows = digest = 0
    except CorpusError:
        yield batch
        raise
    yield batch


def _rows_of(
    source: Source, number: int, skipped: int, digest: int, addresses: bool, prepare: Prepare
) -> Iterator[Row]:
    raws = source.rows()
    done = itertools.islice(raws, skipped)
    if functools.reduce(lambda crc, raw: zlib.crc32(raw, crc), done, 0) != digest:
        raise CorpusError(f"{source.name} has changed in lines that are already loaded. Add `--restart` to start over.")
    for row, raw in enumerate(raws, skipped + 1):
        digest = zlib.crc32(raw, digest)
        try:
            page = parse_row(raw, addresses)
        except ValueError as error:
            yield Row(number, row, digest, fault=f"{error} ({excerpt(raw)!r})")
            continue
        yield Row(number, row, digest, prepare(page) if page else None)


def excerpt(raw: bytes) -> str:
    """The beginning of a line, for a message."""
    return raw[:EXCERPT].decode("utf-8", "replace").strip()


class Producer(Generic[Item]):
    """A process that produces one item after another. `connection` is ready when `receive` will not block."""

    def __init__(self, what: str, produce: Callable[[], Iterator[Item]]) -> None:
        """what: the input, as an error message names it. produce: picklable; none of its items is None."""
        # Not forked from this process, in which store and transfers run threads.
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["__main__", __name__, "indexing.wikipedia.dump_rows"])
        self._what = what
        self.connection, sending = context.Pipe(duplex=False)
        self._process = context.Process(target=_run, args=(sending, produce), daemon=True)
        self._process.start()
        sending.close()

    def receive(self) -> Item | None:
        """The next item; None after the last. Raises the CorpusError that ended the process, or one if it died."""
        try:
            received: Item | Exception | None = self.connection.recv()
        except EOFError:
            raise CorpusError(
                f"The process that read {self._what} was killed, perhaps for lack of memory. "
                "Run the same command again: it resumes where it stopped."
            ) from None
        if isinstance(received, Exception):
            raise received
        return received

    def close(self) -> None:
        """End the process."""
        self.connection.close()
        self._process.terminate()
        self._process.join()


def _run(sending: Connection, produce: Callable[[], Iterator[Any]]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other process handles Ctrl-C
    try:
        for item in produce():
            sending.send(item)
        sending.send(None)
    except BrokenPipeError:
        pass
    except CorpusError as error:
        sending.send(error)
