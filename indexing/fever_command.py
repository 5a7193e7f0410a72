"""The command `python -m indexing fever`: fetches archives given by address, loads them, reports the result."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from indexing.load import load_fever
from indexing.watched import lines
from indexing.watched.limits import give_way
from retrieval.command import DONE
from retrieval.errors import StoreAway, StoreError, StoreMissing
from retrieval.settings import Settings
from retrieval.stores import open_store, shown
from retrieval.stores.locations import on_server


def run(options: Any) -> int:
    """Load the files, or print what the load would take."""
    if options.with_parent:
        give_way()
    if not options.public:
        return _run(options)
    from indexing.web import public_only

    with public_only(True):
        return _run(options)


def _run(options: Any) -> int:
    if options.plan:
        from indexing.watched.planning import plan_fever

        lines.tell(plan=asdict(plan_fever(options.paths, options.store)))
        return DONE
    if options.unless_loaded and (loaded := _loaded(options.store)):
        print(f"{loaded} Nothing was loaded.")
        return DONE
    progress = lines.progress() if options.json else None
    chosen = {name: getattr(options, name) for name in ("name", "replace", "restart", "skip_bad", "limit")}
    chosen |= {"addresses": not options.no_addresses, "language": options.language or ""}
    report = lines.report if options.json else lines.to_stderr
    paths = _local(options.paths, progress)
    card, bad = load_fever(paths, options.store, report=report, progress=progress, **chosen)
    left_out = "{:,} lines or pages were left out; they are named above."
    return lines.ended(card, options.store, bad, left_out, as_json=options.json)


def _loaded(store: str) -> str:
    """A sentence on the corpus or unfinished load in the store; empty if there is neither."""
    try:
        return f"{shown(store)} holds {open_store(store).info().pages:,} pages already."
    except StoreMissing:
        return ""
    except StoreAway:
        raise
    except StoreError as error:  # half loaded, or by another version, which must not be touched unasked
        return str(error)


def _local(paths: list[str], progress: lines.Progress | None) -> list[Path]:
    """The paths; archives given by address are fetched first, into DATA/downloads."""
    if not any(map(on_server, paths)):
        return [Path(path) for path in paths]
    from indexing.download import fetch

    folder = Settings.from_environment().data / "downloads"
    fetched = (lambda done, total: progress("fetch", done, total, 0)) if progress else None
    return [fetch(path, folder, fetched) if on_server(path) else Path(path) for path in paths]
