"""The database of the settings: SQLite inside DATA, or the PostgreSQL that several processes share."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import InterfaceError, OperationalError

from retrieval.errors import SettingError
from retrieval.settings import Settings

log = logging.getLogger(__name__)

DATABASE_AWAY = (OperationalError, InterfaceError)
DATABASE_PATIENCE = 600.0  # seconds that a check waits for the database to return
DATABASE_TRY_EVERY = 1.0  # seconds between two tries
Result = TypeVar("Result")

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")

# Keys of PostgreSQL's advisory locks: numbers that nobody else uses in this database.
TABLES_LOCK, QUEUE_LOCK, PEOPLE_LOCK, TAKEOVER_LOCK = 7_301_001, 7_301_002, 7_301_003, 7_301_004

INCREMENTAL = 2  # SQLite's auto_vacuum that returns space on request

metadata = sa.MetaData(
    naming_convention={"ix": "ix_%(table_name)s_%(column_0_name)s", "fk": "%(table_name)s_%(column_0_name)s_fkey"}
)
LEFT_OUT = {"backup": False}  # `info` of a table that backups leave out
named_values = sa.Table(
    "kept",
    metadata,
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)


def database_url(settings: Settings) -> sa.URL:
    """The address of the database. Raises SettingError."""
    if not settings.database:
        return sa.URL.create("sqlite", database=str(settings.data.resolve() / "checks.sqlite"))
    if settings.database.count("@") > 1:  # part of the password would be taken for the host, and shown
        raise SettingError("DATABASE contains more than one @. Write one in a name or a password as %40.")
    url = sa.make_url(settings.database)
    return url.set(drivername="postgresql+psycopg") if url.get_backend_name() in ("postgresql", "postgres") else url


def is_shared(settings: Settings) -> bool:
    """Whether other processes, on this machine or another, may use the database."""
    return database_url(settings).get_backend_name() == "postgresql"


def open_engine(settings: Settings) -> sa.Engine:
    """An engine for DATABASE, or else for SQLite in DATA, whose file is made if it is missing."""
    url = database_url(settings)
    if url.get_backend_name() != "sqlite":
        return sa.create_engine(url, pool_pre_ping=True, hide_parameters=True)
    engine = sa.create_engine(url, hide_parameters=True)  # no claims in logs
    sa.event.listen(engine, "connect", _prepare_sqlite)
    return engine


class Repository:
    """Reads and writes tables. Each of these methods is one transaction."""

    def __init__(self, engine: sa.Engine) -> None:
        self.engine = engine

    def _rows(self, query: sa.Select[Any]) -> Sequence[sa.RowMapping]:
        with self.engine.connect() as connection:
            return connection.execute(query).mappings().all()

    def _row(self, query: sa.Select[Any]) -> sa.RowMapping | None:
        """The first row; None if there is none."""
        with self.engine.connect() as connection:
            return connection.execute(query).mappings().first()

    def _values(self, query: sa.Select[Any]) -> list[Any]:
        """The first column of every row."""
        with self.engine.connect() as connection:
            return list(connection.execute(query).scalars())

    def _value(self, query: sa.Select[Any]) -> Any | None:
        """The first column of the first row; None if there is none."""
        with self.engine.connect() as connection:
            return connection.execute(query).scalar()

    def _count(self, table: sa.Table, *conditions: sa.ColumnElement[bool]) -> int:
        """Number of rows that meet these conditions."""
        with self.engine.connect() as connection:
            return connection.execute(sa.select(sa.func.count()).select_from(table).where(*conditions)).scalar_one()

    def _write(self, statement: sa.UpdateBase) -> int:
        """Execute a statement; returns the number of rows changed."""
        with self.engine.begin() as connection:
            return connection.execute(statement).rowcount


def belongs_to(parent: str) -> sa.ForeignKey:
    """The foreign key of a row that is deleted with its parent."""
    return sa.ForeignKey(f"{parent}.id", ondelete="CASCADE", deferrable=True)


def one_at_a_time(connection: sa.Connection, lock: int) -> None:
    """Hold this lock until the transaction ends. Call it first in a transaction."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(lock)))
    else:  # Python's driver begins a transaction only with the first change, which is too late
        connection.exec_driver_sql("BEGIN IMMEDIATE")


