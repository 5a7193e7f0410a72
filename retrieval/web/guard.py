"""Lets the program connect only to public addresses, when the address comes from a user or a page.

A name is resolved when the connection is made, and the connection goes to exactly the address that was checked, so neither
DNS rebinding nor a redirect gets around the check.
"""

from __future__ import annotations

import ipaddress
import socket
import ssl
import time
from collections.abc import Iterable, Sequence

import httpcore

from retrieval.errors import SettingError, WebError

PORTS = (80, 443)  # on public servers; on listed networks, any port is allowed
NAT64 = ipaddress.ip_network("64:ff9b::/96")

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Networks = Sequence[ipaddress.IPv4Network | ipaddress.IPv6Network]


def read_networks(listed: str) -> Networks:
    """The networks in a comma-separated setting. Raises SettingError."""
    try:
        return [ipaddress.ip_network(part.strip(), strict=False) for part in listed.split(",") if part.strip()]
    except ValueError as error:
        raise SettingError(
            f"WEB_PRIVATE has an entry that is not an address or network: {error}. Write it like 172.16.0.0/12."
        ) from None


def may_connect(address: str, port: int, allowed: Networks = ()) -> bool:
    """Whether the program may connect to an IP address. allowed: private networks that the operator allows."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    addresses = _with_embedded(parsed)
    if any(each in network for network in allowed for each in addresses if each.version == network.version):
        return True
    return port in PORTS and all(each.is_global and not each.is_multicast for each in addresses)


def _with_embedded(address: Address) -> list[Address]:
    """The address, and every IPv4 address embedded in it: mapped, 6to4, Teredo, NAT64."""
    if isinstance(address, ipaddress.IPv4Address):
        return [address]
    if address.ipv4_mapped:  # versions of Python differ on whether a mapped address itself counts as global
        return [address.ipv4_mapped]
    embedded = [part for part in (address.sixtofour, *(address.teredo or ())) if part is not None]
    nat64 = [ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)] if address in NAT64 else []
    return [address, *embedded, *nat64]


class GuardedBackend(httpcore.NetworkBackend):
    """Connects only to allowed addresses, and stops waiting at the deadline, however slowly bytes arrive."""

    def __init__(self, deadline: float, allowed: Networks = (), anywhere: bool = False) -> None:
        """deadline: by `time.monotonic`. anywhere: whether to allow any address, because the operator chose it."""
        self._deadline, self._allowed, self._anywhere = deadline, allowed, anywhere
        self._plain = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect to an allowed address of the host. Raises WebError if it has none."""
        addresses = list(dict.fromkeys(str(found[4][0]) for found in resolve(host, port)))
        allowed = [address for address in addresses if self._anywhere or may_connect(address, port, self._allowed)]
        refusal = WebError(f"{host} leads to an address that is not public, so it was not fetched.")
        if len(allowed) < len(addresses) or not allowed:
            raise refusal
        stream = self._plain.connect_tcp(allowed[0], port, _left(self._deadline, timeout), None, socket_options)
        peer = stream.get_extra_info("server_addr")
        if not self._anywhere and not may_connect(str(peer[0]), port, self._allowed):
            stream.close()
            raise refusal
        return _Timed(stream, self._deadline)

    def sleep(self, seconds: float) -> None:
        """Sleep, but not beyond the deadline."""
        time.sleep(min(seconds, _left(self._deadline, seconds)))


class _Timed(httpcore.NetworkStream):
    """A connection on which every wait ends at the deadline."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: float) -> None:
        self._stream, self._deadline = stream, deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _left(self._deadline, timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, _left(self._deadline, timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        stream = self._stream.start_tls(ssl_context, server_hostname, _left(self._deadline, timeout))
        return _Timed(stream, self._deadline)

    def get_extra_info(self, info: str) -> object:
        return self._stream.get_extra_info(info)


def resolve(host: str, port: int) -> list[tuple[object, object, object, str, tuple[object, ...]]]:
    """The addresses of a host name. Raises WebError if it cannot be resolved."""
    try:
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)  # type: ignore[return-value]
    except (OSError, UnicodeError):
        raise WebError(f"{host} is not known to the name server. Check the address.") from None


def _left(deadline: float, timeout: float | None) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise httpcore.ReadTimeout("the time for this page is up")
    return left if timeout is None else min(left, timeout)
