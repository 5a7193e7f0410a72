"""Docker for the tests: the one that runs here and reaches a registry, else one of their own that is gone afterwards."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.services import missing

OLD, NEW = "bookworm", "trixie"  # Debian 12 has no plugin for Compose; the one of Debian 13 runs here
PLUGIN = "usr/libexec/docker/cli-plugins/docker-compose"
PROBE = "postgres:15.18-bookworm"  # whether a registry can be reached is asked with it
LIMIT = 1800.0


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
            self.process = subprocess.Popen(["dockerd", f"--host={self.host}", *options], stdout=log, stderr=log)
        end = time.monotonic() + 120
        while subprocess.run(["docker", f"--host={self.host}", "info"], capture_output=True).returncode:
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
def open_docker(folder: Path) -> Iterator[tuple[Docker, Daemon | None]]:
    """Docker, and the daemon where the tests started it. folder: for that daemon's data; it is removed."""
    if shutil.which("docker") and _reaches_a_registry():
        yield Docker("docker", "", None), None
        return
    if os.geteuid():
        missing("Docker", "install it with its plugin for Compose, or run this test as root on Debian 12")
    _install(["docker.io", "mmdebstrap"], [shutil.which("dockerd"), shutil.which("mmdebstrap")])
    configuration = folder / "client"
    (configuration / "cli-plugins").mkdir(parents=True)
    shutil.copy(_plugin(folder / "plugin"), configuration / "cli-plugins" / "docker-compose")
    daemon, rules = Daemon(folder), subprocess.run(["iptables-save"], capture_output=True, text=True).stdout
    try:
        daemon.start()
        yield Docker("/usr/bin/docker", daemon.host, configuration), daemon
    finally:
        daemon.stop()
        _restore_network(rules)


def _restore_network(rules: str) -> None:
    """Without the bridge of dockerd, and with the rules of the packet filter as they were before it."""
    subprocess.run(["ip", "link", "delete", "docker0"], capture_output=True)
    subprocess.run(["iptables-restore"], input=rules, capture_output=True, text=True)


def _reaches_a_registry() -> bool:
    found = subprocess.run(["docker", "manifest", "inspect", PROBE], capture_output=True, timeout=60)
    return (
        found.returncode == 0 and subprocess.run(["docker", "compose", "version"], capture_output=True).returncode == 0
    )


def _install(packages: Sequence[str], found: Sequence[str | None]) -> None:
    if not all(found):
        _call("apt-get", "update", "-qq")
        _call("apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages)


def _plugin(folder: Path) -> Path:
    """Compose v2, out of the newer Debian's package and without installing that, from where this machine gets its packages."""
    (folder / "lists" / "partial").mkdir(parents=True)
    sources = Path("/etc/apt/sources.list.d/debian.sources")
    if not sources.exists():
        missing("Compose", "install docker's plugin for it")
    newer = "\n".join(line for line in sources.read_text().replace(OLD, NEW).splitlines())
    (folder / "newer.sources").write_text(newer)
    own = {
        "Dir::Etc::sourcelist": folder / "newer.sources",
        "Dir::Etc::sourceparts": "-",
        "Dir::State::lists": folder / "lists",
    }
    options = [word for name, value in own.items() for word in ("-o", f"{name}={value}")]
    _call("apt-get", *options, "update", "-qq")
    _call("apt-get", *options, "download", "docker-compose", folder=folder)
    (package,) = folder.glob("docker-compose_*.deb")
    _call("dpkg-deb", "--extract", str(package), str(folder / "unpacked"))
    return folder / "unpacked" / PLUGIN


def _call(*command: str, folder: Path | None = None) -> None:
    given = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    ended = subprocess.run(command, cwd=folder, env=given, capture_output=True, text=True, timeout=LIMIT)
    assert ended.returncode == 0, f"{' '.join(command)}: {ended.stdout[-2000:]}{ended.stderr[-2000:]}"
