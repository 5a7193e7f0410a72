"""A server with accounts, and people on it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from app.accounts.service import Accounts
from retrieval.settings import Settings
from tests.app.conftest import token, working_app
from tests.app.fake import FakeResources

PASSWORD = "correct horse battery"
PEOPLE = {"ada": "admin", "chen": "checker", "dora": "checker", "rui": "reader"}
SignIn = Callable[[str], FlaskClient]


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    data: Path = tmp_path_factory.mktemp("data")
    return Settings(data=data, accounts=True, login_limit=0)


@pytest.fixture(scope="module")
def app(settings: Settings) -> Iterator[Flask]:
    for app in working_app(settings, FakeResources()):
        own: Accounts = app.extensions["accounts"]
        for name, role in PEOPLE.items():
            own.people.add(name, role, PASSWORD)
        yield app


@pytest.fixture
def sign_in(app: Flask) -> SignIn:
    """A browser of somebody who is signed in."""

    def begin(name: str) -> FlaskClient:
        client = app.test_client()
        answer = enter(client, name)
        assert answer.status_code == 303, answer.text
        return client

    return begin


def enter(client: FlaskClient, name: str, password: str = PASSWORD, **more: str) -> TestResponse:
    """Send the form of the sign-in page."""
    form = {"csrf_token": token(client, "/sign-in"), "name": name, "password": password, **more}
    return client.post("/sign-in", data=form)


def post(client: FlaskClient, path: str, page: str = "/account", **form: str) -> TestResponse:
    """Send a form with its token."""
    return client.post(path, data={"csrf_token": token(client, page), **form})


def made_token(client: FlaskClient, name: str) -> str:
    """A token of theirs, as the page shows it."""
    found = re.search(r"esoteric_[\w-]+", post(client, "/account/tokens", name=name).text)
    assert found
    return found[0]
