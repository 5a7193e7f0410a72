"""The table of checks: what an earlier version left in it is read, and grows the columns it lacks."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import sqlalchemy as sa

from app.tables.checks import Checks
from app.tables.collections import CHECK, Collections
from app.tables.database import open_engine
from app.tables.migrations import VERSION, prepare_tables, stored_version
from app.tables.stored_record import cache_key
from app.tables.texts import Texts
from retrieval.settings import Settings

# The table as the first version made it.
FIRST = """
CREATE TABLE checks (
  number INTEGER PRIMARY KEY AUTOINCREMENT, id VARCHAR(32) NOT NULL UNIQUE, claim TEXT NOT NULL, folded TEXT NOT NULL,
  recipe VARCHAR(64) NOT NULL, state VARCHAR(16) NOT NULL, stages TEXT NOT NULL, record TEXT, partial TEXT,
  error TEXT NOT NULL, cache_key VARCHAR(64), label VARCHAR(32), confidence FLOAT, attempts INTEGER NOT NULL,
  created VARCHAR(32) NOT NULL, finished VARCHAR(32) NOT NULL
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
    for _ in range(2):  # once it has grown, nothing is left to do
        Checks(engine).create_table()
    check = Checks(engine).get("a")
    assert check is not None
    assert check.abstained is None
    shown = check.as_json()["verdict"]
    assert (shown["label"], shown["abstained"], shown["grounded"]) == ("SUPPORTED", False, None)
    assert [listed.id for listed in Checks(engine).latest(5)] == ["a"]
    assert (check.name, check.as_json()["name"]) == (None, "")
    assert Checks(engine).rename(check, "From the first version")
    assert [listed.name for listed in Checks(engine).latest(5, search="first version")] == ["From the first version"]
    engine.dispose()


def test_the_version_of_the_tables_is_written_down_and_never_lowered(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "checks.sqlite") as database:
        database.execute(FIRST)
    database.close()
    settings = Settings(data=tmp_path)
    engine = open_engine(settings)
    prepare_tables(engine, settings)
    with engine.begin() as connection:
        assert stored_version(connection) == VERSION
        connection.execute(sa.text("UPDATE kept SET value = '99' WHERE name = 'tables version'"))
        connection.execute(sa.text("ALTER TABLE checks ADD COLUMN from_tomorrow TEXT"))
    prepare_tables(engine, settings)
    with engine.connect() as connection:
        assert stored_version(connection) == 99
    assert Checks(engine).get(Checks(engine).add("A claim.", "fast", 5)) is not None
    engine.dispose()


def test_a_database_without_collections_gains_them(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    engine = open_engine(settings)
    prepare_tables(engine, settings)
    check_id = Checks(engine).add("A claim.", "fast", 5)
    with engine.begin() as connection:  # as version 7 left it
        for name in ("collections", "filed"):
            connection.execute(sa.text(f"DROP TABLE {name}"))
        connection.execute(sa.text("UPDATE kept SET value = '7' WHERE name = 'tables version'"))
    prepare_tables(engine, settings)
    collection_id = Collections(engine).add("New")
    assert Collections(engine).file(collection_id, CHECK, check_id)
    assert [one.title for one in Collections(engine).items(collection_id, 5)] == ["A claim."]
    assert not Collections(engine).file("none", CHECK, check_id)
    with engine.connect() as connection:
        assert stored_version(connection) == VERSION
    engine.dispose()


def test_texts_of_an_earlier_version_are_shown(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    engine = open_engine(settings)
    prepare_tables(engine, settings)
    text_id = Texts(engine).add("A text.", "Title", "me")
    with engine.begin() as connection:  # as version 8 left it
        for name in ("source", "published", "notes"):
            connection.execute(sa.text(f"ALTER TABLE texts DROP COLUMN {name}"))
    prepare_tables(engine, settings)
    found = Texts(engine).get(text_id)
    assert found is not None
    assert (found.as_json()["notes"], found.as_json()["source"]) == ([], None)
    assert Texts(engine).finish(text_id, "en", [], ["Something was left out."])
    assert Texts(engine).get(text_id).as_json()["notes"] == ["Something was left out."]  # type: ignore[union-attr]
    engine.dispose()


def test_settings_that_change_an_answer_ask_for_a_new_one() -> None:
    def key(settings: Settings) -> str:
        return cache_key("A claim.", "fast", "f" * 16, {"verdict": "v"}, settings)

    usual = key(Settings())
    assert usual == key(Settings(port=1, workers=9))
    assert (
        len({usual, key(Settings(abstain_below=0.5)), key(Settings(conflicting_from=0)), key(Settings(top_pages=3))})
        == 4
    )
