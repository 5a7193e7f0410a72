"""Connections to the web server. A slow client holds a socket for a while, but nothing that other clients need.

One thread of waitress reads all requests; a thread of the pool gets a request once it is complete. This module adds deadlines,
a limit on connections (beyond it, the slowest is closed), a limit on bodies, and separate threads for health checks.
"""

from __future__ import annotations

import io
import socket
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.receiver import FixedStreamReceiver
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher
from waitress.utilities import RequestEntityTooLarge, RequestHeaderFieldsTooLarge

HEADER_SECONDS = 10.0  # from the connection to the first byte, and from there to the end of the headers
SLOWEST_BODY = 32_000  # bytes a second at which a body must come, after another HEADER_SECONDS
UNREAD_SECONDS = 60.0  # for which an answer may wait to be read
MOST_CONNECTIONS = 512  # each may hold a socket and a temporary file
ACCEPTED_AT_ONCE = 64  # connections
SPOOLED_BYTES = 500_000_000  # of all incomplete bodies together
FORGOTTEN = 10  # times the largest body; longer ones are not read at all
LARGEST_HEADERS = 32_768
HEALTH = ("/healthz", "/readyz", "/metrics")


TOO_LONG = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>The address is too long – ESOTERIC</title></head>
<body>
<h1>The address is too long</h1>
<p>The address and the headers of a request may have {:,} characters together, and this one has more, so it was not read.
<a href="?">Open this page without what follows the question mark</a> and paste a long text into its field. Scripts send it
by POST to /api/texts. If the address is short, delete this site's cookies.</p>
</body>
</html>
"""


class AddressTooLong(RequestHeaderFieldsTooLarge):  # type: ignore[misc]
    """The refusal of a long address, which waitress answers itself, as a page."""

    def to_response(self, ident: str | None = None) -> tuple[str, list[tuple[str, str]], bytes]:
        """See waitress."""
        safe = {"Content-Security-Policy": "default-src 'none'", "X-Content-Type-Options": "nosniff"}
        headers = {"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", **safe}
        return f"{self.code} {self.reason}", list(headers.items()), TOO_LONG.format(LARGEST_HEADERS).encode()


class Nowhere:
    """Discards a body that is too large, so that the application can refuse it by its length."""

    def append(self, data: bytes) -> None:
        """Discard the data."""

    def getfile(self) -> Any:
        """An empty file."""
        return io.BytesIO()

    def __len__(self) -> int:
        return 0

    def close(self) -> None:
        """Nothing is open."""


class Request(HTTPRequestParser):  # type: ignore[misc]
    """A request that is being received. A body that is too large is read and discarded, so that the client reads the refusal."""

    def parse_header(self, header_plus: bytes) -> None:
        """See waitress."""
        super().parse_header(header_plus)
        if not self.chunked and self.content_length > self._most:
            self.body_rcv = FixedStreamReceiver(self.content_length, Nowhere())

    def received(self, data: bytes) -> int:
        """See waitress."""
        consumed = super().received(data)
        if self.chunked and self.body_bytes_received > self._most:
            self.error, self.completed = RequestEntityTooLarge("Send less at once."), True
        if isinstance(self.error, RequestHeaderFieldsTooLarge):
            self.error = AddressTooLong("")
        return int(consumed)

    @property
    def _most(self) -> int:
        return int(self.adj.max_request_body_size // FORGOTTEN)


class Connection(HTTPChannel):  # type: ignore[misc]
    """A connection. began: when the current request, or the wait for it, began."""

    parser_class = Request

    def __init__(self, *parts: Any, **more: Any) -> None:
        self.began = time.monotonic()
        super().__init__(*parts, **more)

    def received(self, data: bytes) -> bool:
        """See waitress."""
        if self.request is None:
            self.began = time.monotonic()
        return bool(super().received(data))

    def service(self) -> None:
        """See waitress."""
        super().service()
        self.began = time.monotonic()

    @property
    def spooled(self) -> int:
        """Bytes of an incomplete body."""
        return self.request.body_bytes_received if self.request else 0

    def is_late(self, moment: float) -> bool:
        """Whether the client has taken longer than any honest one does."""
        if self.requests:
            return False  # at work
        if self.total_outbufs_len:
            return bool(time.time() - self.last_activity > UNREAD_SECONDS)
        body = HEADER_SECONDS + self.spooled / SLOWEST_BODY if self.request and self.request.headers_finished else 0.0
        return moment - self.began > HEADER_SECONDS + body


class Server(TcpWSGIServer):  # type: ignore[misc]
    """Waitress with deadlines and limits."""

    channel_class = Connection

    def __init__(self, *parts: Any, **more: Any) -> None:
        self.health = ThreadedTaskDispatcher()
        self.health.set_thread_count(2)
        super().__init__(*parts, **more)

    def add_task(self, task: Connection) -> None:
        """Health checks do not queue behind other requests."""
        asks_for_health = getattr(task.requests[0], "path", "") in HEALTH
        (self.health if asks_for_health else self.task_dispatcher).add_task(task)

    def handle_accept(self) -> None:
        """Accept connections; beyond the limit, close those whose requests began first."""
        waiting = [channel for channel in self.active_channels.values() if not channel.requests]
        for _ in range(ACCEPTED_AT_ONCE):
            before = len(self.active_channels)
            super().handle_accept()
            if len(self.active_channels) == before:
                break
        too_many = max(0, len(self.active_channels) - MOST_CONNECTIONS)
        for channel in sorted(waiting, key=lambda channel: channel.began)[:too_many]:
            channel.handle_close()

    def maintenance(self, now: float) -> None:
        """Close late connections, and those with the largest bodies if all are too large. Waitress calls this every second."""
        moment = time.monotonic()
        open_ = list(self.active_channels.values())
        for channel in open_:
            if channel.is_late(moment):
                channel.handle_close()
        too_much = sum(channel.spooled for channel in open_) - SPOOLED_BYTES
        for channel in sorted(open_, key=lambda channel: -channel.spooled):
            if too_much > 0:
                too_much -= channel.spooled
                channel.handle_close()


def open_server(application: Any, listener: socket.socket, threads: int, largest_body: int) -> Server:
    """A server on a listening socket. largest_body: bytes of the largest body that any route takes."""
    adjustments = Adjustments(
        sockets=[listener],
        backlog=1024,
        connection_limit=2 * MOST_CONNECTIONS,  # never reached: the slowest are closed before
        cleanup_interval=1,
        max_request_header_size=LARGEST_HEADERS,
        max_request_body_size=FORGOTTEN * largest_body,
        outbuf_high_watermark=1_000_000_000,  # an unread answer waits in a file, not in a thread
        clear_untrusted_proxy_headers=False,  # `app/http/proxies.py` decides which to believe
        log_socket_errors=False,
        ident="",
    )
    pool = ThreadedTaskDispatcher()
    pool.set_thread_count(threads)
    address = (listener.family, listener.type, listener.proto, listener.getsockname())
    return Server(application, {}, True, listener, pool, adjustments, address, bind_socket=False)


def answer_requests(server: Server, stopping: threading.Event, patience: float, each_turn: Callable[[], None]) -> None:
    """Answer requests until `stopping` is set, then for some seconds those that have begun. each_turn: called every second, or
    more often."""
    loop = partial(wasyncore.loop, map=server._map, use_poll=True, count=1)
    while not stopping.is_set():
        loop(timeout=1)
        each_turn()
    server.socket.close()
    server.del_channel()
    until = time.monotonic() + patience
    while time.monotonic() < until and any(c.requests or c.total_outbufs_len for c in server.active_channels.values()):
        loop(timeout=0.05)
