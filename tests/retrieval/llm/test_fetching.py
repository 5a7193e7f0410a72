"""Checked claims by address and sha256, or from a file; what does not fit changes nothing."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from retrieval.__main__ import main
from retrieval.errors import SettingError
from retrieval.llm.examples import fetch_examples, read_examples

ROWS = [
    {
        "claim": "The bridge was opened in 1932.",
        "label": "Refuted",
        "questions": [{"question": "When was it opened?", "answers": [{"answer": "In 1931."}]}],
    }
]
BODY = json.dumps(ROWS).encode()
SHA256 = hashlib.sha256(BODY).hexdigest()


class Pages(BaseHTTPRequestHandler):
    """The file, a redirect to it, something else, and nothing."""

    def do_GET(self) -> None:
        found = {"/train.json": BODY, "/other": b"<html>", "/empty": b"[]"}.get(self.path)
        self.send_response(302 if self.path == "/moved" else 200 if found is not None else 404)
        if self.path == "/moved":
            self.send_header("Location", "/train.json")
        self.send_header("Content-Length", str(len(found or b"")))
        self.end_headers()
        self.wfile.write(found or b"")

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_by_address_and_sha256(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "data" / "train.json"
    monkeypatch.setenv("EXAMPLES", str(target))
    assert main(["examples", "--get", f"{address}/moved", "--sha256", SHA256.upper()]) == 0
    assert "1 checked claims are in" in capsys.readouterr().out
    assert target.read_bytes() == BODY
    assert read_examples(target).nearest("A bridge", 1)[0].label == "Refuted"
    assert main(["examples"]) == 0
    assert capsys.readouterr().out.startswith("1 checked claims")


def test_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_bytes(BODY)
    assert "not compared" in fetch_examples(str(tmp_path / "mine.json"), tmp_path / "train.json")
    assert (tmp_path / "train.json").read_bytes() == BODY


@pytest.mark.parametrize(
    ("page", "sha256", "why"),
    [
        ("/train.json", "0" * 64, "is not that file"),
        ("/other", "", "not a list of checked claims"),
        ("/empty", "", "holds no checked claims"),
        ("/gone", "", "cannot be fetched"),
    ],
)
def test_what_does_not_fit_changes_nothing(address: str, tmp_path: Path, page: str, sha256: str, why: str) -> None:
    target = tmp_path / "train.json"
    target.write_text("kept", "utf-8")
    with pytest.raises(SettingError, match=why):
        fetch_examples(address + page, target, sha256)
    assert [path.name for path in tmp_path.iterdir()] == ["train.json"]
    assert target.read_text("utf-8") == "kept"


@pytest.mark.parametrize("source", ["/no/such/file", "ftp://127.0.0.1/x", "http://127.0.0.1:9/x", "http://[", ""])
def test_sources_that_are_not_there(tmp_path: Path, source: str) -> None:
    with pytest.raises(SettingError):
        fetch_examples(source, tmp_path / "train.json")
    assert not [*tmp_path.iterdir()]


def test_without_any(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXAMPLES", str(tmp_path / "train.json"))
    assert main(["examples"]) == 0
    assert "python -m retrieval examples --get" in capsys.readouterr().out
