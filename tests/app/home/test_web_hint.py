"""Each form that offers the open web says what leaves the machine; where it is switched off, none does."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from flask import Flask
from flask.testing import FlaskClient

from app.tables import checks
from retrieval.settings import Settings
from tests.app.conftest import wait, working_app
from tests.app.fake import FakeResources

SEARCH = "search.example"


@pytest.fixture(scope="module", params=["off", "searxng"])
def web(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def app(data: Path, web: str) -> Iterator[Flask]:
    settings = Settings(data=data / web, web=web, web_url=f"https://{SEARCH}" if web != "off" else "")
    yield from working_app(settings, FakeResources())


def form(client: FlaskClient, name: str) -> str:
    """The address of a page that asks what to check against."""
    if name == "review":
        text = {"text": "Warsaw is the capital of Poland. It lies on the Vistula."}
        return f"/texts/{client.post('/api/texts', json=text).json['id']}"
    if name == "table":
        table = (io.BytesIO(b"claim\nWarsaw is the capital of Poland.\nIt lies on the Vistula.\n"), "claims.csv")
        return f"/tables/{client.post('/api/tables', data={'file': table}).json['id']}"
    return {"home": "/", "compare": "/compare"}[name]


@pytest.mark.parametrize("name", ["home", "review", "table", "compare"])
def test_what_leaves_the_machine_is_said_where_it_is_chosen(client: FlaskClient, web: str, name: str) -> None:
    shown = client.get(form(client, name)).text
    assert "<h1" in shown
    assert "Check against" in shown
    on = web != "off"
    assert ("the open web" in shown) is on
    assert shown.count("leaves this machine") == int(on)
    assert (f"<code>{SEARCH}</code>" in shown) is on


def test_the_open_web_is_offered_to_a_check_that_did_not_read_it(app: Flask, client: FlaskClient, web: str) -> None:
    made = client.post("/api/checks", json={"claim": "Of this not enough is known."}).json
    wait(client, made["id"])
    for against, offered in (("", False), ("upload:a", web != "off"), ("upload:a+web", False)):
        with app.extensions["esoteric"].checks.engine.begin() as connection:
            connection.execute(sa.update(checks.table).where(checks.table.c.id == made["id"]).values(against=against))
        shown = client.get(f"/checks/{made['id']}").text
        assert "What you can do:" in shown
        assert ("Search the open web" in shown) == offered, against
