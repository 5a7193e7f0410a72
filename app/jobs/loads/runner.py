"""Runs the loads that people start, one at a time, beside the checks.

A load is a process, and a row of the table, which outlives the program as the loader's checkpoint does. The runner holds a
lock in DATA that the process inherits. If the application is killed, the next one gets the lock and continues the load once
the old loader has ended.
"""

from __future__ import annotations

import logging
import os
import shutil
import signal
import threading
import time
from typing import IO, Any

from app.folders import lock_file
from app.jobs.loads.dumps import Wanted, load_command
from app.jobs.loads.process import LoadProcess
from app.tables.database import DATABASE_AWAY, now
from app.tables.loads import CANCELLED, CANCELLING, DONE, FAILED, PAUSED, PAUSING, RUNNING, WAITING, Load, Loads
from retrieval.command import DONE as EXITED_WELL
from retrieval.command import FAULTS, INTERRUPTED
from retrieval.settings import Settings
from retrieval.stores.named import choose_corpus, name_corpus, named_corpora

log = logging.getLogger(__name__)

LOOK_EVERY = 0.5  # seconds between two looks at the table
PAUSING_PATIENCE = 20.0  # seconds for a loader to save its place and to end its transfers
LOADS_REMEMBERED = 7 * 86_400.0  # seconds that a finished load stays in the table

BROKE = "The loader stopped unexpectedly; the server's log says more. Resume it, and it continues where it stopped."
KILLED = "The loader was killed, as happens when a machine runs out of memory. Resume it when more is free."
LEFT_OUT = "{:,} of its lines or pages could not be read and were left out."
NOT_CHOSEN = "It is not the default corpus, because STORE names another."


class LoadRunner:
    """The thread that runs loads, unless another process on the same DATA does."""

    def __init__(self, settings: Settings, loads: Loads) -> None:
        self._settings, self._loads = settings, loads
        self._folder = settings.data.resolve() / "loads"
        self._lock: IO[str] | None = None
        self._stopped, self._wake = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._keep_running, name="loads", daemon=True)

    def start(self) -> None:
        """Run loads until this process ends."""
        self._thread.start()

    def wake(self) -> None:
        """Look at the table now."""
        self._wake.set()

    def stop(self) -> None:
        """Stop, ending a running load; the next process continues it."""
        self._stopped.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(PAUSING_PATIENCE)

    def _keep_running(self) -> None:
        while not self._stopped.is_set():
            try:
                while not self._stopped.is_set() and (load := self._loads.next()) and self._holds_lock():
                    self._do(load)
            except DATABASE_AWAY:
                log.warning("The database cannot be used; loads wait for it")
            except Exception:
                log.exception("A load cannot be run")
            self._wake.wait(LOOK_EVERY)
            self._wake.clear()
        if self._lock is not None:
            self._lock.close()

    def _holds_lock(self) -> bool:
        if self._lock is None:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._lock = lock_file(self._folder / "lock")  # open until this process ends
        if self._lock is None:
            self._stopped.wait(LOOK_EVERY)
        return self._lock is not None

    def _do(self, load: Load) -> None:
        if load.state == CANCELLING:
            self._clean(load)
            self._loads.move(load.id, (CANCELLING,), CANCELLED)
        elif load.state == PAUSING:
            self._loads.move(load.id, (PAUSING,), PAUSED)
        elif load.state == RUNNING or self._loads.move(load.id, (WAITING,), RUNNING, ""):
            self._loads.forget(now(LOADS_REMEMBERED))
            try:
                self._run(load)
            except OSError as error:
                log.exception("The loader of %s cannot be started", load.name)
                sentence = (
                    f"The loader cannot be started ({error.strerror or error}). Make room for it, then resume it."
                )
                self._loads.move(load.id, (RUNNING, PAUSING), FAILED, sentence)

    def _run(self, load: Load) -> None:
        assert self._lock is not None
        wanted = Wanted(load.source, load.place, load.wiki)
        store = self._settings.data.resolve() / "corpora" / load.folder
        store.parent.mkdir(parents=True, exist_ok=True)
        command = load_command(wanted, store, load.name)
        self._loads.note(load.id, {"pages": load.progress.get("pages", 0)})  # the rest is out of date
        process = LoadProcess(command, self._folder / load.id, self._settings, (self._lock.fileno(),))
        try:
            code = self._watch(load, process)
        finally:
            process.kill()
        if code is not None:
            self._note_end(load, process, code)

    def _watch(self, load: Load, process: LoadProcess) -> int | None:
        """Watch the load until it ends; returns its exit code, None if it was cancelled or this process stops."""
        noted: dict[str, Any] = {}
        deadline: float | None = None
        while (code := process.wait(LOOK_EVERY)) is None:
            if self._stopped.is_set():
                return None
            try:
                if process.progress != noted:
                    self._loads.note(load.id, noted := process.progress)
                current = self._loads.get(load.id)
            except DATABASE_AWAY:
                continue  # the load continues meanwhile
            if current is None or current.state == CANCELLING:
                return None
            if current.state == PAUSING and deadline is None:
                process.interrupt()
                deadline = time.monotonic() + PAUSING_PATIENCE
            if deadline is not None and time.monotonic() > deadline:
                return INTERRUPTED
        self._loads.note(load.id, process.progress)
        return code

    def _note_end(self, load: Load, process: LoadProcess, code: int) -> None:
        if code in (EXITED_WELL, FAULTS) and process.loaded and load.folder in named_corpora(self._settings.data):
            self._complete(load, process)
        elif code == INTERRUPTED:
            self._loads.move(load.id, (PAUSING, RUNNING), PAUSED)
        else:
            log.error("The load of %s ended with %s: %s", load.name, code, process.errors)
            sentence = KILLED if code == -signal.SIGKILL else process.error or BROKE
            self._loads.move(load.id, (RUNNING, PAUSING), FAILED, sentence)

    def _complete(self, load: Load, process: LoadProcess) -> None:
        shutil.rmtree(self._folder / load.id, ignore_errors=True)
        name_corpus(named_corpora(self._settings.data)[load.folder], load.name)
        left_out = process.loaded.get("left_out")
        sentence = LEFT_OUT.format(left_out) if isinstance(left_out, int) and left_out else ""
        if load.standard and self._settings.store:
            sentence = f"{sentence} {NOT_CHOSEN}".strip()
        elif load.standard:
            choose_corpus(self._settings.data, load.folder)
        # A pause or cancellation requested since its end came too late.
        self._loads.move(load.id, (RUNNING, PAUSING, CANCELLING, WAITING), DONE, sentence)

    def _clean(self, load: Load) -> None:
        """Delete the files of an unfinished load."""
        shutil.rmtree(self._folder / load.id, ignore_errors=True)
        if not load.folder or os.path.dirname(load.folder) or load.folder in named_corpora(self._settings.data):
            return
        store = self._settings.data.resolve() / "corpora" / load.folder
        deadline = time.monotonic() + PAUSING_PATIENCE
        while store.exists() and time.monotonic() < deadline:  # processes of a dead loader may still write for a moment
            shutil.rmtree(store, ignore_errors=True)
            self._stopped.wait(LOOK_EVERY)
