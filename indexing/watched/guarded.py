"""Connects to public addresses only, for dumps whose address somebody typed into a page.

`retrieval/web/guard.py` has the rule, which rebinding and redirects cannot get around; this module lets httpx use it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager

import httpcore
import httpx

from retrieval.web.guard import GuardedBackend, Networks

# httpcore's errors with their counterparts in httpx, the most specific first.
_ERRORS: tuple[tuple[type[Exception], type[httpx.TransportError]], ...] = (
    (httpcore.ConnectTimeout, httpx.ConnectTimeout),
    (httpcore.TimeoutException, httpx.ReadTimeout),
    (httpcore.ConnectError, httpx.ConnectError),
    (httpcore.NetworkError, httpx.ReadError),
    (httpcore.UnsupportedProtocol, httpx.UnsupportedProtocol),
    (httpcore.ProtocolError, httpx.RemoteProtocolError),
)


class GuardedTransport(httpx.BaseTransport):
    """Connects to public servers, and to those in networks that the operator lists. Raises WebError for all others."""

    def __init__(self, listed: Networks) -> None:
        self._pool = httpcore.ConnectionPool(network_backend=GuardedBackend(math.inf, listed))

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """See httpx."""
        url = request.url
        target = httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)
        asked = httpcore.Request(
            request.method, target, headers=request.headers.raw, content=request.stream, extensions=request.extensions
        )
        with _as_httpx():
            answer = self._pool.handle_request(asked)
        return httpx.Response(
            answer.status, headers=answer.headers, stream=_Stream(answer), extensions=dict(answer.extensions)
        )

    def close(self) -> None:
        """See httpx."""
        self._pool.close()


class _Stream(httpx.SyncByteStream):
    def __init__(self, answer: httpcore.Response) -> None:
        self._answer = answer

    def __iter__(self) -> Iterator[bytes]:
        with _as_httpx():
            yield from self._answer.iter_stream()

    def close(self) -> None:
        self._answer.close()


@contextmanager
def _as_httpx() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        for kind, meant in _ERRORS:
            if isinstance(error, kind):
                raise meant(str(error)) from error
        raise
