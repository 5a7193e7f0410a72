"""Databases of earlier versions, on SQLite and PostgreSQL: brought up to date, they hold what they held, in today's tables."""

from __future__ import annotations

import json
import logging
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext

from app.tables.checks import Checks
from app.tables.collections import CHECK, Collections
from app.tables.database import open_engine
from app.tables.decisions import CheckGone, Decisions
from app.tables.migrations import HEAD, HERE, metadata, prepare_tables, stored_version
from app.tables.ownership import Account
from app.tables.sessions import Sessions
from app.tables.stored_record import cache_key
from app.tables.texts import Texts, sentence_as_json
from retrieval.output.record import check_as_json
from retrieval.settings import Settings
from retrieval.types import Label
from tests.app.process import ROOT
from tests.services import PostgreSQL

# The table as the first version made it.
FIRST = """
CREATE TABLE checks (
  number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, id VARCHAR(32) NOT NULL, claim TEXT NOT NULL, folded TEXT NOT NULL,
  recipe VARCHAR(64) NOT NULL, state VARCHAR(16) NOT NULL, stages TEXT NOT NULL, record TEXT, partial TEXT,
  error TEXT NOT NULL, cache_key VARCHAR(64), label VARCHAR(32), confidence FLOAT, attempts INTEGER NOT NULL,
  created VARCHAR(32) NOT NULL, finished VARCHAR(32) NOT NULL, UNIQUE (id)
)
"""
RECORD = {
    "id": "a", "claim": "A claim.", "recipe": "fast", "spans": [], "questions": [], "pages": [], "sentences": [],
    "evidence": [], "timings_ms": {}, "models": {}, "corpus": None, "notes": [],
    "verdict": {
        "label": "SUPPORTED", "confidence": 0.6, "reason": "It is so.", "method": "m",
        "probabilities": {"SUPPORTED": 0.6, "REFUTED": 0.3, "NOT_ENOUGH_EVIDENCE": 0.1},
    },
}  # fmt: skip
OWNED = [f"{table}.{column}" for table in ("checks", "documents", "reports") for column in ("owner", "shared")]
# What each layout, as programs before alembic numbered them, had beyond the one before it: tables, or columns of one.
GAINED = {
    14: ("checks.deleted", "reports.deleted", "collections.deleted", "loads.home", "report_claims.context"),
    13: ("loads",),
    12: ("checks.leans", "workers.waits"),
    11: ("checks.name",),
    10: ("texts.notes",),
    9: ("texts.source", "texts.published"),
    8: ("collections", "filed"),
    7: ("people", "sessions", "tokens", "audit", "kept", *OWNED),
    6: ("claim_tables",),
    5: ("texts", "reports", "report_claims", "decisions", "checks.report", "checks.context"),
    4: ("check_pages",),
    3: ("checks.person", "checks.place", "documents.person", "spending"),
    2: ("checks.abstained", "checks.against", "documents", "workers"),
}
LAYOUTS = (1, *sorted(GAINED))
Rows = dict[str, list[dict[str, Any]]]


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def make(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], sa.Engine]]:
    """Opens a new, empty database."""
    made: list[sa.Engine] = []
    server: PostgreSQL | None = request.getfixturevalue("postgresql") if request.param == "postgresql" else None

    def engine() -> sa.Engine:
        folder = tmp_path_factory.mktemp("data")
        made.append(open_engine(Settings(data=folder, database=server.database() if server else "")))
        return made[-1]

    yield engine
    for one in made:
        one.dispose()


@pytest.fixture(scope="module")
def newest(make: Callable[[], sa.Engine]) -> dict[str, Any]:
    """The tables of a new database."""
    return layout_of(up_to_date(make()))


def leave_layout(engine: sa.Engine, layout: int) -> None:
    """Make the tables as programs before alembic did."""
    with engine.begin() as connection:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(HERE))
        command.upgrade(config, "0001")
        connection.execute(sa.text("DROP TABLE alembic_version"))
        for name in (name for number in GAINED if number > layout for name in GAINED[number]):
            table, _, column = name.partition(".")
            there = sa.inspect(connection)
            if not there.has_table(table):
                continue
            for index in there.get_indexes(table):
                if index["column_names"] == [column]:
                    connection.execute(sa.text(f"DROP INDEX {index['name']}"))
            connection.execute(
                sa.text(f"ALTER TABLE {table} DROP COLUMN {column}" if column else f"DROP TABLE {table}")
            )


