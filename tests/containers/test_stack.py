"""The stack of docker-compose.yml as a person starts it: built, up, used, hurt in every part, and up again."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.app.process import ROOT, free_port
from tests.containers.bases import FILES, adapt, build_bases
from tests.containers.daemon import Daemon, Docker, open_docker
from tests.waiting import until

pytestmark = pytest.mark.containers
PROJECT = f"esoteric-test-{os.getpid()}"
SERVICES = ("web", "worker", "elasticsearch", "postgres")
SLIM = 130_000_000  # bytes of the real image of Python, about; the stand-in is another size
MOST = 1_000_000_000  # bytes of the application's image
PATIENCE = 900.0  # seconds, on a busy machine


class Stack:
    """A clone under umask 077 with its secrets, and the stack that runs from it."""

    def __init__(self, docker: Docker, daemon: Daemon | None, tree: Path) -> None:
        self.docker, self.daemon, self.tree = docker, daemon, tree
        self.port = free_port()
        self.secrets = dict(line.split("=") for line in (tree / ".env").read_text().splitlines())
        with (tree / ".env").open("a") as file:
            file.write(f"PORT={self.port}\nELASTIC_HEAP=512m\n")
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=30)

    def compose(self, *arguments: str) -> str:
        return self.docker.run("compose", "--project-name", PROJECT, *arguments, folder=self.tree)

    def up(self) -> float:
        """As README says; the seconds it took."""
        began = time.monotonic()
        self.compose("up", "--build", "--detach", "--wait", "--wait-timeout", str(int(PATIENCE)))
        return time.monotonic() - began

    def container(self, service: str) -> dict[str, Any]:
        """What Docker knows of a service's container."""
        name = self.compose("ps", "--all", "--quiet", service).strip()
        return dict(json.loads(self.docker.run("inspect", name))[0])

    def ready(self) -> dict[str, Any]:
        """The corpus, once a claim would be checked."""

        def answer() -> Any:
            with contextlib.suppress(httpx.TransportError, ValueError):
                told = self.client.get("/readyz")
                return told.json()["corpus"] if told.status_code == 200 else None

        return dict(until(answer, PATIENCE))

    def submit(self) -> str:
        asked = {"claim": "Warsaw is the capital of Poland.", "fresh": True}
        return str(self.client.post("/api/checks", json=asked).raise_for_status().json()["id"])

    def done(self, check_id: str) -> dict[str, Any]:
        """The check, once it has ended; whoever is away meanwhile comes back."""

        def ended() -> Any:
            with contextlib.suppress(httpx.TransportError, ValueError):
                told = self.client.get(f"/api/checks/{check_id}").json()
                return told if told.get("state") not in (None, "queued", "running") else None

        check = dict(until(ended, PATIENCE))
        assert check["state"] == "done", check["error"]
        return check


@pytest.fixture(scope="module")
def stack() -> Iterator[Stack]:
    with (
        tempfile.TemporaryDirectory(
            dir="/var/tmp", prefix="esoteric-containers-", ignore_cleanup_errors=True
        ) as folder,
        open_docker(Path(folder)) as (docker, daemon),
    ):
        tree = clone(Path(folder) / "clone")
        if not docker.real:
            changed = adapt(tree)
            named = re.findall(
                r"^(?:FROM|    image:) (\S+:\S+)", "\n".join((tree / name).read_text() for name in FILES), re.M
            )
            build_bases(docker, Path(folder), sorted(set(named)))
            print("Without a registry, on stand-ins for the base images:", *changed, sep="\n  ")
        stack = Stack(docker, daemon, tree)
        try:
            print(f"up --build --wait: {stack.up():.0f} s")
            yield stack
        finally:
            docker.attempt("compose", "--project-name", PROJECT, "down", "--volumes", "--rmi", "local", folder=tree)


