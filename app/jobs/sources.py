"""What a check reads: the default corpus, uploads, corpora in DATA/corpora, the open web, or several of them.

`retrieval/stores/named.py` defines their names. `python -m indexing documents PATH --store DATA/corpora/NAME` adds a corpus.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from app.tables.background import READY
from app.tables.database import storable
from app.tables.documents import Documents
from app.tables.ownership import Account
from retrieval.errors import StoreMissing
from retrieval.pipeline import Pipeline
from retrieval.protocols import PageStore
from retrieval.settings import Settings
from retrieval.stores.named import (
    CORPUS,
    NAMED,
    OPEN_WEB,
    UPLOAD,
    WEB,
    corpus_title,
    named_corpora,
    parts_of,
    read_together,
)
from retrieval.types import CorpusInfo

MOST_OPEN_BYTES = 200_000_000  # of memory for open stores beside the default corpus, about
BYTES_A_CHARACTER = 25  # of memory for an open upload with its index, measured
BYTES_A_FOLDER = 10_000_000  # of memory for an open corpus on disk
GENERATION = "@"  # between the names of a corpus and of its generation, in keys of open stores
THE_CORPUS, DELETED = "the corpus", "deleted documents"
GONE = "The documents for this check have been deleted. Choose others, or upload them again."


class NothingToRead(StoreMissing):
    """There are no documents and no corpus of this name, or you may not read them."""


class CheckResources(Protocol):
    """What a check needs of `retrieval.resources.Resources`."""

    def corpus(self) -> CorpusInfo: ...
    def store(self) -> PageStore: ...
    def pipeline(self, recipe: str) -> Pipeline: ...
    def models(self, recipe: str) -> Mapping[str, str]: ...
    def within(self, tokens: int, why: str) -> CheckResources: ...


def upload_name(documents_id: str) -> str:
    """How a check names uploaded documents."""
    return f"{UPLOAD}{documents_id}"


class Sources:
    """Opens what a check reads. Thread-safe."""

    def __init__(self, settings: Settings, resources: Any, documents: Documents) -> None:
        self._settings = settings
        self._resources = resources
        self._documents = documents
        self._lock = threading.Lock()
        self._open: OrderedDict[str, PageStore] = OrderedDict()

    def resources(self, against: str | None) -> CheckResources:
        """The models with what `against` names. Raises NothingToRead, and StoreError if it cannot be opened."""
        parts, searched = parts_of(against), self._settings.searches_web
        if not parts or (parts == (CORPUS,) and not searched):
            return self._resources  # type: ignore[no-any-return]
        if parts == (CORPUS,):
            return replace(self._resources, web=False)  # type: ignore[no-any-return]
        if WEB in parts and not searched:
            raise NothingToRead(
                "This server does not search the open web. Choose something else, or set WEB to `searxng` or `brave`."
            )
        others = [part for part in parts if part != WEB]
        stores = {part: self._resources.store() if part == CORPUS else self._store(part) for part in others}
        web = {"web": True} if WEB in parts else {}
        return self._resources.over(read_together(stores), **web)  # type: ignore[no-any-return]

    def reads_web(self, against: str | None) -> bool:
        """Whether a check against this searches the open web, so that it may end differently tomorrow."""
        parts = parts_of(against)
        return self._settings.searches_web and (not parts or WEB in parts)

    def choices(self, viewer: Account | None = None) -> list[tuple[str, str]]:
        """(name, title) of what the viewer can check against beside the default: uploads, newest first, then corpora. If the
        default includes the open web, the corpus alone and the web alone come first."""
        apart = [(CORPUS, THE_CORPUS), (WEB, OPEN_WEB)] if self._settings.searches_web else []
        uploads = [(upload_name(row.id), row.name) for row in self._documents.all(viewer) if row.state == READY]
        folders = named_corpora(self._settings.data).items()
        return apart + uploads + [(f"{NAMED}{name}", corpus_title(folder)) for name, folder in folders]

    def beside_default(self, viewer: Account | None = None) -> list[tuple[str, str]]:
        """The choices without the default corpus, which pages offer first."""
        default, folders = self._settings.store_location(), named_corpora(self._settings.data)
        named = [f"{NAMED}{name}" for name, folder in folders.items() if str(folder) == default]
        return [(name, title) for name, title in self.choices(viewer) if name not in named]

    def title(self, against: str | None) -> str:
        """The title of what `against` names; empty for the default."""
        known = dict(self.choices()) | {CORPUS: THE_CORPUS, WEB: OPEN_WEB}
        return " and ".join(known.get(part, DELETED) for part in parts_of(against))

    def forget(self, against: str) -> None:
        """Close the stores of this name; checks that still read them can finish."""
        with self._lock:
            for key in [key for key in self._open if key.partition(GENERATION)[0] == against]:
                del self._open[key]

    def _store(self, against: str) -> PageStore:
        from retrieval.stores.embedded.generations import current_generation

        key = against
        if against.startswith(NAMED):
            name, known = against.removeprefix(NAMED), named_corpora(self._settings.data)
            if name not in known:
                raise NothingToRead(f"There is no longer a corpus named {name[:80]!r}. Choose another.")
            key = f"{against}{GENERATION}{current_generation(known[name]).name}"
        elif not storable(against) or self._documents.get(against.removeprefix(UPLOAD)) is None:
            with self._lock:
                self._open.pop(key, None)
            raise NothingToRead(GONE)
        with self._lock:
            if key not in self._open:
                self._open[key] = self._opened(against)
                while len(self._open) > 1 and sum(map(cost, self._open.values())) > MOST_OPEN_BYTES:
                    self._open.popitem(last=False)  # checks that still read it can finish
            self._open.move_to_end(key)
            return self._open[key]

    def _opened(self, against: str) -> PageStore:
        from retrieval.stores import open_store
        from retrieval.stores.knowledge import KnowledgeStore
        from retrieval.stores.knowledge_file import Faults, read_pages

        if against.startswith(NAMED):
            return open_store(str(named_corpora(self._settings.data)[against.removeprefix(NAMED)]), self._settings)
        documents_id = against.removeprefix(UPLOAD)
        upload, content = self._documents.get(documents_id), self._documents.content(documents_id)
        if upload is None or content is None:
            raise StoreMissing("These documents are not ready yet. Wait until they are, or upload others.")
        faults = Faults()
        pages = list(read_pages(content, faults))
        return KnowledgeStore(pages, upload.name, language=faults.language)


def cost(store: PageStore) -> int:
    """About how many bytes of memory an open store takes."""
    from retrieval.stores.knowledge import KnowledgeStore

    return store.info().bytes * BYTES_A_CHARACTER if isinstance(store, KnowledgeStore) else BYTES_A_FOLDER
