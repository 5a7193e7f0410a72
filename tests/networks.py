"""The networks that ship, opened once in each process that tests run in, where each reads the same input once: opening the reader
takes 1.5 s of a processor, a careful check about as long. spaCy parses the same text once.

A session holds no state from one run to the next, and threads may share it; scorers and encoders, which do hold some,
are made anew for each who asks.
"""

from __future__ import annotations

import functools
import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnxruntime import InferenceSession
from spacy.language import Language
from spacy.tokens import Doc

from retrieval.models import catalogue, onnx, reader

MOST = 300_000_000  # bytes of results that are remembered
MOST_PARSED = 400_000  # characters whose parse is remembered
OPENING = ((onnx, "open_session"), (reader, "open_network"))


def share_sessions(patch: pytest.MonkeyPatch) -> None:
    """From now on, whoever opens a network in the same way gets the same session."""
    for module, name in OPENING:
        patch.setattr(module, name, _once(getattr(module, name)))


def remember_readings(patch: pytest.MonkeyPatch) -> None:
    """From now on, a network reads the same input once: many tests put the same claims to the same pages.

    The newest `MOST` bytes of results are remembered.
    """
    read, known, lock = InferenceSession.run, OrderedDict[tuple[Any, ...], list[Any]](), threading.Lock()
    held = 0

    def run(session: Any, names: Any, feeds: Any, options: Any = None) -> Any:
        nonlocal held
        key = (session, *names, *_digests(feeds))
        with lock:
            found = known.get(key)
        if found is None:
            found = read(session, names, feeds, options)
            with lock:
                if key not in known:  # another thread may have read it meanwhile
                    known[key] = found
                    held += _size(found)
                while held > MOST:
                    held -= _size(known.popitem(last=False)[1])
        return [each.copy() for each in found]

    patch.setattr(InferenceSession, "run", functools.wraps(read)(run))


def remember_parses(patch: pytest.MonkeyPatch) -> None:
    """From now on, spaCy parses the same text once; nobody writes into a parse. The newest `MOST_PARSED` characters are remembered."""
    parse, pipe = Language.__call__, Language.pipe
    known, lock = OrderedDict[tuple[Language, str, tuple[str, ...]], Doc](), threading.Lock()
    held = 0

    def keep(language: Language, doc: Doc, disable: tuple[str, ...] = ()) -> Doc:
        nonlocal held
        key = (language, doc.text, disable)
        with lock:
            if key not in known:  # another thread may have parsed it meanwhile
                known[key] = doc
                held += len(doc.text)
            while held > MOST_PARSED:
                held -= len(known.popitem(last=False)[0][1])
        return doc

    def call(language: Language, text: str, disable: tuple[str, ...] = ()) -> Doc:
        found = known.get((language, text, disable))
        return keep(language, parse(language, text, disable=disable), disable) if found is None else found

    def piped(language: Language, texts: Iterable[str], batch_size: int) -> Iterator[Doc]:
        texts = list(texts)
        found = [known.get((language, text, ())) for text in texts]
        unknown = [text for text, doc in zip(texts, found, strict=True) if doc is None]
        parsed = pipe(language, unknown, batch_size=batch_size)
        for doc in found:
            yield keep(language, next(parsed)) if doc is None else doc

    patch.setattr(Language, "__call__", functools.wraps(parse)(call))
    patch.setattr(Language, "pipe", functools.wraps(pipe)(piped))


def read_anew(patch: pytest.MonkeyPatch) -> None:
    """For tests of the reading itself, and of one reading beside another."""
    patch.setattr(InferenceSession, "run", InferenceSession.run.__wrapped__)


def parse_anew(patch: pytest.MonkeyPatch) -> None:
    """For tests of one parse beside another."""
    patch.setattr(Language, "__call__", Language.__call__.__wrapped__)
    patch.setattr(Language, "pipe", Language.pipe.__wrapped__)


def _digests(feeds: dict[str, Any]) -> list[tuple[Any, ...]]:
    arrays = ((name, np.ascontiguousarray(each)) for name, each in sorted(feeds.items()))
    return [(name, each.shape, each.dtype.str, hashlib.blake2b(each).digest()) for name, each in arrays]


def _size(results: list[Any]) -> int:
    return sum(each.nbytes for each in results)


def open_anew(patch: pytest.MonkeyPatch) -> None:
    """For tests of the opening itself."""
    for module, name in OPENING:
        patch.setattr(module, name, getattr(module, name).__wrapped__)


def _once(opening: Callable[..., Any]) -> Callable[..., Any]:
    opened: dict[tuple[Any, ...], Any] = {}
    lock = threading.Lock()

    @functools.wraps(opening)
    def shared(network: Path, *given: Any, **named: Any) -> Any:
        if network.parent != catalogue.WEIGHTS:
            return opening(network, *given, **named)
        key = (network, *given, *sorted(named.items()))
        with lock:
            if key not in opened:
                opened[key] = opening(network, *given, **named)
            return opened[key]

    return shared
