"""Pages, dumps and claims made by hand, for tests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from retrieval.types import Page


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
