"""Where a model of the hub lies on this machine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Place:
    """Where a model lies and what it is called in records: its name and the first eight digits of its version."""

    folder: Path
    id: str
