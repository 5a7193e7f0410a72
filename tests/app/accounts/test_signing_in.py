"""Who is let in and who is not; what ends a session; what a token opens."""

from __future__ import annotations

import re
import statistics
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask
from flask.testing import FlaskClient

from app import create_app
from app.accounts.service import Accounts
from app.http.routes import Who, for_admins, open_to_all, rules_of
from app.tables import people, sessions, tokens
from app.tables.database import now
from app.tables.people import AccountError, People, read_name
from retrieval.settings import Settings
from tests.app.accounts.conftest import PASSWORD, SignIn, enter, made_token, post
from tests.app.conftest import CLAIM, token
from tests.app.fake import FakeResources

PAGES = ("/", "/history", "/about", "/documents", "/account", "/checks/0123", "/nothing")
SHIPPED = people.MEMORY_KIB, people.PASSES
APIS = ("/api/checks", "/api/checks/0123", "/api/documents", "/checks/0123.json", "/metrics")


@pytest.mark.parametrize("path", PAGES)
def test_pages_ask_for_a_login_first(app: Flask, path: str) -> None:
    answer = app.test_client().get(path)
    assert answer.status_code == 303
    assert answer.headers["Location"].startswith("/sign-in?next=")


def test_programs_are_told_what_to_send(app: Flask) -> None:
    client = app.test_client()
    for path in APIS[:4]:
        answer = client.get(path)
        assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, 'Bearer realm="ESOTERIC"')
    assert client.post("/api/checks", json={"claim": CLAIM}).status_code == 401
    assert client.post("/checks", data={"claim": CLAIM}).status_code == 401
    assert client.get("/healthz").status_code == 200
    with client.get("/static/parts/style.css") as style:
        assert style.status_code == 200


# Who may use which routes; all others are for whoever has signed in.
DECLARED = {
    Who.EVERYBODY: "static health.healthz health.readyz",
    Who.ARRIVING: "accounts.sign_in accounts.take_password accounts.ask_provider accounts.provider_answered",
    Who.HOLDERS: "accounts.sign_out accounts.account accounts.make_token accounts.revoke_token accounts.change_password",
    Who.ADMINS: "people.index people.add people.change_role people.change_password people.revoke_tokens people.remove",
    Who.OPERATORS: "corpora.plan corpora.start corpora.change corpora.change_corpus "
    "corpora_api.change_corpus corpora_api.remove_corpus corpora_api.plan_load corpora_api.begin_load "
    "corpora_api.change_load checks.delete_all",
}


def answers(app: Flask, client: FlaskClient, **more: Any) -> Iterator[tuple[Who, str, int, str]]:
    """Who may use it, the method, the status and the text of the answer, of every route and method."""
    for rule in app.url_map.iter_rules():
        path = re.sub(r"<any\((\w+).*?>", r"\1", rule.rule)
        path = re.sub("<int:.*?>", "1", path).replace("<path:filename>", "parts/icon.svg")
        path = re.sub("<.*?>", "0123", path)
        who = rules_of(app.view_functions[rule.endpoint]).who
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            with client.open(path, method=method, **more) as answer:
                yield who, method, answer.status_code, answer.get_data(as_text=True)


def test_each_route_declares_once_who_may_use_it_and_nothing_else_decides(app: Flask) -> None:
    found: dict[Who, set[str]] = {}
    for endpoint, view in app.view_functions.items():
        found.setdefault(rules_of(view).who, set()).add(endpoint)
    assert found.pop(Who.PEOPLE)
    assert found == {who: set(endpoints.split()) for who, endpoints in DECLARED.items()}
    with pytest.raises(TypeError, match="twice"):
        open_to_all(for_admins("No.")(lambda: ""))
    hooks = app.before_request_funcs
    assert {hook.__module__ for hook in hooks[None]} == {
        *("app.http.logs", "app.accounts.service", "functools", "flask_wtf.csrf", "app.http.security")
    }
    assert [name for name, of_blueprint in hooks.items() if of_blueprint] == [None]


