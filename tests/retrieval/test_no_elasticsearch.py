"""A corpus' address at which another server answers: a sentence and exit code 2, whatever it answers."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from retrieval.__main__ import main


class Nothing(BaseHTTPRequestHandler):
    """Knows no address."""

    def do_GET(self) -> None:
        self.send_error(404)

    do_HEAD = do_POST = do_GET

    def log_message(self, *_: object) -> None:
        """Nothing."""


def test_a_server_that_knows_nothing_is_not_elasticsearch(capsys: pytest.CaptureFixture[str]) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Nothing)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        store = f"http://127.0.0.1:{server.server_port}/pages"
        assert main(["check", "Paris is in France.", "--store", store]) == 2
    finally:
        server.shutdown()
        server.server_close()
    assert "is not Elasticsearch. Check the address" in capsys.readouterr().err
