"""A load that another program starts and watches: progress as lines of JSON, and an end with that program.

{"step": "fetch", "done": 1200, "total": 5000, "pages": 310}
{"said": "Resuming after 310 articles."}
{"loaded": {"pages": 5000, "fingerprint": "…", "name": "…", "left_out": 0}}

A step is fetch or read, whose `done` and `total` are bytes, or load, where they are pages. A total that nobody knows is null.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from retrieval.types import CorpusInfo

NICER = 10  # steps of priority below the program that watches: checks come first
SECONDS_BETWEEN_LINES = 0.25

Progress = Callable[[str, int, int | None, int], None]  # step, done, total (None: unknown), pages


def tell(**what: Any) -> None:
    """One line of JSON on standard output."""
    print(json.dumps(what, ensure_ascii=False), flush=True)


def report(sentence: str) -> None:
    """What a load says in words, as a line of JSON."""
    tell(said=sentence)


def to_stderr(sentence: str) -> None:
    """The same for people."""
    print(sentence, file=sys.stderr)


def progress() -> Progress:
    """Tells how far a load is; what it fetches, a few times a second at most."""
    last = [-SECONDS_BETWEEN_LINES]

    def show(step: str, done: int, total: int | None, pages: int) -> None:
        # Bytes come hundreds of times a second; what is loaded is told each time, because a wait may follow.
        if step != "fetch" or time.monotonic() - last[0] >= SECONDS_BETWEEN_LINES or done == total:
            last[0] = time.monotonic()
            tell(step=step, done=done, total=total, pages=pages)

    return show


def loaded(card: CorpusInfo, left_out: int) -> None:
    """The last line of a load that is complete. left_out: lines or pages that could not be read."""
    tell(loaded={"pages": card.pages, "fingerprint": card.fingerprint, "name": card.name, "left_out": left_out})


def obey() -> None:
    """Make way for the program that started this one: end with it, stop at SIGINT, and go first where memory runs out."""
    from indexing.knowledge import end_with_parent

    end_with_parent()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell's background job has switched off
    os.nice(NICER)
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", "ascii")