def fill(engine: sa.Engine, item: str = "a") -> Rows:
    """Put a row into every table, each of the same id; returns all rows."""
    found = sa.MetaData()
    found.reflect(engine)
    rows: Rows = {}
    with engine.begin() as connection:
        for table in found.sorted_tables:
            row: dict[str, Any] = {"kind": "check"} if "kind" in table.c else {}
            for column in (column for column in table.c if column.name not in ("number", *row) and not column.computed):
                kind = column.type.python_type
                row[column.name] = item if kind is str else sa.func.now() if kind.__name__ == "datetime" else kind(1)
            connection.execute(sa.insert(table).values(**row))
            rows[table.name] = [dict(row) for row in connection.execute(sa.select(table)).mappings()]
    return rows


def rows_of(engine: sa.Engine, like: Rows) -> Rows:
    """The rows of those tables, as far as these had columns."""
    found = sa.MetaData()
    found.reflect(engine)
    with engine.connect() as connection:
        queries = {name: sa.select(*(found.tables[name].c[key] for key in rows[0])) for name, rows in like.items()}
        return {name: [dict(row) for row in connection.execute(query).mappings()] for name, query in queries.items()}


def layout_of(engine: sa.Engine) -> dict[str, Any]:
    """All that counts of the tables; not the order of their columns, nor values by default, which programs give."""
    there = sa.inspect(engine)

    def ordered(found: Any) -> list[str]:
        return sorted(json.dumps({**one, "default": None}, default=str, sort_keys=True) for one in found)

    return {
        name: {
            "columns": ordered(there.get_columns(name)),
            "key": there.get_pk_constraint(name),
            "foreign keys": ordered(there.get_foreign_keys(name)),
            "indexes": ordered(there.get_indexes(name)),
            "unique": ordered(there.get_unique_constraints(name)),
        }
        for name in there.get_table_names()
    }


def differences(engine: sa.Engine) -> list[Any]:
    """What alembic would change for the tables to be as they are declared."""
    with engine.connect() as connection:
        return list(compare_metadata(MigrationContext.configure(connection), metadata))


def up_to_date(engine: sa.Engine) -> sa.Engine:
    """The database, whose tables have become those that are declared."""
    for _ in range(2):  # once it has grown, nothing is left to do
        prepare_tables(engine)
    assert differences(engine) == []
    return engine


@pytest.mark.filterwarnings("ignore:Computed default on filed")  # PostgreSQL writes the same in other words
@pytest.mark.parametrize("layout", LAYOUTS)
def test_nothing_is_lost_and_the_tables_are_those_of_a_new_database(
    make: Callable[[], sa.Engine], newest: dict[str, Any], layout: int
) -> None:
    old = make()
    leave_layout(old, layout)
    before = fill(old)
    up_to_date(old)
    assert rows_of(old, before) == before
    assert layout_of(old) == newest
    with old.connect() as connection:
        assert stored_version(connection) == HEAD


def test_what_deletions_left_behind_goes_and_nothing_else(make: Callable[[], sa.Engine]) -> None:
    engine = make()
    leave_layout(engine, 14)
    before = fill(engine)
    fill(engine, "b")
    with engine.begin() as connection:  # without a report, there are checks that belong to none
        for statement in (
            "DELETE FROM reports",
            "UPDATE checks SET report = NULL WHERE id = 'a'",
            "DELETE FROM collections WHERE id = 'b'",
            "DELETE FROM people WHERE id = 'b'",
        ):
            connection.execute(sa.text(statement))
    prepare_tables(engine)
    left = rows_of(engine, before)
    assert [row["report"] for row in left["checks"]] == [None], "b belonged to a report that is gone"
    assert (left["reports"], left["report_claims"]) == ([], [])
    for name in ("check_pages", "decisions", "collections", "filed", "people", "sessions", "tokens"):
        assert left[name] == before[name], name
    assert len(left["texts"]) == 2


