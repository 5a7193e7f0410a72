"""A web server that serves a folder of dumps as Wikimedia's does: listings, ranges, and what can go wrong."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote, unquote


@dataclass
class DumpServer:
    """What it serves and what it does to requests whose path holds a word. Changes take effect at once."""

    folder: Path
    url: str = ""
    faults: dict[str, list[tuple[int, dict[str, str]]]] = field(default_factory=dict)  # answers before the right one
    cuts: dict[str, list[int]] = field(default_factory=dict)  # bytes after which the next connections break
    held: set[str] = field(
        default_factory=set
    )  # files whose name holds one of these words are sent once it is taken out
    head: bool = True
    lists: bool = True
    asked: list[tuple[str, str, str, str]] = field(default_factory=list)  # method, path, range, user agent


class _Handler(BaseHTTPRequestHandler):
    server_of: DumpServer

    def do_GET(self) -> None:
        self._serve(True)

    def do_HEAD(self) -> None:
        if not self.server_of.head:
            self._answer(501, b"", {})
        else:
            self._serve(False)

    def _serve(self, body: bool) -> None:
        state, path = self.server_of, unquote(self.path)
        state.asked.append((self.command, path, self.headers.get("Range", ""), self.headers["User-Agent"]))
        for word, answers in state.faults.items():
            if word in path and answers:
                status, headers = answers.pop(0)
                return self._answer(status, b"no", headers)
        file = state.folder / path.strip("/")
        if file.is_dir() and path.endswith("/"):
            self._answer(200, _listing(file).encode() if state.lists else b"", {"Content-Type": "text/html"})
        elif file.is_file():
            self._file(file, body)
        else:
            self._answer(404, b"not here", {})

    def _file(self, file: Path, body: bool) -> None:
        content, status, headers = file.read_bytes(), 200, {"ETag": f'"{file.stat().st_mtime_ns}"'}
        if wanted := re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", "")):
            start, size = int(wanted[1]), len(content)
            status, content = 206, content[start:]
            headers |= {"Content-Range": f"bytes {start}-{size - 1}/{size}"}
        while body and any(word in file.name for word in list(self.server_of.held)):
            time.sleep(0.02)
        self._answer(status, content, headers, file.name if body else "")

    def _answer(self, status: int, content: bytes, headers: dict[str, str], name: str = "") -> None:
        self.send_response(status)
        for key, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(key, value)
        self.end_headers()
        if self.command == "HEAD":
            return
        cuts = self.server_of.cuts.get(name, [])
        try:
            self.wfile.write(content[: cuts.pop(0)] if cuts else content)
        except OSError:
            self.close_connection = True

    def log_message(self, *args: object) -> None:
        pass


def _listing(folder: Path) -> str:
    names = [f"{entry.name}/" if entry.is_dir() else entry.name for entry in sorted(folder.iterdir())]
    links = "".join(f'<a href="{quote(name)}">{escape(name)}</a>\n' for name in ["../", *names])
    return f"<html><head><title>Index</title></head><body><pre>{links}</pre></body></html>"


@contextmanager
def serve_dumps(folder: Path) -> Iterator[DumpServer]:
    """Serve the folder until the block ends."""
    state = DumpServer(folder)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"server_of": state}))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_port}"
    yield state
    server.shutdown()
    server.server_close()
    thread.join()
