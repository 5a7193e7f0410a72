"""The embedded store's files, and how readers are switched from one corpus to the next.

    STORE/CURRENT        name of the generation in use, one line; replaced atomically
    STORE/gen-…/         a whole corpus: the index's files and corpus.json (`CorpusInfo`)
    STORE/building/      the next one while it is being loaded, with progress.json
    STORE/lock           held by the one process that writes

A generation never changes once it is named in CURRENT, so readers need no lock; they keep the files of an old
generation open while they answer from it, even after its folder is gone.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from retrieval.errors import StoreDamaged, StoreError, StoreIncomplete, StoreMissing, StoreReadOnly, StoreVersion
from retrieval.stores.pages import READABLE, SCHEMA, card_as_json
from retrieval.types import CorpusInfo

CURRENT, BUILDING, CARD, PROGRESS = "CURRENT", "building", "corpus.json", "progress.json"


def current_generation(store: Path) -> Path:
    """Folder of the corpus in use. Raises StoreMissing, StoreIncomplete or StoreDamaged."""
    name = _current_name(store)
    folder = store / name
    if not name.startswith("gen-") or "/" in name or not folder.is_dir():
        if _current_name(store) != name:  # a loader switched in the meantime
            return current_generation(store)
        raise damaged(store, "names a part that is missing")
    return folder


def damaged(store: Path, what: str) -> StoreDamaged:
    """The error for a corpus that must be loaded again. what: continues "The corpus at STORE"."""
    return StoreDamaged(f"The corpus at {store} {what}. Load it again with `--replace`.")


def _current_name(store: Path) -> str:
    try:
        return (store / CURRENT).read_text("utf-8").strip()
    except (FileNotFoundError, NotADirectoryError):
        raise _absent(store) from None
    except (OSError, UnicodeDecodeError) as error:
        raise StoreDamaged(
            f"The corpus at {store} cannot be read: {error}. Check the folder's permissions or load it again."
        ) from error


def _absent(store: Path) -> StoreError:
    if (store / BUILDING / PROGRESS).exists():
        return StoreIncomplete(
            f"The corpus at {store} was never loaded completely. Run the same `python -m indexing` command again: it resumes where it stopped."
        )
    return StoreMissing(
        f"There is no corpus at {store}. Load one with `python -m indexing fever PATH --store {store}`, or run `make run` for the sample."
    )


def read_card(generation: Path) -> CorpusInfo:
    """The card of a generation. Raises StoreVersion or StoreDamaged."""
    try:
        card = json.loads((generation / CARD).read_text("utf-8"))
        schema = card["schema"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise damaged(generation.parent, "has lost its description") from error
    if schema not in READABLE:
        raise StoreVersion(
            f"The corpus at {generation.parent} has schema {schema}, this program reads schemas up to {SCHEMA}. Load it again with `--replace`."
        )
    try:
        return CorpusInfo(**card)
    except TypeError as error:
        raise damaged(generation.parent, "has a description that cannot be read") from error


def write_json(path: Path, value: object) -> None:
    """Write as JSON, like `write_text`."""
    write_text(path, json.dumps(value, indent=1))


def write_text(path: Path, text: str) -> None:
    """Write so that a crash leaves either the old file or the new one."""
    draft = path.with_name(path.name + ".draft")
    with draft.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(draft, path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make new, renamed and deleted files of a folder survive a crash."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def switch(store: Path, card: CorpusInfo) -> None:
    """Make STORE/building the corpus in use, and delete the previous one."""
    building = store / BUILDING
    write_json(building / CARD, card_as_json(card))
    generation = store / f"gen-{uuid.uuid4().hex[:12]}"
    os.rename(building, generation)
    write_text(store / CURRENT, generation.name + "\n")
    (generation / PROGRESS).unlink(missing_ok=True)
    for folder in store.glob("gen-*"):  # old ones, and one whose switch a crash prevented
        if folder != generation:
            shutil.rmtree(folder, ignore_errors=True)


def recover(store: Path) -> None:
    """Undo a switch interrupted by a crash: the corpus that no reader uses becomes `building` again."""
    current = _current_if_any(store)
    for folder in store.glob("gen-*"):
        if (folder / PROGRESS).exists() and folder != current and not (store / BUILDING).exists():
            os.rename(folder, store / BUILDING)


def _current_if_any(store: Path) -> Path | None:
    with contextlib.suppress(StoreError):
        return current_generation(store)
    return None


def unfinished_loads(store: Path) -> list[dict[str, Any]]:
    """The progress of unfinished loads: of the one being built, and of one that crashed while it switched readers."""
    current = _current_if_any(store)
    progress_notes = []
    for folder in (store / BUILDING, *sorted(store.glob("gen-*"))):
        with contextlib.suppress(OSError, ValueError):
            progress = json.loads((folder / PROGRESS).read_text("utf-8"))
            if folder != current and isinstance(progress, dict):
                progress_notes.append(progress)
    return progress_notes


def rename(store: Path, name: str) -> None:
    """Rename the corpus in use; its pages and fingerprint stay. Raises StoreError."""
    with writing(store):
        generation = current_generation(store)
        write_json(generation / CARD, card_as_json(replace(read_card(generation), name=name)))


def remove(store: Path) -> None:
    """Delete a corpus with all its files; readers that have it open can finish. Raises StoreError."""
    with writing(store):
        (store / CURRENT).unlink(missing_ok=True)  # first, so that nobody opens a half-deleted corpus
        shutil.rmtree(store, ignore_errors=True)


def link_files(generation: Path, building: Path) -> None:
    """Start the next generation from the current one with hard links: index files are never changed in place."""
    for file in generation.iterdir():
        if file.is_file() and file.suffix not in (".lock", ".part") and file.name not in (CARD, PROGRESS):
            try:
                os.link(file, building / file.name)
            except OSError:  # the file system has no hard links
                shutil.copy2(file, building / file.name)


@contextlib.contextmanager
def writing(store: Path) -> Iterator[None]:
    """Hold the store's lock. Raises StoreReadOnly if the folder cannot be written, StoreError while another load runs."""
    try:
        store.mkdir(parents=True, exist_ok=True)
        lock = open(store / "lock", "w")  # noqa: SIM115 - closed below
    except OSError as error:
        raise StoreReadOnly(
            f"{store} cannot be written: {error.strerror}. Choose another folder with `--store`, or change its permissions."
        ) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise StoreError(f"Another process is loading into {store}. Wait until it ends, or stop it.") from None
        yield
