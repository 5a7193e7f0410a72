"""Sizes of files in words."""

from __future__ import annotations


def amount(size: float) -> str:
    """Bytes in readable form: 40.6 GB, 310 MB, 33 kB."""
    for unit, name in ((1e9, "GB"), (1e6, "MB")):
        if size >= unit:
            return f"{size / unit:,.1f} {name}" if size < 100 * unit else f"{size / unit:,.0f} {name}"
    return f"{size / 1e3:,.0f} kB"
