"""What a SearXNG answers whose engines fail, and where people read of it: on pages, over HTTP and in files, by the command line."""

from __future__ import annotations

import csv
import html
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from retrieval.__main__ import main
from retrieval.resources import Resources
from retrieval.settings import Settings
from tests.app.conftest import wait, working_app
from tests.app.reports.waiting import wait_report
from tests.retrieval.web.hostile_web import HostileWeb, article, hostile_web

CLAIM = "Marie Curie won two Nobel Prizes."
PAGE = b"<!DOCTYPE html><html><head><title>SearXNG</title></head><body><form action=/search></form></body></html>"


def answer(silent: object, *addresses: str) -> bytes:
    """A whole answer in SearXNG's form, a pair of name and reason for each engine that failed."""
    results = [{"url": url, "title": "t", "content": "c", "engine": "bing", "engines": ["bing"]} for url in addresses]
    whole = {
        "query": CLAIM,
        "number_of_results": 0,
        "results": results,
        "answers": [],
        "corrections": [],
        "infoboxes": [],
    }
    return json.dumps({**whole, "suggestions": [], "unresponsive_engines": silent}).encode()


FORMS = {  # name: status, body, what must be read of it
    "all suspended": (
        200,
        answer(
            [["brave", "Suspended: too many requests"], ["google", "Suspended: access denied"], ["qwant", "timeout"]]
        ),
        ("found no page", "brave (Suspended: too many requests); google (Suspended: access denied); qwant (timeout)"),
    ),
    "in German": (200, answer([["google", "Ausgesetzt: CAPTCHA"]]), ("google (Ausgesetzt: CAPTCHA)", "says nothing")),
    "crashed": (200, answer([["bing", "unexpected crash: list index out of range"]]), ("bing (unexpected crash",)),
    "asked too often": (429, b"Too Many Requests", ("could not be searched", "asked too often (429)")),
    "no JSON": (200, PAGE, ("could not be searched", "Add `json` to `search.formats`")),
    "forbidden": (403, PAGE, ("could not be searched", "Add `json` to `search.formats`")),
    "ended": (500, PAGE, ("could not be searched", "answered 500")),
}


@pytest.fixture(scope="module")
def web() -> Iterator[HostileWeb]:
    with hostile_web() as found:
        found.pages["/curie"] = article(CLAIM, "Two prizes")
        yield found


@pytest.fixture(scope="module")
def settings(data: Path, web: HostileWeb, sample_folder: Path) -> Settings:
    return Settings(data=data, store=str(sample_folder), web="searxng", web_url=web.url, web_private="127.0.0.1")


@pytest.fixture(scope="module")
def app(settings: Settings) -> Iterator[Flask]:
    resources = Resources(replace(settings, recipe="fast"))
    yield from working_app(settings, resources)
    resources.close()


@pytest.mark.parametrize("form", FORMS)
def test_a_check_says_that_the_web_was_not_searched(client: FlaskClient, web: HostileWeb, form: str) -> None:
    web.status, web.body, told = FORMS[form]
    made = client.post("/api/checks", json={"claim": CLAIM, "recipe": "fast", "fresh": True}).json
    done = wait(client, made["id"])
    read(" ".join(done["notes"]), told)
    read(client.get(f"/checks/{made['id']}").text, told)
    read(client.get(f"/checks/{made['id']}.md").text, told)


def test_so_does_a_report_wherever_it_is_read(client: FlaskClient, web: HostileWeb) -> None:
    web.status, web.body, told = FORMS["all suspended"]
    found = client.post("/api/texts", json={"text": f"{CLAIM} Marie Curie was born in Warsaw."}).json
    report = client.post("/api/reports", json={"text_id": found["id"], "recipe": "fast", "fresh": True}).json["id"]
    assert wait_report(client, report)["state"] == "done"
    for path in ("?claim=1", "/claims/1", ".html", ".md"):
        read(client.get(f"/reports/{report}{path}").text, told)
    rows = csv.DictReader(io.StringIO(client.get(f"/reports/{report}.csv").text.removeprefix("\ufeff")))
    for row in rows:
        read(row["notes"], told)


def test_and_the_command_line(
    settings: Settings,
    web: HostileWeb,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("store", "web", "web_url", "web_private"):
        monkeypatch.setenv(name.upper(), str(getattr(settings, name)))
    monkeypatch.setenv("DATA", str(tmp_path))
    silent = [["brave", "Suspended: too many requests"]]
    web.status, web.body, told = 200, answer(silent, f"{web.url}/curie"), ("brave (Suspended", "pages may be missing")
    assert main(["check", CLAIM, "--recipe", "fast"]) == 0
    read(capsys.readouterr().out, told)
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text(f"claim\n{CLAIM}\n", "utf-8")
    assert main(["batch", str(source), "--out", str(target), "--recipe", "fast"]) == 0
    (row,) = csv.DictReader(io.StringIO(target.read_text("utf-8-sig")))
    read(row["notes"], told)


def read(shown: str, told: tuple[str, ...]) -> None:
    plain = html.unescape(shown).replace("<code>", "`").replace("</code>", "`").replace("\\", "")
    assert not [words for words in told if words not in plain], plain[-3000:]
