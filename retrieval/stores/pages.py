"""The stored form of a page, and the numbers that identify pages and corpora."""

from __future__ import annotations

import hashlib
from typing import Any

import orjson

from retrieval.errors import StoreError, StoreVersion
from retrieval.text.names.forms import singular_forms
from retrieval.text.titles import fold, without_bracket
from retrieval.types import Page

DIGEST_BITS = 63
SCHEMA = 2
READABLE = (1, 2)  # 1: before pages recorded their address, further titles and passage
_CONTENT = ("site", "revision", "names", "prior", "disambiguation", "part", "parts")  # fields since schema 2
_LATER = (*_CONTENT[:2], "retrieved", *_CONTENT[2:], "other_names")  # with those that the digest leaves out


def pack(page: Page) -> bytes:
    """The stored form of a page. A page without the later fields packs as in earlier versions, with the same digest."""
    return _packed(page, _LATER)


def unpack(stored: bytes) -> Page:
    """Inverse of `pack`."""
    return from_record(orjson.loads(stored))


def id_of(stored: bytes) -> str:
    """The id in a packed page, without reading the rest. It is the first string of the record."""
    end = stored.index(b'"', 2)
    while _escaped(stored, end):
        end = stored.index(b'"', end + 1)
    return str(orjson.loads(stored[1 : end + 1]))


def _escaped(stored: bytes, place: int) -> bool:
    """Whether an odd number of backslashes stands before this place."""
    first = place
    while stored[first - 1 : first] == b"\\":
        first -= 1
    return (place - first) % 2 == 1


def from_record(record: Any) -> Page:
    """The page of a record that `pack` wrote, parsed as JSON."""
    page_id, title, text, lines, links, source, *later = record
    more = dict(later[0]) if later else {}
    for name in {"names", "other_names"} & more.keys():
        more[name] = tuple(more[name])
    spans = tuple((line, start, end) for line, start, end in lines)
    return Page(page_id, title, text, spans, tuple(links), source, **more)


def title_keys(page: Page) -> tuple[list[str], list[str]]:
    """Folded titles that find a page: whole ones, its title first; and weaker ones, which are the title without its
    bracket, if it has one, and the names that its text gives it, with their singulars.

    Of an article's passages, only the first has any; otherwise one title would find them all.
    """
    if page.part > 1:
        return [], []
    whole = dict.fromkeys(fold(title) for title in (page.title, *page.names))
    bare = without_bracket(page.title)
    weaker = [fold(bare)] if bare != page.title else []
    for name in map(fold, page.other_names):
        weaker += [name, *singular_forms(name)]
    return list(whole), [name for name in dict.fromkeys(weaker) if name and name not in whole]


def digest(page: Page) -> int:
    """A hash of a page, 63 bits. The day on which the page was retrieved does not count: the same revision a week later
    is the same page.
    """
    return int.from_bytes(hashlib.blake2b(_packed(page, _CONTENT), digest_size=8).digest(), "big") >> (64 - DIGEST_BITS)


def _packed(page: Page, fields: tuple[str, ...]) -> bytes:
    record = (page.id, page.title, page.text, page.lines, page.links, page.source)
    later = {name: value for name in fields if (value := getattr(page, name))}
    return orjson.dumps((*record, later) if later else record)


def fingerprint(total: int) -> str:
    """A corpus's fingerprint, 64 bits, from the sum of its pages' digests: the same for the same pages in any order and
    any store, loaded at once or updated. It tells corpora apart, but does not protect against forgery.
    """
    return f"{total % (1 << 64):016x}"


def encodable(text: str) -> bool:
    """Whether the text can be a key, that is, has no lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def check_unfinished(place: object, schema: object, unfinished: str, job: str) -> None:
    """Raises StoreVersion or StoreError unless the unfinished load at a place is this job's. schema: of the unfinished
    load.
    """
    if schema != SCHEMA:
        raise StoreVersion(
            f"{place} holds an unfinished load by another version of the program. Add `--restart` to discard it."
        )
    if unfinished != job:
        raise StoreError(
            f"{place} holds an unfinished load of something else ({unfinished}). "
            "Run that command again to finish it, or add `--restart` to discard it."
        )