def test_what_belongs_to_a_row_goes_with_it(make: Callable[[], sa.Engine]) -> None:
    engine = make()
    prepare_tables(engine)
    before = fill(engine)
    with engine.begin() as connection:
        for name in ("reports", "people"):
            connection.execute(sa.text(f"DELETE FROM {name}"))
    left = {name for name, rows in rows_of(engine, before).items() if rows}
    with_it = {"report_claims", "checks", "check_pages", "decisions", "filed", "sessions", "tokens"}
    assert before.keys() - left == {"reports", "people", *with_it}
    with pytest.raises(CheckGone):
        Decisions(engine).add("a", Label.REFUTED, "", "Ada", "p", None)
    assert not Collections(engine).file("a", CHECK, "a")
    sessions = Sessions(engine, Settings())
    assert sessions.find(sessions.begin(Account("a", "Ada", "reader"))) is None


def test_numbers_of_deleted_checks_are_not_given_again(make: Callable[[], sa.Engine]) -> None:
    engine = make()
    leave_layout(engine, 14)
    fill(engine)
    fill(engine, "b")
    with engine.begin() as connection:
        connection.execute(sa.text("DELETE FROM checks"))
    prepare_tables(engine)
    check = Checks(engine).get(Checks(engine).add("A claim.", "fast", 5))
    assert check is not None
    assert check.number == 3


def test_a_migration_that_fails_leaves_everything_as_it_was(make: Callable[[], sa.Engine]) -> None:
    engine = make()
    leave_layout(engine, 3)
    with engine.begin() as connection:  # the name of an index that the last step makes
        connection.execute(sa.text("CREATE INDEX ix_filed_report_id ON checks (claim)"))
    before, layout = fill(engine), layout_of(engine)
    with pytest.raises(sa.exc.DBAPIError):
        prepare_tables(engine)
    assert (rows_of(engine, before), layout_of(engine)) == (before, layout)
    with engine.begin() as connection:
        connection.execute(sa.text("DROP INDEX ix_filed_report_id"))
    prepare_tables(engine)
    assert rows_of(engine, before) == before


def test_many_processes_may_bring_it_up_to_date_at_once(make: Callable[[], sa.Engine]) -> None:
    engine = make()
    leave_layout(engine, 5)
    before = fill(engine)
    program = (
        "from app.tables.database import open_engine; from app.tables.migrations import prepare_tables;"
        "from retrieval.settings import Settings; prepare_tables(open_engine(Settings.from_environment()))"
    )
    where = {"DATA": str(Path(engine.url.database or "").parent)}
    if engine.dialect.name == "postgresql":
        where = {"DATABASE": engine.url.render_as_string(hide_password=False)}
    started = [
        subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, env={**os.environ, **where}) for _ in range(2)
    ]
    assert [process.wait(300) for process in started] == [0, 0]
    assert rows_of(engine, before) == before


def test_a_program_at_work_is_waited_for_and_not_in_its_way(postgresql: PostgreSQL) -> None:
    engine = open_engine(Settings(database=postgresql.database()))
    leave_layout(engine, 14)
    fill(engine)
    waiting = sa.text("SELECT count(*) FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())")  # fmt: skip
    with ThreadPoolExecutor() as pool, engine.connect() as watching:
        with engine.begin() as at_work:  # in the order in which a report is made
            at_work.execute(sa.text("UPDATE reports SET total = 2"))
            done = pool.submit(prepare_tables, engine)
            while not watching.execute(waiting).scalar():
                assert not done.done()
                watching.rollback()
            at_work.execute(sa.text("UPDATE report_claims SET error = 'b'"))
            at_work.execute(sa.text("UPDATE checks SET error = 'b'"))
        done.result()
    assert differences(engine) == []
    engine.dispose()