def clone(tree: Path) -> Path:
    """The files under version control, for whom nobody else may read; secrets as `make secrets` makes them."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    for name in filter(None, listed.split("\0")):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, tree / name)
    for path in (tree, *tree.rglob("*")):
        path.chmod(0o700 if path.is_dir() else 0o600)
    subprocess.run(["make", "secrets"], cwd=tree, check=True, capture_output=True)
    return tree


def test_an_empty_stack_holds_the_sample_and_checks_claims(stack: Stack) -> None:
    corpus = stack.ready()
    assert corpus["pages"] == 302
    check = stack.done(stack.submit())
    assert check["corpus"]["name"] == "sample"
    for service in SERVICES:
        state = stack.container(service)["State"]
        assert state["Health"]["Status"] == "healthy", service
        print(
            service,
            "memory",
            stack.docker.run(
                "stats", "--no-stream", "--format", "{{.MemUsage}}", stack.container(service)["Id"]
            ).strip(),
        )


def test_up_again_changes_nothing(stack: Stack) -> None:
    before = {service: stack.container(service)["Id"] for service in SERVICES}
    stack.up()
    assert {service: stack.container(service)["Id"] for service in SERVICES} == before


def test_the_image_is_small_and_holds_no_secret(stack: Stack) -> None:
    size = int(stack.docker.run("image", "inspect", "--format", "{{.Size}}", "esoteric"))
    base = SLIM
    if not stack.docker.real:
        base = int(stack.docker.run("image", "inspect", "--format", "{{.Size}}", "python:3.11-slim-bookworm"))
    print(f"image: {size / 1e6:.0f} MB, of which {base / 1e6:.0f} of its base")
    assert size - base + SLIM < MOST
    told = stack.docker.run("image", "inspect", "esoteric", "esoteric-elasticsearch") + stack.compose(
        "logs", "--no-color"
    )
    assert not [name for name, secret in stack.secrets.items() if secret in told]


def test_rights_are_the_least(stack: Stack) -> None:
    for service in ("web", "worker"):
        assert stack.compose("exec", "-T", service, "id", "-u").strip() == "10001"
        host = stack.container(service)["HostConfig"]
        assert (host["CapDrop"], host["SecurityOpt"]) == (["ALL"], ["no-new-privileges:true"])
    written = stack.docker.attempt(
        "compose", "--project-name", PROJECT, "exec", "-T", "web", "python", "-m", "indexing", "fever",
        "data/sample/wiki-001.jsonl", "--replace", folder=stack.tree,
    )  # fmt: skip
    assert written.returncode == 2
    assert "may not do this" in written.stderr


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_that_is_killed_comes_back_and_nothing_is_lost(stack: Stack, service: str) -> None:
    check_id = stack.submit()
    os.kill(int(stack.container(service)["State"]["Pid"]), signal.SIGKILL)
    stack.done(check_id)


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_is_restarted(stack: Stack, service: str) -> None:
    stack.compose("restart", service)
    until(lambda: stack.container(service)["State"].get("Health", {}).get("Status") == "healthy", PATIENCE)
    stack.ready()
    stack.done(stack.submit())


def test_a_check_says_that_the_store_is_away(stack: Stack) -> None:
    stack.compose("stop", "elasticsearch")
    check_id = stack.submit()
    until(lambda: stack.client.get(f"/api/checks/{check_id}").json()["waiting_for"], PATIENCE)
    stack.compose("start", "elasticsearch")
    stack.done(check_id)


def test_the_corpus_and_the_checks_outlive_the_stack(stack: Stack) -> None:
    check_id = stack.submit()
    stack.done(check_id)
    stack.compose("down")
    stack.up()
    assert stack.ready()["pages"] == 302
    assert stack.done(check_id)["verdict"]


def test_and_the_daemon(stack: Stack) -> None:
    if stack.daemon is None:
        pytest.skip("the daemon is not the tests' own")
    check_id = stack.submit()
    stack.daemon.stop()
    stack.daemon.start()
    stack.done(check_id)
