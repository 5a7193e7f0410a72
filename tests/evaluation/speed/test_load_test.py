"""The load generator: arrivals keep their times, and it finds the rate that a server really has."""

from __future__ import annotations

import http.server
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation.__main__ import main
from evaluation.speed.load_test import CLOSE_RATES, Probe, Traffic, find_rate, probe, read_claims, spent
from tests.conftest import SAMPLE


def server_that_does(capacity: float) -> object:
    def run(rate: float) -> Probe:
        fast = rate <= capacity
        return Probe(rate, 10, 10, 10 if fast else 9, 0, 0.5, 1.0 if fast else 9.0)

    return run


@pytest.mark.parametrize("capacity", [0.3, 1.0, 7.7, 130.0])
def test_the_search_ends_just_below_the_capacity(capacity: float) -> None:
    rate, probes = find_rate(server_that_does(capacity))
    assert rate <= capacity < rate * CLOSE_RATES * 1.001
    assert len(probes) < 20


def test_a_server_that_passes_at_no_rate_has_none() -> None:
    assert find_rate(server_that_does(0))[0] == 0


def test_time_is_taken_by_the_clock_of_the_server() -> None:
    assert spent({"created": "2026-11-21T10:00:00.250Z", "finished": "2026-11-21T10:00:02.000Z"}) == 1.75


class _SlowDesk(http.server.BaseHTTPRequestHandler):
    """Takes 0.6 s to accept a claim, which is then done at once."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.arrivals.append(time.monotonic())
        time.sleep(0.6)
        self._say(202, {"id": "a", "url": "/checks/a"})

    def do_GET(self) -> None:
        moment = "2026-11-21T10:00:00.000Z"
        self._say(200, {"state": "done", "created": moment, "finished": moment})

    def _say(self, status: int, body: object) -> None:
        raw = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def desk() -> Iterator[http.server.ThreadingHTTPServer]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _SlowDesk) as server:
        server.arrivals = []  # type: ignore[attr-defined]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def test_claims_arrive_on_time_however_slow_the_answers_are(desk: http.server.ThreadingHTTPServer) -> None:
    found = probe(f"http://127.0.0.1:{desk.server_port}", Traffic(["A claim."]), rate=20, seconds=1)
    assert (found.due, found.done, found.refused) == (20, 20, 0)
    assert desk.arrivals[-1] - desk.arrivals[0] < 3, "one after the other they would have taken 12 s"  # type: ignore[attr-defined]
    assert found.p50 is not None
    assert found.p50 >= 0.6


@pytest.mark.slow
def test_a_real_application_under_load(
    sample_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RECIPE", "fast")  # the application loads no reader
    out = tmp_path / "load.json"
    claims = str(SAMPLE / "claims.jsonl")
    command = ["load", "--claims", claims, "--store", str(sample_folder), "--threads", "1", "--rate", "2", "--mixed"]
    assert main([*command, "--recipe", "fast", "--seconds", "3", "--out", str(out)]) == 0
    found = json.loads(out.read_text())["threads 1"]
    (result,) = found["probes"]
    assert result["due"] == 6
    assert result["done"] + result["refused"] == 6
    assert (result["views"], result["uploads"], result["failed"]) == (2, 1, 0)
    assert found["resident_mb"]["begin"] > 50
    assert found["resident_mb"]["end"] > 50
    assert all(50 < found["own_mb"][moment] < found["resident_mb"][moment] for moment in ("begin", "end"))
    said = capsys.readouterr().out
    assert "claims/s" in said
    assert "2 page views" in said


def test_what_cannot_be_measured_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["load", "--claims", str(tmp_path / "none.jsonl"), "--url", "http://127.0.0.1:9"]) == 2
    assert "none.jsonl cannot be read" in capsys.readouterr().err
    assert main(["load", "--claims", str(SAMPLE / "claims.jsonl"), "--url", "http://127.0.0.1:9", "--rate", "1"]) == 2
    assert "cannot check claims" in capsys.readouterr().err
    (tmp_path / "claims.txt").write_text("One claim.\n\nAnother.\n")
    assert read_claims(tmp_path / "claims.txt") == ["One claim.", "Another."]