def test_no_view_answers_strangers_but_those_that_let_people_in(app: Flask) -> None:
    """Whatever is added later is closed too."""
    for who, _, status, text in answers(app, app.test_client()):
        refused = status in (303, 401) and ("/sign-in?next=" in text or "Sign in first." in text)
        assert refused is (who not in (Who.EVERYBODY, Who.ARRIVING)), (who, text)


def test_readers_only_read_and_a_token_changes_no_account(app: Flask, sign_in: SignIn) -> None:
    bearer = {"Authorization": f"Bearer {made_token(sign_in('rui'), 'reading')}"}
    for who, method, status, text in answers(app, app.test_client(), headers=bearer):
        changes = method != "GET" and who in (Who.PEOPLE, Who.OPERATORS)
        assert (status == 403 and "may read but not change anything" in text) is changes, (who, method, text)
        of_accounts = who in (Who.HOLDERS, Who.ADMINS)
        assert (status == 403 and "A token cannot change accounts" in text) is of_accounts, (who, method, text)


def test_everything_that_changes_something_is_audited(app: Flask) -> None:
    changing = {rule.endpoint for rule in app.url_map.iter_rules() if {"POST", "DELETE", "PUT", "PATCH"} & rule.methods}  # type: ignore[operator]
    # The first writes its own line, the others change nothing: one shows a form again, one says what a claim is taken for.
    silent = {name for name in changing if not rules_of(app.view_functions[name]).audited}
    assert silent == {"accounts.take_password", "texts.choose_anew", "checks_api.read"}


def test_a_new_session_at_every_login(app: Flask) -> None:
    client = app.test_client()
    before = token(client, "/sign-in")
    with client.session_transaction() as session:
        session["planted"] = "by somebody else"
    assert enter(client, "ADA ").status_code == 303
    with client.session_transaction() as session:
        assert "planted" not in session
        first = session["key"]
    assert token(client, "/account") != before
    post(client, "/sign-out")
    assert client.get("/account").status_code == 303
    enter(client, "ada")
    with client.session_transaction() as session:
        assert session["key"] != first
        session["key"] = first  # a cookie that somebody kept
    assert client.get("/account").status_code == 303


def test_only_digests_are_stored(app: Flask, sign_in: SignIn) -> None:
    client = sign_in("ada")
    shown = made_token(client, "a program")
    with client.session_transaction() as session:
        key = session["key"]
    engine = app.extensions["accounts"].people.engine
    with engine.connect() as connection:
        rows = [
            str(row) for t in (people.table, sessions.table, tokens.table) for row in connection.execute(sa.select(t))
        ]
    stored = " ".join(rows)
    assert "$argon2id$" in stored
    for secret in (PASSWORD, shown, key):
        assert secret not in stored


def test_where_to_go_on_is_a_page_of_this_server(app: Flask) -> None:
    for wanted, given in {
        "/history?q=a": "/history?q=a",
        "//evil.example/": "/",
        "https://evil.example/": "/",
        "/\\evil.example": "/",
        "/\tevil": "/",
    }.items():
        assert enter(app.test_client(), "ada", next=wanted).headers["Location"] == given


@pytest.mark.parametrize("name", ["nobody", "ada", "", "\x00", "x" * 5000, "a b"])
def test_a_refusal_says_nothing_of_who_there_is(app: Flask, name: str) -> None:
    answer = enter(app.test_client(), name, "wrong")
    assert answer.status_code == 401
    assert "Name or password is wrong." in answer.text


