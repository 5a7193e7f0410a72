"""The stored form of a page, and the numbers that identify pages and corpora."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import orjson

from retrieval.errors import StoreError, StoreVersion
from retrieval.text.names.forms import singular_forms
from retrieval.text.titles import fold, without_bracket
from retrieval.types import CorpusInfo, Page

DIGEST_BITS = 63
PAGES_A_SCAN = 500  # pages of a batch that a store's `scan` gives, about
SCHEMA = 2
READABLE = (1, 2)  # 1: before pages recorded their address, further titles and passage
# Fields since schema 2, in stored order, and those of them that count for the digest.
_LATER = ("site", "revision", "retrieved", "names", "prior", "disambiguation", "part", "parts", "other_names")
_DIGESTED = tuple(name for name in _LATER if name not in ("retrieved", "other_names"))
_ID = re.compile(rb'\[("[^"\\]*(?:\\.[^"\\]*)*")')  # the first string of a record


def pack(page: Page) -> bytes:
    """The stored form of a page. A page without the later fields packs as in earlier versions, with the same digest."""
    return _packed(page, _LATER)


def unpack(stored: bytes) -> Page:
    """Inverse of `pack`."""
    return from_record(orjson.loads(stored))


def id_of(stored: bytes) -> str:
    """The id in a packed page, without reading the rest."""
    match = _ID.match(stored)
    assert match
    return str(orjson.loads(match[1]))


def from_record(record: Any) -> Page:
    """The page of a record that `pack` wrote, parsed as JSON."""
    page_id, title, text, lines, links, source, *later = record
    later_fields = dict(later[0]) if later else {}
    for name in {"names", "other_names"} & later_fields.keys():
        later_fields[name] = tuple(later_fields[name])
    spans = tuple((line, start, end) for line, start, end in lines)
    return Page(page_id, title, text, spans, tuple(links), source, **later_fields)


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
    """A page's hash, 63 bits. The day of retrieval does not count: the same revision a week later is the same page."""
    hashed = hashlib.blake2b(_packed(page, _DIGESTED), digest_size=8).digest()
    return int.from_bytes(hashed, "big") >> (64 - DIGEST_BITS)


def _packed(page: Page, fields: tuple[str, ...]) -> bytes:
    record = (page.id, page.title, page.text, page.lines, page.links, page.source)
    later = {name: value for name in fields if (value := getattr(page, name))}
    return orjson.dumps((*record, later) if later else record)


def describe(pages: int, digests: int, **more: Any) -> CorpusInfo:
    """The description of a corpus that is complete now. digests: their sum, of which 64 bits are the fingerprint: the same
    for the same pages in any order and any store. It tells corpora apart, but does not protect against forgery.
    """
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return CorpusInfo(pages, f"{digests % (1 << 64):016x}", now, SCHEMA, **more)


def digest_ranges(pages: int, in_each: int, bits: int = DIGEST_BITS) -> Iterator[tuple[int, int]]:
    """Ranges of numbers below 2**bits, (first, one past the last), with about `in_each` of a corpus's pages in each."""
    ranges = pages // in_each + 1
    return itertools.pairwise((1 << bits) * number // ranges for number in range(ranges + 1))


def card_as_json(card: CorpusInfo) -> dict[str, Any]:
    """A corpus's description as stored: without later fields that are empty, so that earlier versions can read it."""
    return {name: value for name, value in asdict(card).items() if name not in ("language", "stemmer") or value}


def encodable(text: str) -> bool:
    """Whether the text can be a key, that is, has no lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def check_unfinished(place: object, schema: object, unfinished: str, job: str) -> None:
    """Raises StoreVersion or StoreError unless an unfinished load, of this schema, is the job's."""
    if schema != SCHEMA:
        raise StoreVersion(
            f"{place} holds an unfinished load by another version of the program. Add `--restart` to discard it."
        )
    if unfinished != job:
        raise StoreError(
            f"{place} holds an unfinished load of something else ({unfinished}). "
            "Run that command again to finish it, or add `--restart` to discard it."
        )
