"""Real servers for tests, started once a session and thrown away after it."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import uuid
from pathlib import Path

import pytest
import sqlalchemy as sa

from tests.app.process import free_port

# Nothing goes to the disk: the data are gone after the session anyway. Commits do reach the system before they
# are answered, so that a server that is killed loses none.
OPTIONS = {"fsync": "off", "full_page_writes": "off", "max_connections": "200"}


def postgresql_binaries() -> Path | None:
    """The newest server that Debian installed, or the one on the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    return Path(on_path).parent if on_path else None


class PostgreSQL:
    """A server of its own in a temporary folder, or the one that TEST_POSTGRESQL names; a database for each who asks."""

    def __init__(self) -> None:
        self.folder: Path | None = None
        given = os.environ.get("TEST_POSTGRESQL", "")
        if given:
            self.url = sa.make_url(given).set(drivername="postgresql+psycopg")
            return
        binaries = postgresql_binaries()
        if binaries is None:
            missing("PostgreSQL", "apt-get install postgresql, or set TEST_POSTGRESQL to a server's URL")
        assert binaries is not None
        self.binaries = binaries
        self.port = free_port()
        self.folder = self._make_folder()
        self.url = sa.URL.create("postgresql+psycopg", "esoteric", "secret", "127.0.0.1", self.port, "postgres")
        self._initialise()
        self.start()

    def database(self) -> str:
        """URL of a new, empty database."""
        name = f"test_{uuid.uuid4().hex[:12]}"
        engine = sa.create_engine(self.url, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(sa.text(f"CREATE DATABASE {name}"))
        engine.dispose()
        url = self.url.set(drivername="postgresql", database=name)
        return url.render_as_string(hide_password=False)

    def nearby(self) -> str:
        """URL of a new database through a socket in the file system, which other networks of this machine reach too."""
        if self.folder is None:
            missing("PostgreSQL on this machine", "leave TEST_POSTGRESQL empty")
        name = sa.make_url(self.database()).database
        return f"postgresql://esoteric:secret@/{name}?host={self.folder}&port={self.port}"

    def start(self) -> None:
        """Start it and wait until it answers."""
        options = " ".join(f"-c {name}={value}" for name, value in OPTIONS.items())
        where = f"-c listen_addresses=127.0.0.1 -c port={self.port} -c unix_socket_directories={self.folder} {options}"
        self._run("pg_ctl", "-w", "-t", "120", "-l", f"{self.folder}/log", "-o", where, "start")

    def stop(self, mode: str = "immediate") -> None:
        """Stop it, as a crash would."""
        self._run("pg_ctl", "-w", "-m", mode, "stop")

    def close(self) -> None:
        if self.folder is not None:
            self.stop()
            shutil.rmtree(self.folder, ignore_errors=True)

    def _make_folder(self) -> Path:
        """The server refuses to run as root; the folder belongs to whom it runs as."""
        shm = Path("/dev/shm")
        folder = Path(tempfile.mkdtemp(prefix="esoteric-pg-", dir=shm if shm.is_dir() else None))
        self.account: str | None = None
        if os.geteuid() == 0:
            names = {entry.pw_name for entry in pwd.getpwall()}
            self.account = "postgres" if "postgres" in names else "nobody"
            shutil.chown(folder, self.account)
        return folder

    def _initialise(self) -> None:
        assert self.folder is not None
        password = self.folder / "password"
        password.write_text("secret\n")
        password.chmod(0o644)
        self._run(
            "initdb", "--no-sync", "-U", "esoteric", "-A", "scram-sha-256", f"--pwfile={password}",
            "--encoding=UTF8", "--locale=C",
        )  # fmt: skip

    def _run(self, program: str, *arguments: str) -> None:
        ended = subprocess.run(
            [self.binaries / program, "-D", f"{self.folder}/data", *arguments], cwd=self.folder, user=self.account,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
        assert ended.returncode == 0, f"{program} ended with {ended.returncode}: {ended.stderr}"


def chromium_path() -> str:
    """The installed Chromium. Skips the test where there is none."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        missing("Chromium", "apt-get install chromium")
    return str(found)


def missing(what: str, remedy: str) -> None:
    """Skip, or fail where services are required."""
    sentence = f"{what} is not here: {remedy}"
    if os.environ.get("REQUIRE_SERVICES"):
        pytest.fail(sentence)
    pytest.skip(sentence)
