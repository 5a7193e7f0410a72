"""Loads pages into an embedded store: with progress, checkpoints and an honest account of what was left out."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from indexing.fever import Row, Source, find_sources, parse_row
from retrieval.errors import CorpusError
from retrieval.stores.embedded_writer import EmbeddedWriter, open_writer
from retrieval.types import CorpusInfo

SECONDS_BETWEEN_CHECKPOINTS = 20.0
ROWS_A_LOOK = 1000
EXCERPT = 80


class LoadInterrupted(Exception):
    """Ctrl-C. The message says how to go on."""


@dataclass
class Place:
    """Where a load stands: the next row to read is `rows` of file `file`. Saved with every checkpoint."""

    file: int = 0
    rows: int = 0
    pages: int = 0
    bad: int = 0


def load_fever(
    paths: Sequence[Path],
    store: str,
    *,
    name: str = "",
    replace: bool = False,
    restart: bool = False,
    skip_bad: bool = False,
    limit: int | None = None,
    report: Callable[[str], None] = print,
) -> tuple[CorpusInfo, int]:
    """Load dump files into the store and switch readers to the result. Returns what it holds and the bad lines skipped.

    Goes on where an earlier call with the same files ended. Raises CorpusError at the first bad line unless
    `skip_bad`; what was read before it is kept for the next call.
    """
    sources = find_sources(paths)
    job = describe_job(sources, replace, limit)
    with open_writer(store, job, replace=replace, restart=restart) as writer:
        place = Place(**writer.position) if writer.position else Place()
        if writer.position:
            report(f"Going on after {place.pages:,} pages.")
        try:
            _load(writer, sources, place, limit, _bad_line(place, skip_bad, report))
        except KeyboardInterrupt:
            writer.checkpoint(vars(place))
            raise LoadInterrupted(
                f"Stopped after {place.pages:,} pages; run the same command again to go on. Readers still see the corpus from before."
            ) from None
        except CorpusError:
            writer.checkpoint(vars(place))
            raise
        return writer.finish(name or _default_name(paths)), place.bad


def describe_job(sources: Sequence[Source], replace: bool, limit: int | None) -> str:
    """Names a load, so that an unfinished one is recognised by the next call."""
    files = sorted({(str(source.path.resolve()), source.path.stat().st_size) for source in sources})
    listed = ", ".join(f"{path} of {size} bytes" for path, size in files[:3]) + (
        f" and {len(files) - 3} more" if len(files) > 3 else ""
    )
    return f"fever {listed}, {sum(size for _, size in files)} bytes in all{', replace' if replace else ''}{f', limit {limit}' if limit else ''}"


def _default_name(paths: Sequence[Path]) -> str:
    return paths[0].resolve().name if len(paths) == 1 else f"{paths[0].resolve().name} and {len(paths) - 1} more"


def _bad_line(place: Place, skip_bad: bool, report: Callable[[str], None]) -> Callable[[Row, ValueError], None]:
    """What to do with a line that holds no page: count and report it, and stop unless told not to."""

    def handle(row: Row, error: ValueError) -> None:
        excerpt = row.raw[:EXCERPT].decode("utf-8", "replace").strip()
        sentence = f"{row.file}, line {row.number}: {error} ({excerpt!r})"
        if not skip_bad:
            place.rows -= 1  # The next call reads it again, mended.
            raise CorpusError(f"{sentence}. Mend the line, or leave such lines out with `--skip-bad`.")
        place.bad += 1
        report(sentence)

    return handle


def _load(
    writer: EmbeddedWriter,
    sources: Sequence[Source],
    place: Place,
    limit: int | None,
    bad_line: Callable[[Row, ValueError], None],
) -> None:
    saved = time.monotonic()
    with progress_bar(place.pages, limit) as bar:
        for row in _rows_from(sources, place):
            place.rows = row.number
            try:
                page = parse_row(row.raw)
            except ValueError as error:
                bad_line(row, error)
                continue
            if page is None:
                continue
            if limit is not None and place.pages >= limit:
                return
            writer.add((page,))
            place.pages += 1
            if place.pages % ROWS_A_LOOK == 0:
                bar.show(place, len(sources))
                if time.monotonic() - saved > SECONDS_BETWEEN_CHECKPOINTS:
                    writer.checkpoint(vars(place))
                    saved = time.monotonic()


def _rows_from(sources: Sequence[Source], place: Place) -> Iterator[Row]:
    for number in range(place.file, len(sources)):
        place.file = number
        yield from sources[number].rows(start=place.rows)
        place.rows = 0


class progress_bar:
    """Pages, rate and remaining time on stderr; files done stand for the work, as pages are not known beforehand."""

    def __init__(self, initial: int, limit: int | None) -> None:
        self._bar = tqdm(
            total=limit,
            initial=initial,
            unit=" pages",
            unit_scale=True,
            dynamic_ncols=True,
            mininterval=0.5,
            file=sys.stderr,
            smoothing=0.1,
        )

    def __enter__(self) -> progress_bar:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def show(self, place: Place, files: int) -> None:
        """Bring the bar up to date; after the first whole file the total is estimated from those read so far."""
        if (place.file and self._bar.total is None) or (place.file and self._bar.total and place.file < files):
            estimate = place.pages * files / (place.file + 0.5)
            self._bar.total = max(int(estimate), place.pages)
        self._bar.update(place.pages - self._bar.n)
