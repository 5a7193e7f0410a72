"""How long to wait for a server: between attempts at one call, and after it has failed twice."""

from __future__ import annotations

import contextlib
import re
import threading
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from retrieval.errors import LLMError
from retrieval.llm.answers import Fault

ATTEMPTS, BUSY_ATTEMPTS = 4, 24  # in all; the second if a server is busy
LONGEST_PAUSE = 30.0  # seconds
_FULL = (429, 498)  # too many requests; the second is Groq's
_EARLY = (408, 409, 425)  # the request was not worked on, and may be sent again
_BUSY = re.compile(r"load|busy|capacity|warm|start|wait|queue|again")
# What no waiting helps against, unless the server says to try again.
_SPENT = re.compile(r"insufficient|billing|credit|balance")
_AGAIN = re.compile(r"again|retry|per (?:minute|hour)")
FAILURES, REST = 2, 60.0  # failures in a row, and seconds without requests after them


def pause_before(fault: Fault, attempt: int, pause: float) -> float | None:
    """Seconds until the next attempt; None if there is none. attempt: from 0. pause: after the first attempt, then doubled.

    `Retry-After` (RFC 9110) is followed if the server sends it, but the second pause and further ones grow all the same. A
    server that says so, or that is loading its model or overloaded, counts as busy.
    """
    asked, said = fault.retry_after.strip(), fault.said.lower()
    busy = fault.status in _FULL or (fault.status in (503, 529) and (bool(asked) or bool(_BUSY.search(said))))
    growing: float = min(LONGEST_PAUSE, pause * 2 ** min(attempt, 16))
    if attempt + 1 >= (BUSY_ATTEMPTS if busy else ATTEMPTS):
        return None
    if fault.kind == "connect":
        return growing
    if (fault.status not in (*_FULL, *_EARLY) and fault.status < 500) or fault.status == 501:
        return None
    if fault.status == 429 and not asked and _SPENT.search(said) and not _AGAIN.search(said):
        return None
    wait = _asked_for(asked)
    return growing if wait is None else max(wait, growing if attempt else 0.0)


def _asked_for(asked: str) -> float | None:
    """The seconds of a `Retry-After`, which may be a date; None if it says nothing."""
    if seconds := re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?) ?s?", asked):
        return float(seconds[1])
    with contextlib.suppress(ValueError, TypeError):
        moment = parsedate_to_datetime(asked)
        return max(0.0, (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
    return None


def is_away(fault: Fault) -> bool:
    """Whether the server itself failed, whatever the request was."""
    return fault.kind != "status" or fault.status >= 500 or fault.status in (401, 402, 403, 404, 429)


class Rest:
    """Skips a model for a minute after two failures in a row. Safe to share between threads."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._lock = threading.Lock()
        self._failures, self._until, self._why = 0, 0.0, ""

    def check(self) -> None:
        """Raises LLMError while the model is left out."""
        if why := self.told():
            raise LLMError(why)

    def told(self) -> str:
        """Why the model is left out and until when, in a sentence; empty if it is not."""
        with self._lock:
            if time.time() >= self._until:
                return ""
            why = f"because it failed twice in a row. {self._why}"
            return f"{self._model} is left out until {_clock(self._until)}, {why}"

    def failed(self, why: str) -> str:
        """Record a failure. Returns the reason in a sentence, with its consequence."""
        with self._lock:
            self._failures += 1
            if self._failures < FAILURES:
                return why
            self._until, self._why = time.time() + REST, why
            return f"{why} After two failures in a row, it is left out until {_clock(self._until)}."

    def worked(self) -> None:
        """Record an answer."""
        with self._lock:
            self._failures, self._until = 0, 0.0


def _clock(moment: float) -> str:
    return f"{datetime.fromtimestamp(moment, UTC):%H:%M:%S} UTC"
