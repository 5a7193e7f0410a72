"""Locations of corpora: a folder, or a server's address."""

from __future__ import annotations

from pathlib import Path

from retrieval.errors import SettingError


def on_server(location: str | Path) -> bool:
    """Whether the location is an address rather than a folder."""
    return str(location).lower().startswith(("http://", "https://"))


def store_folder(location: str | Path) -> Path:
    """Folder of an embedded corpus. Raises SettingError if the location is an address."""
    if on_server(location):
        raise SettingError("This needs a corpus in a folder; an address was given. Name a folder instead.")
    return Path(location)
