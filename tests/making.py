"""Pages, dumps and claims made by hand, for tests."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from retrieval.recipes import RECIPES
from retrieval.recipes.tuning import knob_names
from retrieval.settings import Settings
from retrieval.settings.groups import FIELDS
from retrieval.text.sentences import with_title
from retrieval.types import Evidence, Page, Stance


def make_page(title: str, *sentences: str, id: str = "", links: Sequence[str] = (), source: str = "") -> Page:
    """A page of these sentences; its id is the title with underscores unless another is given."""
    lines, position = [], 0
    for number, sentence in enumerate(sentences):
        lines.append((number, position, position + len(sentence)))
        position += len(sentence) + 1
    return Page(id or title.replace(" ", "_"), title, " ".join(sentences), tuple(lines), tuple(links), source)


def dump_row(id: str, *sentences: str) -> str:
    """A row as the FEVER dump writes it, without the line break."""
    lines = "\n".join(f"{number}\t{sentence}" for number, sentence in enumerate(sentences))
    return json.dumps({"id": id, "text": " ".join(sentences), "lines": lines})


def write_dump(path: Path, rows: Iterable[str]) -> Path:
    """A dump file: its empty first row, then these rows."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([dump_row(""), *rows]) + "\n", "utf-8")
    return path


def changed(settings: Settings, **changes: Any) -> Settings:
    """The settings with these ones changed; a knob in every recipe that has it."""
    own = {name: value for name, value in changes.items() if name in FIELDS}
    found, knobs = replace(settings, **own), changes.keys() - own.keys()
    having = {recipe: knobs.intersection(knob_names(recipe)) for recipe in RECIPES}
    assert knobs == set().union(*having.values()), "there is a knob of each name"
    for recipe, names in having.items():
        found = found.tuned(recipe, **{name: changes[name] for name in names})
    return found


class Reader:
    """Reads sentences together as their own stances add up, for stages that ask a network to."""

    def __init__(self, *evidence: Evidence) -> None:
        self._known = {with_title(one.sentence): one for one in evidence}

    def score(self, claim: str, sentences: Sequence[str]) -> Iterator[tuple[list[int], list[float], list[Stance]]]:
        """What is known of each."""
        for index, text in enumerate(sentences):
            yield [index], [self._known[text].relevance], [self._known[text].stance]

    def judge_together(self, claim: str, sentences: Sequence[str]) -> Stance:
        """Each side as likely as one of the sentences says it."""
        known = [self._known[text] for text in sentences]
        supports = 1 - math.prod(1 - one.weight * one.stance.supports for one in known)
        refutes = 1 - math.prod(1 - one.weight * one.stance.refutes for one in known)
        neutral = (1 - supports) * (1 - refutes)
        total = supports + refutes + neutral
        return Stance(supports / total, refutes / total, neutral / total)
