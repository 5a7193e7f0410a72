"""Reads texts in the background and finds their claims. If a process dies, the next one that is asked for the
text reads it again, with the same result.
"""

from __future__ import annotations

import json
import logging
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.errors import Busy
from app.jobs.readers.process import Bounds, LockedFolder, Reading
from app.jobs.readers.turns import MOST_PENDING_OF_A_PERSON, Turns
from app.tables.background import READING, Silence
from app.tables.database import made_storable
from app.tables.texts import StoredText, Texts
from retrieval.errors import ClaimError, EsotericError, WebError
from retrieval.settings import Settings
from retrieval.text.extraction.finder import LONGEST_TEXT
from retrieval.text.files.charsets import Decoded, guessed
from retrieval.text.files.document import other_type
from retrieval.text.files.hiding import hidden_note
from retrieval.text.languages.detecting import UNKNOWN_LANGUAGE, text_language
from retrieval.text.pasted.prose import Prose, read_prose
from retrieval.web.rules import open_rules

if TYPE_CHECKING:
    from retrieval.web.pages import WebPage

log = logging.getLogger(__name__)

READER_SILENCE = 60.0  # seconds without progress after which a text's reader counts as dead
TEXTS_AT_ONCE = 1  # that are read
LONGEST_TITLE = 200
PLAIN_TYPES = (".txt", ".md")
FILE_TYPES = (*PLAIN_TYPES, ".html", ".htm", ".pdf", ".docx")
TITLE = "(meta data) TITLE: "  # begins the title in a knowledge file
PART = re.compile(r" \(part \d+ of \d+\)$")
SIGN_EVERY = 2.0  # seconds between signs of life while a file is read, which also notice that its text was deleted

WRONG = "Something went wrong inside the program. Send the text again; the server's log says what it was."
LEFT_OUT = "{} is on a site that this server does not read (WEB_LEAVE_OUT, WEB_FACT_CHECKERS). Paste its text instead."
NO_TEXT = "no text was found in it; paste the text itself"


