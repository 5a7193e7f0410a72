"""Makes the tables of the database, or brings them up to date by the numbered migrations in `versions/`, with alembic.

A new database gets its tables from the metadata; a test proves that migrations lead to the same. A migration only adds what
older programs ignore, so that an upgrade needs no pause and can be undone.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import sqlalchemy as sa

from app.tables import audit
from app.tables.database import TABLES_LOCK, metadata, one_at_a_time

__all__ = ["DECLARING", "HEAD", "alone", "metadata", "prepare_tables", "stored_version"]
log = logging.getLogger(__name__)

TABLES = (
    "audit checks claim_tables collections decisions documents loads people reports sessions spending stored_record "
    "texts tokens workers"
)
DECLARING = [import_module(f"app.tables.{name}") for name in TABLES.split()]  # completes the metadata
HERE = Path(__file__).parent
HEAD = max(path.stem[:4] for path in HERE.glob("versions/[0-9]*.py"))
_applied = sa.table("alembic_version", sa.column("version_num", sa.String))


def prepare_tables(engine: sa.Engine) -> None:
    """Make the tables, or bring them up to date. Safe at any time, in several processes."""
    with engine.connect() as connection:
        found = stored_version(connection)
    if found is None or found < HEAD:
        with alone(engine) as connection:
            _bring_up_to_date(connection)
    elif found > HEAD:
        log.warning("The database was used by a newer version of the program (%s, this is %s).", found, HEAD)


def stored_version(connection: sa.Connection) -> str | None:
    """The number of the last migration; None for a new database and for one from before alembic."""
    known = sa.inspect(connection).has_table(_applied.name)
    return connection.execute(sa.select(_applied.c.version_num)).scalar() if known else None


def _bring_up_to_date(connection: sa.Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(HERE))
    names = set(sa.inspect(connection).get_table_names())
    if existing := [table.name for table in metadata.sorted_tables if table.name in names]:
        if connection.dialect.name == "postgresql":  # all at once, in the order in which running programs lock them
            connection.exec_driver_sql(f"LOCK TABLE {', '.join(existing)}")
        command.upgrade(config, "head")
    else:
        metadata.create_all(connection)
        command.stamp(config, "head")
    audit.refuse_changes(connection)


@contextmanager
def alone(engine: sa.Engine) -> Iterator[sa.Connection]:
    """A transaction in which no other process changes the layout, and replacing a table deletes no rows of other tables."""
    with engine.connect() as connection:
        connection.detach()  # closed afterwards, because it has no foreign keys
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
        one_at_a_time(connection, TABLES_LOCK)
        yield connection
        connection.commit()
