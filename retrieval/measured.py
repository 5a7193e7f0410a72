"""The measured share of everyday claims that each recipe gets right. `python -m evaluation recipes` writes it."""

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
    """The share of claims with the right verdict, without a language model, and its 95 % interval. claims: how many."""

    share: float
    low: float
    high: float
    claims: int

    def in_words(self) -> str:
        """ "62 % of 313 everyday claims"."""
        return f"{self.share:.0%} of {self.claims:,} everyday claims".replace("%", " %", 1)


@dataclass(frozen=True, slots=True)
class Measured:
    """The measured shares by recipe, and the number of pages in the corpus that they were measured over."""

    pages: int
    recipes: Mapping[str, Right]


@cache
def measured(path: Path = FILE) -> Measured:
    """The contents of the file; empty if there is none."""
    if not path.is_file():
        return Measured(0, MappingProxyType({}))
    stored = json.loads(path.read_text("utf-8"))
    recipes = {
        name: Right(score["value"], score["low"], score["high"], score["n"])
        for name, score in stored["recipes"].items()
    }
    return Measured(stored["pages"], MappingProxyType(recipes))
