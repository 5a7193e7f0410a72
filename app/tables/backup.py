"""A backup: one file with every table and the key of sessions, but without the corpus and tables marked `LEFT_OUT`.

It is made while the program runs, from a single moment of the database, and can be restored into either kind of database.
"""

from __future__ import annotations

import base64
import io
import json
import zipfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from app.errors import CannotStart
from app.tables.database import (
    LEFT_OUT,
    TABLES_LOCK,
    for_this_user,
    is_shared,
    locked,
    named_values,
    one_moment,
    open_engine,
    secret_key,
)
from app.tables.migrations import HEAD, metadata, prepare_tables
from retrieval.settings import Settings

TABLES = [table for table in metadata.sorted_tables if table.info != LEFT_OUT]
USER_TABLES = ("checks", "reports", "collections", "documents", "people")  # without rows in an empty database
MANIFEST, KEY = "manifest.json", "secret.key"
BACKUP_BATCH = 200  # rows


def back_up(settings: Settings, file: Path) -> dict[str, int]:
    """Write a backup; returns table -> number of rows. Raises CannotStart if the file exists or cannot be written."""
    engine = open_engine(settings)
    prepare_tables(engine)
    draft = file.with_name(f"{file.name}.part")
    try:
        if file.exists():
            raise CannotStart(f"{file} already exists. Name another file, or move it away.")
        with open(draft, "wb", opener=for_this_user) as raw, zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
            counts = _write(engine, archive)
            archive.writestr(MANIFEST, json.dumps({"version": HEAD, "rows": counts}))
            if not is_shared(settings):
                archive.writestr(KEY, secret_key(settings.data).hex())
        draft.replace(file)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise CannotStart(f"{file} cannot be written ({error.strerror}). Name another file.") from None
    finally:
        engine.dispose()
    return counts


def restore(settings: Settings, file: Path) -> dict[str, int]:
    """Restore a backup into an empty database; returns table -> number of rows. Raises CannotStart."""
    engine = open_engine(settings)
    prepare_tables(engine)
    try:
        with zipfile.ZipFile(file) as archive:
            manifest = json.loads(archive.read(MANIFEST))
            counts = _read(engine, archive)
            if KEY in archive.namelist() and not is_shared(settings):
                (settings.data / KEY).unlink(missing_ok=True)
                with open(settings.data / KEY, "wb", opener=for_this_user) as key:
                    key.write(bytes.fromhex(archive.read(KEY).decode()))
    except (OSError, zipfile.BadZipFile, KeyError, ValueError) as error:
        raise CannotStart(f"{file} is not a readable backup ({error}). Name another file.") from None
    finally:
        engine.dispose()
    if counts != manifest["rows"]:
        raise CannotStart(f"{file} is incomplete: {counts} of {manifest['rows']} rows. Use another backup.")
    return counts


def _write(engine: sa.Engine, archive: zipfile.ZipFile) -> dict[str, int]:
    counts = dict.fromkeys((table.name for table in TABLES), 0)
    with one_moment(engine) as connection:
        for table in TABLES:
            with archive.open(f"{table.name}.jsonl", "w", force_zip64=True) as stream:
                query = sa.select(*_stored(table)).order_by(*table.primary_key.columns)
                for row in connection.execution_options(yield_per=BACKUP_BATCH).execute(query).mappings():
                    stream.write(json.dumps({name: _plain(value) for name, value in row.items()}).encode() + b"\n")
                    counts[table.name] += 1
    return counts


def _read(engine: sa.Engine, archive: zipfile.ZipFile) -> dict[str, int]:
    counts = {}
    with locked(engine, TABLES_LOCK) as connection:
        for name in USER_TABLES:
            if connection.execute(sa.select(sa.func.count()).select_from(metadata.tables[name])).scalar_one():
                raise CannotStart(
                    "The database already holds checks, reports, collections, documents or people. Restore into an empty one."
                )
        connection.execute(sa.delete(named_values))
        sqlite = connection.dialect.name == "sqlite"
        connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON" if sqlite else "SET CONSTRAINTS ALL DEFERRED")
        for table in TABLES:
            if f"{table.name}.jsonl" not in archive.namelist():
                continue  # made before this table existed; if not, `restore` finds too few rows
            counts[table.name] = 0
            with archive.open(f"{table.name}.jsonl") as stream:
                rows = _rows(table, stream)
                while batch := list(islice(rows, BACKUP_BATCH)):
                    connection.execute(sa.insert(table), batch)
                    counts[table.name] += len(batch)
            if not sqlite and "number" in table.c:
                sequence = f"pg_get_serial_sequence('{table.name}', 'number')"
                connection.exec_driver_sql(f"SELECT setval({sequence}, max(number)) FROM {table.name}")
        for key in (key for table in TABLES for key in table.foreign_keys):  # orphans of earlier versions
            orphan = key.parent.is_not(None) & key.parent.not_in(sa.select(key.column))
            connection.execute(sa.delete(key.parent.table).where(orphan))
    return counts


def _stored(table: sa.Table) -> list[sa.Column[Any]]:
    """The columns of a table that the database does not compute."""
    return [column for column in table.c if column.computed is None]


def _rows(table: sa.Table, stream: Any) -> Iterator[dict[str, Any]]:
    """The rows in a file. Unknown columns, of newer versions, are ignored; missing ones, in older versions, are empty."""
    for line in io.TextIOWrapper(stream, "utf-8"):
        stored = json.loads(line)
        yield {column.name: _value(stored.get(column.name)) for column in _stored(table)}


def _plain(value: Any) -> Any:
    return {"base64": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def _value(stored: Any) -> Any:
    return base64.b64decode(stored["base64"]) if isinstance(stored, dict) else stored
