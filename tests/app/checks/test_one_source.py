"""A verdict that rests on one page says so, wherever a person or a program reads it."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace

import pytest
from flask import Flask
from flask.testing import FlaskClient

from retrieval.output.report import check_as_text
from retrieval.text.witnesses import titles_note
from retrieval.types import Claim, Evidence, FactCheck, Hit, Label, Stance, Verdict
from retrieval.verdicts.reasons import ONE_SOURCE
from tests.app.fake import PAGES

CURIE = PAGES[0]
QUOTED = Evidence(CURIE.sentences()[2], 0.9, Stance(0.9, 0.0, 0.1), "claim")
TITLED = replace(
    QUOTED, sentence=replace(CURIE.sentences()[0], title="<b>Curie</b> was born in Paris"), title_read=False
)
CHECK = FactCheck(
    Claim("", "Marie Curie was born in Warsaw."),
    pages=(Hit(CURIE, 1.0, "text"),),
    sentences=(QUOTED, TITLED),
    evidence=(QUOTED,),
    verdict=Verdict(Label.SUPPORTED, {Label.SUPPORTED: 1.0}, "It says so.", "m", one_source=True),
    notes=(titles_note([TITLED]),),
)


@pytest.fixture(scope="module")
def addresses(app: Flask) -> list[str]:
    """Of two finished checks: one whose verdict rests on one page, one whose verdict does not."""
    checks, made = app.extensions["esoteric"].checks, []
    for verdict in (CHECK.verdict, replace(CHECK.verdict or Verdict(Label.SUPPORTED, {}, "", ""), one_source=False)):
        check_id = checks.add(CHECK.claim.text, CHECK.recipe, 100)
        record = replace(CHECK, claim=replace(CHECK.claim, id=check_id), verdict=verdict)
        assert checks.finish(check_id, checks.take_up(check_id).attempts, record, None)
        made.append(f"/checks/{check_id}")
    return made


def words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def test_page_json_and_exports_say_it(client: FlaskClient, addresses: list[str]) -> None:
    for address, one in zip(addresses, (True, False), strict=True):
        assert (ONE_SOURCE in words(client.get(address).text)) is one
        for told in (client.get(f"/api{address}").json, client.get(f"{address}.json").json):
            assert told["verdict"]["one_source"] is one
        (row,) = csv.DictReader(io.StringIO(client.get(f"{address}.csv").text.removeprefix("\ufeff")))
        assert row["one_source"].casefold() == str(one).casefold()
        assert (ONE_SOURCE in client.get(f"{address}.md").text) is one


def test_the_command_line_says_it() -> None:
    assert ONE_SOURCE in " ".join(check_as_text(CHECK).split())


def test_a_title_that_was_not_read_is_told_as_text(client: FlaskClient, addresses: list[str]) -> None:
    shown = client.get(addresses[0]).text
    assert "A title is not evidence: sentences under “&lt;b&gt;Curie&lt;/b&gt; was born in Paris”" in shown
