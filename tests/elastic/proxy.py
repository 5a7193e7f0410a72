"""A TCP proxy that delays, drops, falls silent, or is not there at all."""

from __future__ import annotations

import contextlib
import socket
import threading
import time

from tests.app.process import free_port


class Proxy:
    """Passes bytes between `port` and a target. mode: through, slow, drop, silent; `away` closes its door."""

    def __init__(self, target: int) -> None:
        self.port, self.target = free_port(), target
        self.mode = "through"
        self.delay = 0.0
        self._door: socket.socket | None = None
        self._open: list[socket.socket] = []

    def here(self, mode: str = "through", delay: float = 0.0) -> None:
        """Take connections and treat them so; those that are open are treated so from now on."""
        self.mode, self.delay = mode, delay
        if self._door is None:
            self._door = socket.create_server(("127.0.0.1", self.port), backlog=64)
            threading.Thread(target=self._accept, args=(self._door,), daemon=True).start()

    def away(self) -> None:
        """Refuse connections and cut those that are open."""
        if self._door is not None:
            with contextlib.suppress(OSError):
                self._door.shutdown(socket.SHUT_RDWR)
            self._door.close()
            self._door = None
        self.cut()

    def cut(self) -> None:
        """Reset what is open."""
        for connection in self._open:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()
        self._open = []

    def _accept(self, door: socket.socket) -> None:
        while True:
            try:
                client, _ = door.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                client.close()
                continue
            self._open += [client, server]
            for source, sink in ((client, server), (server, client)):
                threading.Thread(target=self._pass, args=(source, sink), daemon=True).start()

    def _pass(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while chunk := source.recv(65_536):
                time.sleep(self.delay)
                if self.mode == "drop":
                    break
                while self.mode == "silent":
                    time.sleep(0.05)
                sink.sendall(chunk)
        for connection in (source, sink):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
