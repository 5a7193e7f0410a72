"""Backup, restore, and what is deleted: on both databases, by comparing every answer."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from flask import Flask

from app import create_app
from app.errors import CannotStart
from app.jobs import retention
from app.tables.backup import TABLES, back_up, restore
from app.tables.checks import Checks, table
from app.tables.claim_tables import ClaimTables
from app.tables.claim_tables import table as claim_tables
from app.tables.collections import CHECK, REPORT, Collections
from app.tables.database import database_url, metadata, open_engine
from app.tables.decisions import Decisions
from app.tables.documents import Documents
from app.tables.documents import table as documents
from app.tables.migrations import prepare_tables
from app.tables.reports import NewReport, ReportClaim, Reports
from app.tables.reports import table as reports_table
from app.tables.texts import Texts
from app.tables.texts import table as texts_table
from retrieval.output.record import dump_check
from retrieval.output.tables.reading import Table, table_as_json
from retrieval.settings import Settings
from retrieval.types import Label
from tests.app.fake import FakeResources
from tests.app.process import ROOT
from tests.retrieval.records import whole_check
from tests.services import PostgreSQL

TOLD = b"0 audit, 1 claim_tables, 1 collections, 1 documents, 0 kept, 0 people, 1 reports, 0 spending, 1 texts, 13 checks, 2 report_claims, 0 tokens, 8 check_pages, 1 decisions, 2 filed\n"
PARTS = (".json", ".md", ".csv", ".jsonld", "")


def fill(settings: Settings, count: int = 12) -> None:
    """Checks in all states, with records, and an upload."""
    engine = open_engine(settings)
    prepare_tables(engine)
    checks, uploaded = Checks(engine), Documents(engine)
    for number in range(count):
        check_id = checks.add(f"Claim {number} — “ä”.", "fast", 1_000, person="p")
        if number % 3:
            stages = [{"name": "a", "state": "done", "done": 1, "total": 1, "ms": 5}]
            checks.write(check_id, 0, whole_check(), None, stages)
            checks.finish(check_id, 0, whole_check(), f"key {number}")
        elif number:
            checks.fail(check_id, "It failed.")
    checks.rename(checks.latest(1)[0], "A name")
    uploaded.finish(uploaded.add("notes.txt", 1, "p"), 1, b"\x00\xff a knowledge file")
    fill_report(engine, check_id)
    engine.dispose()


def fill_report(engine: sa.Engine, check_id: str) -> None:
    """A text, a table, and a report with a claim that a person has decided about."""
    texts, reports = Texts(engine), Reports(engine)
    ClaimTables(engine).add("claims.csv", table_as_json(Table(("claim",), (("It rained.",),), 1, True), 100), "p")
    texts.finish(texts.add("It rained.", "", "p"), "en", [])
    two = [
        ReportClaim("It rained.", "It rained.", 0, 10),
        ReportClaim("Too long.", "Too long.", error="It is too long."),
    ]
    report_id = reports.add(NewReport("Rain", "It rained.", two, "fast", person="p"), {"corpus": None})
    reports.cancel(report_id)
    Decisions(engine).add(check_id, Label.REFUTED, "No.", "Ada", "p", None)
    collection_id = Collections(engine).add("Weather")
    for kind, item_id in ((CHECK, check_id), (REPORT, report_id)):
        Collections(engine).file(collection_id, kind, item_id)


def answers(settings: Settings) -> list[tuple[int, bytes]]:
    """All that can be asked about what is stored."""
    app = create_app(settings, FakeResources())
    client = app.test_client()
    found = app.extensions["esoteric"].checks.latest(100)
    paths = [f"/checks/{check.id}{part}" for check in found for part in PARTS if check.state == "done" or part != ""]
    paths += [f"/api/checks/{check.id}" for check in found] + ["/api/checks?limit=100", "/api/documents"]
    paths += [f"/api/reports/{one['id']}" for one in client.get("/api/reports").json["reports"]]
    paths += [f"/api/collections/{one['id']}" for one in client.get("/api/collections").json["collections"]]
    with app.extensions["esoteric"].checks.engine.connect() as connection:
        paths += [f"/api/tables/{table_id}" for table_id in connection.execute(sa.select(claim_tables.c.id)).scalars()]
    told = []
    for path in paths:
        answer = client.get(path)
        body = b"" if answer.mimetype in ("text/html", "application/problem+json") else answer.data
        told.append((answer.status_code, body))
    app.extensions["esoteric"].checks.engine.dispose()
    return told


@pytest.fixture(params=["sqlite", "postgresql"])
def places(request: pytest.FixtureRequest, tmp_path: Path, postgresql: PostgreSQL) -> tuple[Settings, Settings]:
    """A place with checks, and an empty one of the other kind."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    here, there = Settings(data=tmp_path / "a"), Settings(data=tmp_path / "b", database=postgresql.database())
    return (here, there) if request.param == "sqlite" else (there, here)


