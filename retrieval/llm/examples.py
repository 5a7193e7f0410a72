"""Claims checked by people, to show a language model as examples: AVeriTeC's training file, if present."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import urllib.error
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import SettingError
from retrieval.protocols import Encoder, Matrix
from retrieval.text.bm25 import Bm25, folded_words

ADDRESS = "https://huggingface.co/chenxwh/AVeriTeC/resolve/main/data/train.json"
SHA256 = "ae5eda7c42ddf1695ef185a7ba1bc716928f5adf57103e4f78aae5f9afe00f9c"  # of AVeriTeC's file with 3,068 claims
LARGEST_EXAMPLES = 200_000_000  # bytes of their file
STALLED_SECONDS = 60.0  # without receiving a byte


@dataclass(frozen=True, slots=True)
class Example:
    """A claim, its questions with answers, and its verdict."""

    claim: str
    questions: tuple[tuple[str, str], ...]
    label: str


NO_EXAMPLES = (
    "The language model was shown no checked claims as examples, because none are installed. "
    "Fetch them: python -m retrieval examples --get."
)


class Examples:
    """Finds the nearest checked claims, by BM25 or by embedding. Safe to share between threads."""

    def __init__(self, examples: Sequence[Example] = (), queries: Encoder | None = None, claims: Encoder | None = None):
        """queries, claims: encoders for the claim to be checked and for the examples; None for BM25."""
        self._examples, self._queries, self._claims = tuple(examples), queries, claims
        self._index = Bm25([folded_words(example.claim) for example in self._examples])

    def __len__(self) -> int:
        return len(self._examples)

    def by_embedding(self, queries: Encoder, claims: Encoder) -> Examples:
        """The same examples, found by embedding."""
        return Examples(self._examples, queries, claims)

    def nearest(self, claim: str, top_k: int) -> list[Example]:
        """At most `top_k` examples, the nearest first; never the claim itself."""
        if not self._examples:
            return []
        words = folded_words(claim)
        order = np.argsort(-self._scores(claim, words), kind="stable").tolist()
        others = (self._examples[row] for row in order if folded_words(self._examples[row].claim) != words)
        return [example for example, _ in zip(others, range(top_k), strict=False)]

    def _scores(self, claim: str, words: Sequence[str]) -> NDArray[Any]:
        if self._queries and self._claims:
            return np.asarray(self._vectors @ self._queries.encode([claim])[0])
        return self._index.scores(words)

    @functools.cached_property
    def _vectors(self) -> Matrix:
        assert self._claims
        return self._claims.encode([example.claim for example in self._examples])


def read_examples(path: Path) -> Examples:
    """The examples of a file; none if the file is missing. Raises SettingError if it is not a file of checked claims."""
    if not path.exists():
        return Examples()
    try:
        examples = tuple(_example(row) for row in json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise SettingError(
            f"EXAMPLES names {path}, which is not a list of checked claims ({error!r}). Name AVeriTeC's train.json."
        ) from error
    return Examples(examples)


def _example(row: dict[str, Any]) -> Example:
    pairs = ((str(q["question"]), str(a["answer"])) for q in row["questions"] for a in q["answers"])
    return Example(str(row["claim"]), tuple(pairs), str(row["label"]))


def fetch_examples(source: str, target: Path, sha256: str = "") -> str:
    """Copy a file of checked claims to `target`; returns a sentence about it. source: an http(s) address or a file.

    sha256: of the file, in hexadecimal; empty: the published one for the default address, else unchecked. If the file
    does not match, the old one stays. Raises SettingError.
    """
    wanted = (sha256 or (SHA256 if source == ADDRESS else "")).lower()
    draft = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        draft.parent.mkdir(parents=True, exist_ok=True)
        digest = _copy(source, draft)
        if wanted and digest != wanted:
            raise SettingError(f"{source} is not that file: its sha256 is {digest}, not {wanted}. Nothing was changed.")
        claims = len(read_examples(draft))
        if not claims:
            raise SettingError(f"{source} holds no checked claims. Name AVeriTeC's train.json.")
        os.replace(draft, target)
    except OSError as error:
        raise SettingError(f"{source} cannot be put at {target}: {error.strerror or error}.") from error
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
    return f"{claims:,} checked claims are in {target} (sha256 {digest}{'' if wanted else ', not compared'})."


def _copy(source: str, target: Path) -> str:
    """Copy the source into the target; returns the sha256. Raises SettingError if the source cannot be read."""
    digest, size = hashlib.sha256(), 0
    try:
        remote = urlsplit(source).scheme in ("http", "https")
        with (
            urllib.request.urlopen(source, timeout=STALLED_SECONDS) if remote else open(source, "rb") as read,
            open(target, "wb") as write,
        ):
            while piece := read.read(1 << 20):
                size += len(piece)
                if size > LARGEST_EXAMPLES:
                    limit = LARGEST_EXAMPLES // 1_000_000
                    raise SettingError(f"{source} is larger than {limit} MB, so it cannot be that file.")
                digest.update(piece)
                write.write(piece)
    except (urllib.error.URLError, TimeoutError, ValueError) as error:
        why = getattr(error, "reason", "") or error
        raise SettingError(f"{source} cannot be fetched ({why}). Check the address, or name a file.") from error
    return digest.hexdigest()
