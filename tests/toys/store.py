"""A store in a JSON file of pages, read into memory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import TypeAdapter

from retrieval.errors import StoreMissing
from retrieval.stores.knowledge import KnowledgeStore
from retrieval.types import Page

PAGES = TypeAdapter(list[Page])


class ToyStore(KnowledgeStore):
    """Searches as a claim's own documents are searched. Raises StoreMissing where there is no file."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise StoreMissing(f"{path} is not there. Name another file.")
        super().__init__(PAGES.validate_json(path.read_bytes()), name=path.stem)


def write_toy(path: Path, pages: Sequence[Page]) -> Path:
    """The file of these pages."""
    path.write_bytes(PAGES.dump_json(list(pages)))
    return path
