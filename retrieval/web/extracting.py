"""The main text of a page, by trafilatura, without what the page hides, in a separate process with limits on memory and time.

    python -m retrieval.web.extracting     reads pages from standard input, each behind its length; writes a line of JSON each

A page that breaks the process is lost; others are not affected. The process has no secrets in its environment and ends
with its parent.
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
from typing import Any, Protocol

from retrieval.errors import WebError
from retrieval.text.files.hiding import Hiding, hidden_note, take_out_hidden

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 15.0  # for one page, the start of the process included
MEMORY, PROCESSOR = 1_500_000_000, 120  # bytes, seconds: of the process
LENGTH = struct.Struct(">I")
PASSED_ON = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "LD_LIBRARY_PATH", "VIRTUAL_ENV")


class Extracts(Protocol):
    """Anything that extracts like `Extractor`."""

    def extract(self, content: bytes, address: str) -> dict[str, str]: ...


class Extractor:
    """Extracts one page after another. Must be closed; not thread-safe."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Extractor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def extract(self, content: bytes, address: str) -> dict[str, str]:
        """{"text", "title", "date", "note"}; date: of publication, ISO 8601, empty if the page does not say. note: what was
        left out, without a full stop, or empty. Raises WebError.
        """
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        timer = threading.Timer(SECONDS, process.kill)
        timer.start()
        try:
            where = address.encode()
            process.stdin.write(LENGTH.pack(len(where)) + where + LENGTH.pack(len(content)) + content)
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError:
            line = b""
        finally:
            timer.cancel()
        if not line:
            self.close()
            raise WebError("The page could not be taken apart within its bounds, so it was not read.")
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


def main_text(content: bytes, address: str) -> dict[str, str]:
    """What `Extractor.extract` gives, in this process."""
    from trafilatura import bare_extraction, load_html
    from trafilatura.utils import decode_file

    source = decode_file(content)
    tree = load_html(source)
    hidden = take_out_hidden(tree, Hiding(source)) if tree is not None else 0
    found: Any = None
    if tree is not None:
        found = bare_extraction(tree, url=address or None, with_metadata=True, include_comments=False)
    told = {name: str(getattr(found, name, None) or "") for name in ("text", "title", "date")}
    return told | {"note": hidden_note(hidden) if hidden else ""}


def serve() -> None:
    """Answer until standard input ends."""
    import logging
    import resource

    logging.disable(logging.CRITICAL)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR, PROCESSOR))
    while (address := _read_part()) is not None and (content := _read_part()) is not None:
        found = main_text(content, address.decode())
        sys.stdout.write(json.dumps(found) + "\n")
        sys.stdout.flush()


def _read_part() -> bytes | None:
    head = sys.stdin.buffer.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    return sys.stdin.buffer.read(length)


if __name__ == "__main__":
    serve()