def test_a_database_of_a_newer_version_is_used_as_it_is(
    make: Callable[[], sa.Engine], caplog: pytest.LogCaptureFixture
) -> None:
    engine = make()
    prepare_tables(engine)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
        connection.execute(sa.text("ALTER TABLE checks ADD COLUMN from_tomorrow TEXT"))
    with caplog.at_level(logging.WARNING):
        prepare_tables(engine)
    assert "newer version of the program (9999" in caplog.text
    with engine.connect() as connection:
        assert stored_version(connection) == "9999"
    assert Checks(engine).get(Checks(engine).add("A claim.", "fast", 5)) is not None


def test_checks_of_the_first_version_are_shown(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "checks.sqlite") as database:
        database.execute(FIRST)
        row = (
            "a", "A claim.", "a claim.", "fast", "done", "[]", json.dumps(RECORD), "", "SUPPORTED", 0.6, 1,
            "2026-01-01T00:00:00.000Z", "2026-01-01T00:00:01.000Z",
        )  # fmt: skip
        names = (
            "id, claim, folded, recipe, state, stages, record, error, label, confidence, attempts, created, finished"
        )
        database.execute(f"INSERT INTO checks ({names}) VALUES ({', '.join('?' * len(row))})", row)
    database.close()
    engine = open_engine(Settings(data=tmp_path))
    prepare_tables(engine)
    check = Checks(engine).get("a")
    assert check is not None
    assert check.abstained is None
    shown = check_as_json(check.latest)["verdict"]
    assert (shown["label"], shown["abstained"], shown["grounded"]) == ("SUPPORTED", False, None)
    assert [listed.id for listed in Checks(engine).latest(5)] == ["a"]
    assert check.name is None
    assert Checks(engine).rename(check, "From the first version")
    assert [listed.name for listed in Checks(engine).latest(5, search="first version")] == ["From the first version"]
    engine.dispose()


def test_a_database_without_collections_gains_them(make: Callable[[], sa.Engine]) -> None:
    engine = make()
    leave_layout(engine, 7)
    before = fill(engine)
    prepare_tables(engine)
    collection_id = Collections(engine).add("New")
    assert Collections(engine).file(collection_id, CHECK, before["checks"][0]["id"])
    assert [one.title for one in Collections(engine).items(collection_id, 5)] == ["a"]
    assert not Collections(engine).file("none", CHECK, "a")
    assert not Collections(engine).file(collection_id, CHECK, "none")


def test_texts_of_an_earlier_version_are_shown(make: Callable[[], sa.Engine]) -> None:
    engine = make()
    leave_layout(engine, 8)
    fill(engine)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE texts SET state = 'reading', sentences = '[]'"))
    prepare_tables(engine)
    found = Texts(engine).get("a")
    assert found is not None
    assert (found.notes, found.source, found.origin) == ([], "", None)
    assert Texts(engine).finish("a", "en", [], ["Something was left out."])
    found = Texts(engine).get("a")
    assert found is not None
    assert found.notes == ["Something was left out."]


def test_the_claims_of_a_text_are_read_from_whichever_version_wrote_them(make: Callable[[], sa.Engine]) -> None:
    engine = make()
    prepare_tables(engine)
    text_id = Texts(engine).add("It rained.", "", "p")
    claim = {"text": "It rained.", "original": "It rained.", "start": 0, "end": 10, "score": 0.5, "kind": "claim"}
    written = claim | {"speaker": "", "context": "", "chosen": True}
    for stored in (claim, written, written | {"of_a_later_version": 1}):
        with engine.begin() as connection:
            connection.execute(sa.text("UPDATE texts SET sentences = :stored"), {"stored": json.dumps([stored])})
        found = Texts(engine).get(text_id)
        assert found is not None
        assert list(map(sentence_as_json, found.sentences)) == [written]


def test_settings_that_change_an_answer_ask_for_a_new_one() -> None:
    def key(settings: Settings) -> str:
        return cache_key("A claim.", "fast", "f" * 16, {"verdict": "v"}, settings)

    usual = key(Settings())
    assert usual == key(Settings(port=1, workers=9))
    assert (
        len({usual, key(Settings(abstain_below=0.5)), key(Settings(conflicting_from=0)), key(Settings(top_pages=3))})
        == 4
    )
