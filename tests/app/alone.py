"""Web and worker in a network of their own, where every packet that would leave is seen: `python -m tests.app.alone`.

For `tests/app/test_alone.py`, which starts it by `unshare --net --mount`. Every address leads back to this network's loopback,
so that whoever is called refuses at once and the call is seen all the same.
"""

from __future__ import annotations

import contextlib
import ipaddress
import json
import os
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from retrieval.recipes import RECIPES
from tests.app.process import ROOT, Server, free_port
from tests.waiting import until

EVERY_PACKET = 0x0003  # linux/if_ether.h: ETH_P_ALL
IPV4, IPV6, TCP, UDP = 0x0800, 0x86DD, 6, 17
OPENING, ANSWERING = 0x02, 0x10  # flags of TCP: SYN, ACK
PATIENCE = 14.0  # seconds after a process opened its first network; onnxruntime's telemetry speaks after 10
LIMIT = 120.0
NAMES = {
    "/etc/resolv.conf": "nameserver 192.0.2.53\noptions attempts:1 timeout:1\n",
    "/etc/nsswitch.conf": "hosts: files dns\n",
}
# What a document that is uploaded, and a text that becomes a report, say.
TEXT = "Warsaw is the capital of Poland. Marie Curie won two Nobel Prizes."
CLAIM = "Marie Curie won two Nobel Prizes."


def make_network(folder: Path) -> None:
    """Loopback, to which all addresses lead, and names that are asked for over the network and nowhere else."""
    for command in (
        "ip link set lo up",
        "ip route add local default dev lo",
        "ip -6 route add local default dev lo",
    ):
        ended = subprocess.run(command.split(), capture_output=True, text=True)
        assert ended.returncode == 0 or "-6" in command, ended.stderr
    for place, text in NAMES.items():
        own = folder / Path(place).name
        own.write_text(text)
        subprocess.run(["mount", "--bind", str(own), place], check=True)


class Watch:
    """Notes every datagram and every connection that is opened, unless it is for a port of this loopback that is allowed."""

    def __init__(self, allowed: set[int]) -> None:
        self.seen: list[str] = []
        self._allowed = allowed
        self._wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(EVERY_PACKET))
        self._wire.bind(("lo", 0))
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        while True:
            frame, (_, kind, *_) = self._wire.recvfrom(65_535)
            if (told := self._call(kind, frame[14:])) and told not in self.seen:
                self.seen.append(told)

    def _call(self, kind: int, packet: bytes) -> str:
        """Who is called, and with what; empty for answers and for what is allowed."""
        if kind == IPV4:
            protocol, target, rest = packet[9], packet[16:20], packet[(packet[0] & 15) * 4 :]
        elif kind == IPV6:
            protocol, target, rest = packet[6], packet[24:40], packet[40:]
        else:
            return ""
        if protocol not in (TCP, UDP):
            return ""  # that nobody listens, as the kernel says it
        address, port = ipaddress.ip_address(target), struct.unpack_from("!H", rest, 2)[0]
        if protocol == UDP:
            return f"{address} port {port}: {rest[8:].decode('ascii', 'replace')!r}"
        if rest[13] & (OPENING | ANSWERING) != OPENING or (address.is_loopback and port in self._allowed):
            return ""
        return f"{address} port {port}"


def control(watch: Watch) -> None:
    """What is looked up, and what is called, is seen. Otherwise an empty list would mean nothing."""
    with contextlib.suppress(OSError):
        socket.getaddrinfo("control.example", 443)
    with contextlib.suppress(OSError):
        socket.create_connection(("198.51.100.7", 443), timeout=2).close()
    until(lambda: any("control" in told for told in watch.seen) and "198.51.100.7 port 443" in watch.seen)
    watch.seen.clear()


@contextlib.contextmanager
def running(environment: dict[str, str], port: int) -> Iterator[Server]:
    """Web and worker, as they are started anywhere."""
    web = Server("-m", "app", port=port)
    web.environment = environment | {"WORKERS": "0", "PORT": str(port)}
    worker = subprocess.Popen([sys.executable, "-m", "app", "worker"], cwd=ROOT, env=environment)
    try:
        web.start()
        yield web
        assert worker.poll() is None
    finally:
        web.close()
        worker.kill()
        worker.wait(10)


def use(web: Server) -> dict[str, Any]:
    """A check of every recipe, an upload and a check against it, a report: how each ended, `PATIENCE` after the first."""
    checks = {recipe: web.submit(CLAIM, recipe=recipe) for recipe in RECIPES}
    sent = {"files": ("notes.html", f"<p>{TEXT}</p>".encode())}
    upload = web.client.post("/api/documents", files=sent).json()
    text_id = web.client.post("/api/texts", json={"text": TEXT}).json()["id"]
    text = until(lambda: read(web, f"/api/texts/{text_id}"))
    report = web.client.post("/api/reports", json={"text_id": text_id, "claims": text["claims"]}).json()
    wait(web, next(iter(checks.values())))
    opened = time.monotonic()  # in both processes, their first network
    documents = until(lambda: read(web, f"/api/documents/{upload['id']}"))
    checks["upload"] = web.submit(CLAIM, against=upload["against"])
    ended = {name: wait(web, check) for name, check in checks.items()}
    ended |= {"documents": documents["state"], "report": web.wait_report(report["id"], LIMIT)["state"]}
    time.sleep(max(2.0, opened + PATIENCE - time.monotonic()))
    return ended


def read(web: Server, path: str) -> Any:
    """What is there, once it is read."""
    told = web.client.get(path).json()
    return told if told["state"] != "reading" else None


def wait(web: Server, check: str) -> str:
    """The state in which a check ended."""
    return str(web.wait(check, lambda told: told["state"] not in ("queued", "running"), LIMIT)["state"])


def main(folder: Path, store: str, database: str) -> None:
    make_network(folder)
    port = free_port()
    watch = Watch({port})
    control(watch)
    # Nothing of the environment that might switch a report off: not CI, nor any variable of a library.
    plain = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    own = {"HOME": str(folder), "DATA": str(folder / "data"), "STORE": store, "DATABASE": database, "RATE_LIMIT": "0"}
    with running(plain | own, port) as web:
        ended = use(web)
    print(json.dumps({"ended": ended, "seen": watch.seen}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