@contextlib.contextmanager
def locked(engine: sa.Engine, lock: int) -> Iterator[sa.Connection]:
    """A transaction that holds this lock."""
    with engine.begin() as connection:
        one_at_a_time(connection, lock)
        yield connection


def now(ago: float = 0) -> str:
    """The time now, or some seconds ago, as ISO 8601 in UTC with milliseconds, which sorts by time."""
    moment = datetime.now(UTC) - timedelta(seconds=ago)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def storable(text: str) -> bool:
    """Whether every database can store the text: PostgreSQL takes neither NUL nor half a surrogate pair."""
    return _UNSTORABLE.search(text) is None


def made_storable(text: str, instead: str = "") -> str:
    """The text with `instead` for each character that some database cannot store."""
    return _UNSTORABLE.sub(instead, text)


@contextlib.contextmanager
def one_moment(engine: sa.Engine) -> Iterator[sa.Connection]:
    """A connection for several queries that must see the same moment."""
    level = {"isolation_level": "REPEATABLE READ"} if engine.dialect.name == "postgresql" else {}
    with engine.connect().execution_options(**level) as connection:
        if not level:
            connection.exec_driver_sql("BEGIN")  # Python's driver of SQLite begins no transaction for reads
        yield connection


def patiently(work: Callable[[], Result]) -> Result:
    """Do the work; if the database is away, wait for it and try again."""
    until = time.monotonic() + DATABASE_PATIENCE
    while True:
        try:
            return work()
        except DATABASE_AWAY as error:
            if time.monotonic() > until:
                raise
            log.warning("The database of checks cannot be used; waiting for it (%s)", str(error.orig).splitlines()[0])
            time.sleep(DATABASE_TRY_EVERY)


def secret_key(data: Path) -> bytes:
    """The key that signs session cookies: made once, readable only by this user."""
    file = data / "secret.key"
    if file.exists() and not file.stat().st_size:
        file.unlink()  # left by a crash of an earlier version
    return made_once(file, secrets.token_bytes(32))


def made_once(file: Path, content: bytes) -> bytes:
    """The content of a file, written now if there is none yet. Other processes see the whole file, or none."""
    if not file.exists():
        draft = file.with_name(f"{file.name}.{secrets.token_hex(4)}")
        try:
            with open(draft, "wb", opener=for_this_user) as stream:
                stream.write(content)
            with contextlib.suppress(FileExistsError):
                os.link(draft, file)
        finally:
            draft.unlink(missing_ok=True)
    return file.read_bytes()


def for_this_user(path: str, flags: int) -> int:
    """Opens a file that only this user may read."""
    return os.open(path, flags, 0o600)


def shared_secret(engine: sa.Engine) -> bytes:
    """The key that signs session cookies, made once for all web processes on this database."""
    with locked(engine, TABLES_LOCK) as connection:
        query = sa.select(named_values.c.value).where(named_values.c.name == "secret key")
        value = connection.execute(query).scalar()
        if value is None:
            value = secrets.token_hex(32)
            connection.execute(sa.insert(named_values).values(name="secret key", value=value))
    return bytes.fromhex(value)


def give_space_back(engine: sa.Engine) -> None:
    """Shrink SQLite's file after many rows were deleted. PostgreSQL does so by itself."""
    if engine.dialect.name != "sqlite":
        return
    with engine.connect() as connection:
        raw = connection.connection.driver_connection
        assert raw is not None
        free, pages, mode = (
            raw.execute(f"PRAGMA {name}").fetchone()[0] for name in ("freelist_count", "page_count", "auto_vacuum")
        )
        if mode == INCREMENTAL:
            raw.executescript("PRAGMA incremental_vacuum")  # `execute` would free one page
        elif free > max(1_000, pages // 4):  # a file of an earlier version
            raw.execute(f"PRAGMA auto_vacuum = {INCREMENTAL}")
            raw.execute("VACUUM")
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _prepare_sqlite(connection: Any, _: Any) -> None:
    connection.isolation_level = "IMMEDIATE"
    connection.execute(f"PRAGMA auto_vacuum = {INCREMENTAL}")  # takes effect only in a new file
    connection.execute("PRAGMA secure_delete = ON")  # deleted data cannot be read from the file
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=30000", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")
