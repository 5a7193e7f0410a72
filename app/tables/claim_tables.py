"""The table of uploaded tables of claims."""

from __future__ import annotations

import json
import secrets
import zlib
from dataclasses import dataclass
from functools import cached_property

import sqlalchemy as sa

from app.tables.database import Repository, metadata, now
from retrieval.output.record import Json
from retrieval.output.tables.reading import Table, claim_column

EXAMPLE_CELLS = 3  # cells of a column that people see

table = sa.Table(
    "claim_tables",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("content", sa.LargeBinary, nullable=False),
    sa.Column("person", sa.String(120), nullable=False),
    sa.Column("created", sa.String(32), nullable=False),
)


@dataclass(frozen=True)
class Column:
    """A column. number: from 1. claims: number of filled cells. examples: the first of them."""

    number: int
    name: str
    claims: int
    examples: list[str]


@dataclass(frozen=True)
class StoredTable:
    """A row. as_read: the table, with or without a header as guessed. owner: who sent it; tables are never shared."""

    id: str
    name: str
    as_read: Table
    created: str
    owner: str = ""
    shared: bool = False

    def read(self, header: bool | None = None) -> Table:
        """The table, with its first row as header or as claims; None: as guessed."""
        if header is None:
            return self.as_read
        return self.as_read.with_header() if header else self.as_read.without_header()

    @cached_property
    def likeliest(self) -> int:
        """The column that looks most like claims."""
        return claim_column(self.as_read)

    def columns(self, header: bool | None = None) -> list[Column]:
        """The columns of the table."""
        found = self.read(header)
        cells = [found.column(number) for number in range(len(found.columns))]
        return [Column(n + 1, name, len(cells[n]), cells[n][:EXAMPLE_CELLS]) for n, name in enumerate(found.columns)]


class ClaimTables(Repository):
    """Reads and writes the table."""

    def add(self, name: str, read: Json, person: str) -> str:
        """Add a table, as `table_as_json` writes it; returns its id."""
        content = zlib.compress(json.dumps(read, ensure_ascii=False).encode())
        row = {"id": secrets.token_hex(8), "name": name, "content": content, "person": person, "created": now()}
        self._write(sa.insert(table).values(**row))
        return row["id"]  # type: ignore[return-value]

    def get(self, table_id: str) -> StoredTable | None:
        """The table with this id."""
        row = self._row(sa.select(table).where(table.c.id == table_id))
        if row is None:
            return None
        read = table_of(json.loads(zlib.decompress(row["content"])))
        return StoredTable(row["id"], row["name"], read, row["created"], row["person"])

    def delete(self, table_id: str) -> bool:
        """Delete a table; reports made from it keep a copy."""
        return self._write(sa.delete(table).where(table.c.id == table_id)) > 0

    def delete_older(self, moment: str) -> int:
        """Delete the tables from before this moment."""
        return self._write(sa.delete(table).where(table.c.created < moment))


def table_of(read: Json) -> Table:
    """Inverse of `table_as_json`."""
    rows = tuple(tuple(row) for row in read["rows"])
    return Table(tuple(read["columns"]), rows, read["total"], read["header"], tuple(read["notes"]))
