"""The command `python -m indexing fever`: fetches archives given by address, loads them, reports the result."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from indexing.watched import lines
from indexing.watched.lines import Progress
from retrieval.command import DONE
from retrieval.settings import Settings
from retrieval.stores import shown


def run(options: Any) -> int:
    """Load the files, or print what the load would take."""
    if options.with_parent:
        lines.obey()
    if not options.public:
        return _planned(options) if options.plan else _load(options)
    from indexing.web import public_only

    with public_only(True):
        return _planned(options) if options.plan else _load(options)


def _planned(options: Any) -> int:
    from indexing.watched.planning import plan_fever

    lines.tell(plan=asdict(plan_fever(options.paths, options.store)))
    return DONE


def _load(options: Any) -> int:
    from indexing.load import load_fever

    progress = lines.progress() if options.json else None
    if options.unless_loaded and (there := _corpus_there(options.store)):
        print(f"{there} Nothing was loaded.")
        return DONE
    card, bad = load_fever(
        _local(options.paths, progress),
        options.store,
        name=options.name,
        replace=options.replace,
        restart=options.restart,
        skip_bad=options.skip_bad,
        limit=options.limit,
        addresses=not options.no_addresses,
        language=options.language or "",
        report=lines.report if options.json else lines.to_stderr,
        progress=progress,
    )
    left_out = "{:,} lines or pages were left out; they are named above."
    return lines.ended(card, options.store, bad, left_out, as_json=options.json)


def _corpus_there(store: str) -> str:
    """A sentence on the corpus or unfinished load in the store; empty if there is neither."""
    from retrieval.errors import StoreAway, StoreError, StoreMissing
    from retrieval.stores import open_store

    try:
        return f"{shown(store)} holds {open_store(store).info().pages:,} pages already."
    except StoreMissing:
        return ""
    except StoreAway:
        raise
    except StoreError as error:  # half loaded, or by another version, which must not be touched unasked
        return str(error)


def _local(paths: list[str], progress: Progress | None) -> list[Path]:
    """The paths; archives given by address are fetched first, into DATA/downloads."""
    if not any(path.startswith(("http://", "https://")) for path in paths):
        return [Path(path) for path in paths]
    from indexing.download import fetch

    folder = Settings.from_environment().data / "downloads"

    def fetched(done: int, total: int | None) -> None:
        if progress:
            progress("fetch", done, total, 0)

    told = fetched if progress else None
    return [fetch(path, folder, told) if path.startswith(("http://", "https://")) else Path(path) for path in paths]
