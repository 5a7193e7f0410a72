"""Names for what a check reads: the corpus of the settings, a folder in DATA/corpora, uploads, or several of these.

`corpus`; `corpus:NAME` for DATA/corpora/NAME; `upload:ID`; `web`, the open web if WEB is set; or several of these,
joined by `+`. The empty name means the corpus, and the web too if WEB is set.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from retrieval.errors import ClaimError, StoreMissing
from retrieval.protocols import PageStore
from retrieval.settings import CHOSEN_CORPUS, Settings
from retrieval.stores import open_store
from retrieval.stores.embedded import generations
from retrieval.stores.knowledge import KnowledgeStore
from retrieval.stores.several import SeveralStores

CORPUS, NAMED, UPLOAD, WEB = "corpus", "corpus:", "upload:", "web"
AND, OPEN_WEB = "+", "the open web"
MAKE = "`python -m indexing documents PATH --store DATA/corpora/NAME`"
MOST_CORPORA = 4  # that a check can read together
TITLE = "title"  # file in a corpus's folder
LONGEST_NAMES = 120  # characters of a joined name in the database
NAME = re.compile(r"[^\W_][\w .-]{0,79}")


def parts_of(against: str | None) -> tuple[str, ...]:
    """The names in a joined name."""
    return tuple(part for part in (against or "").split(AND) if part)


def together(names: Iterable[str]) -> str:
    """One name for all of these, the same in any order. Raises ClaimError if there are too many.

    names: an empty name means the corpus of the settings, unless it is the only one.
    """
    split = [part for name in names for part in (name.split(AND) if name else [""])]
    parts = dict.fromkeys(part or CORPUS for part in split) if any(split) else {}
    joined = AND.join(sorted(parts))
    if len(parts) > MOST_CORPORA or (len(joined) > LONGEST_NAMES and len(parts) > 1):
        raise ClaimError(f"A check can read {MOST_CORPORA} corpora at once, with short names. Choose fewer.")
    return joined


def named_corpora(data: Path) -> dict[str, Path]:
    """The corpora in DATA/corpora by name, in alphabetical order. No name can lead to another folder."""
    folder = data / "corpora"
    if not folder.is_dir():
        return {}
    folders = sorted(inner for inner in folder.iterdir() if NAME.fullmatch(inner.name))
    return {inner.name: inner for inner in folders if (inner / "CURRENT").is_file()}


def corpus_title(folder: Path) -> str:
    """The displayed name of a corpus in DATA/corpora: the name that somebody gave it, else its folder's."""
    try:
        return (folder / TITLE).read_text("utf-8").strip() or folder.name
    except (OSError, ValueError):
        return folder.name


def name_corpus(folder: Path, name: str) -> None:
    """Change a corpus's displayed name; its folder, which checks refer to, stays. Raises StoreError."""
    generations.rename(folder, name)
    generations.write_text(folder / TITLE, f"{name}\n")


def choose_corpus(data: Path, name: str) -> None:
    """Make DATA/corpora/NAME the default corpus if STORE is not set; an empty name returns to DATA/store."""
    if name:
        generations.write_text(data / CHOSEN_CORPUS, f"{name}\n")
    else:
        (data / CHOSEN_CORPUS).unlink(missing_ok=True)


def open_named(name: str, settings: Settings) -> PageStore:
    """The corpus `corpus:NAME`, or `NAME` alone. Raises StoreMissing or StoreError."""
    known, wanted = named_corpora(settings.data), name.removeprefix(NAMED)
    if wanted not in known:
        listed = f"Choose one of: {', '.join(known)}." if known else f"Make one with {MAKE}."
        raise StoreMissing(f"There is no corpus named {wanted[:80]!r} in {settings.data / 'corpora'}. {listed}")
    return open_store(str(known[wanted]), settings)


def read_together(stores: Mapping[str, PageStore]) -> PageStore:
    """One store over these; an empty one if only the web is read. stores: keyed by the names that `parts_of` gives."""
    if not stores:
        return KnowledgeStore([], OPEN_WEB)
    if len(stores) == 1:
        return next(iter(stores.values()))
    return SeveralStores({name.replace(":", "/"): store for name, store in stores.items()})
