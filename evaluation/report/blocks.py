"""Writes generated tables between the marks of a documentation page; people write the rest."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from retrieval.errors import SettingError


def marks(name: str) -> tuple[str, str]:
    """The marks that begin and end a block in a page."""
    return f"<!-- {name}: begin -->", f"<!-- {name}: end -->"


def has_block(text: str, name: str) -> bool:
    """Whether a page has both marks."""
    return _block(text, name) is not None


def with_block(text: str, name: str, content: str) -> str:
    """The page with this content between its marks. Raises ValueError if it has none."""
    begin, end = marks(name)
    place = _block(text, name)
    if place is None:
        raise ValueError(f"no {begin}")
    return f"{text[: place.start()]}{begin}\n{content}\n{end}{text[place.end() :]}"


def fill_pages(pages: Sequence[Path], name: str, fill: Callable[[str], str]) -> None:
    """Rewrite every page, or none of them. Raises SettingError.

    name: of the marks, for the error about a page without them. fill: makes a page's new text from its text; raises
    ValueError if the page has no marks.
    """
    begin, end = marks(name)
    texts: dict[Path, str] = {}
    for page in pages:
        try:
            texts[page] = fill(page.read_text("utf-8"))
        except OSError as error:
            raise SettingError(f"{page} cannot be read: {error.strerror}. Name a page that exists.") from error
        except ValueError as error:
            raise SettingError(f"{page} has no place for the figures. Write `{begin}` and `{end}` into it.") from error
    for page, text in texts.items():
        page.write_text(text, "utf-8")


def write_block(page: Path, name: str, text: str) -> None:
    """Put the text between the marks of this name. Raises SettingError if the page or its marks are missing."""
    fill_pages([page], name, lambda before: with_block(before, name, text))


def heads(*cells: str) -> list[str]:
    """The first two lines of a Markdown table."""
    return [row(*cells), f"|{'---|' * len(cells)}"]


def row(*cells: str) -> str:
    """A further line of a Markdown table."""
    return f"| {' | '.join(cells)} |"


def data_set(data: Mapping[str, Any]) -> str:
    """The data of a scorecard, for the caption of a table."""
    return f"`{data['path']}` (sha256 `{data['sha256'][:12]}`)"


def _block(text: str, name: str) -> re.Match[str] | None:
    begin, end = marks(name)
    return re.search(f"{re.escape(begin)}.*?{re.escape(end)}", text, re.DOTALL)
