"""Puts an open-loop load on a running application: claims arrive at a fixed rate whether or not earlier ones are
answered.

A claim's latency counts from the moment when it was due, so a generator or server that falls behind shows in the
figures and does not slow the arrivals. Each claim is polled, as by the live page.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import numpy as np

from retrieval.errors import EsotericError

LIMIT_S = 2.0  # a p95 above this is too slow
PAGE_POLL_S = 0.5
MOST_CLAIMS_OPEN = 300  # claims in progress at which a rate is given up as too high
DRAIN_S = 20.0  # seconds for claims to end after the last arrival
CLOSE_RATES = 1.1  # the search ends when the failed rate is at most this many times the passed one
RATES = (0.05, 2000.0)  # range of the search, in claims a second
END_STATES = ("done", "failed", "cancelled")
VIEWS_EVERY, UPLOADS_EVERY = 5, 20  # with `mixed`: a page view for every fifth claim, an upload for every twentieth
DOCUMENT = ("The tram to the harbour was opened in 1987.\n" * 20).encode()


@dataclass(frozen=True)
class Traffic:
    """The requests. recipe: empty for the server's default. mixed: whether page views and uploads are among them."""

    claims: Sequence[str]
    recipe: str = ""
    mixed: bool = False

    def body(self, claim: str) -> dict[str, Any]:
        """The body of the request."""
        return {"claim": claim, "fresh": True, **({"recipe": self.recipe} if self.recipe else {})}


@dataclass(frozen=True)
class Probe:
    """The outcome of a rate. rate: claims a second; p50, p95: seconds from due to done; None if too few were done.
    view_p95: seconds for a result's page; None if none was requested. failed: page views and uploads without the
    expected answer.
    """

    rate: float
    seconds: float
    due: int
    done: int
    refused: int
    p50: float | None
    p95: float | None
    views: int = 0
    uploads: int = 0
    view_p95: float | None = None
    failed: int = 0

    @property
    def passed(self) -> bool:
        """Whether every claim was done, 95 % of them within the limit, and no other request failed."""
        return self.done == self.due and self.p95 is not None and self.p95 <= LIMIT_S and not self.failed

    def __str__(self) -> str:
        times = "-" if self.p95 is None else f"p50 {self.p50:.2f} s  p95 {self.p95:.2f} s"
        line = f"{self.rate:8.2f} claims/s  {self.done}/{self.due} done  {self.refused} refused  {times}"
        if not self.views:
            return line
        return (
            f"{line}  {self.views} page views p95 {self.view_p95:.2f} s  {self.uploads} uploads  {self.failed} failed"
        )


@dataclass
class _Arrivals:
    """The state that the threads of a probe share."""

    client: httpx.Client
    lock: threading.Lock = field(default_factory=threading.Lock)
    open: int = 0
    refused: int = 0
    times: list[float] = field(default_factory=list)
    views: list[float] = field(default_factory=list)
    uploads: list[str] = field(default_factory=list)
    failed: int = 0
    ids: dict[str, bool] = field(default_factory=dict)  # id -> whether it ended
    stop: threading.Event = field(default_factory=threading.Event)

    def check(self, body: Mapping[str, Any], due: float) -> None:
        """A claim from its arrival to its end."""
        try:
            reply = self.client.post("/api/checks", json=body)
            late = time.monotonic() - due
            if reply.status_code != 202:
                raise httpx.HTTPError(reply.text)
            check_id = reply.json()["id"]
            self.ids[check_id] = False
            while not self.stop.wait(PAGE_POLL_S):
                check = self.client.get(f"/api/checks/{check_id}").json()
                if check.get("state") in END_STATES:
                    self.ids[check_id] = True
                    if check["state"] == "done":
                        self.times.append(late + spent(check))
                    return
        except httpx.HTTPError:
            with self.lock:
                self.refused += 1
        finally:
            with self.lock:
                self.open -= 1

    def view(self) -> None:
        """The page of the latest check, or the home page if there is none."""
        began = time.monotonic()
        latest = next(reversed(list(self.ids)), None)
        self._beside(lambda: self.client.get(f"/checks/{latest}" if latest else "/"), 200)
        self.views.append(time.monotonic() - began)

    def upload(self) -> None:
        """A small document."""
        reply = self._beside(lambda: self.client.post("/api/documents", files={"files": ("a.txt", DOCUMENT)}), 202)
        if reply is not None:
            self.uploads.append(reply.json()["id"])

    def _beside(self, ask: Callable[[], httpx.Response], status: int) -> httpx.Response | None:
        try:
            reply = ask()
        except httpx.HTTPError:
            reply = None
        if reply is not None and reply.status_code == status:
            return reply
        with self.lock:
            self.failed += 1
        return None


def spent(check: Mapping[str, Any]) -> float:
    """Seconds from a check's creation to its end by the server's clock, exact however rarely it is polled."""
    began, ended = (datetime.fromisoformat(check[name]) for name in ("created", "finished"))
    return max(0.0, (ended - began).total_seconds())


