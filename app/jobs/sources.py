"""What a check reads: the corpus of the settings, documents that were uploaded, folders indexed before, or several of them.

Named by a text (`retrieval/stores/named.py`). `python -m indexing documents PATH --store DATA/corpora/NAME` makes a folder.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Protocol

from app.tables.database import storable
from app.tables.documents import READY, Documents
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

MOST_BYTES = 200_000_000  # of memory for stores beside the corpus, about
BYTES_A_CHARACTER = 25  # of an upload that is open, with its index; measured
BYTES_A_FOLDER = 10_000_000  # of a corpus on disk
GENERATION = "@"  # between the name of a folder's corpus and that of its generation, in keys of what is open
THE_CORPUS, DELETED = "the corpus", "deleted documents"
GONE = "The documents for this check have been deleted. Choose others, or upload them again."


class NothingToRead(StoreMissing):
    """There are no documents and no folder of this name, or no longer."""


class CheckResources(Protocol):
    """What a check needs (`retrieval.resources.Resources`)."""

    def corpus(self) -> CorpusInfo: ...
    def store(self) -> PageStore: ...
    def pipeline(self, recipe: str) -> Pipeline: ...
    def models(self, recipe: str) -> Mapping[str, str]: ...
    def within(self, tokens: int, why: str) -> CheckResources: ...


def upload_name(documents_id: str) -> str:
    """How a check names uploaded documents."""
    return f"{UPLOAD}{documents_id}"


class Sources:
    """Opens what a check is to read. Safe to share between threads."""

    def __init__(self, settings: Settings, resources: Any, documents: Documents) -> None:
        self._settings = settings
        self._resources = resources
        self._documents = documents
        self._lock = threading.Lock()
        self._open: OrderedDict[str, PageStore] = OrderedDict()

    def resources(self, against: str | None) -> CheckResources:
        """The same models over what is named. Raises NothingToRead, or StoreError where it cannot be opened."""
        parts, searched = parts_of(against), self._settings.searches_web
        if not parts or (parts == (CORPUS,) and not searched):
            return self._resources  # type: ignore[no-any-return]
        if parts == (CORPUS,):
            return self._resources.without_web()  # type: ignore[no-any-return]
        if WEB in parts and not searched:
            raise NothingToRead(
                "The open web is not searched here. Choose something else, or set WEB to `searxng` or `brave`."
            )
        others = [part for part in parts if part != WEB]
        stores = {part: self._resources.store() if part == CORPUS else self._store(part) for part in others}
        more = {"web": True} if WEB in parts else {}
        return self._resources.over(read_together(stores), **more)  # type: ignore[no-any-return]

    def reads_web(self, against: str | None) -> bool:
        """Whether a check of this searches the open web, so that the same check may end otherwise tomorrow."""
        parts = parts_of(against)
        return self._settings.searches_web and (not parts or WEB in parts)

    def choices(self, viewer: Account | None = None) -> list[tuple[str, str]]:
        """(name, what people call it) of all there is beside the default: uploads newest first, then folders.

        Where the open web is searched by default, the corpus alone and the web alone come first. viewer: only what they may see.
        """
        apart = [(CORPUS, THE_CORPUS), (WEB, OPEN_WEB)] if self._settings.searches_web else []
        uploads = [(upload_name(found.id), found.name) for found in self._documents.all(viewer) if found.state == READY]
        folders = named_corpora(self._settings.data).items()
        return apart + uploads + [(f"{NAMED}{name}", corpus_title(folder)) for name, folder in folders]

    def besides(self, viewer: Account | None = None) -> list[tuple[str, str]]:
        """The same without the corpus that is the default: pages offer that first."""
        default, folders = self._settings.store_location(), named_corpora(self._settings.data)
        named = [f"{NAMED}{name}" for name, folder in folders.items() if str(folder) == default]
        return [(name, title) for name, title in self.choices(viewer) if name not in named]

    def title(self, against: str | None) -> str:
        """What people call it; empty where nothing is named."""
        known = dict(self.choices()) | {CORPUS: THE_CORPUS, WEB: OPEN_WEB}
        return " and ".join(known.get(part, DELETED) for part in parts_of(against))

    def forget(self, against: str) -> None:
        """Keep nothing of it in memory; anything still reading it reads to the end."""
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
                while len(self._open) > 1 and sum(map(cost, self._open.values())) > MOST_BYTES:
                    self._open.popitem(last=False)  # readers that still use it keep it to the end
            self._open.move_to_end(key)
            return self._open[key]

    def _opened(self, against: str) -> PageStore:
        from retrieval.stores import open_store
        from retrieval.stores.knowledge import KnowledgeStore
        from retrieval.stores.knowledge_file import Faults, read_pages

        if against.startswith(NAMED):
            return open_store(str(named_corpora(self._settings.data)[against.removeprefix(NAMED)]), self._settings)
        documents_id = against.removeprefix(UPLOAD)
        found, content = self._documents.get(documents_id), self._documents.content(documents_id)
        if found is None or content is None:
            raise StoreMissing("These documents are not ready yet. Wait until they are, or upload others.")
        met = Faults()
        pages = list(read_pages(content, met))
        return KnowledgeStore(pages, found.name, language=met.language)


def cost(store: PageStore) -> int:
    """Bytes of memory that an open store takes, about."""
    from retrieval.stores.knowledge import KnowledgeStore

    return store.info().bytes * BYTES_A_CHARACTER if isinstance(store, KnowledgeStore) else BYTES_A_FOLDER
