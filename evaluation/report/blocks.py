"""Tables between the marks of a page of the documentation; what stands around them is written by people."""

from __future__ import annotations

import re
from pathlib import Path

from evaluation.report.results import marks
from retrieval.errors import SettingError


def write_block(page: Path, name: str, text: str) -> None:
    """Put the text between the marks of this name. Raises SettingError where the page or its marks are missing."""
    begin, end = marks(name)
    try:
        before = page.read_text("utf-8")
    except OSError as error:
        raise SettingError(f"{page} cannot be read: {error.strerror}. Name a page that exists.") from error
    place = re.search(f"{re.escape(begin)}.*?{re.escape(end)}", before, re.DOTALL)
    if place is None:
        raise SettingError(f"{page} has no place for the figures. Write `{begin}` and `{end}` into it.")
    page.write_text(f"{before[: place.start()]}{begin}\n{text}\n{end}{before[place.end() :]}", "utf-8")