def test_every_answer_is_the_same_after_restore(places: tuple[Settings, Settings], tmp_path: Path) -> None:
    here, there = places
    fill(here)
    before = answers(here)
    assert len(before) > 40
    counts = back_up(here, tmp_path / "all.zip")
    assert counts["checks"] == 13, "a claim that cannot be checked has a failed check"
    assert (tmp_path / "all.zip").stat().st_mode & 0o077 == 0
    assert restore(there, tmp_path / "all.zip") == counts
    assert answers(there) == before
    engine = open_engine(there)
    assert Checks(engine).add("One more.", "fast", 1_000)  # the numbers go on
    content = Documents(engine).content(Documents(engine).all()[0].id)
    assert content == b"\x00\xff a knowledge file"
    engine.dispose()
    with pytest.raises(CannotStart, match="empty"):
        restore(there, tmp_path / "all.zip")


def test_no_table_is_forgotten() -> None:
    assert {table.name for table in TABLES} | {"sessions", "workers", "loads"} == set(metadata.tables)


def test_what_an_earlier_version_left_of_a_deletion_is_not_restored(
    places: tuple[Settings, Settings], tmp_path: Path
) -> None:
    """Its backup may hold decisions about checks that are gone, and any order of tables."""
    here, there = places
    fill(here)
    counts = back_up(here, tmp_path / "new.zip")
    with zipfile.ZipFile(tmp_path / "new.zip") as new, zipfile.ZipFile(tmp_path / "old.zip", "w") as old:
        for name in reversed(new.namelist()):
            content = new.read(name).decode()
            if name == "decisions.jsonl":
                content += json.dumps(json.loads(content) | {"check_id": "gone"}) + "\n"
            if name == "manifest.json":
                counts["decisions"] += 1
                content = json.dumps({"version": 14, "rows": counts})
            old.writestr(name, content)
    assert restore(there, tmp_path / "old.zip") == counts
    assert answers(there) == answers(here)
    engine = open_engine(there)
    assert Decisions(engine).of(["gone"]) == {}
    engine.dispose()


