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

ATTEMPTS, BUSY_ATTEMPTS = 4, 24  # in all; the second where a server is busy and does not say for how long
LONGEST_PAUSE = 30.0  # seconds
_BUSY = re.compile(r"load|busy|capacity|warm|start|wait|queue|again")
FAILURES, REST = 2, 60.0  # so many in a row, then so many seconds without a request


def pause_before(fault: Fault, attempt: int, pause: float) -> float | None:
    """Seconds until the next attempt; None if there is none. attempt: from 0; pause: after the first, then doubled.

    `Retry-After` (RFC 9110) is followed where given. A server that loads its model, or is overloaded, is a busy one.
    """
    asked = fault.retry_after.strip()
    busy = not asked and (
        fault.status == 429 or (fault.status in (503, 529) and bool(_BUSY.search(fault.said.lower())))
    )
    growing: float = min(LONGEST_PAUSE, pause * 2 ** min(attempt, 16))
    if attempt + 1 >= (BUSY_ATTEMPTS if busy else ATTEMPTS):
        return None
    if fault.kind == "connect":
        return growing
    if (fault.status != 429 and fault.status < 500) or fault.status == 501:
        return None
    if seconds := re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?) ?s?", asked):
        return float(seconds[1])
    with contextlib.suppress(ValueError, TypeError):
        moment = parsedate_to_datetime(asked)
        return max(0.0, (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
    return growing


def is_away(fault: Fault) -> bool:
    """Whether the server itself failed, independent of the request."""
    return fault.kind != "status" or fault.status >= 500 or fault.status in (401, 402, 403, 404, 429)


class Rest:
    """Leaves a model out for a minute once it has failed twice in a row. Safe to share between threads."""

    def __init__(self, model: str, seconds: float = REST) -> None:
        self._model, self._seconds = model, seconds
        self._lock = threading.Lock()
        self._failures, self._until, self._why = 0, 0.0, ""

    def check(self) -> None:
        """Raises LLMError while the model is left out."""
        if why := self.told():
            raise LLMError(why)

    def told(self) -> str:
        """Why and until when the model is left out, in a sentence; empty where it is not."""
        with self._lock:
            if time.time() >= self._until:
                return ""
            why = f"because it failed twice in a row. {self._why}"
            return f"{self._model} is left out until {_clock(self._until)}, {why}"

    def failed(self, why: str) -> str:
        """The reason in a sentence, with its consequence."""
        with self._lock:
            self._failures += 1
            if self._failures < FAILURES:
                return why
            self._until, self._why = time.time() + self._seconds, why
            return f"{why} After two failures in a row, it is left out until {_clock(self._until)}."

    def worked(self) -> None:
        """Record that the model answered."""
        with self._lock:
            self._failures, self._until = 0, 0.0


def _clock(moment: float) -> str:
    return f"{datetime.fromtimestamp(moment, UTC):%H:%M:%S} UTC"
