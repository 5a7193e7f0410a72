"""A real Chromium before the real application on the sample corpus."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.app.gate import Gate
from tests.app.process import ROOT, Server, free_port
from tests.browser.gated_server import AT
from tests.services import chromium_path

BUSY_MS = 60_000  # how long pages may take: a busy machine is no fault
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]


@pytest.fixture(scope="package")
def chromium() -> Iterator[Any]:
    """Closed when this folder's tests are over: its event loop would stand in the way of those that come after."""
    path = chromium_path()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample corpus, loaded by the documented command."""
    store = tmp_path_factory.mktemp("sample") / "store"
    command = ["-m", "indexing", "fever", "data/sample/wiki-001.jsonl", "--name", "sample", "--store", str(store)]
    subprocess.run([sys.executable, *command], cwd=ROOT, check=True, capture_output=True)
    return store


@pytest.fixture(scope="package")
def server(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """`python -m app`, as `make run` starts it."""
    port = free_port()
    environment = {"PORT": str(port), "STORE": str(sample), "DATA": str(tmp_path_factory.mktemp("data"))}
    server = Server("-m", "app", port=port, **environment)
    server.start("/readyz", limit=60)
    yield server
    server.close()


@pytest.fixture(scope="package")
def waiting(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Gate]]:
    """The same with a gate. Its tests ask for different claims, as the same one is answered at once."""
    port, gate = free_port(), Gate(tmp_path_factory.mktemp("gate"))
    environment = {"STORE": str(sample), "DATA": str(tmp_path_factory.mktemp("data"))}
    server = Server("-m", "tests.browser.gated_server", str(port), str(gate.folder), port=port, **environment)
    server.start("/readyz", limit=60)
    yield server, gate
    server.close()


@pytest.fixture
def gated(waiting: tuple[Server, Gate]) -> Server:
    """Its checks wait after the first sentences, until the test opens the gate."""
    server, gate = waiting
    gate.close(AT)
    return server


@pytest.fixture
def gate(waiting: tuple[Server, Gate]) -> Gate:
    return waiting[1]


@pytest.fixture(scope="package")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The application over the quick fake pipeline, whose verdicts a claim's words choose."""
    port = free_port()
    server = Server("-m", "tests.app.fake_server", str(tmp_path_factory.mktemp("data")), str(port), port=port)
    server.start("/readyz", limit=60)
    yield server
    server.close()


@pytest.fixture
def open_page(chromium: Any) -> Iterator[Callable[..., Any]]:
    """A new page in a context with the given options. What goes wrong in its console fails the test."""
    from playwright.sync_api import expect

    expect.set_options(timeout=BUSY_MS)
    contexts, faults = [], []

    def open_(address: str, **options: Any) -> Any:
        context = chromium.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        context.set_default_timeout(BUSY_MS)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: "Content Security Policy" in message.text and faults.append(message.text))
        page.goto(address)
        return page

    yield open_
    for context in contexts:
        context.close()
    assert not faults
