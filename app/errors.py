"""The application's own errors. Each message says what happened and what to do next.

They know nothing of HTTP: `http/problems.py` gives each its status.

EsotericError
├── Unusable    what was sent cannot be used
├── TurnedOff   the settings do not allow it
└── Busy        others come first; the same may succeed later
CannotStart     a command or a process cannot begin
"""

from __future__ import annotations

from retrieval.errors import EsotericError


class Unusable(EsotericError):
    """What was sent cannot be used."""


class TurnedOff(EsotericError):
    """The settings do not allow it."""


class Busy(EsotericError):
    """Others come first. retry_after: seconds after which the same may succeed."""

    def __init__(self, sentence: str, retry_after: int = 60) -> None:
        super().__init__(sentence)
        self.retry_after = retry_after


class CannotStart(Exception):
    """A command or a process cannot begin."""
