"""Processes that share one database, over the fake pipeline: `python -m tests.app.fleet web|worker DATA DATABASE GATE [PORT]`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from retrieval.settings import Settings
from tests.app.fake import STEPS, FakeResources
from tests.app.gate import Gate
from tests.app.process import ROOT, Server, free_port
from tests.waiting import waits

SILENCE = 5  # seconds: none that lives is silent for so long, not on a busy machine either
SLOTS = 2  # checks at once of a worker
AUDIT = """
CREATE TABLE endings (id text);
CREATE FUNCTION note_ending() RETURNS trigger LANGUAGE plpgsql AS
  'BEGIN INSERT INTO endings VALUES (NEW.id); RETURN NEW; END';
CREATE TRIGGER note_ending AFTER UPDATE ON checks FOR EACH ROW
  WHEN (NEW.state = 'done' AND (OLD.state <> 'done' OR OLD.finished <> NEW.finished)) EXECUTE FUNCTION note_ending();
CREATE TABLE page_writes (check_id text);
CREATE FUNCTION note_page() RETURNS trigger LANGUAGE plpgsql AS
  'BEGIN INSERT INTO page_writes VALUES (NEW.check_id); RETURN NEW; END';
CREATE TRIGGER note_page AFTER INSERT OR UPDATE ON check_pages FOR EACH ROW EXECUTE FUNCTION note_page();
"""
HELD = """
SELECT checks.id, checks.stages FROM checks JOIN dbos.workflow_status AS work ON work.workflow_uuid = checks.id
WHERE work.status = 'PENDING' AND work.executor_id = :executor AND checks.state = 'running'
"""
WRITING = """
SELECT pid, xact_start FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_xid IS NOT NULL
"""


def main(role: str, data: str, database: str, gate: str, port: str = "0") -> None:
    workers = SLOTS if role == "worker" else 0
    settings = Settings(data=Path(data), database=database, workers=workers, worker_timeout=SILENCE, rate_limit=0)
    resources = FakeResources(Path(gate))
    if role == "worker":
        from app.jobs.worker_process import work

        work(settings, resources)
    from app import create_app

    app = create_app(settings, resources)
    app.extensions["esoteric"].readiness.start()
    app.run(port=int(port), threaded=True)


class WorkerProcess:
    """A worker in a process group of its own. executor: the name under which it holds checks."""

    def __init__(self, data: Path, database: str, gate: Path) -> None:
        command = [sys.executable, "-m", "tests.app.fleet", "worker", str(data), database, str(gate)]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True)
        self.executor = ""

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

    def __init__(self, folder: Path, database: str) -> None:
        self.folder, self.database = folder, database
        self.gate = Gate(folder / "gate")
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

    def hire(self, name: str) -> WorkerProcess:
        """One worker more, at work."""
        known = {row[0] for row in self.rows("SELECT executor FROM workers")} if self.workers else set()
        worker = WorkerProcess(self.folder / name, self.database, self.gate.folder)
        self.workers.append(worker)
        worker.wait_until_it_works()
        (new,) = {row[0] for row in self.rows("SELECT executor FROM workers")} - known
        worker.executor = str(new)
        return worker

    def submit(self, count: int, what: str) -> list[str]:
        """So many claims, to both web processes in turn."""
        return [self.webs[number % 2].submit(f"{what} {number}.", fresh=True) for number in range(count)]

    def wait(self, until: Callable[[Counter[str]], bool], limit: float = 120) -> Counter[str]:
        """Wait for these numbers of checks by state."""
        for late in waits(limit):
            if until(states := self.states()):
                return states
            assert not late, states

    def states(self) -> Counter[str]:
        """State -> number of checks."""
        return Counter(
            {str(state): int(n) for state, n in self.rows("SELECT state, count(*) FROM checks GROUP BY state")}
        )

    def held(self, worker: WorkerProcess, stage: str) -> set[str]:
        """Ids of the checks that this worker has in hand, once it has all it can take and they wait in this stage."""
        for late in waits(120):
            rows = {row[0]: json.loads(row[1]) for row in self.rows(HELD, executor=worker.executor)}
            at = {id: step["done"] for id, stages in rows.items() for step in stages if step["name"] == stage}
            if list(at.values()) == [STEPS - 1] * SLOTS:
                return set(at)
            assert not late, rows

    def freeze(self, worker: WorkerProcess) -> None:
        """Stop it where it holds no row of the database locked: others would wait for it there, not take over."""
        while True:
            worker.send(signal.SIGSTOP)
            os.waitpid(worker.process.pid, os.WUNTRACED)
            stuck, end = set(self.rows(WRITING)), time.monotonic() + 1
            while stuck and time.monotonic() < end:
                time.sleep(0.02)
                stuck &= set(self.rows(WRITING))
            if not stuck:
                return
            worker.send(signal.SIGCONT)
            time.sleep(0.05)

    def lives(self, worker: WorkerProcess) -> bool:
        """Whether the others take it to be alive."""
        query = (
            "SELECT current_timestamp - seen < make_interval(secs => :silence) FROM workers WHERE executor = :executor"
        )
        return bool(self.rows(query, executor=worker.executor, silence=str(SILENCE))[0][0])

    def rows(self, query: str, **values: str) -> list[tuple[Any, ...]]:
        with self.engine.connect() as connection:
            return [tuple(row) for row in connection.execute(sa.text(query), values)]

    def attempts(self, ids: list[str]) -> dict[str, int]:
        """Check -> how often it was taken up."""
        found = dict(self.rows("SELECT id, attempts FROM checks"))
        return {check_id: found[check_id] for check_id in ids}

    def endings(self) -> Counter[str]:
        """Check -> how often it became done."""
        return Counter(row[0] for row in self.rows("SELECT id FROM endings"))

    def works(self) -> dict[str, str]:
        """Check -> where the queue takes the work on it to stand."""
        return dict(self.rows("SELECT workflow_uuid, status FROM dbos.workflow_status"))

    def stages(self) -> dict[str, list[tuple[str, str]]]:
        """Check -> its stages and where each stands, in order."""
        found = self.rows("SELECT id, stages FROM checks")
        return {check_id: [(stage["name"], stage["state"]) for stage in json.loads(told)] for check_id, told in found}

    def pages(self) -> dict[str, int]:
        """Check -> how often a page was written for it."""
        return dict(self.rows("SELECT check_id, count(*) FROM page_writes GROUP BY check_id"))

    def close(self) -> None:
        for worker in self.workers:
            worker.close()
        for web in self.webs:
            web.close()
        self.engine.dispose()

    def _web(self, data: Path) -> Server:
        port = free_port()
        gate = str(self.gate.folder)
        return Server("-m", "tests.app.fleet", "web", str(data), self.database, gate, str(port), port=port)


if __name__ == "__main__":
    main(*sys.argv[1:])
