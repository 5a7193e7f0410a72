"""A corpus' address at which another server answers: a sentence and exit code 2, whatever it answers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from app import create_app
from evaluation.__main__ import main as evaluation
from indexing.__main__ import main as indexing
from retrieval.__main__ import main as retrieval
from retrieval.settings import Settings
from tests.app.conftest import close_engine

Main = Callable[[Sequence[str]], int]


class Nothing(BaseHTTPRequestHandler):
    """Knows no address."""

    def do_GET(self) -> None:
        self.send_error(404)

    do_HEAD = do_POST = do_GET

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Nothing)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/pages"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("main", "arguments"),
    [
        (retrieval, ("check", "Paris is in France.")),
        (retrieval, ("batch", "CLAIMS", "--out", "OUT")),
        (indexing, ("fever", "data/sample/wiki-001.jsonl")),
        (indexing, ("documents", "README.md")),
        (indexing, ("vectors",)),
        (indexing, ("info",)),
        (evaluation, ("fever", "data/sample/claims.jsonl", "--out", "OUT")),
        (evaluation, ("poison", "--out", "OUT")),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else value.__module__.partition(".")[0],
)
def test_a_server_that_knows_nothing_is_not_elasticsearch(
    main: Main, arguments: Sequence[str], address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "claims.csv").write_text("claim\nParis is in France.\n", "utf-8")
    paths = {"OUT": str(tmp_path / "out.csv"), "CLAIMS": str(tmp_path / "claims.csv")}
    given = [paths.get(one, one) for one in arguments]
    assert main([*given, "--store", address]) == 2
    assert "is not Elasticsearch. Check the address" in capsys.readouterr().err


def test_the_application_says_so_until_the_address_is_right(address: str, tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path, store=address))
    client = app.test_client()
    assert "is not Elasticsearch. Check the address" in client.get("/").text
    refused = client.post("/api/checks", json={"claim": "Paris is in France."})
    assert refused.status_code == 503
    assert "is not Elasticsearch. Check the address" in refused.json["detail"]
    close_engine(app.extensions["esoteric"].checks.engine)
