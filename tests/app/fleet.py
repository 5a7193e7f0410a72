"""Processes that share one database, over the fake pipeline: `python -m tests.app.fleet web|worker DATA DATABASE PACE [PORT]`."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import sqlalchemy as sa

from retrieval.settings import Settings
from tests.app.fake import FakeResources
from tests.app.process import ROOT, Server, free_port

SILENCE = 2  # seconds
AUDIT = """
CREATE TABLE endings (id text);
CREATE FUNCTION note_ending() RETURNS trigger LANGUAGE plpgsql AS
  'BEGIN INSERT INTO endings VALUES (NEW.id); RETURN NEW; END';
CREATE TRIGGER note_ending AFTER UPDATE ON checks FOR EACH ROW
  WHEN (NEW.state = 'done' AND (OLD.state <> 'done' OR OLD.finished <> NEW.finished)) EXECUTE FUNCTION note_ending();
"""


def main(role: str, data: str, database: str, pace: str, port: str = "0") -> None:
    workers = 2 if role == "worker" else 0
    settings = Settings(data=Path(data), database=database, workers=workers, worker_timeout=SILENCE, rate_limit=0)
    resources = FakeResources(float(pace), steps=4)
    if role == "worker":
        from app.worker_process import work

        work(settings, resources)
    from app import create_app

    app = create_app(settings, resources)
    app.extensions["esoteric"].readiness.start()
    app.run(port=int(port), threaded=True)


class WorkerProcess:
    """A worker in a process group of its own."""

    def __init__(self, data: Path, database: str, pace: str) -> None:
        command = [sys.executable, "-m", "tests.app.fleet", "worker", str(data), database, pace]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True)

    def wait_until_it_works(self) -> None:
        assert self.process.stdout is not None
        assert "works on checks" in self.process.stdout.readline()

    def send(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(10)
        if self.process.stdout is not None:
            self.process.stdout.close()


class Fleet:
    """Two web processes without work of their own and two workers; what they did is read from their database."""

    def __init__(self, folder: Path, database: str, pace: str = "0.02") -> None:
        self.folder, self.database, self.pace = folder, database, pace
        self.engine = sa.create_engine(sa.make_url(database).set(drivername="postgresql+psycopg"), pool_pre_ping=True)
        self.webs = [self._web(folder / name) for name in ("web-1", "web-2")]
        self.workers: list[WorkerProcess] = []

    def start(self) -> None:
        for web in self.webs:
            web.start()
        with self.engine.begin() as connection:
            connection.exec_driver_sql(AUDIT)
        for name in ("worker-1", "worker-2"):
            self.hire(name)
        for worker in self.workers:
            worker.wait_until_it_works()

    def hire(self, name: str) -> WorkerProcess:
        """One worker more."""
        self.workers.append(WorkerProcess(self.folder / name, self.database, self.pace))
        return self.workers[-1]

    def submit(self, count: int, what: str) -> list[str]:
        """So many claims, to both web processes in turn."""
        return [self.webs[number % 2].submit(f"{what} {number}.", fresh=True) for number in range(count)]

    def wait(self, until: Callable[[Counter[str]], bool], limit: float = 120) -> Counter[str]:
        """Wait for these numbers of checks by state."""
        end = time.monotonic() + limit
        while True:
            states = Counter(dict(self.rows("SELECT state, count(*) FROM checks GROUP BY state")))
            if until(states):
                return states
            assert time.monotonic() < end, states
            time.sleep(0.1)

    def rows(self, query: str) -> list[tuple[object, ...]]:
        with self.engine.connect() as connection:
            return [tuple(row) for row in connection.exec_driver_sql(query)]

    def endings(self) -> Counter[object]:
        """Check -> how often it became done."""
        return Counter(row[0] for row in self.rows("SELECT id FROM endings"))

    def steps(self) -> dict[object, list[object]]:
        """Check -> the steps that were recorded for it, in order."""
        found: dict[object, list[object]] = {}
        query = "SELECT workflow_uuid, function_name FROM dbos.operation_outputs ORDER BY workflow_uuid, function_id"
        for check_id, name in self.rows(query):
            found.setdefault(check_id, []).append(name)
        return found

    def close(self) -> None:
        for worker in self.workers:
            worker.close()
        for web in self.webs:
            web.close()
        self.engine.dispose()

    def _web(self, data: Path) -> Server:
        port = free_port()
        return Server("-m", "tests.app.fleet", "web", str(data), self.database, self.pace, str(port), port=port)


if __name__ == "__main__":
    main(*sys.argv[1:])
