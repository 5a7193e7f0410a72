"""Locations of corpora, which are folders or addresses, and sizes for people to read."""

from __future__ import annotations

from pathlib import Path

from retrieval.errors import SettingError


def on_server(location: str | Path) -> bool:
    """Whether the location is an address rather than a folder."""
    return str(location).lower().startswith(("http://", "https://"))


def store_folder(location: str | Path) -> Path:
    """Folder of an embedded corpus. Raises SettingError if the location is an address."""
    if on_server(location):
        raise SettingError("This needs a corpus in a folder, and you named an address. Name a folder instead.")
    return Path(location)


def amount(size: float) -> str:
    """Bytes in readable form: 40.6 GB, 310 MB, 33 kB."""
    for unit, name in ((1e9, "GB"), (1e6, "MB")):
        if size >= unit:
            return f"{size / unit:,.1f} {name}" if size < 100 * unit else f"{size / unit:,.0f} {name}"
    return f"{size / 1e3:,.0f} kB"
