"""The stack of docker-compose.yml as a person starts it: built, up, used, hurt in every part, and up again."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from functools import partial
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
IMAGES = (PROJECT, f"{PROJECT}-elasticsearch")  # in place of those that somebody may have here
SERVICES = ("web", "worker", "elasticsearch", "postgres")
SLIM = 130_000_000  # bytes of the real image of Python, about; the stand-in is another size
MOST = 1_000_000_000  # bytes of the application's image
PEAKS = (
    "/sys/fs/cgroup/memory/memory.max_usage_in_bytes 2>/dev/null",
    "/sys/fs/cgroup/memory.peak",
)  # old and new kernels
LARGE = 19_500_000  # bytes of an upload
COST = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime)
"""
PATIENCE = 900.0  # seconds, on a busy machine


class Stack:
    """A clone under umask 077 with its secrets, and the stack that runs from it."""

    def __init__(self, docker: Docker, daemon: Daemon | None, tree: Path) -> None:
        self.docker, self.daemon, self.tree = docker, daemon, tree
        self.port = free_port()
        self.secrets = dict(line.split("=") for line in (tree / ".env").read_text().splitlines())
        with (tree / ".env").open("a") as file:
            file.write(f"PORT={self.port}\n")
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

    def start(self, service: str) -> None:
        """It alone, whatever it depends on."""
        self.docker.run("start", self.container(service)["Id"])

    def memory(self, service: str) -> str:
        """What a service takes now, without the files that the kernel keeps for it, and with them at most since it started."""
        name = self.container(service)["Id"]
        now = self.docker.run("stats", "--no-stream", "--format", "{{.MemUsage}}", name).partition("/")[0].strip()
        peak = self.compose("exec", "-T", service, "sh", "-c", f"cat {' || cat '.join(PEAKS)}")
        return f"{now} of memory now, {int(peak) / 1024**2:.0f}MiB with cached files at most"

    def health_cost(self, service: str) -> float:
        """Seconds of processor that a check of a service's health takes, in its container."""
        asked = self.container(service)["Config"]["Healthcheck"]["Test"][1:]
        return float(self.compose("exec", "-T", service, "python", "-c", COST, *asked))

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

    def upload(self, documents_id: str) -> dict[str, Any]:
        return dict(self.client.get(f"/api/documents/{documents_id}").raise_for_status().json())

    def has_read(self, documents_id: str) -> bool:
        return self.upload(documents_id)["state"] != "reading"

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
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """The stack, up; torn down with its volumes and images."""
    with open_docker() as (docker, daemon):
        tree = clone(tmp_path_factory.mktemp("clone"))
        if daemon:
            stand_in(docker, daemon.folder, tree)
        stack = Stack(docker, daemon, tree)
        try:
            print(f"up --build --wait: {stack.up():.0f} s", flush=True)
            yield stack
        finally:
            stack.client.close()
            docker.attempt("compose", "--project-name", PROJECT, "down", "--volumes", folder=tree)
            docker.attempt("image", "rm", *IMAGES)


def stand_in(docker: Docker, folder: Path, tree: Path) -> None:
    """The base images that the files in `tree` name, made here, and those files fitted to them."""
    began, changed = time.monotonic(), adapt(tree)
    text = "\n".join((tree / name).read_text() for name in FILES)
    build_bases(docker, folder, sorted(set(re.findall(r"^(?:FROM|    image:) (\S+:\S+)", text, re.M))))
    print(
        f"\nWithout a registry, on stand-ins for the base images ({time.monotonic() - began:.0f} s):",
        *changed,
        sep="\n  ",
    )


def clone(tree: Path) -> Path:
    """The files under version control, which nobody else may read; images of another name; secrets as `make secrets` makes them."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    for name in filter(None, listed.split("\0")):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, tree / name)
    for path in (tree, *tree.rglob("*")):
        path.chmod(0o700 if path.is_dir() else 0o600)
    compose = tree / "docker-compose.yml"
    compose.write_text(re.sub(r"(?m)^( +image: )esoteric", rf"\1{PROJECT}", compose.read_text()))
    subprocess.run(["make", "secrets"], cwd=tree, check=True, capture_output=True)
    return tree


def test_an_empty_stack_holds_the_sample_and_checks_claims(stack: Stack) -> None:
    corpus = stack.ready()
    assert corpus["pages"] == 302
    check = stack.done(stack.submit())
    assert {evidence["corpus"] for evidence in check["evidence"]} == {"sample"}
    for service in SERVICES:
        state = stack.container(service)["State"]
        assert state["Health"]["Status"] == "healthy", service
        print(f"{service}: {stack.memory(service)}")
    for service in ("web", "worker"):
        print(f"{service}: {stack.health_cost(service):.2f} s of processor for a health check")


def test_up_again_changes_nothing(stack: Stack) -> None:
    before = {service: stack.container(service)["Id"] for service in SERVICES}
    stack.up()
    assert {service: stack.container(service)["Id"] for service in SERVICES} == before


def test_the_image_is_small_and_holds_no_secret(stack: Stack) -> None:
    size = int(stack.docker.run("image", "inspect", "--format", "{{.Size}}", IMAGES[0]))
    base = SLIM
    if not stack.docker.real:
        base = int(stack.docker.run("image", "inspect", "--format", "{{.Size}}", "python:3.11-slim-bookworm"))
    print(f"image: {size / 1e6:.0f} MB, of which {base / 1e6:.0f} of its base")
    assert size - base + SLIM < MOST
    told = stack.docker.run("image", "inspect", *IMAGES) + stack.compose("logs", "--no-color")
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


def test_two_large_uploads_fit_at_once(stack: Stack) -> None:
    """At the limits of files and of memory as compose sets them; what is too much is refused by its own limit, not the kernel's."""
    before = stack.container("web")["State"]["Pid"]
    line = b"<p>Warsaw is the capital of Poland, and the Vistula flows through it.</p>\n"
    file = {"files": ("notes.html", line * (LARGE // len(line)))}
    taken = [stack.client.post("/api/documents", files=file).raise_for_status().json()["id"] for _ in range(2)]
    for upload in taken:
        until(partial(stack.has_read, upload), PATIENCE)
        print(told := json.dumps(stack.upload(upload)))
        assert "was killed" not in told
    assert stack.container("web")["State"]["Pid"] == before


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
    """What was accepted before waits for it; what comes meanwhile is refused at once."""
    stack.compose("stop", "worker")
    check_id = stack.submit()
    stack.compose("stop", "elasticsearch")
    stack.start("worker")
    until(
        lambda: "Elasticsearch" in (stack.client.get(f"/api/checks/{check_id}").json()["waiting_for"] or ""), PATIENCE
    )
    assert stack.client.post("/api/checks", json={"claim": "Kraków is a city.", "fresh": True}).status_code == 503
    stack.start("elasticsearch")
    stack.done(check_id)
    stack.ready()


def test_the_corpus_and_the_checks_outlive_the_stack(stack: Stack) -> None:
    check_id = stack.submit()
    stack.done(check_id)
    stack.compose("down")
    stack.up()
    assert stack.ready()["pages"] == 302
    assert stack.done(check_id)["verdict"]
    stack.done(stack.submit())


def test_and_the_daemon(stack: Stack) -> None:
    if stack.daemon is None:
        pytest.skip("the daemon is not the tests' own")
    check_id = stack.submit()
    stack.daemon.stop()
    stack.daemon.start()
    stack.done(check_id)
