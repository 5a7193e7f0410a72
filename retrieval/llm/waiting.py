"""How long to wait for a server: between attempts at one call, and after it has failed twice."""

from __future__ import annotations

import contextlib
import re
import threading
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from retrieval.llm.answers import Fault

CALL_ATTEMPTS, BUSY_ATTEMPTS = 4, 24  # for one call; the second if its server is busy
LONGEST_CALL_WAIT = 30.0  # seconds between attempts, unless the server asks for more
_FULL = (429, 498)  # too many requests; the second is Groq's
_EARLY = (408, 409, 425)  # the request was not processed, so it may be sent again
_BUSY = re.compile(r"load|busy|capacity|warm|start|wait|queue|again")
# No waiting helps, unless the server says to try again.
_SPENT = re.compile(r"insufficient|billing|credit|balance")
_AGAIN = re.compile(r"again|retry|per (?:minute|hour)")
FAILURES, REST = 2, 60.0  # failures in a row, and seconds without requests after that many


def pause_before(fault: Fault, attempt: int, pause: float) -> float | None:
    """Seconds until the next attempt; None if there is none. attempt: from 0. pause: after the first, then doubled.

    A `Retry-After` from the server (RFC 9110) is the first pause and the least length of later ones. A server is busy if
    it says so, is loading its model, or is overloaded.
    """
    header, message = fault.retry_after.strip(), fault.message.lower()
    busy = fault.status in _FULL or (fault.status in (503, 529) and (bool(header) or bool(_BUSY.search(message))))
    backoff: float = min(LONGEST_CALL_WAIT, pause * 2 ** min(attempt, 16))
    if attempt + 1 >= (BUSY_ATTEMPTS if busy else CALL_ATTEMPTS):
        return None
    if fault.kind == "connect":
        return backoff
    if (fault.status not in (*_FULL, *_EARLY) and fault.status < 500) or fault.status == 501:
        return None
    if fault.status == 429 and not header and _SPENT.search(message) and not _AGAIN.search(message):
        return None
    wait = _retry_seconds(header)
    return backoff if wait is None else max(wait, backoff if attempt else 0.0)


def _retry_seconds(header: str) -> float | None:
    """The seconds of a `Retry-After`, which may be a date; None if it is neither."""
    if seconds := re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?) ?s?", header):
        return float(seconds[1])
    with contextlib.suppress(ValueError, TypeError):
        moment = parsedate_to_datetime(header)
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

    def reason(self) -> str:
        """Why the model rests and until when, in a sentence; empty if it does not."""
        with self._lock:
            if time.time() >= self._until:
                return ""
            until = _clock(self._until)
            return f"{self._model} is left out until {until}, because it failed twice in a row. {self._why}"

    def failed(self, why: str) -> str:
        """Record a failure. Returns its reason, with a sentence about the rest that follows, if any."""
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
