"""The page of people: admins do there what `python -m app user` does, and one admin always stays."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from app import create_app
from app.accounts.service import Accounts
from app.tables.people import AccountError
from retrieval.settings import Settings
from tests.app.accounts.conftest import PASSWORD, PEOPLE, SignIn, enter, made_token, post
from tests.app.fake import FakeResources

FORMS = ("", "/role", "/password", "/tokens", "/remove")
LONG = "another long password"


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory, database: str) -> Settings:
    data: Path = tmp_path_factory.mktemp("data")
    return Settings(data=data, database=database, accounts=True, login_limit=0)


@pytest.fixture(scope="module")
def app(settings: Settings) -> Iterator[Flask]:
    app = create_app(settings, FakeResources())
    yield app
    app.extensions["esoteric"].checks.engine.dispose()


@pytest.fixture(autouse=True)
def _same_people(app: Flask) -> None:
    """Before each test, whoever came and went in the one before."""
    own: Accounts = app.extensions["accounts"]
    known = {one.name: own.people.find(one.name) for one in own.people.all()}
    for name in known.keys() - PEOPLE.keys():
        own.people.remove(known[name])
    for name, role in PEOPLE.items():
        if name in known:
            own.people.change(known[name], role=role)
        else:
            own.people.add(name, role, PASSWORD)


def send(admin: FlaskClient, form: str, **values: str) -> TestResponse:
    return post(admin, f"/people{form}", page="/people", **values)


def done(app: Flask) -> list[tuple[str, str, str]]:
    return [(line.who, line.what, line.about) for line in app.extensions["accounts"].audit.since("")]


def test_nobody_else_gets_in(app: Flask, sign_in: SignIn) -> None:
    for name in ("chen", "rui"):
        client = sign_in(name)
        assert client.get("/people").status_code == 403
        assert "/people" not in client.get("/account").text
        for form in FORMS:
            refused = post(client, f"/people{form}", person="rui", role="admin", password=LONG, sure="yes")
            assert (refused.status_code, "Only admins" in refused.text) == (403, True)
    ada = sign_in("ada")
    assert 'href="/people"' in ada.get("/account").text
    bearer = {"Authorization": f"Bearer {made_token(ada, 'stolen')}"}
    assert app.test_client().get("/people", headers=bearer).status_code == 403
    assert app.test_client().get("/people").headers["Location"].startswith("/sign-in")
    for form in FORMS:  # from another site: without the token of the form
        assert ada.post(f"/people{form}", data={"person": "rui", "role": "admin"}).status_code == 400
    assert {one.name: one.role for one in app.extensions["accounts"].people.all()} == PEOPLE


def test_people_come_change_and_go(app: Flask, sign_in: SignIn) -> None:
    ada, own, began = sign_in("ada"), app.extensions["accounts"], len(done(app))
    assert send(ada, "", name=" Bela ", role="reader", password=LONG).status_code == 303
    assert "Added bela, reader." in ada.get("/people").text
    bela = app.test_client()
    assert enter(bela, "bela", LONG).status_code == 303
    assert send(ada, "/role", person="bela", role="checker").status_code == 303
    token = made_token(bela, "nightly")
    assert "1 token" in ada.get("/people").text
    assert send(ada, "/password", person="bela", password=PASSWORD).status_code == 303
    assert bela.get("/account").status_code == 303, "signed out"
    assert own.people.check_password("bela", PASSWORD) is not None
    assert own.tokens.find(token) is not None
    assert send(ada, "/tokens", person="bela").status_code == 303
    assert own.tokens.find(token) is None
    assert send(ada, "/remove", person="bela").status_code == 422, "not sure"
    assert send(ada, "/remove", person="bela", sure="yes").status_code == 303
    assert "bela" not in {one.name for one in own.people.all()}
    by_ada = [(what, about) for who, what, about in done(app)[began:] if who == "ada"]
    assert by_ada == [
        ("added a person", "bela"),
        ("gave the role checker", "bela"),
        ("changed a password", "bela"),
        ("revoked all tokens", "bela"),
        ("removed a person", "bela"),
    ]


@pytest.mark.parametrize(
    ("form", "values", "says"),
    [
        ("", {"name": "chen", "role": "reader", "password": LONG}, "somebody named chen already"),
        ("", {"name": "bela", "role": "reader", "password": "short"}, "12 to 1,024 characters"),
        ("", {"name": "bela", "role": "reader", "password": ""}, "12 to 1,024 characters"),
        ("", {"name": "<b>x", "role": "reader", "password": LONG}, "A name has"),
        ("", {"name": "bela", "role": "king", "password": LONG}, "is not a role"),
        ("/role", {"person": "nobody", "role": "admin"}, "nobody named nobody"),
        ("/role", {"person": "chen\x00", "role": "admin"}, "A name has"),
        ("/role", {"person": "chen", "role": ""}, "is not a role"),
        ("/password", {"person": "chen", "password": "short"}, "12 to 1,024 characters"),
        ("/password", {"person": "ada", "password": LONG}, "your account"),
        ("/remove", {"person": "chen", "sure": "no"}, "Nobody was removed"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(
    app: Flask, sign_in: SignIn, form: str, values: dict[str, str], says: str
) -> None:
    ada, own = sign_in("ada"), app.extensions["accounts"]
    people, lines = own.people.all(), len(done(app))
    refused = send(ada, form, **values)
    assert (refused.status_code, says in refused.text) == (422, True)
    assert own.people.all() == people
    assert len(done(app)) == lines
    assert own.people.check_password("chen", PASSWORD) is not None


def test_the_last_admin_stays(app: Flask, sign_in: SignIn) -> None:
    ada, own = sign_in("ada"), app.extensions["accounts"]
    for form, values in (("/role", {"role": "reader"}), ("/remove", {"sure": "yes"})):
        refused = send(ada, form, person="ada", **values)
        assert (refused.status_code, "is the only admin" in refused.text) == (422, True)
    send(ada, "/role", person="chen", role="admin")
    assert send(ada, "/role", person="ada", role="checker").headers["Location"] == "/account"
    assert "ada is checker from now on." in ada.get("/account").text
    assert ada.get("/people").status_code == 403
    assert send(sign_in("chen"), "/remove", person="chen", sure="yes").status_code == 422
    assert own.people.find("chen").is_admin


def test_two_admins_who_demote_each_other_at_once_leave_one(app: Flask) -> None:
    own: Accounts = app.extensions["accounts"]
    chen = own.people.find("chen")
    own.people.change(chen, role="admin")
    start, refused = threading.Barrier(2), list[AccountError]()

    def demote(name: str) -> None:
        person = own.people.find(name)
        start.wait(60)
        try:
            own.people.change(person, role="reader", keep_admin=True)
        except AccountError as error:
            refused.append(error)

    threads = [threading.Thread(target=demote, args=(name,)) for name in ("ada", "chen")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(refused) == 1
    assert [one.role for one in own.people.all()].count("admin") == 1


def test_who_signs_in_at_a_proxy_needs_no_password(settings: Settings, tmp_path: Path) -> None:
    behind = replace(settings, data=tmp_path, database="", account_header="X-User", trusted_proxies="192.0.2.1")
    app = create_app(behind, FakeResources())
    app.extensions["accounts"].people.add("ada", "admin", PASSWORD)
    ada = app.test_client()
    enter(ada, "ada")
    assert send(ada, "", name="bela", role="reader", password="").status_code == 303
    assert "signs in with proxy" in ada.get("/people").text
    app.extensions["esoteric"].checks.engine.dispose()


def test_without_accounts_there_is_no_such_page(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path), FakeResources())
    assert app.test_client().get("/people").status_code == 404
    app.extensions["esoteric"].checks.engine.dispose()
