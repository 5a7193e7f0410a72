"""A page as every store keeps it, and the numbers by which pages and corpora are told apart."""

from __future__ import annotations

import hashlib
from typing import Any

import orjson

from retrieval.types import Page

DIGEST_BITS = 63
SCHEMA = 1


def pack(page: Page) -> bytes:
    """A page as it is stored."""
    record = (page.id, page.title, page.text, page.lines, page.links, page.source)
    return orjson.dumps(record)


def unpack(stored: bytes) -> Page:
    """Inverse of `pack`."""
    return from_record(orjson.loads(stored))


def from_record(record: Any) -> Page:
    """The page of what `pack` wrote, once it is read as JSON."""
    page_id, title, text, lines, links, source = record
    return Page(page_id, title, text, tuple((line, start, end) for line, start, end in lines), tuple(links), source)


def digest(stored: bytes) -> int:
    """63 bits of a packed page; every difference shows."""
    return int.from_bytes(hashlib.blake2b(stored, digest_size=8).digest(), "big") >> (64 - DIGEST_BITS)


def fingerprint(total: int) -> str:
    """Of a corpus, from the sum of its pages' digests: the same for the same pages in any order and in any store.

    64 bits: tells corpora apart, proves nothing.
    """
    return f"{total % (1 << 64):016x}"


def encodable(text: str) -> bool:
    """Whether the text can be a key at all: half a character cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