def test_a_backup_that_is_none_and_a_place_that_is_taken(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    (tmp_path / "x.zip").write_bytes(b"no archive")
    with pytest.raises(CannotStart, match="not a readable backup"):
        restore(settings, tmp_path / "x.zip")
    with pytest.raises(CannotStart, match="already exists"):
        back_up(settings, tmp_path / "x.zip")


def test_the_command(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    fill(Settings(data=tmp_path / "a"))
    command = [sys.executable, "-m", "app", "backup", str(tmp_path / "all.zip")]
    done = subprocess.run(command, cwd=ROOT, env={"DATA": str(tmp_path / "a"), "PATH": "/bin"}, capture_output=True)
    assert (done.returncode, done.stdout) == (0, TOLD), done.stderr
    nameless = subprocess.run(command[:-1], cwd=ROOT, env={"DATA": str(tmp_path / "a")}, capture_output=True)
    assert (nameless.returncode, b"Name the file" in nameless.stderr) == (2, True)


@pytest.fixture
def app(tmp_path: Path, database: str) -> Iterator[Flask]:
    app = create_app(Settings(data=tmp_path, database=database, keep_days=10, keep_uploads_days=5), FakeResources())
    yield app
    app.extensions["esoteric"].checks.engine.dispose()


def test_what_is_old_goes_and_what_is_not_stays(app: Flask) -> None:
    own = app.extensions["esoteric"]
    own.retention.delete_all()
    for found in own.documents.all():
        own.retention.delete_documents(found.id)
    ended, fresh, waiting = (own.checks.add(f"Claim {n}.", "fast", 10_000) for n in range(3))
    collection_id = own.collections.add("Kept apart")
    for check_id in (ended, fresh):
        own.checks.fail(check_id, "It failed.")
        own.collections.file(collection_id, CHECK, check_id)
    old_upload, new_upload = (own.documents.add(name, 1) for name in "ab")
    quotes = own.checks.add("Quotes it.", "fast", 10_000, f"upload:{old_upload}")
    long_ago = (datetime.now(UTC) - timedelta(days=11)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    with own.checks.engine.begin() as connection:
        connection.execute(sa.update(table).where(table.c.id == ended).values(finished=long_ago))
        connection.execute(sa.update(table).where(table.c.id == waiting).values(created=long_ago))
        connection.execute(sa.update(documents).where(documents.c.id == old_upload).values(created=long_ago))
    assert own.retention.delete_old() == (1, 1)
    assert {check.id for check in own.checks.latest(100)} == {fresh, waiting}
    assert [found.id for found in own.documents.all()] == [new_upload]
    assert own.checks.get(quotes) is None
    assert [one.id for one in own.collections.items(collection_id, 9)] == [fresh], "filing keeps nothing"


def test_what_a_person_has_signed_is_kept_and_old_reports_go(app: Flask) -> None:
    own = app.extensions["esoteric"]
    own.retention.delete_all()
    signed = own.checks.add("Signed.", "fast", 10_000)
    own.checks.fail(signed, "It failed.")
    own.decisions.add(signed, Label.REFUTED, "", "Ada", "p", None)
    reports, made_with = own.reports, {"corpus": None}
    kept, gone = (
        reports.add(NewReport(name, "", [ReportClaim(name, name)], "fast", person="p"), made_with)
        for name in ("Kept", "Gone")
    )
    for report_id in (kept, gone):
        ((check_id, _),) = reports.feed(report_id)
        own.checks.fail(check_id, "It failed.")
        reports.feed(report_id)
    own.decisions.add(reports.rows(kept)[0].check_id, Label.SUPPORTED, "", "Ada", "p", 0)
    text_id = own.texts.add("Old.", "", "p")
    long_ago = (datetime.now(UTC) - timedelta(days=11)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    with own.checks.engine.begin() as connection:
        for one in (table, reports_table):
            connection.execute(sa.update(one).values(finished=long_ago, created=long_ago))
        connection.execute(sa.update(texts_table).values(created=long_ago))
    own.retention.delete_old()
    assert [report.title for report in reports.latest(10)] == ["Kept"]
    assert own.checks.get(signed) is not None
    assert own.checks.get(reports.rows(kept)[0].check_id) is not None
    assert own.texts.get(text_id) is None
    own.retention.delete_all()
    assert own.checks.get(signed) is None
    assert reports.latest(10) == []
    assert own.decisions.of([signed]) == {}


def test_a_great_many_checks_are_deleted_and_leave_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "DELETED_AT_ONCE", 300)
    settings = Settings(data=tmp_path)
    app = create_app(settings, FakeResources())
    own = app.extensions["esoteric"]
    own.queue.open()
    own.checks.add("The first.", "fast", 10)
    row = own.checks.latest(1)[0]
    record = "trace of a claim " * 600 + str(len(dump_check(whole_check())))
    rows = [
        {"id": f"id{n}", "claim": "x", "folded": "x", "recipe": "fast", "state": "done", "record": record, "attempts": 0,
         "stages": "[]", "error": "", "created": row.created, "finished": row.created}
        for n in range(2_000)
    ]  # fmt: skip
    with own.checks.engine.begin() as connection:
        connection.execute(sa.insert(table), rows)
    file = Path(database_url(settings).database or "")
    assert file.stat().st_size > 15_000_000
    assert own.retention.delete_all() == 2_001
    assert file.stat().st_size < 3_000_000
    assert b"trace of a claim" not in file.read_bytes()
    own.worker.close()
    own.checks.engine.dispose()
