"""Elasticsearch is killed, late, slow, emptied and out of disk, in the middle of loads and of claims."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from elasticsearch import Elasticsearch
from flask import Flask
from flask.testing import FlaskClient

import indexing.load
from indexing.load import load_fever
from retrieval.errors import StoreAway
from retrieval.resources import Resources
from retrieval.stores.elastic import bulk as elastic_bulk
from retrieval.stores.elastic import server as connection
from retrieval.stores.elastic import store as elastic
from retrieval.stores.elastic.writer import open_elastic_writer
from retrieval.types import CorpusInfo
from tests import waiting
from tests.app.conftest import token, wait, working_app
from tests.conftest import SAMPLE
from tests.contracts.corpus_writer import NEW, OLD
from tests.elastic.corpora import Cluster, own_cluster
from tests.elastic.disk import LITTLE, TOO_MUCH, must_be_free, read_only
from tests.elastic.proxy import Proxy
from tests.elastic.server import ElasticServer
from tests.indexing.loads import rows
from tests.making import make_page, write_dump

pytestmark = pytest.mark.slow

CLAIM = "Marie Curie was the first woman to win a Nobel Prize."
LIMIT = 600.0  # seconds for the server to be killed and be back on a busy machine


until = partial(waiting.until, limit=LIMIT)


@pytest.fixture(scope="module")
def own(elastic_server: ElasticServer) -> Cluster:
    return own_cluster(elastic_server.host, elastic_server.authority)


@pytest.fixture(scope="module")
def admin(own: Cluster) -> Iterator[Elasticsearch]:
    client = Elasticsearch(own.host, basic_auth=(own.user, own.password), ca_certs=own.authority, request_timeout=60)
    yield client
    client.close()


@pytest.fixture(scope="module")
def proxy(elastic_server: ElasticServer) -> Iterator[Proxy]:
    """Between the application and the server; at first it is not there."""
    proxy = Proxy(elastic_server.port)
    yield proxy
    proxy.away()


@pytest.fixture(scope="module")
def place(own: Cluster) -> str:
    """The sample corpus, by its true address."""
    place = own.place()
    card, _ = _load([SAMPLE / "wiki-001.jsonl"], place, own, name="sample")
    assert card.pages > 300
    return place


def _load(paths: list[Path], place: str, cluster: Cluster, **options: Any) -> tuple[CorpusInfo, int]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in cluster.environment(place).items():
            patch.setenv(name, value)
        return load_fever(paths, place, **options)


@pytest.fixture(scope="module")
def app(
    own: Cluster, place: str, proxy: Proxy, steps_running: list[str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Flask]:
    """The application over the real pipeline, started while its server cannot be reached."""
    proxied = place.replace(own.host, f"https://127.0.0.1:{proxy.port}")
    settings = own.settings(data=tmp_path_factory.mktemp("data"), store=proxied)
    resources: Any = Resources(settings)
    for app in working_app(settings, resources):
        yield app
        app.extensions["esoteric"].retention.delete_all()
        until(lambda: not steps_running)  # what waited has noticed that nobody waits any more


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def detail(client: FlaskClient) -> str:
    """What /readyz says is wrong; empty where nothing is. /healthz is green all the while."""
    assert client.get("/healthz").status_code == 200
    answer = client.get("/readyz")
    return "" if answer.status_code == 200 else str(answer.json["detail"])


def submit(client: FlaskClient, claim: str) -> str:
    answer = client.post("/api/checks", json={"claim": claim, "fresh": True})
    assert answer.status_code == 202, answer.text
    return str(answer.json["id"])


def waits_for(client: FlaskClient, check_id: str) -> str:
    shown = client.get(f"/api/checks/{check_id}").json
    assert shown["state"] in ("queued", "running"), shown
    return str(shown["waiting_for"] or "")


# The first test must be the first: it is the one in which the server comes late.


def test_the_application_is_there_before_its_server(client: FlaskClient, proxy: Proxy) -> None:
    assert "cannot be reached" in until(lambda: detail(client))
    page = client.get("/").text
    assert "cannot be reached" in page
    assert "resume by themselves" in page
    refused = client.post("/checks", data={"claim": CLAIM, "csrf_token": token(client)})
    assert refused.status_code == 503
    assert CLAIM in refused.text
    proxy.here()
    until(lambda: not detail(client))
    assert wait(client, submit(client, CLAIM), limit=LIMIT)["verdict"]["label"] == "SUPPORTED"
    assert "problem-of-corpus" not in client.get("/").text


def begun(client: FlaskClient, proxy: Proxy, claim: str) -> str:
    """A check that is in the middle of its way, and stays there until the gate is opened."""
    proxy.here()
    until(lambda: not detail(client))
    check_id = submit(client, claim)
    until(lambda: at_work(client, check_id))
    return check_id


def at_work(client: FlaskClient, check_id: str) -> bool:
    """Whether it has ended its first stage and is in the next, which asks the server."""
    stages = client.get(f"/api/checks/{check_id}").json["stages"]
    return [stage["state"] for stage in stages[:2]] == ["done", "running"]


@pytest.mark.parametrize("mode", ["away", "drop", "silent"])
def test_a_check_waits_for_its_server(
    client: FlaskClient, proxy: Proxy, gate: threading.Event, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_id = begun(client, proxy, f"Casablanca is a film, {mode}.")
    with monkeypatch.context() as hasty:
        hasty.setattr(connection, "SECONDS_A_LOOK", 0.5)
        if mode == "away":
            proxy.away()
        else:
            proxy.here(mode)
        gate.set()
        reason = until(lambda: waits_for(client, check_id))
        assert "Elasticsearch at https://127.0.0.1:" in reason
        assert "Elasticsearch at https://127.0.0.1:" in client.get(f"/checks/{check_id}").text
        until(lambda: detail(client))
    proxy.here()
    proxy.cut()
    done = wait(client, check_id, limit=LIMIT)
    assert (done["state"], done["error"]) == ("done", None)
    until(lambda: not detail(client))


def test_a_slow_server_is_only_slow(client: FlaskClient, proxy: Proxy, gate: threading.Event) -> None:
    check_id = begun(client, proxy, "Emil Zátopek was a runner.")
    proxy.here("slow", delay=0.4)
    gate.set()
    assert wait(client, check_id, limit=LIMIT)["state"] == "done"


def test_a_waiting_check_can_be_cancelled(
    client: FlaskClient, proxy: Proxy, gate: threading.Event, steps_running: list[str]
) -> None:
    check_id = begun(client, proxy, "To be cancelled while it waits.")
    proxy.away()
    gate.set()
    until(lambda: waits_for(client, check_id))
    assert client.post(f"/api/checks/{check_id}/cancel").json["state"] == "cancelled"
    proxy.here()
    until(lambda: check_id not in steps_running)
    assert client.get(f"/api/checks/{check_id}").json["state"] == "cancelled"


def test_the_index_is_deleted_under_a_running_application(
    client: FlaskClient, proxy: Proxy, gate: threading.Event, own: Cluster, place: str, admin: Elasticsearch
) -> None:
    check_id = begun(client, proxy, "Marie Curie was born in Warsaw.")
    admin.indices.delete(index=next(iter(admin.indices.get_alias(name=place.rpartition("/")[2]))))
    gate.set()
    until(lambda: "There is no index" in waits_for(client, check_id))
    until(lambda: "There is no index" in detail(client))
    assert "There is no index" in client.get("/").text
    _load([SAMPLE / "wiki-001.jsonl"], place, own, name="sample")
    assert wait(client, check_id, limit=LIMIT)["state"] == "done"
    until(lambda: not detail(client))


def test_a_corpus_switched_under_readers(own: Cluster) -> None:
    place = own.place()
    own.load(place, OLD)
    reader = own.open(place)
    assert reader.is_current()
    before = reader.info().fingerprint
    own.load(place, NEW, replace=True)
    until(lambda: not reader.is_current())
    assert [page.id for page, _ in reader.find_titles(["Mars"])] == ["Mars"], "goes on with what followed"
    assert reader.info().fingerprint != before


def pages_taken(admin: Elasticsearch, place: str) -> int:
    """How many the server has indexed of a load that is under way."""
    alias = place.rpartition("/")[2] + "-building"
    if not admin.indices.exists_alias(name=alias):
        return 0
    total = admin.indices.stats(index=alias, metric="indexing")["_all"]["total"]
    return int(total.get("indexing", {}).get("index_total", 0))


def test_killed_in_the_middle_of_a_load_and_of_claims(
    client: FlaskClient, proxy: Proxy, gate: threading.Event, own: Cluster, admin: Elasticsearch,
    elastic_server: ElasticServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(elastic_bulk, "BYTES_A_REQUEST", 20_000)
    monkeypatch.setattr(indexing.load, "ROWS_A_LOOK", 100)
    monkeypatch.setattr(indexing.load, "SECONDS_BETWEEN_CHECKPOINTS", 0.2)
    pages = 4_000
    write_dump(tmp_path / "dump" / "wiki-001.jsonl", rows(0, pages))
    whole, _ = load_fever([tmp_path / "dump"], str(tmp_path / "whole"))
    said: list[str] = []
    loaded: list[CorpusInfo] = []
    place = own.place()
    loader = threading.Thread(
        target=lambda: loaded.append(_load([tmp_path / "dump"], place, own, report=said.append)[0]),
        daemon=True,
    )
    proxy.here()
    until(lambda: not detail(client))
    loader.start()
    until(lambda: pages_taken(admin, place) > 100)
    claims = [submit(client, f"Marie Curie won {number} Nobel Prizes.") for number in range(4)]
    until(lambda: sum(at_work(client, claim) for claim in claims) == 2)  # and two behind them
    elastic_server.kill()
    gate.set()
    try:
        until(lambda: any("waits and resumes by itself" in sentence for sentence in said))
        until(lambda: any(waits_for(client, claim) for claim in claims))
        until(lambda: "cannot be reached" in detail(client))
    finally:
        proxy.here()
        elastic_server.start()
    loader.join(LIMIT)
    assert [(card.pages, card.fingerprint) for card in loaded] == [(pages, whole.fingerprint)]
    for claim in claims:
        assert wait(client, claim, limit=LIMIT)["state"] == "done"
    until(lambda: not detail(client))


def test_a_killed_load_goes_on_from_its_checkpoint(own: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """The writer's process dies without a word: nothing is released, and the next finds its place."""
    place = own.place()
    with pytest.MonkeyPatch.context() as dying:
        dying.setattr("retrieval.stores.elastic.writer.release", lambda *_: None)
        dying.setattr("retrieval.stores.elastic.building._this_process", lambda: "another-machine:1")
        with open_elastic_writer(place, "job", settings=own.settings()) as writer:
            writer.add(OLD)
            writer.checkpoint({"row": 2})
            writer.add(NEW)
    monkeypatch.setattr("retrieval.stores.elastic.building.SECONDS_OF_A_SILENT_WRITER", 0.0)
    with open_elastic_writer(place, "job", settings=own.settings()) as writer:
        assert writer.position == {"row": 2}
        writer.add(NEW)
        assert writer.finish("").pages == 3