def probe(address: str, traffic: Traffic, rate: float, seconds: float, first: int = 0) -> Probe:
    """Send claims at a rate for some seconds, and wait until they end. first: the number of the first claim, modulo.

    Raises EsotericError if nothing answers at the address.
    """
    due = max(1, round(rate * seconds))
    with httpx.Client(base_url=address, timeout=30, limits=httpx.Limits(max_connections=MOST_CLAIMS_OPEN)) as client:
        ask_ready(client, address)
        arrivals = _Arrivals(client)
        bodies = [traffic.body(traffic.claims[(first + n) % len(traffic.claims)]) for n in range(due)]
        threads = list(_arrive(arrivals, bodies, rate, traffic.mixed))
        end = time.monotonic() + DRAIN_S
        for thread in threads:
            thread.join(max(0.0, end - time.monotonic()))
        arrivals.stop.set()
        for thread in threads:
            thread.join()
        for check_id in [check_id for check_id, ended in arrivals.ids.items() if not ended]:
            client.post(f"/api/checks/{check_id}/cancel")  # the next rate starts with an empty queue
        for documents_id in arrivals.uploads:
            client.delete(f"/api/documents/{documents_id}")
    times, views = arrivals.times, arrivals.views
    beside = (len(views), len(arrivals.uploads), _percentile(views, 95), arrivals.failed)
    return Probe(
        rate, seconds, due, len(times), arrivals.refused, _percentile(times, 50), _percentile(times, 95), *beside
    )


def _percentile(times: Sequence[float], share: int) -> float | None:
    return round(float(np.percentile(times, share)), 3) if times else None


def _arrive(
    arrivals: _Arrivals, bodies: Sequence[Mapping[str, Any]], rate: float, mixed: bool
) -> Iterator[threading.Thread]:
    started = time.monotonic()
    for number, body in enumerate(bodies):
        due = started + number / rate
        time.sleep(max(0.0, due - time.monotonic()))
        with arrivals.lock:
            arrivals.open += 1
            if arrivals.open > MOST_CLAIMS_OPEN:
                arrivals.open -= 1
                return
        beside = [arrivals.view] * (number % VIEWS_EVERY == 0) + [arrivals.upload] * (number % UPLOADS_EVERY == 0)
        for run in (lambda body=body, due=due: arrivals.check(body, due), *(beside if mixed else ())):
            thread = threading.Thread(target=run, daemon=True)
            thread.start()
            yield thread


def find_rate(run: Callable[[float], Probe]) -> tuple[float, list[Probe]]:
    """The highest rate found that passed, 0 if none did, and all probes. Doubles or halves, then bisects."""
    probes: list[Probe] = []

    def passes(rate: float) -> bool:
        probes.append(run(rate))
        return probes[-1].passed

    low, high = 0.0, 1.0
    while high <= RATES[1] and passes(high):
        low, high = high, 2 * high
    while not low and high / 2 >= RATES[0]:
        if passes(high / 2):
            low = high / 2
        else:
            high /= 2
    while low and high / low > CLOSE_RATES and high <= RATES[1]:
        middle = (low * high) ** 0.5
        low, high = (middle, high) if passes(middle) else (low, middle)
    return low, probes


def measure(address: str, traffic: Traffic, rate: float | None, seconds: float) -> dict[str, Any]:
    """Measure one rate, or search for the highest that passes. Returns JSON with every probe, printed as it ends."""
    first = count()

    def run(at: float) -> Probe:
        found = probe(address, traffic, at, seconds, first=101 * next(first))
        print(found, flush=True)
        return found

    best, probes = (None, [run(rate)]) if rate else find_rate(run)
    return {"rate": best, "limit_s": LIMIT_S, "probes": [asdict(probe) for probe in probes]}


def ask_ready(client: httpx.Client, address: str) -> None:
    """Raises EsotericError if the application cannot check claims."""
    try:
        reply = client.get("/readyz")
        why = "" if reply.status_code == 200 else reply.json().get("detail", reply.text)
    except (httpx.HTTPError, ValueError) as error:
        why = str(error)
    if why:
        raise EsotericError(f"The application at {address} cannot check claims: {why} Start it with RATE_LIMIT=0.")


def read_claims(path: Path) -> list[str]:
    """Field `claim` of each line of a .jsonl file, or the lines of any other. Raises EsotericError."""
    try:
        lines = [line for line in path.read_text("utf-8").splitlines() if line.strip()]
        claims = [str(json.loads(line)["claim"]) for line in lines] if path.suffix == ".jsonl" else lines
    except (OSError, ValueError, KeyError) as error:
        raise EsotericError(
            f"{path} cannot be read as claims ({error}). Name a .jsonl file with field claim."
        ) from error
    if not claims:
        raise EsotericError(f"{path} holds no claim. Name a .jsonl file with field claim.")
    return claims
