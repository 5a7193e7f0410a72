"""Docker for the tests: the one that runs here, else one of their own (`tests/containers/__main__.py`)."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.services import missing

OLD, NEW = "bookworm", "trixie"  # Debian 12 has no plugin for Compose; the one of Debian 13 runs here
PLUGIN = "usr/libexec/docker/cli-plugins/docker-compose"
PROBE = "postgres:15.18-bookworm"  # whether a registry can be reached is asked with it
NOT_HERE = 77  # how the tests end on a machine that allows no Docker, for .ci/run
LIMIT = 900.0  # seconds for one command, on a busy machine
CLIENT, DAEMON = "/usr/bin/docker", "/usr/sbin/dockerd"  # Debian's, whatever else is on the path
SOURCES = Path("/etc/apt/sources.list.d/debian.sources")
CACHE = Path("/var/cache/esoteric")
COMPOSE = CACHE / "docker-compose"
# Mounts and processes are gone with the first of these processes.
APART = ("unshare", "--mount", "--pid", "--mount-proc", "--fork", "--kill-child")
IN_MEMORY = "/media"  # which Debian leaves empty
# Variable: where the tests' own Docker has its data. It is set where they run apart from the machine.
FOLDER = "CONTAINERS_FOLDER"


class Docker:
    """The commands of one daemon. real: it runs outside the tests, and a registry can be reached."""

    def __init__(self, program: str, host: str, configuration: Path | None) -> None:
        self.program, self.host, self.configuration = program, host, configuration
        self.real = configuration is None

    def environment(self) -> dict[str, str]:
        """For a command that talks to it."""
        own = {"DOCKER_HOST": self.host} if self.host else {}
        return {**os.environ, **own, **({"DOCKER_CONFIG": str(self.configuration)} if self.configuration else {})}

    def run(self, *arguments: str, folder: Path | None = None, limit: float = LIMIT) -> str:
        """What a command says; fails where it does."""
        ended = self.attempt(*arguments, folder=folder, limit=limit)
        assert ended.returncode == 0, f"docker {' '.join(arguments)}: {ended.stdout[-3000:]}{ended.stderr[-3000:]}"
        return ended.stdout

    def attempt(
        self, *arguments: str, folder: Path | None = None, limit: float = LIMIT
    ) -> subprocess.CompletedProcess[str]:
        """The same, whatever comes of it."""
        command = [self.program, *arguments]
        return subprocess.run(
            command, cwd=folder, env=self.environment(), capture_output=True, text=True, timeout=limit
        )


class Daemon:
    """dockerd on data of its own, which can be stopped and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.host = f"unix://{folder}/socket"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        places = {"data-root": "data", "exec-root": "exec", "pidfile": "pid"}
        options = [f"--{name}={self.folder / place}" for name, place in places.items()]
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen([DAEMON, f"--host={self.host}", *options], stdout=log, stderr=log)
        end = time.monotonic() + 120
        while subprocess.run([CLIENT, f"--host={self.host}", "info"], capture_output=True).returncode:
            said = (self.folder / "log").read_text("utf-8", "replace")[-2000:]
            assert self.process.poll() is None, f"dockerd does not start: {said}"
            assert time.monotonic() < end, f"dockerd does not answer: {said}"
            time.sleep(0.5)

    def stop(self) -> None:
        """Stop it, and with it its containers."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait(120)


@contextlib.contextmanager
def open_docker() -> Iterator[tuple[Docker, Daemon | None]]:
    """Docker, and the daemon where it is the tests' own: where FOLDER is set, in a network of its own."""
    if not os.environ.get(FOLDER):
        if not runs():
            missing("Docker", "make test-containers brings its own")
        yield Docker("docker", "", None), None
        return
    folder = Path(os.environ[FOLDER])
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    (folder / "client" / "cli-plugins").mkdir(parents=True)
    shutil.copy(COMPOSE, folder / "client" / "cli-plugins" / "docker-compose")
    daemon = Daemon(folder)
    try:
        try:
            daemon.start()
        except AssertionError as refused:
            pytest.exit(str(refused), NOT_HERE)
        yield Docker(CLIENT, daemon.host, folder / "client"), daemon
    finally:
        daemon.stop()


def runs() -> bool:
    """Whether a Docker answers here."""
    return bool(shutil.which("docker")) and not subprocess.run(["docker", "info"], capture_output=True).returncode


def reaches_a_registry() -> bool:
    """Whether that Docker can build and start the stack as everybody does."""
    asked = (["compose", "version"], ["manifest", "inspect", PROBE])
    return not any(subprocess.run(["docker", *words], capture_output=True, timeout=60).returncode for words in asked)


def fetch_docker() -> None:
    """Debian's Docker and what the stand-ins are made with, as packages, and the plugin for Compose in the cache."""
    if not all(Path(program).exists() for program in (CLIENT, DAEMON, "/usr/bin/mmdebstrap")):
        call("apt-get", "update", "-qq")
        call("apt-get", "install", "-y", "-qq", "--no-install-recommends", "docker.io", "mmdebstrap", "iproute2")
    if not COMPOSE.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(_plugin(Path(folder)), COMPOSE.with_suffix(".draft"))
        COMPOSE.with_suffix(".draft").rename(COMPOSE)


def _plugin(folder: Path) -> Path:
    """Compose v2, out of the newer Debian's package and without installing that, from where this machine gets its packages."""
    (folder / "lists" / "partial").mkdir(parents=True)
    (folder / "newer.sources").write_text(SOURCES.read_text().replace(OLD, NEW))
    own = {
        "Dir::Etc::sourcelist": folder / "newer.sources",
        "Dir::Etc::sourceparts": "-",
        "Dir::State::lists": folder / "lists",
        "Dir::Cache::pkgcache": "",
        "Dir::Cache::srcpkgcache": "",
        "Acquire::Languages": "none",
        "APT::Sandbox::User": "root",  # whose folder this is
    }
    options = [word for name, value in own.items() for word in ("-o", f"{name}={value}")]
    call("apt-get", *options, "update", "-qq")
    call("apt-get", *options, "download", "-qq", "docker-compose", folder=folder)
    (package,) = folder.glob("docker-compose_*.deb")
    call("dpkg-deb", "--extract", str(package), str(folder / "unpacked"))
    return folder / "unpacked" / PLUGIN


def mounted(folder: str) -> list[str]:
    """Words before a command of APART: it has memory at this folder, as much as it fills, 6 GB at most."""
    return ["sh", "-c", f'mount -t tmpfs -o size=6g none {folder} && exec "$0" "$@"']


def call(*command: str, folder: Path | None = None) -> None:
    """A command that must succeed."""
    given = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    ended = subprocess.run(command, cwd=folder, env=given, capture_output=True, text=True, timeout=LIMIT)
    assert ended.returncode == 0, f"{' '.join(command)}: {ended.stdout[-2000:]}{ended.stderr[-2000:]}"
