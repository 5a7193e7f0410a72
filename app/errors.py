"""The errors of the application. Each message says what happened and what to do next.

They know nothing of HTTP; `http/problems.py` gives each its status. CannotStart is for commands and processes.
"""

from __future__ import annotations

from retrieval.errors import EsotericError


class Unusable(EsotericError):
    """The input cannot be used."""


class TurnedOff(EsotericError):
    """The settings do not allow this."""


class Busy(EsotericError):
    """The program is busy with other work. retry_after: seconds after which the same request may succeed."""

    def __init__(self, sentence: str, retry_after: int = 60) -> None:
        super().__init__(sentence)
        self.retry_after = retry_after


class CannotStart(Exception):
    """A command or a process cannot start."""
