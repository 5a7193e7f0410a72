"""Computes the vectors of a corpus's pages, can resume, and shows rate and remaining time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np

from indexing.load import progress_bar, saving
from retrieval.errors import StoreError
from retrieval.protocols import Encoder, PageStore, VectorWriter
from retrieval.stores import open_store, open_vector_writer
from retrieval.stores.vectors import START_OF_TEXT, Bytes, page_vectors, quantised, vectors_id
from retrieval.types import CorpusInfo, Page

SECONDS_BETWEEN_VECTOR_CHECKPOINTS = 20.0


def make_vectors(
    location: str,
    encoder: Encoder,
    model: str,
    *,
    restart: bool = False,
    report: Callable[[str], None] = print,
    characters: int = START_OF_TEXT,
) -> CorpusInfo:
    """Give every page of the corpus a vector and switch readers to the result. Resumes where an earlier call with the
    same model ended. Raises StoreError, and LoadInterrupted after Ctrl-C.

    model: the encoder's id. characters: how much of a page's text an encoder of single texts reads.
    """
    store = open_store(location)
    model = vectors_id(encoder, model, characters)
    with open_vector_writer(location, model, encoder.dimension, restart=restart, report=report) as writer:
        if writer.done:
            report(f"Resuming after {writer.done:,} pages.")
        with saving(writer.checkpoint, lambda: f"{writer.done:,} pages"):
            _encode(store, writer, encoder, characters)
        if writer.done != store.count():
            raise StoreError(
                f"{writer.done:,} of {store.count():,} pages have a vector. Run the command again with `--restart`."
            )
        return writer.finish()


def _encode(store: PageStore, writer: VectorWriter, encoder: Encoder, characters: int) -> None:
    saved = time.monotonic()
    with progress_bar(total=store.count(), initial=writer.done) as bar:
        for batch in store.scan(writer.after):
            if batch:
                writer.add(batch, _vectors(batch, writer, encoder, characters))
                bar.update(len(batch))
            if time.monotonic() - saved > SECONDS_BETWEEN_VECTOR_CHECKPOINTS:
                writer.checkpoint()
                saved = time.monotonic()


def _vectors(batch: Sequence[tuple[int, Page]], writer: VectorWriter, encoder: Encoder, characters: int) -> Bytes:
    """The vectors of a batch: those that the writer knows, and new ones for its other pages."""
    known = writer.known([number for number, _ in batch])
    missing = [(number, page) for number, page in batch if number not in known]
    if missing:
        encoded = quantised(page_vectors(encoder, [page for _, page in missing], characters))
        known |= {number: vector for (number, _), vector in zip(missing, encoded, strict=True)}
    return np.stack([known[number] for number, _ in batch])
