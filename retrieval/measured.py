"""How much of claims as people type them each recipe was measured to get right: `measured.json`.

`python -m evaluation recipes` writes that file; nobody edits it. It is read when first asked for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

FILE = Path(__file__).with_name("measured.json")


@dataclass(frozen=True, slots=True)
class Right:
    """Share of the claims whose verdict was right, with its 95 % interval. claims: how many. Without a language model."""

    share: float
    low: float
    high: float
    claims: int

    def in_words(self) -> str:
        """62 % of 313 everyday claims"""
        return f"{self.share:.0%} of {self.claims:,} everyday claims".replace("%", " %", 1)


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured, over how many pages. recipes: by name; one that was not measured is not there."""

    pages: int
    recipes: Mapping[str, Right]


@cache
def measured(path: Path = FILE) -> Measured:
    """What the file holds; nothing if there is none."""
    if not path.is_file():
        return Measured(0, MappingProxyType({}))
    stored = json.loads(path.read_text("utf-8"))
    recipes = {
        name: Right(score["value"], score["low"], score["high"], score["n"])
        for name, score in stored["recipes"].items()
    }
    return Measured(stored["pages"], MappingProxyType(recipes))
