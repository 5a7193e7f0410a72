"""`WEB=pages`: the page at a typed address is fetched, and checks search nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from retrieval.settings import Settings
from tests.app.conftest import working_app
from tests.app.fake import FakeResources
from tests.retrieval.web.hostile_web import HostileWeb, article, hostile_web

TRUE = "The tram line to the harbour of Brackwater was opened in 1987 by the mayor."


@pytest.fixture(scope="module")
def web() -> Iterator[HostileWeb]:
    with hostile_web() as found:
        found.pages["/tram"] = article(TRUE, "The harbour tram")
        yield found


@pytest.fixture(scope="module")
def app(data: Path) -> Iterator[Flask]:
    yield from working_app(Settings(data=data, web="pages", web_private="127.0.0.1"), FakeResources())


def test_a_typed_address_is_fetched_without_a_search_engine(client: FlaskClient, web: HostileWeb) -> None:
    home = client.get("/").text
    assert "If you enter the address of a page, the page is fetched" in home
    assert "open web" not in home
    found = client.post("/api/texts", json={"address": f"{web.url}/tram"})
    assert found.json["title"] == "The harbour tram"


def test_checks_search_nothing(app: Flask, client: FlaskClient) -> None:
    assert not app.extensions["esoteric"].sources.reads_web(None)
    refused = client.post("/api/checks", json={"claim": TRUE, "against": "web"})
    assert "does not search the open web" in refused.json["detail"]