@pytest.fixture
def as_costly_as_shipped(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Passwords are hashed as in the program; other tests hash them cheaply."""
    monkeypatch.setattr(people, "MEMORY_KIB", SHIPPED[0])
    monkeypatch.setattr(people, "PASSES", SHIPPED[1])
    for cached in (people._hasher, people._nobodys_password):
        cached.cache_clear()
    yield
    for cached in (people._hasher, people._nobodys_password):
        cached.cache_clear()


@pytest.mark.usefixtures("as_costly_as_shipped")
def test_a_refusal_takes_as_long_for_nobody_as_for_somebody(app: Flask) -> None:
    own: Accounts = app.extensions["accounts"]
    own.people.add("grace", "reader", PASSWORD)
    assert SHIPPED >= (19 * 1024, 2), "OWASP's minimum"

    def seconds(name: str) -> float:
        began = time.thread_time()
        assert own.people.check_password(name, "a wrong password") is None
        return time.thread_time() - began

    seconds("nobody")
    known, unknown = ([seconds(name) for _ in range(7)] for name in ("grace", "nobody"))
    assert 0.5 < statistics.median(unknown) / statistics.median(known) < 2


def test_forms_need_their_token(app: Flask, sign_in: SignIn) -> None:
    assert app.test_client().post("/sign-in", data={"name": "ada", "password": PASSWORD}).status_code == 400
    client = sign_in("ada")
    for path in ("/sign-out", "/account/tokens", "/account/tokens/revoke", "/account/password", "/checks"):
        assert client.post(path, data={"name": "x"}).status_code == 400


def test_tokens_open_the_api_until_they_are_revoked(app: Flask, sign_in: SignIn) -> None:
    browser, program = sign_in("chen"), app.test_client()
    first, second = made_token(browser, "nightly"), made_token(browser, "other")
    assert first not in browser.get("/account").text
    assert "nightly" in browser.get("/account").text
    refused = post(browser, "/account/tokens", name="nightly").text
    assert "already" in refused
    assert 'name="name" type="text" value="nightly"' in refused, "what was typed stays"
    bearer = {"Authorization": f"Bearer {first}"}
    assert program.get("/api/checks", headers=bearer).status_code == 200
    assert program.post("/api/checks", json={"claim": CLAIM}, headers=bearer).status_code == 202
    assert program.get("/account", headers=bearer).status_code == 403  # a stolen token makes no others
    post(browser, "/account/tokens/revoke", name="nightly")
    assert program.get("/api/checks", headers=bearer).status_code == 401
    assert program.get("/api/checks", headers={"Authorization": f"Bearer {second}"}).status_code == 200
    assert browser.get("/api/checks", headers=bearer).status_code == 401  # a wrong token is not mended by a cookie


def test_sessions_end(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path, accounts=True), FakeResources())
    own: Accounts = app.extensions["accounts"]
    ada = own.people.add("ada", "admin", PASSWORD)
    key = own.sessions.begin(ada)
    engine = own.people.engine

    def age(**minutes: float) -> None:
        with engine.begin() as connection:
            values = {name: now(ago * 60) for name, ago in minutes.items()}
            connection.execute(sa.update(sessions.table).values(**values))

    age(created=60 * 167, seen=719)
    assert own.sessions.find(key) == ada
    age(created=60, seen=721)
    assert own.sessions.find(key) is None  # idle
    age(created=60 * 169, seen=1)
    assert own.sessions.find(key) is None  # too old
    own.sessions.begin(ada)
    with engine.connect() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(sessions.table)).scalar() == 1
    engine.dispose()


def test_another_password_ends_the_other_sessions(app: Flask, sign_in: SignIn) -> None:
    app.extensions["accounts"].people.add("zoe", "checker", PASSWORD)
    here, there = sign_in("zoe"), sign_in("zoe")
    assert post(here, "/account/password", old="wrong", new="a new long password").status_code == 403
    assert post(here, "/account/password", old=PASSWORD, new="short").status_code == 422
    assert post(here, "/account/password", old=PASSWORD, new="a new long password").status_code == 303
    assert here.get("/account").status_code == 200
    assert there.get("/account").status_code == 303
    assert enter(app.test_client(), "zoe").status_code == 401


def test_attempts_are_counted_by_name_and_by_address(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path, accounts=True, login_limit=3), FakeResources())
    app.extensions["accounts"].people.add("ada", "admin", PASSWORD)
    client = app.test_client()
    form = {"csrf_token": token(client, "/sign-in"), "name": "ada", "password": "wrong"}

    def attempt(address: str, **other: str) -> int:
        return client.post("/sign-in", data={**form, **other}, environ_base={"REMOTE_ADDR": address}).status_code

    assert [attempt("192.0.2.1") for _ in range(4)] == [401, 401, 401, 429]
    assert attempt("192.0.2.2") == 429  # the same name from elsewhere
    assert [attempt("192.0.2.3", name=name) for name in ("b", "c", "d", "e")] == [401, 401, 401, 429]
    assert attempt("192.0.2.4", name="ada", password=PASSWORD) == 429
    app.extensions["accounts"].people.engine.dispose()


def test_a_proxy_names_people_and_nobody_else_does(tmp_path: Path) -> None:
    settings = Settings(
        data=tmp_path,
        accounts=True,
        account_header="X-Remote-User",
        trusted_proxies="192.0.2.0/24",
        account_role="reader",
    )
    app = create_app(settings, FakeResources())
    app.extensions["accounts"].people.add("ada", "admin")
    proxy, other = {"REMOTE_ADDR": "192.0.2.1"}, {"REMOTE_ADDR": "203.0.113.9"}

    def role(name: str, base: dict[str, str]) -> str:
        answer = app.test_client().get("/account", headers={"X-Remote-User": name}, environ_base=base)
        return answer.text.split("<dt>Role</dt><dd>")[1].split(":")[0] if answer.status_code == 200 else ""

    assert role("ada", proxy) == "admin"
    assert role("Grace@example.org", proxy) == "reader"  # who comes first has the role of the settings
    assert role("ada", other) == ""
    assert role("", proxy) == ""
    assert role("ada, grace", proxy) == ""
    app.extensions["accounts"].people.engine.dispose()


def test_without_accounts_nothing_of_it_is_there(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path), FakeResources())
    client = app.test_client()
    for who, _, status, text in answers(app, client):
        assert who not in (Who.ARRIVING, Who.HOLDERS, Who.ADMINS) or status == 404, text
    page = client.get("/")
    assert page.status_code == 200
    assert "Account" not in page.text
    assert 'name="shared"' not in page.text
    assert list(app.extensions["accounts"].audit.since("")) == []
    app.extensions["accounts"].people.engine.dispose()


def test_names_and_passwords(app: Flask) -> None:
    own: People = app.extensions["accounts"].people
    assert read_name(" Ada.Lovelace@Example.org ") == "ada.lovelace@example.org"
    for name in ("", " ", "a b", "<b>", "-a", "x" * 65, "a\x00"):
        with pytest.raises(AccountError, match="A name has"):
            own.add(name, "reader", PASSWORD)
    with pytest.raises(AccountError, match="already"):
        own.add("Ada", "reader", PASSWORD)
    for password in ("", "short", "x" * 1025):
        with pytest.raises(AccountError, match="12 to"):
            own.add("new", "reader", password)
    with pytest.raises(AccountError, match="not a role"):
        own.add("new", "king", PASSWORD)
    own.add("composed", "reader", "cafe\u0301 cafe\u0301 cafe\u0301")
    assert own.check_password("composed", "café café café")


def test_cookies_are_secure_under_tls(settings: Settings, tmp_path: Path) -> None:
    app = create_app(replace(settings, data=tmp_path, database="", trusted_proxies="192.0.2.1"), FakeResources())
    app.extensions["accounts"].people.add("ada", "admin", PASSWORD)
    answer = app.test_client().get(
        "/sign-in", headers={"X-Forwarded-Proto": "https"}, environ_base={"REMOTE_ADDR": "192.0.2.1"}
    )
    cookie = answer.headers["Set-Cookie"]
    assert "Secure" in cookie
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    app.extensions["accounts"].people.engine.dispose()
