"""The progress of a load as lines of JSON, for a program that starts it and watches it.

{"step": "fetch", "done": 1200, "total": 5000, "pages": 310}
{"said": "Resuming after 310 articles."}
{"loaded": {"pages": 5000, "fingerprint": "…", "name": "…", "left_out": 0}}

A step is fetch or read, with `done` and `total` in bytes, or load, with both in pages. An unknown total is null.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

from retrieval.command import DONE, FAULTS
from retrieval.stores import shown
from retrieval.types import CorpusInfo

SECONDS_BETWEEN_LINES = 0.25

Progress = Callable[[str, int, int | None, int], None]  # step, done, total (None: unknown), pages


def tell(**what: Any) -> None:
    """Print one line of JSON."""
    print(json.dumps(what, ensure_ascii=False), flush=True)


def report(sentence: str) -> None:
    """Print a sentence of the load as a line of JSON."""
    tell(said=sentence)


def to_stderr(sentence: str) -> None:
    """Print a sentence for people."""
    print(sentence, file=sys.stderr)


def progress() -> Progress:
    """A function that prints a load's progress; while fetching, at most a few times a second."""
    last = [-SECONDS_BETWEEN_LINES]

    def show(step: str, done: int, total: int | None, pages: int) -> None:
        # Bytes arrive hundreds of times a second. Other steps are always reported, because a wait may follow.
        if step != "fetch" or time.monotonic() - last[0] >= SECONDS_BETWEEN_LINES or done == total:
            last[0] = time.monotonic()
            tell(step=step, done=done, total=total, pages=pages)

    return show


def ended(card: CorpusInfo, store: str, left_out: int = 0, words: str = "", *, as_json: bool = False) -> int:
    """Report what the store holds after a complete load; returns the exit code. left_out: how many lines, files or
    pages could not be read. words: the sentence that reports that number.
    """
    if as_json:
        tell(loaded={"pages": card.pages, "fingerprint": card.fingerprint, "name": card.name, "left_out": left_out})
    else:
        print(f"{card.pages:,} pages in {shown(store)}, fingerprint {card.fingerprint}.")
        if left_out and words:
            to_stderr(words.format(left_out))
    return FAULTS if left_out else DONE
