"""`python -m app user` and `python -m app audit`, as the one who runs the server types them."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.__main__ import main
from app.accounts.command import since
from app.accounts.service import Accounts
from app.tables.database import open_engine
from app.tables.people import AccountError
from retrieval.settings import Settings

Typed = Callable[..., tuple[int, str, str]]


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Typed:
    """Exit code, output and errors of `python -m app …`."""
    monkeypatch.setenv("DATA", str(tmp_path))
    monkeypatch.delenv("STORE", raising=False)

    def run(*words: str, typing: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["app", *words])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typing))
        code = main()
        return (code, *capsys.readouterr())

    return run


def test_people_come_change_and_go(typed: Typed, tmp_path: Path) -> None:
    assert typed("user", "list")[1].startswith("No accounts yet.")
    assert typed("user", "add", "Ada", "--role", "admin", typing="correct horse battery\n")[:2] == (
        0,
        "Added ada, admin.\n",
    )
    assert typed("user", "add", "ada", typing="correct horse battery\n")[0] == 2
    code, _, error = typed("user", "add", "bob", typing="short\n")
    assert (code, error) == (2, "A password has 12 to 1,024 characters. Choose another.\n")
    assert typed("user", "add", "carl", "--without-password")[0] == 0
    code, token, error = typed("user", "token", "ada", "nightly")
    assert (code, token[:9]) == (0, "esoteric_")
    assert "not shown again" in error
    engine = open_engine(Settings(data=tmp_path))
    own = Accounts.of(engine, Settings(data=tmp_path))
    ada = own.tokens.find(token.strip())
    assert ada is not None
    key = own.sessions.begin(ada)
    assert typed("user", "password", "ada", typing="another long password\n")[0] == 0
    assert own.sessions.find(key) is None
    assert own.people.check_password("ada", "another long password") == ada
    assert own.people.check_password("ada", "correct horse battery") is None
    assert typed("user", "role", "ada", "reader")[0] == 0
    assert own.people.find("ada").role == "reader"
    assert typed("user", "token", "ada", "nightly", "--revoke")[0] == 0
    assert own.tokens.find(token.strip()) is None
    assert typed("user", "token", "ada", "nightly", "--revoke")[0] == 2
    assert "ada" in typed("user", "list")[1]
    assert typed("user", "remove", "ada")[0] == 0
    assert typed("user", "remove", "ada")[0] == 2
    engine.dispose()


def test_the_log_as_text_and_as_json(typed: Typed) -> None:
    typed("user", "add", "ada", "--without-password")
    assert typed("audit")[1].split()[1:] == ["command", "line", "added", "a", "person", "ada"]
    line = json.loads(typed("audit", "--since", "2026-01-01", "--json")[1])
    assert (line["who"], line["what"], line["about"]) == ("command line", "added a person", "ada")
    assert typed("audit", "--since", "2999-01-01")[1] == ""
    assert typed("audit", "--since", "yesterday")[0] == 2


def test_moments() -> None:
    assert since("2026-11-01") == "2026-11-01T00:00:00.000Z"
    assert since("2026-11-01T09:00+02:00") == "2026-11-01T07:00:00.000Z"
    ago = datetime.now(UTC) - datetime.fromisoformat(since("90m"))
    assert 5399 < ago.total_seconds() < 5460
    for wrong in ("", "x", "-1d", "9999999d"):
        with pytest.raises(AccountError, match="not a time"):
            since(wrong)
