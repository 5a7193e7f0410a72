"""Fetches a dump's files ahead of loading, over a few connections, within the announced disk space."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager, nullcontext, suppress
from pathlib import Path

import httpx

from indexing import web
from indexing.download import SPARE_SPACE, fetch_beside, fetching_into, forget
from indexing.wikipedia.article import FULL, INTRO
from indexing.wikipedia.dump import Dump, DumpFile
from retrieval.errors import CorpusError
from retrieval.stores.locations import amount

CONNECTIONS = 2
READERS = 6  # most files to unpack at the same time
AHEAD = 3  # files being fetched or waiting on disk, besides those being read
# Bytes of a store per byte of a dump's files, roughly: a page takes 5.6 kB in Wikimedia's files, and in a store about
# 1.3 kB for an introduction, 8 kB for an article.
STORE_SHARE = {INTRO: 0.25, FULL: 1.5}


class _Stopped(Exception):
    """Ends transfers when the load has ended."""


class Files:
    """A dump's files, each on disk by the time it is requested."""

    def __init__(self, client: httpx.Client, folder: Path, files: Sequence[DumpFile]) -> None:
        self._client, self._folder = client, folder
        self._remaining = list(files)
        self._stopped = threading.Event()
        self._pool = ThreadPoolExecutor(CONNECTIONS, thread_name_prefix="fetch")
        self._coming: list[tuple[DumpFile, Future[Path]]] = []
        self._fetched: dict[str, int] = {}
        self._request_more()

    def next(self) -> tuple[DumpFile, Path]:
        """The next file, waiting if necessary. Raises CorpusError if it cannot be fetched."""
        file, future = self._coming.pop(0)
        path = future.result()
        self._request_more()
        return file, path

    def is_ready(self) -> bool:
        """Whether `next` can answer without waiting."""
        return self._coming[0][1].done()

    @property
    def more(self) -> bool:
        """Whether a file is left."""
        return bool(self._coming)

    def fetched(self) -> int:
        """Bytes received over the network."""
        return sum(self._fetched.values())

    def delete(self, file: DumpFile, path: Path) -> None:
        """Delete a file if it was fetched: once it is loaded, or so that the next load fetches it again."""
        if file.remote:
            forget(path)

    def close(self) -> None:
        """End the transfers, leaving the bytes received on disk."""
        self._stopped.set()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _request_more(self) -> None:
        while self._remaining and len(self._coming) < AHEAD:
            file = self._remaining.pop(0)
            self._coming.append((file, self._pool.submit(self._path, file)))

    def _path(self, file: DumpFile) -> Path:
        if not file.remote:
            return Path(file.place)

        def report(done: int, total: int | None) -> None:
            self._fetched[file.name] = done
            self._check()

        return fetch_beside(self._client, file.place, self._folder, report, self._wait)

    def _wait(self, seconds: float) -> None:
        self._check()
        web.pause(seconds) if seconds < 1 else self._stopped.wait(seconds)
        self._check()

    def _check(self) -> None:
        if self._stopped.is_set():
            raise _Stopped


@contextmanager
def open_files(folder: Path, files: Sequence[DumpFile]) -> Iterator[Files]:
    """The files still to load. The folder is locked during the transfers, and removed if it ends up empty."""
    remote = any(file.remote for file in files)
    with (
        fetching_into(folder) if remote else nullcontext(),
        web.client() as client,
        closing(Files(client, folder, files)) as opened,
    ):
        yield opened
    if remote:
        with suppress(OSError):
            folder.rmdir()


def readers() -> int:
    """The number of files to unpack in parallel: one per core besides the loader's, at least two."""
    return max(2, min(READERS, (os.cpu_count() or 1) - 1))


def disk_needed(dump: Dump, text: str, keep: bool) -> tuple[int, int]:
    """(most bytes of files on disk at a time, estimated bytes of the store)."""
    remote = sorted((file.size or 0 for file in dump.files if file.remote), reverse=True)
    files = sum(remote) if keep else sum(remote[: AHEAD + readers()])
    return files, int(dump.size * STORE_SHARE[text])


def existing_folder(place: Path) -> Path:
    """The folder itself, or the nearest one above it that exists."""
    return next(folder for folder in (place, *place.absolute().parents) if folder.exists())


def check_space(dump: Dump, folder: Path, store: Path | None, text: str, keep: bool) -> str:
    """The disk space that the load needs, as a sentence. store: its folder, if any. Raises CorpusError if a disk has less."""
    files, pages = disk_needed(dump, text, keep)
    needed: dict[int, list[tuple[Path, int]]] = {}
    for place, size in ((folder, files), (store, pages)):
        if place is not None and size:
            existing = existing_folder(place)
            needed.setdefault(existing.stat().st_dev, []).append((existing, size))
    for wanted in needed.values():
        total, free = sum(size for _, size in wanted), shutil.disk_usage(wanted[0][0]).free
        if total + SPARE_SPACE > free:
            raise CorpusError(
                f"The load needs about {amount(total)} and {wanted[0][0]} has {amount(free)} free. "
                "Free some space, or set DATA or `--store` to a larger disk."
            )
    fetched = f"{amount(files)} for files on their way" + ("" if keep else " (each is deleted once it is loaded)")
    where = "on the disk" if store is not None else "on the server"
    return f"Disk needed: {fetched}, and about {amount(pages)} for the corpus {where}."
