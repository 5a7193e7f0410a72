"""Takes in uploaded documents and has a separate process read them.

A file may be hostile. It is stored under a name that this module makes, read by `python -m indexing knowledge` with limits
on memory and time, and removed at once. A parser that breaks harms only that process.
"""

from __future__ import annotations

import logging
import os
import re
import threading
import time
import unicodedata
from collections.abc import Sequence
from pathlib import Path

from werkzeug.datastructures import FileStorage

from app.errors import Busy, TurnedOff, Unusable
from app.jobs.readers.process import Bounds, LockedFolder, Reading, remove_abandoned
from app.jobs.readers.turns import MOST_PENDING_OF_A_PERSON, Turns
from app.tables.background import READING
from app.tables.documents import READING_SILENCE, Documents
from app.tables.ownership import Account
from retrieval.output.record import Json
from retrieval.settings import Settings
from retrieval.text.extraction.language import NAMES

log = logging.getLogger(__name__)

TYPES = (".txt", ".md", ".html", ".htm", ".pdf", ".docx", ".json", ".jsonl")
MOST_FILES_AN_UPLOAD = 50
MOST_UPLOADS = 200  # of a person; for another, they must delete one
UPLOADS_AT_ONCE = 2  # that are read
MOST_UNREAD = 20  # uploads
LONGEST_FILE_NAME = 100  # bytes, without the ending

NOTHING = "None of these files has readable text; the problem is listed next to each."


class Uploads:
    """Reads uploads in the background, two at a time; people take turns."""

    def __init__(self, settings: Settings, documents: Documents) -> None:
        self.most_bytes = settings.upload_megabytes * 1_000_000
        self.bounds = Bounds(settings.upload_seconds, settings.upload_memory)
        self._folder = settings.data / "uploads"
        self._documents = documents
        self._turns = Turns(UPLOADS_AT_ONCE, "upload")

    def clean(self) -> None:
        """Remove the files of processes that died while they read."""
        remove_abandoned(self._folder)

    def take(
        self,
        files: Sequence[FileStorage],
        name: str = "",
        person: str = "",
        owner: Account | None = None,
        shared: bool = False,
        language: str = "",
    ) -> str:
        """Store the files and start to read them; returns the id of the documents. language: its code; empty to detect it.
        Raises Unusable if they cannot be read, TurnedOff, and Busy if too many are being read."""
        files = [file for file in files if file.filename]
        names = [safe_name(file.filename or "") for file in files]
        if language and language not in NAMES:
            known = ", ".join(NAMES)
            raise Unusable(f"“{language[:20]}” is not a known language. Choose one of {known}, or none.")
        self._refuse(names, person)
        folder = LockedFolder(self._folder)
        try:
            paths = [folder.path / str(number) / file_name for number, file_name in enumerate(names)]
            for file, path in zip(files, paths, strict=True):
                path.parent.mkdir()
                file.save(path)
            documents_id = self._documents.add(_title(name, names), len(paths), person, owner, shared)
        except BaseException:
            folder.remove()
            raise
        reading = Reading(paths, folder.path, self.bounds, language)
        self._documents.hold(documents_id, reading.stop)
        self._turns.add(person, lambda: self._read(documents_id, folder, reading))
        beating = threading.Thread(target=self._keep_beating, args=(documents_id,), name="heartbeat", daemon=True)
        beating.start()
        return documents_id

    def _refuse(self, names: Sequence[str], person: str) -> None:
        if not self.most_bytes:
            raise TurnedOff("Uploads are turned off. To allow them, set UPLOAD_MEGABYTES.")
        if not names:
            raise Unusable("No file was chosen. Choose one or more documents to upload.")
        if len(names) > MOST_FILES_AN_UPLOAD:
            raise Unusable(f"You sent {len(names)} files; the limit is {MOST_FILES_AN_UPLOAD}. Send fewer at once.")
        for name in names:
            if Path(name).suffix.lower() not in TYPES:
                raise Unusable(f"“{name}” is not one of the types {' '.join(TYPES)}. Save it as one of them.")
        if self._documents.count_of(person) >= MOST_UPLOADS:
            raise Unusable(f"You have {MOST_UPLOADS} uploads, which is the limit. Delete some of them.")
        if self._turns.pending(person) >= MOST_PENDING_OF_A_PERSON:
            raise Busy("Your other documents are still being read. Try again in a minute.")
        if sum(upload.state == READING for upload in self._documents.all()) >= MOST_UNREAD:
            raise Busy("Other documents are being read. Try again in a minute.")

    def _read(self, documents_id: str, folder: LockedFolder, reading: Reading) -> None:
        """Runs in a thread of its own. Any outcome goes to the row."""
        try:
            if fault := self._run(documents_id, reading):
                self._documents.fail(documents_id, fault)
        except Exception:
            log.exception("Documents %s could not be read", documents_id)
            self._documents.fail(documents_id, "Something went wrong inside the program. Upload the documents again.")
        finally:
            self._documents.release(documents_id)
            folder.remove()

    def _run(self, documents_id: str, reading: Reading) -> str:
        """Read the files; returns the fault, empty if the documents are ready or deleted."""
        results: list[Json] = []
        if not self._documents.read_on(documents_id, results):
            return ""
        for result in reading.run():
            results.append(result)
            if not self._documents.read_on(documents_id, results):
                return ""  # deleted meanwhile
        if not (pages := sum(result["pages"] for result in results)):
            return NOTHING
        self._documents.finish(documents_id, pages, reading.content)
        return ""

    def _keep_beating(self, documents_id: str) -> None:
        """Show other processes that this one is still reading the documents, or has them in its queue."""
        while self._documents.beat(documents_id):
            time.sleep(READING_SILENCE / 10)


def safe_name(name: str) -> str:
    """The last part of a file name, readable, and safe for file systems and pages."""
    plain = _readable(re.split(r"[/\\]", name)[-1]).lstrip(".-~ ")
    stem, suffix = os.path.splitext(plain)
    return f"{_shortened(stem) or 'document'}{suffix[:8]}".rstrip()


def _readable(text: str) -> str:
    plain = (
        c if c.isprintable() and unicodedata.category(c) != "Cf" else " " for c in unicodedata.normalize("NFC", text)
    )
    return " ".join("".join(plain).split())


def _shortened(text: str) -> str:
    return text.encode()[:LONGEST_FILE_NAME].decode(errors="ignore").strip()


def _title(name: str, names: Sequence[str]) -> str:
    """The title of an upload: the given name, else that of its first file."""
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return _shortened(_readable(name)) or names[0] + more
