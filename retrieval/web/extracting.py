"""Extracts the text of a page or PDF, by `retrieval.text.files`, in a separate process with limits on memory and time.

    python -m retrieval.web.extracting     reads pages from standard input, every part after its length; writes a JSON line for each

If a page crashes the process, only that page is lost. The process has no secrets in its environment and ends with its
parent.
"""

from __future__ import annotations

import contextlib
import json
import os
import struct
import subprocess
import sys
import threading
from pathlib import Path

from retrieval.errors import CorpusError, WebError
from retrieval.text.files.charsets import decode
from retrieval.text.files.document import Converted
from retrieval.text.files.web_page import read_page

ROOT = Path(__file__).resolve().parents[2]
EXTRACTION_SECONDS, PDF_EXTRACTION_SECONDS = 15.0, 30.0  # with the start of the process
MEMORY, PROCESSOR = 1_500_000_000, 120  # limits of the process: bytes, seconds
LENGTH = struct.Struct(">I")
HTML, XHTML, TEXT, PDF = "text/html", "application/xhtml+xml", "text/plain", "application/pdf"
PASSED_ON = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "LD_LIBRARY_PATH", "VIRTUAL_ENV")


class Extractor(contextlib.AbstractContextManager["Extractor"]):
    """Extracts one page after another; threads take turns. Close it after use."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def __exit__(self, *_: object) -> None:
        self.close()

    def extract(self, content: bytes, address: str, kind: str = HTML, charset: str = "") -> dict[str, str]:
        """{"text", "title", "date", "note"}. date: of publication, ISO 8601; empty if the page gives none. note: on what was
        left out or may be wrong, without a full stop; may be empty. kind: the media type. charset: from the server. Raises
        WebError.
        """
        with self._lock:
            return self._extract(content, address, kind, charset)

    def _extract(self, content: bytes, address: str, kind: str, charset: str) -> dict[str, str]:
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        timer = threading.Timer(PDF_EXTRACTION_SECONDS if kind == PDF else EXTRACTION_SECONDS, process.kill)
        timer.start()
        try:
            for part in (address.encode(), kind.encode(), charset.encode(), content):
                process.stdin.write(LENGTH.pack(len(part)) + part)
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError:
            line = b""
        finally:
            timer.cancel()
        if not line:
            self.close()
            raise WebError("The page could not be read within the limits of memory and time.")
        found: dict[str, str] = json.loads(line)
        return found

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                assert stream is not None
                with contextlib.suppress(OSError):
                    stream.close()

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "retrieval.web.extracting"],
                cwd=ROOT,
                env={name: os.environ[name] for name in PASSED_ON if name in os.environ} | {"OMP_NUM_THREADS": "1"},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        return self._process


def _main_text(content: bytes, address: str, kind: str, charset: str) -> dict[str, str]:
    """The result of `Extractor.extract`, computed in this process."""
    try:
        found = _read(content, address, kind, charset)
    except CorpusError as error:
        return {"text": "", "title": "", "date": "", "note": "" if kind == HTML else str(error)}
    return {"text": found.text, "title": found.title, "date": found.date, "note": "; ".join(found.notes)}


def _read(content: bytes, address: str, kind: str, charset: str) -> Converted:
    if kind == PDF:
        from retrieval.text.files.pdf.reading import read_pdf

        found = read_pdf(content)
        return found._replace(text=found.text.replace("\f", " "))
    if kind == TEXT:
        decoded = decode(content, charset)
        return Converted("", decoded.text).noting(decoded.note())
    return read_page(content, charset, address)


def serve() -> None:
    """Answer requests until standard input ends."""
    import logging
    import resource

    logging.disable(logging.CRITICAL)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR, PROCESSOR))
    while None not in (parts := [_read_part() for _ in range(4)]):
        address, kind, charset, content = (part or b"" for part in parts)
        print(json.dumps(_main_text(content, address.decode(), kind.decode(), charset.decode())), flush=True)


def _read_part() -> bytes | None:
    head = sys.stdin.buffer.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    return sys.stdin.buffer.read(length)


if __name__ == "__main__":
    serve()
