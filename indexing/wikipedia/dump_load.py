"""Loads a dump into a store while its files are still being fetched; resumes where an earlier call stopped."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from tqdm import tqdm

from indexing.load import SECONDS_BETWEEN_CHECKPOINTS, progress_bar, saving
from indexing.mentions import count_mentions
from indexing.watched.lines import Progress
from indexing.wikipedia.article import Origin, article_of
from indexing.wikipedia.changes import Changes
from indexing.wikipedia.dump import Dump, DumpFile
from indexing.wikipedia.dump_rows import Batch, Damaged, Reader
from indexing.wikipedia.fetching import Files, check_space, open_files, readers
from retrieval.errors import CorpusError
from retrieval.protocols import CorpusWriter
from retrieval.stores import open_writer
from retrieval.stores.locations import amount, on_server
from retrieval.text.languages import language_of_wiki
from retrieval.types import CorpusInfo, Page

FILE_DONE = -1  # a file's number of rows once all are in the store

Report = Callable[[str], None]


@dataclass
class Position:
    """The position of a load, saved with every checkpoint. files: rows done of each file; FILE_DONE if all are."""

    files: dict[str, int] = field(default_factory=dict)
    pages: int = 0
    articles: int = 0
    bad: int = 0
    empty: int = 0
    linked: int = 0  # articles for which the dump gives the number of incoming links
    new: int = 0
    changed: int = 0
    same: int = 0
    unknown: int = 0  # unreadable lines of unknown pages
    relinked: int = 0  # pages of the same version with other titles or text


@dataclass(frozen=True)
class Task:
    """A load. update: whether to load only newer pages, and to remove pages that the dump lacks. progress: called,
    besides the bar, with the bytes of the dump's files that are loaded.
    """

    dump: Dump
    store: str
    downloads: Path
    text: str = "intro"
    update: bool = False
    replace: bool = False
    restart: bool = False
    keep: bool = False
    limit: int | None = None
    name: str = ""
    progress: Progress | None = field(default=None, compare=False)

    @property
    def job(self) -> str:
        """Identifies an unfinished load; also the command that resumes it."""
        limit = f" --limit {self.limit}" if self.limit else ""
        options = f"{limit}{' --update' if self.update else ''}{' --replace' if self.replace else ''}"
        return f"wikipedia --wiki {self.dump.wiki} --date {self.dump.date} --text {self.text}{options}"

    @property
    def folder(self) -> Path:
        """The folder into which its files are fetched."""
        return self.downloads / f"{self.dump.wiki}-{self.dump.date}"


def load_wikipedia(task: Task, report: Report) -> tuple[CorpusInfo, Position]:
    """Load the dump and switch readers to the result. Returns the store's description and the counts of the load.
    Raises CorpusError or StoreError; the next call resumes where this one stopped.
    """
    origin = Origin.of(task.dump.wiki, task.dump.day, task.text)
    store = None if on_server(task.store) else Path(task.store)
    report(_announced(task.dump))
    report(check_space(task.dump, task.folder, store, task.text, task.keep))
    language = language_of_wiki(task.dump.wiki)
    options: dict[str, Any] = {"replace": task.replace, "restart": task.restart, "language": language}
    with open_writer(task.store, task.job, report=report, **options) as writer:
        position = Position(**(writer.position or {}))
        if writer.position:
            report(f"Resuming after {position.articles:,} articles.")
        changes = Changes(task, origin, bool(writer.position)) if task.update else None
        remaining = [file for file in task.dump.files if position.files.get(file.name) != FILE_DONE]
        with open_files(task.folder, remaining) as files:
            _Load(task, origin, writer, position, files, changes, report).run()
            if not position.pages and not (changes and position.same):
                raise CorpusError(
                    "This dump contains no page; the corpus is unchanged. Check the address, and add `--restart`."
                )
            if changes:
                report(changes.remove_gone(writer, position))
            card = writer.finish(task.name or task.dump.name, language)
            writer.retire()
            position.bad += writer.rejected
            if changes:
                changes.forget()
    if position.linked or task.limit:
        return card, position
    report("The dump does not say how many pages link to each; counting how many name it.")

    def written(page: Page) -> bool:
        return page.retrieved == origin.day and article_of(page.id)[0] == origin.wiki

    # Only pages that this load wrote get a new count, because others would lose their vectors for it.
    return count_mentions(task.store, report, written), position


def _announced(dump: Dump) -> str:
    size = f", {amount(dump.size)}" if dump.size else ""
    files = "one file" if len(dump.files) == 1 else f"{len(dump.files)} files"
    return f"{dump.name}: {files}{size}."


class _Load:
    """One run over the remaining files."""

    def __init__(
        self, task: Task, origin: Origin, writer: CorpusWriter, position: Position, files: Files,
        changes: Changes | None, report: Report,
    ) -> None:  # fmt: skip
        self._task, self._origin, self._writer, self._position = task, origin, writer, position
        self._files, self._changes, self._report = files, changes, report
        self._readers: dict[Any, tuple[DumpFile, Reader]] = {}
        self._finished: list[tuple[DumpFile, Path]] = []  # files read to the end since the last checkpoint
        loaded = [file for file in task.dump.files if position.files.get(file.name) == FILE_DONE]
        self._before = sum(file.size or 0 for file in loaded)
        self._read: dict[str, int] = {}
        self._saved = time.monotonic()

    def run(self) -> None:
        """Run until all files are read. Saves a checkpoint however it ends."""
        options: dict[str, Any] = {"unit": "B", "unit_scale": True, "unit_divisor": 1000, "smoothing": 0.1}
        with saving(self._checkpoint, lambda: f"{self._position.articles:,} articles"):
            try:
                with progress_bar(total=self._task.dump.size or None, initial=self._before, **options) as bar:
                    self._show(bar)  # a resumed load may have to wait first
                    while not self._is_full() and (self._begin_readers() or self._readers):
                        self._take(bar)
            finally:
                for _, reader in self._readers.values():
                    reader.close()
        self._checkpoint()

    def _begin_readers(self) -> bool:
        """Assign free readers to files that have arrived. Returns whether files are left."""
        # With a limit, pages must come in the files' order.
        most = 1 if self._task.limit else readers()
        while self._files.more and len(self._readers) < most and (self._files.is_ready() or not self._readers):
            file, path = self._files.next()
            # An update compares pages first and writes few, so it does not prepare all.
            prepare = None if self._changes else self._writer.prepare
            reader = Reader(path, self._origin, max(0, self._position.files.get(file.name, 0)), prepare)
            self._readers[reader.connection] = (file, reader)
        return self._files.more

    def _take(self, bar: tqdm[Any]) -> None:
        """Load the batches that are ready."""
        for connection in wait(list(self._readers), timeout=1.0):
            file, reader = self._readers[connection]
            try:
                batch = reader.receive()
            except Damaged as error:
                self._files.delete(file, reader.path)
                what = "It was deleted; run the same command again to fetch it" if file.remote else "Copy it"
                raise CorpusError(f"{error} {what} again. Readers still see the previous corpus.") from error
            if batch is None:
                reader.close()
                del self._readers[connection]
                self._position.files[file.name] = FILE_DONE
                self._finished.append((file, reader.path))
                self._read[file.name] = file.size or 0
            else:
                self._add(file, batch)
                self._read[file.name] = batch.position
            if self._is_full():
                break
        self._show(bar)
        if time.monotonic() - self._saved > SECONDS_BETWEEN_CHECKPOINTS:
            self._checkpoint()

    def _add(self, file: DumpFile, batch: Batch) -> None:
        for sentence in batch.bad:
            self._report(sentence)
        articles = batch.articles
        if self._task.limit:
            articles = articles[: self._task.limit - self._position.articles]
        wanted: Sequence[Sequence[Page]] = articles
        if self._changes:
            self._changes.see(batch.bad_numbers)
            wanted = self._changes.newer(articles, self._writer, self._position)
        added = self._writer.add(page for article in wanted for page in article)
        position = self._position
        position.articles += len(articles)
        position.linked += batch.linked
        position.pages += added
        position.bad += len(batch.bad)
        position.unknown += batch.bad_numbers.count(0)
        position.empty += batch.empty
        position.files[file.name] = batch.rows

    def _is_full(self) -> bool:
        return self._task.limit is not None and self._position.articles >= self._task.limit

    def _checkpoint(self) -> None:
        if self._changes:
            self._changes.keep()
        self._writer.checkpoint(vars(self._position))
        for file, path in self._finished if not self._task.keep else ():
            self._files.delete(file, path)
        self._finished = []
        self._saved = time.monotonic()

    def _show(self, bar: tqdm[Any]) -> None:
        """Show the bytes of all loaded files, pages, and bytes received over the network."""
        whole = sum(count == FILE_DONE for count in self._position.files.values())
        files = f"{whole} of {len(self._task.dump.files)} files, {self._position.articles:,} articles"
        bar.set_postfix_str(f"{files}, {self._files.fetched() / 1e6:,.0f} MB fetched", refresh=False)
        done = self._before + sum(self._read.values())
        bar.update(max(0, done - bar.n))
        if self._task.progress:
            self._task.progress("read", done, self._task.dump.size or None, self._position.articles)
