"""A check in the database: its record, its pages, and the key by which later checks find its answer.

The record is written after every stage. To keep it small, each page is written once, to the table `check_pages`. The record
names pages by digest and omits the text of sentences that they contain. Records of earlier versions contain both.
"""

from __future__ import annotations

import functools
import hashlib
import json
import unicodedata
from collections.abc import Iterator, Mapping

import sqlalchemy as sa

from app.tables.database import belongs_to, metadata
from retrieval.output.record import Json, dump_check, load_check
from retrieval.recipes import tuning
from retrieval.settings import Settings
from retrieval.settings.declaring import without_password
from retrieval.types import FactCheck, Page

LONGEST_PAGE_REMEMBERED = 20_000  # characters, for the cache of digests: 256 uploads may be 500 MB

table = sa.Table(
    "check_pages",
    metadata,
    sa.Column("check_id", sa.String(32), belongs_to("checks"), primary_key=True),
    sa.Column("digest", sa.String(32), primary_key=True),
    sa.Column("page", sa.Text, nullable=False),
)


def split(check: FactCheck) -> tuple[str, dict[str, Json]]:
    """The record as JSON with digests instead of pages, and the pages by digest."""
    record, pages = dump_check(check), {}
    texts = {hit.page.id: hit.page.text for hit in check.pages}
    for stored, hit in zip(record["pages"], check.pages, strict=True):
        name = digest(hit.page)
        pages[name], stored["page"] = stored["page"], name
    for sentence in _sentences(record):
        if texts.get(sentence["page_id"], "")[sentence["start"] : sentence["end"]] == sentence["text"]:
            del sentence["text"]
    return json.dumps(record), pages


def join(stored: str, pages: Mapping[str, str]) -> FactCheck:
    """Inverse of `split`. pages: digest -> page as JSON."""
    record: Json = json.loads(stored)
    for hit in record["pages"]:
        if isinstance(hit["page"], str):
            hit["page"] = json.loads(pages[hit["page"]])
    texts = {hit["page"]["id"]: hit["page"]["text"] for hit in record["pages"]}
    for sentence in _sentences(record):
        if "text" not in sentence:
            sentence["text"] = texts.get(sentence["page_id"], "")[sentence["start"] : sentence["end"]]
    return load_check(record)


def write_pages(connection: sa.Connection, check_id: str, pages: Mapping[str, Json]) -> None:
    """Write the pages that are not in the table. Call it while the check's row is locked."""
    if not pages:
        return
    known = connection.execute(sa.select(table.c.digest).where(table.c.check_id == check_id)).scalars()
    if new := pages.keys() - set(known):
        rows = [{"check_id": check_id, "digest": name, "page": json.dumps(pages[name])} for name in sorted(new)]
        connection.execute(sa.insert(table), rows)


def read_pages(connection: sa.Connection, check_id: str) -> dict[str, str]:
    """Digest -> page as JSON, for the pages of a check."""
    rows = connection.execute(sa.select(table.c.digest, table.c.page).where(table.c.check_id == check_id))
    return {row.digest: row.page for row in rows}


def digest(page: Page) -> str:
    """A hash of every field of the page; the same page of another corpus has another digest."""
    return _remembered_digest(page) if len(page.text) <= LONGEST_PAGE_REMEMBERED else _digest(page)


@functools.lru_cache(maxsize=256)
def _remembered_digest(page: Page) -> str:
    return _digest(page)


def _digest(page: Page) -> str:
    values = json.dumps([getattr(page, name) for name in page.__slots__])
    return hashlib.sha256(values.encode()).hexdigest()[:32]


def deciding_values(recipe: str, settings: Settings) -> dict[str, str]:
    """Settings and knobs that decide the answers of a recipe, with their values; addresses have no password."""
    values = tuning.deciding_values(recipe, settings)
    return {name: without_password(text) if "://" in (text := str(value)) else text for name, value in values.items()}


def cache_key(claim: str, recipe: str, fingerprint: str, models: Mapping[str, str], settings: Settings) -> str:
    """The key by which later checks find this answer."""
    text = " ".join(unicodedata.normalize("NFC", claim).split())
    parts = json.dumps([text, recipe, fingerprint, sorted(models.items()), deciding_values(recipe, settings)])
    return hashlib.sha256(parts.encode()).hexdigest()


def key_of(check: FactCheck, settings: Settings) -> str | None:
    """The key of a finished check; None if it answers no other, because its context belongs to one text."""
    if check.corpus is None or check.claim.context:
        return None
    return cache_key(check.claim.text, check.recipe, check.corpus.fingerprint, check.models, settings)


def _sentences(record: Json) -> Iterator[Json]:
    for evidence in (*record["sentences"], *record["evidence"]):
        yield evidence["sentence"]
