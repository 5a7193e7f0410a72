"""A check comes back from its table as it was; each page's text is written once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from app.tables import stored_record
from app.tables.checks import Checks
from app.tables.database import open_engine
from app.tables.migrations import prepare_tables
from retrieval.output.record import dump_check
from retrieval.settings import Settings
from retrieval.types import Claim, Evidence, FactCheck, Hit, Page, Sentence, Stance
from tests.app.fake import PAGES, FakeResources


def whole(text: str = "A claim.") -> FactCheck:
    return FakeResources().pipeline("fast").run(Claim("a", text))


@pytest.fixture
def checks(database: str, tmp_path: Path) -> Iterator[Checks]:
    engine = open_engine(Settings(data=tmp_path, database=database))
    checks = Checks(engine)
    prepare_tables(engine)
    yield checks
    engine.dispose()


@given(st.text(), st.integers(-3, 9), st.integers(-3, 9), st.sampled_from(["p", "another"]))
def test_whatever_a_sentence_says_it_comes_back(text: str, start: int, end: int, page_id: str) -> None:
    """Also one that stands nowhere in a page, or outside its offsets."""
    sentence = Sentence(page_id, "Title", 0, start, end, text)
    page = Page("p", "Title", "Some text.", ((0, 0, 10),))
    evidence = Evidence(sentence, 0.5, Stance(0.5, 0.25, 0.25), "claim")
    check = FactCheck(Claim("a", "A."), pages=(Hit(page, 1.0, "text"),), sentences=(evidence,), evidence=(evidence,))
    stored, pages = stored_record.split(check)
    assert stored_record.join(stored, {name: json.dumps(page) for name, page in pages.items()}) == check


def test_the_record_holds_no_page_text() -> None:
    check = whole()
    stored, pages = stored_record.split(check)
    assert [page["text"] for page in pages.values()] == [page.text for page in PAGES]
    assert "two Nobel Prizes" not in stored.replace(json.dumps(check.verdict.reason if check.verdict else ""), "")


def test_a_record_of_an_earlier_version_is_read() -> None:
    check = whole()
    assert stored_record.join(json.dumps(dump_check(check)), {}) == check


def test_two_pages_of_one_name_are_two() -> None:
    """As where a loader switched the corpus under a check."""
    old, new = PAGES[0], replace(PAGES[0], text="Other text.", lines=((0, 0, 11),))
    check = replace(whole(), pages=(Hit(old, 1.0, "text"), Hit(new, 0.5, "text")), sentences=(), evidence=())
    stored, pages = stored_record.split(check)
    assert stored_record.join(stored, {name: json.dumps(page) for name, page in pages.items()}) == check


def test_each_page_is_written_once_and_goes_with_its_check(checks: Checks) -> None:
    written: list[object] = []
    listen = lambda *given: written.append(given[2]) if "INSERT INTO check_pages" in given[2] else None  # noqa: E731
    sa.event.listen(checks.engine, "before_cursor_execute", listen)
    ids = [checks.add("A claim.", "fast", 10) for _ in range(2)]
    for check_id in ids:
        attempt = checks.take_up(check_id).attempts
        check = replace(whole(), claim=Claim(check_id, "A claim."))
        assert checks.write(check_id, attempt, FactCheck(check.claim), None, [])
        for complete, within in ((check, None), (None, check), (check, None)):
            assert checks.write(check_id, attempt, complete, within, [])
        assert checks.finish(check_id, attempt, check, None)
        stored = checks.get(check_id)
        assert stored is not None
        assert stored.complete == check
    assert len(written) == 2
    assert checks.delete([ids[0]])
    with checks.engine.connect() as connection:
        assert not stored_record.read_pages(connection, ids[0])
        assert len(stored_record.read_pages(connection, ids[1])) == len(PAGES)
    assert checks.delete([ids[1]]) == 1
    with checks.engine.connect() as connection:
        assert not stored_record.read_pages(connection, ids[1])


def test_an_attempt_that_was_taken_over_writes_no_page(checks: Checks) -> None:
    check_id = checks.add("A claim.", "fast", 10)
    late = checks.take_up(check_id).attempts
    assert checks.write(check_id, late, FactCheck(Claim(check_id, "A claim.")), None, [])
    assert checks.take_up(check_id).attempts == late + 1
    assert not checks.write(check_id, late, whole(), None, [])
    with checks.engine.connect() as connection:
        assert not stored_record.read_pages(connection, check_id)


def test_the_settings_that_decided_show_no_password() -> None:
    settings = Settings(llm_model="a-model", llm_url="http://ann:secret@models.example.org/v1")
    shown = stored_record.deciding_values("aic", settings)
    assert shown["llm_url"] == "http://***@models.example.org/v1"
    assert "secret" not in str(shown)
