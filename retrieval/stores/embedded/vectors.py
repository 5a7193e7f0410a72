"""Page vectors of an embedded store: files beside the index, in the folder of its generation.

    vectors.i8        int8, (pages, dimension), by ascending digest of the pages
    vectors.digests   uint64, the page of each row
    vectors.keys      uint64, sorted hashes of page ids; vectors.rows: uint32, the row of each
    vectors.json      model, dimension, and the fingerprint of the corpus that they were made for

All but the last are memory-mapped, so the system can take that memory back. While they are being made, the first three
are called `….part` and grow at their ends; `vectors.json` is written last.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from retrieval.protocols import Matrix, VectorWriter
from retrieval.stores.embedded import generations
from retrieval.stores.locations import store_folder
from retrieval.stores.vectors import Bytes, cosines, quantised
from retrieval.types import CorpusInfo, Page

DESCRIPTION = "vectors.json"
PART = ".part"

Numbers = np.ndarray[Any, Any]


class VectorFiles:
    """The vectors of a generation, open."""

    def __init__(self, folder: Path, model: str, dimension: int) -> None:
        """Raises OSError or ValueError if a file is damaged."""
        self.model, self.dimension = model, dimension
        self.count = (folder / "vectors.digests").stat().st_size // 8

        def mapped(file: str, kind: type, *columns: int) -> Any:
            shape = (self.count, *columns)  # an empty file cannot be mapped
            return np.memmap(folder / file, kind, "r", shape=shape) if self.count else np.zeros(shape, kind)

        self._digests: Numbers = mapped("vectors.digests", np.uint64)
        self._keys: Numbers = mapped("vectors.keys", np.uint64)
        self._rows: Numbers = mapped("vectors.rows", np.uint32)
        self._matrix: Bytes = mapped("vectors.i8", np.int8, dimension)

    def scores(self, page_ids: Sequence[str], query_vectors: Matrix) -> Matrix:
        """Cosines, (pages, queries); -1 for pages without a vector."""
        scores = np.full((len(page_ids), len(query_vectors)), -1.0, np.float32)
        known, places = self._look_up(self._keys, [_key(page_id) for page_id in page_ids])
        if len(known):
            scores[known] = cosines(self._matrix[self._rows[places]], quantised(query_vectors))
        return scores

    def of_digests(self, digests: Sequence[int]) -> dict[int, Bytes]:
        """Digest -> vector, for those of these pages that have one."""
        known, places = self._look_up(self._digests, digests)
        return {digests[at]: self._matrix[place] for at, place in zip(known, places, strict=True)}

    def _look_up(self, numbers: Numbers, wanted: Sequence[int]) -> tuple[Numbers, Numbers]:
        """(indices of the wanted numbers that are among the sorted ones, their places there)."""
        numbers_wanted = np.array(wanted, np.uint64)
        if not self.count:
            return np.zeros(0, int), np.zeros(0, int)
        places = np.minimum(np.searchsorted(numbers, numbers_wanted), self.count - 1)
        known = np.flatnonzero(numbers[places] == numbers_wanted)
        return known, places[known]


def open_vectors(folder: Path, fingerprint: str = "") -> VectorFiles | None:
    """The vectors of a generation; None if it has none, or if a fingerprint is given and they belong to another corpus."""
    try:
        described = json.loads((folder / DESCRIPTION).read_text("utf-8"))
        if fingerprint and described["fingerprint"] != fingerprint:
            return None
        return VectorFiles(folder, str(described["model"]), int(described["dimension"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


class EmbeddedVectorWriter(VectorWriter):
    """Writes beside the final files until `finish`."""

    def __init__(self, store: Path, model: str, dimension: int, restart: bool) -> None:
        self._folder = generations.current_generation(store)
        self._card = generations.read_card(self._folder)
        self._model, self._dimension = model, dimension
        earlier = open_vectors(self._folder)
        self._earlier = earlier if earlier and (earlier.model, earlier.dimension) == (model, dimension) else None
        name = model.partition("@")[0].replace("/", "-")
        widths = {"i8": dimension, "digests": 8, "keys": 8}  # bytes of a row
        self._parts = {kind: self._folder / f"vectors.{name}.{kind}{PART}" for kind in widths}
        for path in self._parts.values():
            path.touch()
        whole_rows = min(self._parts[kind].stat().st_size // width for kind, width in widths.items())
        self.done = 0 if restart else whole_rows
        for kind, width in widths.items():
            os.truncate(self._parts[kind], self.done * width)
        self.after = int(np.fromfile(self._parts["digests"], np.uint64)[-1]) if self.done else -1

    def known(self, digests: Sequence[int]) -> dict[int, Bytes]:
        """Digest -> vector, for those of these pages for which an earlier run of the same model made one."""
        return self._earlier.of_digests(digests) if self._earlier else {}

    def add(self, pages: Sequence[tuple[int, Page]], vectors: Bytes) -> None:
        """See `VectorWriter`. Pages are written at once; a resumed run drops an incomplete row."""
        keys = np.array([_key(page.id) for _, page in pages], np.uint64)
        digests = np.array([number for number, _ in pages], np.uint64)
        for kind, rows in (("i8", vectors), ("keys", keys), ("digests", digests)):
            with open(self._parts[kind], "ab") as file:
                file.write(rows.tobytes())
        self.done += len(pages)

    def checkpoint(self) -> None:
        """Does nothing: whatever is added is on disk."""

    def finish(self) -> CorpusInfo:
        keys = np.fromfile(self._parts["keys"], np.uint64)
        order = np.argsort(keys, kind="stable")
        for kind, rows in (("keys", keys[order]), ("rows", order.astype(np.uint32))):
            draft = self._folder / f"vectors.{kind}.new{PART}"
            rows.tofile(draft)
            os.replace(draft, self._folder / f"vectors.{kind}")  # other processes may have mapped the old file
        os.replace(self._parts["digests"], self._folder / "vectors.digests")
        os.replace(self._parts["i8"], self._folder / "vectors.i8")
        self._parts["keys"].unlink()
        described = {"model": self._model, "dimension": self._dimension, "fingerprint": self._card.fingerprint}
        generations.write_json(self._folder / DESCRIPTION, described)
        return replace(self._card, vectors=len(keys), vector_model=self._model)


@contextmanager
def open_vector_writer(
    location: str | Path, model: str, dimension: int, restart: bool
) -> Iterator[EmbeddedVectorWriter]:
    """Start or resume the vectors of the corpus in the folder. Raises StoreError."""
    store = store_folder(location)
    generations.current_generation(store)  # fails before a lock is made in a folder without a corpus
    with generations.writing(store):
        yield EmbeddedVectorWriter(store, model, dimension, restart)


def _key(page_id: str) -> int:
    raw = page_id.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(raw, digest_size=8).digest(), "big")
