"""Signing in with OpenID Connect, against a provider on real HTTP: what it says is believed where all of it is right."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from flask import Flask
from flask.testing import FlaskClient
from joserfc.jwk import RSAKey

from app import create_app
from retrieval.settings import Settings
from tests.app.accounts.provider import CLIENT, SECRET, Provider, serving
from tests.app.fake import FakeResources


@pytest.fixture
def provider() -> Iterator[Provider]:
    with serving() as provider:
        yield provider


@pytest.fixture
def app(tmp_path: Path, provider: Provider) -> Iterator[Flask]:
    settings = Settings(
        data=tmp_path, accounts=True, oidc_issuer=provider.issuer, oidc_client=CLIENT, oidc_secret=SECRET
    )
    app = create_app(settings, FakeResources())
    yield app
    app.extensions["esoteric"].checks.engine.dispose()


def sent_back(client: FlaskClient) -> str:
    """Path to which the provider sends the browser back."""
    asked = client.get("/sign-in/openid")
    assert asked.status_code == 302, asked.text
    back = urlsplit(httpx.get(asked.headers["Location"]).headers["Location"])
    assert back.path == "/sign-in/openid/done"
    return f"{back.path}?{back.query}"


def who(client: FlaskClient) -> str:
    page = client.get("/account")
    return page.text.split("<dt>Name</dt><dd><bdi>")[1].split("<")[0] if page.status_code == 200 else ""


def test_the_provider_lets_somebody_in(app: Flask) -> None:
    client = app.test_client()
    assert "/sign-in/openid" in client.get("/sign-in").text
    assert client.get(sent_back(client)).status_code == 303
    assert who(client) == "grace"
    again = app.test_client()
    again.get(sent_back(again))
    assert who(again) == "grace"
    assert len(app.extensions["accounts"].people.all()) == 1


def test_a_name_that_is_taken_makes_nobody_else(app: Flask, provider: Provider) -> None:
    app.extensions["accounts"].people.add("ada", "admin", "correct horse battery")
    provider.lets_in = {"sub": "u-2", "preferred_username": "ada"}
    client = app.test_client()
    client.get(sent_back(client))
    assert who(client).startswith("ada-")
    assert "checker" in client.get("/account").text
    provider.lets_in = {"sub": "u-3", "name": "<b>Mallory</b> \u202e"}
    client = app.test_client()
    client.get(sent_back(client))
    assert who(client).startswith("b-mallory")


SPOILT: dict[str, Callable[[dict[str, Any]], None]] = {
    "issuer": lambda claims: claims.update(iss="https://other.example"),
    "audience": lambda claims: claims.update(aud="another client"),
    "expired": lambda claims: claims.update(exp=1),
    "nonce": lambda claims: claims.update(nonce="of somebody else"),
    "no subject": lambda claims: claims.pop("sub"),
    "empty subject": lambda claims: claims.update(sub=""),
    "number": lambda claims: claims.update(sub=7),
}


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT)
def test_a_token_that_is_not_right_lets_nobody_in(
    app: Flask, provider: Provider, spoil: Callable[[dict[str, Any]], None]
) -> None:
    provider.spoil = spoil
    client = app.test_client()
    answer = client.get(sent_back(client))
    assert answer.status_code == 401
    assert "could not be verified" in answer.text
    assert who(client) == ""


def test_a_token_that_somebody_else_signed(app: Flask, provider: Provider) -> None:
    provider.key = RSAKey.generate_key(2048, {"kid": "1"})
    client = app.test_client()
    assert client.get(sent_back(client)).status_code == 401


def test_an_answer_that_this_browser_did_not_ask_for(app: Flask, provider: Provider) -> None:
    mine, other = app.test_client(), app.test_client()
    back = sent_back(other)
    assert mine.get(back).status_code == 401
    assert parse_qs(urlsplit(back).query).keys() == {"code", "state"}
    assert other.get("/sign-in/openid/done?code=x&state=y").status_code == 401
    assert other.get("/sign-in/openid/done").status_code == 401
    assert other.get("/sign-in/openid/done?error=access_denied").status_code == 401
    assert provider.token_requests == 0


def test_a_provider_that_is_away(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, accounts=True, oidc_issuer="http://127.0.0.1:1", oidc_client=CLIENT)
    app = create_app(settings, FakeResources())
    answer = app.test_client().get("/sign-in/openid")
    assert answer.status_code == 503
    assert "does not answer" in answer.text
    app.extensions["esoteric"].checks.engine.dispose()


def test_without_a_provider_there_is_no_such_page(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path, accounts=True), FakeResources())
    assert app.test_client().get("/sign-in/openid").status_code == 404
    assert app.test_client().get("/sign-in/openid/done").status_code == 404
    app.extensions["esoteric"].checks.engine.dispose()
