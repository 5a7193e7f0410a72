"""Takes documents that a person uploads and has them read by a process of its own.

A file may be hostile: it is written under a name that only this module makes, read by `python -m indexing knowledge`
with bounds on its memory and time, and removed at once. What a parser does to that process, it does to nothing else.
"""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from werkzeug.datastructures import FileStorage

from app.folders import ROOT
from app.problems import Problem
from app.sources.documents import READING, SILENCE, Documents
from retrieval.output.record import Json
from retrieval.settings import Settings

log = logging.getLogger(__name__)

TYPES = (".txt", ".md", ".html", ".htm", ".pdf", ".docx", ".json", ".jsonl")
MOST_FILES = 50
MOST_KEPT = 200  # uploads; older ones must be deleted before there is room for another
MEGABYTES, SECONDS = 4_000, 120  # of memory and of a processor that reading may take
PATIENCE = 150.0  # seconds on the clock, for a machine that has other things to do
AT_ONCE, WAITING = 1, 8
LONGEST_NAME = 100

NOTHING = "None of these files holds text that can be read; what is wrong is said beside each."
TOO_SLOW = f"Reading these documents took longer than {PATIENCE:.0f} seconds. Upload fewer or smaller ones."
BROKE = "The program that reads documents broke off at one of them. Upload them one by one to see which."


class Uploads:
    """Reads uploads one after another, in the background."""

    def __init__(self, settings: Settings, documents: Documents) -> None:
        self.most_bytes = settings.upload_megabytes * 1_000_000
        self._folder = settings.data / "uploads"
        self._documents = documents
        self._turn = threading.Semaphore(AT_ONCE)

    def clean(self) -> None:
        """Remove what a process left behind that died while it read."""
        if self._folder.is_dir():
            for left in self._folder.iterdir():
                if left.stat().st_mtime < time.time() - 2 * PATIENCE * (WAITING + 1):
                    shutil.rmtree(left, ignore_errors=True)

    def take(self, files: Sequence[FileStorage], name: str = "") -> str:
        """Keep the files and begin to read them; returns the id of the documents.

        Raises Problem 422 for what is not to be read, 503 where too many are being read.
        """
        files = [file for file in files if file.filename]
        names = [safe_name(file.filename or "") for file in files]
        self._refuse(names)
        self._folder.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(dir=self._folder))
        try:
            paths = [_save(file, folder / str(number) / name) for number, (file, name) in enumerate(zip(files, names, strict=True))]  # fmt: skip
            documents_id = self._documents.add(_title(name, names), len(paths))
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        threading.Thread(
            target=self._read, args=(documents_id, folder, paths), name=f"upload {documents_id}", daemon=True
        ).start()
        return documents_id

    def _refuse(self, names: Sequence[str]) -> None:
        if not self.most_bytes:
            raise Problem(403, "Uploads are turned off here. Who runs this application can set UPLOAD_MEGABYTES.")
        if not names:
            raise Problem(422, "No file was chosen. Choose one or more documents to upload.")
        if len(names) > MOST_FILES:
            raise Problem(422, f"{len(names)} files were sent and at most {MOST_FILES} are taken. Send fewer at once.")
        for name in names:
            if Path(name).suffix.lower() not in TYPES:
                raise Problem(422, f"“{name}” is of none of the types {' '.join(TYPES)}. Save it as one of them.")
        kept = self._documents.all()
        if len(kept) >= MOST_KEPT:
            raise Problem(422, f"{MOST_KEPT} uploads are kept, which is the most. Delete some of them.")
        if sum(found.state == READING for found in kept) > WAITING:
            raise Problem(503, "Other documents are being read. Try again in a minute.", {"Retry-After": "60"})

    def _read(self, documents_id: str, folder: Path, paths: Sequence[Path]) -> None:
        """In a thread of its own. Whatever happens ends in the row."""
        try:
            while not self._turn.acquire(timeout=SILENCE / 10):
                self._documents.read_on(documents_id, [])  # a sign that somebody still means to read them
            try:
                fault = self._run(documents_id, folder / "knowledge.jsonl", paths)
            finally:
                self._turn.release()
            if fault:
                self._documents.fail(documents_id, fault)
        except Exception:
            log.exception("Documents %s could not be read", documents_id)
            self._documents.fail(documents_id, "Something went wrong inside the program. Upload the documents again.")
        finally:
            self._documents.release(documents_id)
            shutil.rmtree(folder, ignore_errors=True)

    def _run(self, documents_id: str, target: Path, paths: Sequence[Path]) -> str:
        """What went wrong; empty where the documents are ready now."""
        read: list[Json] = []
        late = threading.Event()
        for told in read_apart(paths, target, late):
            read.append(told)
            if not self._documents.read_on(documents_id, read):
                return ""  # deleted meanwhile
        pages = sum(told["pages"] for told in read)
        if len(read) < len(paths):
            return TOO_SLOW if late.is_set() else BROKE
        if not pages:
            return NOTHING
        self._documents.finish(documents_id, pages, target.read_bytes())
        return ""


def read_apart(paths: Sequence[Path], target: Path, late: threading.Event) -> Iterator[Json]:
    """Read the files into `target` in a process of its own; what it tells of each. late: set where it took too long.

    The process is ended when nobody iterates any more.
    """
    bounds = ["--json", "--megabytes", str(MEGABYTES), "--seconds", str(SECONDS)]
    command = [sys.executable, "-m", "indexing", "knowledge", *bounds, "--out", str(target), "--", *map(str, paths)]
    reader = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )

    def stop() -> None:
        late.set()
        reader.kill()

    timer = threading.Timer(PATIENCE, stop)
    timer.daemon = True
    timer.start()
    try:
        assert reader.stdout is not None
        with reader.stdout:
            yield from _lines(reader.stdout)
    finally:
        timer.cancel()
        if not late.is_set():  # it has told everything, or nobody listens
            reader.kill()
        reader.wait()


def safe_name(name: str) -> str:
    """The last part of a file's name as people may read it, without anything that a file system or a page trips over."""
    plain = _readable(re.split(r"[/\\]", name)[-1]).lstrip(".-~ ")
    stem, suffix = os.path.splitext(plain)
    return f"{_shortened(stem) or 'document'}{suffix[:8]}".rstrip()


def _readable(text: str) -> str:
    signs = (
        c if c.isprintable() and unicodedata.category(c) != "Cf" else " " for c in unicodedata.normalize("NFC", text)
    )
    return " ".join("".join(signs).split())


def _shortened(text: str) -> str:
    return text.encode()[:LONGEST_NAME].decode(errors="ignore").strip()


def _title(given: str, names: Sequence[str]) -> str:
    """What people call the upload: as they say, else by its first file."""
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return _shortened(_readable(given)) or names[0] + more


def _save(file: FileStorage, path: Path) -> Path:
    path.parent.mkdir()
    file.save(path)
    return path


def _lines(stream: IO[str]) -> Iterator[Json]:
    for line in stream:
        try:
            told = json.loads(line)
        except ValueError:
            continue
        if isinstance(told, dict) and isinstance(told.get("pages"), int):
            yield told