def test_the_disk_is_full(
    own: Cluster, admin: Elasticsearch, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server makes its indices read-only at the flood stage, and writable again once there is room.

    The load waits for that; who only reads is not concerned.
    """
    monkeypatch.setattr(elastic_bulk, "BYTES_A_REQUEST", 2_000)
    place, said = own.place(), list[str]()
    pages = [make_page(f"Page {number}", "A sentence.") for number in range(100)]
    try:
        with open_elastic_writer(place, "job", settings=own.settings(), report=said.append) as writer:
            writer.add(pages[:50])
            must_be_free(admin, TOO_MUCH)
            until(lambda: read_only(admin) and not detail(client))
            assert wait(client, submit(client, "Warsaw is in Poland."), limit=LIMIT)["state"] == "done"
            room = threading.Thread(target=lambda: (until(lambda: said), must_be_free(admin, LITTLE)))
            room.start()
            writer.add(pages[50:])
            assert writer.finish("").pages == 100
            room.join()
    finally:
        must_be_free(admin, None)
    assert not read_only(admin)
    assert "waits and resumes by itself" in said[0]
    assert "read-only" in said[0] or "block" in said[0]


@pytest.mark.parametrize("status", [429, 503])
def test_a_server_that_is_overloaded_is_given_time(own: Cluster, status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests are refused as a full queue does it, then let through to the real server."""
    from elastic_transport import HttpHeaders, Transport, TransportApiResponse

    refused: list[float] = []
    perform = Transport.perform_request

    def crowded(self: Any, method: str, target: str, **options: Any) -> Any:
        if "_bulk" not in target or len(refused) >= 3:
            return perform(self, method, target, **options)
        refused.append(time.monotonic())
        why = {"error": {"type": "es_rejected_execution_exception", "reason": "the queue is full"}, "status": status}
        meta = perform(self, "GET", "/_cluster/health").meta
        headers = HttpHeaders({"x-elastic-product": "Elasticsearch", "content-type": "application/json"})
        return TransportApiResponse(replace(meta, status=status, headers=headers), why)

    monkeypatch.setattr(Transport, "perform_request", crowded)
    place, said = own.place(), list[str]()
    with open_elastic_writer(place, "job", settings=own.settings(), report=said.append) as writer:
        writer.add(OLD)
        assert writer.finish("").pages == len(OLD)
        assert writer.rejected == 0
    assert refused[2] - refused[1] > refused[1] - refused[0] > 0.2, "each pause is longer than the one before"
    assert len(said) == 1
    assert "the queue is full" in said[0]
    assert "waits and resumes by itself" in said[0]


def test_the_index_of_a_load_is_deleted(own: Cluster, admin: Elasticsearch) -> None:
    place = own.place()
    with open_elastic_writer(place, "job", settings=own.settings()) as writer:
        admin.indices.delete(index=next(iter(admin.indices.get_alias(name=place.rpartition("/")[2] + "-building"))))
        writer.add(OLD)
        with pytest.raises(Exception, match=r"that was being loaded .* is gone"):
            writer.finish("")
    assert not admin.indices.exists(index=place.rpartition("/")[2] + "-building"), "none is made in its place"


def test_readers_tell_a_silent_server_in_time(own: Cluster, elastic_server: ElasticServer) -> None:
    silent = Proxy(elastic_server.port)
    silent.here()
    place = own.place()
    own.load(place, OLD)
    store = own.open(place.replace(own.host, f"https://127.0.0.1:{silent.port}"))
    silent.here("silent")
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(elastic, "SECONDS_BETWEEN_LOOKS", -1.0)
            patch.setattr(connection, "SECONDS_A_LOOK", 0.5)
            began = time.monotonic()
            with pytest.raises(StoreAway, match="does not answer in time"):
                store.is_current()
            assert time.monotonic() - began < connection.SECONDS_A_SEARCH
    finally:
        silent.away()


def test_one_claim_costs_few_round_trips(own: Cluster, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words that no page may hold in one, titles and BM25 in another, the second hop in a third; the alias once a second."""
    from elastic_transport import Transport

    from retrieval.types import Claim

    resources = Resources(own.settings(store=place))
    pipeline = resources.pipeline("fast")
    pipeline.run(Claim("warm", CLAIM))
    asked: list[str] = []
    perform = Transport.perform_request

    def counted(self: Any, method: str, target: str, **options: Any) -> Any:
        asked.append(f"{method} {target}")
        return perform(self, method, target, **options)

    monkeypatch.setattr(Transport, "perform_request", counted)
    check = pipeline.run(Claim("c", CLAIM))
    assert check.verdict is not None
    assert [request.partition("?")[0].rpartition("/")[2] for request in asked] == ["_msearch"] * 3
    resources.pipeline("fast")
    assert len(asked) <= 4
