"""Servers that other machines can reach: their names, their proxies, what nobody may do there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask, request

from app import create_app
from app.errors import CannotStart
from app.http.proxies import read_networks
from app.starting import check_exposure
from retrieval.errors import SettingError
from retrieval.settings import Settings
from tests.app.conftest import token
from tests.app.fake import FakeResources

PROXY, OTHER = {"REMOTE_ADDR": "192.0.2.1"}, {"REMOTE_ADDR": "203.0.113.9"}


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    settings = Settings(data=tmp_path, host="0.0.0.0", trusted_hosts="facts.example", trusted_proxies="192.0.2.0/24")
    app = create_app(settings, FakeResources())
    app.add_url_rule("/who", view_func=lambda: f"{request.remote_addr} {request.url}")
    yield app
    app.extensions["esoteric"].checks.engine.dispose()


@pytest.mark.parametrize(
    ("given", "forwarded", "who"),
    [
        (PROXY, "198.51.100.7", "198.51.100.7 https://facts.example/who"),
        (PROXY, "6.6.6.6, 198.51.100.7, 192.0.2.5", "198.51.100.7 https://facts.example/who"),
        (OTHER, "198.51.100.7", "203.0.113.9 http://facts.example/who"),
    ],
)
def test_a_proxy_is_believed_and_nobody_else(app: Flask, given: dict[str, str], forwarded: str, who: str) -> None:
    headers = {"Host": "facts.example", "X-Forwarded-For": forwarded, "X-Forwarded-Proto": "https"}
    assert app.test_client().get("/who", headers=headers, environ_base=given).text == who


def test_a_forged_host_is_refused_whoever_says_it(app: Flask) -> None:
    client = app.test_client()
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 400
    headers = {"Host": "facts.example", "X-Forwarded-Host": "evil.example"}
    assert client.get("/who", headers=headers, environ_base=PROXY).status_code == 400
    assert client.get("/who", headers=headers, environ_base=OTHER).status_code == 200


def test_cookies_are_secure_under_tls(app: Flask) -> None:
    client, headers = app.test_client(), {"Host": "facts.example", "X-Forwarded-Proto": "https"}
    assert "Secure" in client.get("/", headers=headers, environ_base=PROXY).headers["Set-Cookie"]
    assert "Secure" not in app.test_client().get("/", headers={"Host": "facts.example"}).headers["Set-Cookie"]


@pytest.mark.parametrize("path", ["/", "/facts/"], ids=["taken away", "left in"])
def test_a_prefix_of_a_proxy_stands_before_every_address(app: Flask, path: str) -> None:
    client = app.test_client()
    headers = {"Host": "facts.example", "X-Forwarded-Proto": "https", "X-Forwarded-Prefix": "/facts/"}
    page = client.get(path, headers=headers, environ_base=PROXY)
    assert page.status_code == 200
    addresses = re.findall(r'(?:href|src|action)="(/[^"]*)"', page.text)
    assert addresses
    assert all(address.startswith("/facts/") for address in addresses), addresses
    assert "Path=/facts;" in page.headers["Set-Cookie"]
    static = next(address for address in addresses if "/static/" in address)
    with client.get(static.removeprefix("/facts"), headers=headers, environ_base=PROXY) as file:
        assert file.status_code == 200
    found = client.get("/api/openapi.json", headers=headers, environ_base=PROXY).json
    assert found["servers"] == [{"url": "/facts"}]


@pytest.mark.parametrize("prefix", ["//evil.example", "/a b", "/../x", "facts", '/"><b>'])
def test_a_prefix_that_is_none_is_ignored(app: Flask, prefix: str) -> None:
    headers = {"Host": "facts.example", "X-Forwarded-Prefix": prefix}
    assert app.test_client().get("/who", headers=headers, environ_base=PROXY).text.endswith("http://facts.example/who")


def test_nobody_else_sets_a_prefix(app: Flask) -> None:
    page = app.test_client().get(
        "/", headers={"Host": "facts.example", "X-Forwarded-Prefix": "/facts"}, environ_base=OTHER
    )
    assert "/facts" not in page.text
    assert "Path=/;" in page.headers["Set-Cookie"]


@pytest.mark.parametrize(
    "settings",
    [
        {"host": "0.0.0.0", "trusted_hosts": "facts.example"},
        {"trusted_proxies": "192.0.2.0/24"},  # on this machine only, but a proxy lets others in
    ],
)
def test_nobody_deletes_everything_from_elsewhere(tmp_path: Path, settings: dict[str, str]) -> None:
    app = create_app(Settings(data=tmp_path, **settings), FakeResources())  # type: ignore[arg-type]
    app.config["TRUSTED_HOSTS"] = None
    client = app.test_client()
    app.extensions["esoteric"].checks.add("A claim.", "fast", 5)
    assert "history/delete" not in client.get("/history").text
    refused = client.post("/history/delete", data={"csrf_token": token(client), "sure": "yes"})
    assert refused.status_code == 403
    assert app.extensions["esoteric"].checks.count() == 1
    app.extensions["esoteric"].checks.engine.dispose()


def test_a_server_that_others_reach_needs_its_names() -> None:
    with pytest.raises(CannotStart, match="TRUSTED_HOSTS"):
        check_exposure(Settings(host="0.0.0.0"))
    assert check_exposure(Settings()) == ""
    assert "no accounts" in check_exposure(Settings(host="0.0.0.0", trusted_hosts="facts.example"))
    with pytest.raises(SettingError, match="TRUSTED_PROXIES"):
        read_networks("anything")
