"""The client behind a proxy: forwarded headers are believed only from the proxies that TRUSTED_PROXIES names."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Iterable
from typing import Any

from retrieval.errors import SettingError

Environ = dict[str, Any]
Application = Callable[[Environ, Any], Iterable[bytes]]
_PREFIX = re.compile(r"(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]{0,99}){1,10}")
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def read_networks(text: str) -> list[Network]:
    """Addresses and networks, separated by commas. Raises SettingError."""
    try:
        return [ipaddress.ip_network(part.strip()) for part in text.split(",") if part.strip()]
    except ValueError:
        raise SettingError(
            "TRUSTED_PROXIES contains something that is not an address. Set it to addresses or networks, such as 192.0.2.1,fd00::/8."
        ) from None


class BehindProxies:
    """Believes the forwarded headers of trusted proxies, and drops those of anybody else. account_header: names who has signed
    in; the name goes to `esoteric.account`."""

    def __init__(self, application: Application, trusted: list[Network], account_header: str = "") -> None:
        self._application, self._trusted = application, trusted
        self._account = f"HTTP_{account_header.upper().replace('-', '_')}" if account_header else ""

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        """WSGI."""
        forwarded = {name: environ.pop(f"HTTP_X_FORWARDED_{name}", "") for name in ("FOR", "PROTO", "HOST", "PREFIX")}
        name = environ.pop(self._account, "") if self._account else ""
        if self._trusts(environ.get("REMOTE_ADDR", "")):
            environ["esoteric.account"] = name
            if client := self._client(forwarded["FOR"]):
                environ["REMOTE_ADDR"] = client
            if forwarded["PROTO"] in ("http", "https"):
                environ["wsgi.url_scheme"] = forwarded["PROTO"]
            if forwarded["HOST"]:
                environ["HTTP_HOST"] = forwarded["HOST"].rpartition(",")[2].strip()
            _put_under(forwarded["PREFIX"].rpartition(",")[2].strip().rstrip("/"), environ)
        return self._application(environ, start_response)

    def _client(self, forwarded: str) -> str:
        """The last address that is no trusted proxy's; those before it may be forged."""
        addresses = reversed([part.strip() for part in forwarded.split(",") if part.strip()])
        return next((address for address in addresses if not self._trusts(address)), "")

    def _trusts(self, address: str) -> bool:
        try:
            client = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(client in network for network in self._trusted)


def _put_under(prefix: str, environ: Environ) -> None:
    """Serve under a prefix, whether or not the proxy removes it from the addresses that it forwards."""
    if not _PREFIX.fullmatch(prefix):
        return
    environ["SCRIPT_NAME"] = prefix
    path = environ.get("PATH_INFO", "")
    if path == prefix or path.startswith(f"{prefix}/"):
        environ["PATH_INFO"] = path.removeprefix(prefix) or "/"