class TextReader:
    """Finds the claims of texts, one text at a time; people take turns."""

    def __init__(
        self,
        settings: Settings,
        texts: Texts,
        resources: Any,
        prepare: Callable[[Sequence[str]], None] = lambda _: None,
    ) -> None:
        """prepare: called with the chosen claims before the text is ready."""
        self._settings, self._texts, self._resources, self._prepare = settings, texts, resources, prepare
        self._turns = Turns(TEXTS_AT_ONCE, "text")
        self._lock = threading.Lock()
        self._readings: dict[str, threading.Event] = {}  # texts that this process reads or will read -> set at the end
        self._silence = Silence(texts.engine)

    def take(
        self, content: str, title: str, person: str, name: str = "", file: bytes | None = None, source: str = ""
    ) -> str:
        """Store a text, a file or the address of a page, and start reading it; returns the id. Raises ClaimError if the text is
        too long, Busy if this person's other texts are still being read."""
        if len(content) > LONGEST_TEXT:
            raise too_long(len(content))
        if self._turns.pending(person) >= MOST_PENDING_OF_A_PERSON:
            raise Busy("Your other texts are still being read. Try again in a minute.")
        text_id = self._texts.add(made_storable(content, " "), title[:LONGEST_TITLE], person, name, file, source)
        self._begin(text_id, person)
        return text_id

    def get(self, text_id: str, wait: float = 0) -> StoredText | None:
        """The text in its current state, after waiting up to `wait` seconds for its claims. Resumes an abandoned reading."""
        with self._lock:  # before the row is read, which then has the outcome of a reading that ends in between
            ended = self._readings.get(text_id)
        stored = self._texts.get(text_id)
        if stored is None or stored.state != READING:
            return stored
        if ended is None and self._silence.exceeds(READER_SILENCE, text_id, stored.changed):
            self._begin(text_id, stored.person)
            ended = self._readings.get(text_id)
        if ended is not None and wait and ended.wait(wait):
            return self._texts.get(text_id)
        return stored

    def _begin(self, text_id: str, person: str) -> None:
        with self._lock:
            if text_id in self._readings:
                return
            self._readings[text_id] = threading.Event()
        self._turns.add(person, lambda: self._read(text_id))

    def _read(self, text_id: str) -> None:
        """Runs in a thread of its own. Any outcome goes to the row."""
        try:
            self._find(text_id)
        except EsotericError as error:
            self._texts.fail(text_id, str(error))
        except Exception:
            log.exception("The claims of text %s could not be found", text_id)
            self._texts.fail(text_id, WRONG)
        finally:
            with self._lock:
                ended = self._readings.pop(text_id)
            ended.set()

    def _find(self, text_id: str) -> None:
        stored = self._texts.get(text_id, with_file=True)
        if stored is None or stored.state != READING:
            return
        content, title, published, notes = stored.content, stored.title, stored.published, list(stored.notes)
        if stored.file is not None:
            content, file_title, notes = self._text_of(text_id, stored.file, stored.file_name)
            title = title or file_title
            self._texts.store_content(text_id, content, title or Path(stored.file_name).stem, notes)
        elif stored.source and not content:
            page = self._page_at(stored.source)
            content, title, published = made_storable(page.text, " "), title or made_storable(page.title), page.date
            notes = sentences([page.note])
            self._texts.store_content(text_id, content, title, notes, source=page.address, published=published)
        finder = self._resources.claim_finder()
        claims = finder.find(
            content, title, lambda done, total: self._report(text_id, done, total), written=day_of(published)
        )
        self._prepare([claim.text for claim in claims if claim.chosen])
        language, prose_notes = about(read_prose(content))
        self._texts.finish(text_id, language, claims, [*notes, *prose_notes])

    def _report(self, text_id: str, done: int, total: int) -> None:
        if not self._texts.read_on(text_id, min(99, 100 * done // max(1, total))):
            raise ClaimError("The text was deleted.")

    @contextmanager
    def _heartbeat(self, text_id: str, reading: Reading) -> Iterator[None]:
        """Within this block, show other processes that the text is being read, and stop if any process deletes the text."""
        ended = threading.Event()

        def beat() -> None:
            while self._texts.read_on(text_id, 0):
                if ended.wait(SIGN_EVERY):
                    return
            reading.stop()

        self._texts.hold(text_id, reading.stop)
        thread = threading.Thread(target=beat, name="text heartbeat", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._texts.release(text_id)
            ended.set()
            thread.join()

    def _page_at(self, address: str) -> WebPage:
        """The web page at an address, fetched by the guarded client. Raises WebError, and ClaimError if it is too long."""
        from retrieval.web.pages import fetch_page

        rules = open_rules(self._settings)
        if not rules.allow(address):
            raise WebError(LEFT_OUT.format(address[:200]))
        page = fetch_page(address, self._settings)
        if not rules.allow(page.address):
            raise WebError(LEFT_OUT.format(page.address[:200]))
        if len(page.text) > LONGEST_TEXT:
            raise too_long(len(page.text))
        return page

    def _text_of(self, text_id: str, file: bytes, name: str) -> tuple[str, str, list[str]]:
        """A file's text, its title, and notes on how it was read. Raises ClaimError if it is empty or too long."""
        if (plain := plain_text(file, name)) is not None:
            return plain.text, "", sentences([plain.note()])
        with LockedFolder(self._settings.data / "uploads", "text-") as folder:
            (folder.path / name).write_bytes(file)
            bounds = Bounds(self._settings.upload_seconds, self._settings.upload_memory)
            reading = Reading([folder.path / name], folder.path, bounds, headings=True)
            with self._heartbeat(text_id, reading):
                faults = [fault for result in reading.run() for fault in result["faults"]]
        lines = reading.content.decode("utf-8", "replace").split("\n")
        text = "\n\n".join(paragraphs(lines))
        if not text:
            raise ClaimError(f"{name} cannot be read: {faults[0] if faults else NO_TEXT}.")
        if len(text) > LONGEST_TEXT:
            raise too_long(len(text))
        return text, made_storable(document_title(lines, name)), sentences(faults)


def sentences(notes: Iterable[str]) -> list[str]:
    """Notes as sentences, without empty ones."""
    return [made_storable(f"{note[:1].upper()}{note[1:]}.") for note in notes if note]


def about(prose: Prose) -> tuple[str, list[str]]:
    """The language of a text, empty if unclear, and notes on how its prose was read."""
    language = text_language(prose.text)
    hidden = [hidden_note(prose.hidden)] if prose.hidden else []
    return language, [*sentences(hidden), *([] if language else [UNKNOWN_LANGUAGE])]


def day_of(published: str) -> date | None:
    """The day that a page gives; None if it gives no complete one."""
    try:
        return date.fromisoformat(published)
    except ValueError:
        return None


def plain_text(file: bytes, name: str) -> Decoded | None:
    """The text of a plain file; None if a separate process has to read it."""
    if Path(name).suffix.lower() not in PLAIN_TYPES or b"\0" in file or other_type(file):
        return None
    decoded = guessed(file)
    return None if decoded.broken else decoded


def paragraphs(lines: Iterable[str]) -> Iterator[str]:
    """The paragraphs in a knowledge file, without titles."""
    for line in filter(None, lines):
        for paragraph in json.loads(line)["url2text"]:
            if not paragraph.startswith(TITLE) and paragraph.strip():
                yield paragraph


def document_title(lines: Sequence[str], name: str) -> str:
    """The title of the document in a knowledge file; empty if it is only the name of the file."""
    first = json.loads(lines[0])["url2text"][0] if lines and lines[0] else ""
    title = PART.sub("", first.removeprefix(TITLE)).strip() if first.startswith(TITLE) else ""
    return "" if title == Path(name).stem else title[:LONGEST_TITLE]


def too_long(characters: int) -> ClaimError:
    """The error for a text of this many characters."""
    return ClaimError(
        f"The text has {characters:,} characters; at most {LONGEST_TEXT:,} are read at once. Send it in parts."
    )
