"""The table of texts, with the claims found in each. A file stays in its row until it has been read: if the process dies
meanwhile, nothing is lost.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import sqlalchemy as sa

from app.tables.background import FAILED, READING, READY, BackgroundRepository
from app.tables.database import metadata, now
from retrieval.output.record import Json
from retrieval.output.tables.reading import TYPES as TABLE_TYPES
from retrieval.text.extraction.finder import FoundClaim

table = sa.Table(
    "texts",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("id", sa.String(32), nullable=False, unique=True),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("state", sa.String(16), nullable=False, default=READING),
    sa.Column("content", sa.Text, nullable=False),
    sa.Column("file_name", sa.Text, nullable=False),
    sa.Column("file", sa.LargeBinary),
    sa.Column("language", sa.String(16), nullable=False, default=""),
    sa.Column("sentences", sa.Text, nullable=False, default="[]"),
    sa.Column("read", sa.Integer, nullable=False, default=0),
    sa.Column("error", sa.Text, nullable=False, default=""),
    sa.Column("person", sa.String(120), nullable=False),
    sa.Column("created", sa.String(32), nullable=False),
    sa.Column("changed", sa.String(32), nullable=False),
    sa.Column("source", sa.Text),
    sa.Column("published", sa.String(10)),
    sa.Column("notes", sa.Text),
    sqlite_autoincrement=True,
)


@dataclass(frozen=True)
class StoredText:
    """A row. sentences: the claims found in it. read: percentage read so far. source: its address. published: the day that the
    page gives, as ISO 8601; empty if unknown. notes: sentences on how it was read. file: its content until it is read."""

    id: str
    title: str
    state: str
    content: str
    file_name: str
    language: str
    sentences: Sequence[FoundClaim]
    read: int
    error: str
    person: str
    created: str
    changed: str
    source: str = ""
    published: str = ""
    notes: Sequence[str] = ()
    file: bytes | None = None

    @property
    def is_table(self) -> bool:
        """Whether its claims are cells of a table, and not sentences."""
        return self.file_name.lower().endswith(TABLE_TYPES)

    @property
    def origin(self) -> Json | None:
        """The source that a report of this text stores; None if the text was sent."""
        return {"address": self.source, "published": self.published or None} if self.source else None

    @property
    def owner(self) -> str:
        """Who sent it: the id of an account, if there are accounts."""
        return self.person

    @property
    def shared(self) -> bool:
        """Texts are never shared; reports made from them may be."""
        return False


class Texts(BackgroundRepository):
    """Reads and writes the table."""

    table = table

    def add(
        self, content: str, title: str, person: str, file_name: str = "", file: bytes | None = None, source: str = ""
    ) -> str:
        """Add a text, a file or an address in which to find claims; returns the id."""
        text_id = secrets.token_hex(8)
        sent = {"title": title, "content": content, "file_name": file_name, "file": file, "source": source}
        self._write(sa.insert(table).values(id=text_id, **sent, person=person, created=now(), changed=now()))
        return text_id

    def get(self, text_id: str, with_file: bool = False) -> StoredText | None:
        """The text with its claims."""
        columns = [c for c in table.c if c.name != "number" and (with_file or c.name != "file")]
        row = self._row(sa.select(*columns).where(table.c.id == text_id))
        if row is None:
            return None
        stored = {**row, "sentences": list(map(_claim, json.loads(row["sentences"])))}
        stored |= {"notes": json.loads(row["notes"] or "[]"), "source": row["source"] or ""}
        return StoredText(**{**stored, "published": row["published"] or ""})

    def read_on(self, text_id: str, read: int) -> bool:
        """Note the percentage that has been read. False if the text was deleted: stop."""
        return self._change(text_id, read=read)

    def store_content(self, text_id: str, content: str, title: str, notes: Sequence[str] = (), **page: str) -> bool:
        """Store the text of a file, or of a web page with its `source` and `published`."""
        return self._change(text_id, content=content, title=title, file=None, notes=_listed(notes), **page)

    def finish(self, text_id: str, language: str, sentences: Sequence[FoundClaim], notes: Sequence[str] = ()) -> bool:
        """Store the claims: the text is ready. notes: all of them."""
        claims = _listed(list(map(sentence_as_json, sentences)))
        return self._change(text_id, state=READY, language=language, sentences=claims, notes=_listed(notes), read=100)

    def fail(self, text_id: str, sentence: str) -> bool:
        """Mark a text as failed, with the reason."""
        return self._change(text_id, state=FAILED, error=sentence, file=None)

    def delete_older(self, moment: str) -> int:
        """Delete the texts from before this moment; reports made from them keep copies."""
        return self._write(sa.delete(table).where(table.c.created < moment))


def sentence_as_json(claim: FoundClaim) -> Json:
    """The JSON of a claim in a row."""
    return {**asdict(claim), "chosen": claim.chosen}


def _claim(row: Json) -> FoundClaim:
    """Inverse of `sentence_as_json`, also for JSON of other versions."""
    return FoundClaim(**{field.name: row[field.name] for field in fields(FoundClaim) if field.name in row})


def _listed(items: Sequence[Any]) -> str:
    return json.dumps(list(items), ensure_ascii=False)
