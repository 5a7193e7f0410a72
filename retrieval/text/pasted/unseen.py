"""Invisible characters, and characters that differ from others only in width or in forbidding a line break."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import ascii_letters

# Control characters, soft hyphens, invisible joiners, marks that change the direction of text or the form of a sign.
INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20e3"
    "\ufe00-\ufe0f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]+"
)
# Signs that differ from these only in width or in forbidding a line break.
UNBREAKABLE = {
    **dict.fromkeys((0xA0, 0x2007, 0x2008, 0x2009, 0x200A, 0x202F, 0x205F, 0x3000), " "),
    0x2010: "-",
    0x2011: "-",
    # Wide letters and figures.
    **{0xFEE0 + code: chr(code) for code in map(ord, "0123456789" + ascii_letters)},
}

Piece = tuple[str, int, int]  # the text shown, empty if the page hides it, and its span in the raw text


def visible(raw: str, start: int, end: int) -> Iterator[Piece]:
    """given[start:end] without invisible characters."""
    position = start
    for match in INVISIBLE.finditer(raw, start, end):
        if match.start() > position:
            yield raw[position : match.start()].translate(UNBREAKABLE), position, match.start()
        position = match.end()
    if end > position:
        yield raw[position:end].translate(UNBREAKABLE), position, end
