"""Everything that may be wrong with a server: one clear sentence each, and no secret in any of them."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from elasticsearch import Elasticsearch

from retrieval.errors import NoVectors, SettingError, StoreAway, StoreError, StoreIncomplete, StoreMissing, StoreVersion
from retrieval.settings import Settings
from retrieval.stores import open_store, shown
from retrieval.stores.elastic.server import read_address
from retrieval.stores.elastic.store import ElasticStore
from retrieval.stores.elastic.writer import open_elastic_writer
from retrieval.stores.pages import digest
from tests.app.process import ROOT, free_port
from tests.contracts.corpus_writer import OLD
from tests.elastic.certificates import write_certificates
from tests.elastic.corpora import Cluster, with_login
from tests.elastic.server import USER
from tests.making import make_page

PLAIN = Settings()


@pytest.fixture(scope="module")
def corpus(cluster: Cluster) -> str:
    """Address of a small corpus, without user and password."""
    place = cluster.place()
    cluster.load(place, OLD)
    return place


@pytest.fixture(scope="module")
def admin(cluster: Cluster) -> Iterator[Elasticsearch]:
    login = (cluster.user, cluster.password)
    client = Elasticsearch(cluster.host, basic_auth=login, ca_certs=cluster.authority, request_timeout=60)
    yield client
    client.close()


def refusal(location: str, settings: Settings, kind: type[StoreError] | type[SettingError]) -> str:
    with pytest.raises(kind) as error:
        open_store(location, settings)
    said = str(error.value)
    assert said.count(". ") >= 1, "what happened, and what to do next"
    return said


def test_a_password_may_stand_in_the_address(cluster: Cluster, corpus: str) -> None:
    location = with_login(corpus, cluster.user, cluster.password)
    settings = cluster.settings(elasticsearch_user="", elasticsearch_password="")
    assert open_store(location, settings).count() == 2


@pytest.fixture
def own_users(cluster: Cluster) -> None:
    """Users that only the server of the tests has."""
    if cluster.user != USER:
        pytest.skip("ELASTICSEARCH_URL names a server that has not the users of the tests.")


def test_a_user_who_may_only_read(own_users: None, cluster: Cluster, corpus: str) -> None:
    settings = cluster.settings(elasticsearch_user="reader")
    store = open_store(corpus, settings)
    assert (store.count(), len(store.find_titles(["venus"])), store.is_current()) == (2, 1, True)
    with pytest.raises(StoreAway, match="may not do this"), open_elastic_writer(corpus, "job", settings=settings):
        pass


def test_a_user_who_may_load(own_users: None, cluster: Cluster) -> None:
    place = cluster.place()
    for pages in (OLD, [make_page("Mars", "Mars is red.")]):
        with open_elastic_writer(place, "job", settings=cluster.settings(elasticsearch_user="loader")) as writer:
            writer.add(pages)
            writer.finish("")
            writer.retire()
    assert open_store(place, cluster.settings(elasticsearch_user="reader")).count() == 3


@pytest.mark.parametrize("password", ["wrong", ""])
def test_a_wrong_password(cluster: Cluster, corpus: str, password: str) -> None:
    said = refusal(corpus, cluster.settings(elasticsearch_password=password), StoreAway)
    assert "refuses the user name, password or API key" in said
    assert "ELASTICSEARCH_PASSWORD" in said


def test_a_wrong_api_key_and_no_login_at_all(cluster: Cluster, corpus: str) -> None:
    none = {"elasticsearch_user": "", "elasticsearch_password": ""}
    assert "refuses" in refusal(corpus, cluster.settings(**none), StoreAway)
    assert "refuses" in refusal(corpus, cluster.settings(**none, elasticsearch_api_key="bm8=" * 5), StoreAway)


def test_a_user_without_rights(own_users: None, cluster: Cluster, corpus: str) -> None:
    said = refusal(corpus, cluster.settings(elasticsearch_user="powerless"), StoreAway)
    assert "may not do this" in said


def test_a_certificate_of_an_unknown_authority(cluster: Cluster, corpus: str, tmp_path: Path) -> None:
    assert "ELASTICSEARCH_CA" in refusal(corpus, cluster.settings(elasticsearch_ca=""), StoreAway)
    write_certificates(tmp_path / "other.crt", tmp_path / "key", tmp_path / "crt")
    settings = cluster.settings(elasticsearch_ca=str(tmp_path / "other.crt"))
    assert "was not signed by an authority known here" in refusal(corpus, settings, StoreAway)


@pytest.mark.parametrize("content", [None, "", "no certificate"])
def test_a_file_that_is_no_certificate(cluster: Cluster, corpus: str, tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "ca.crt").write_text(content)
    said = refusal(corpus, cluster.settings(elasticsearch_ca=str(tmp_path / "ca.crt")), SettingError)
    assert "ELASTICSEARCH_CA" in said


def test_http_where_the_server_speaks_https(cluster: Cluster, corpus: str) -> None:
    said = refusal(corpus.replace("https://", "http://"), cluster.settings(), StoreAway)
    assert "http/https" in said


def test_shards_that_are_not_assigned_yet(cluster: Cluster, corpus: str, admin: Elasticsearch) -> None:
    """As for some seconds after the server's start: it knows the corpus and has not opened it."""
    place = cluster.place()
    alias = place.rpartition("/")[2]
    (described,) = admin.indices.get_mapping(index=corpus.rpartition("/")[2]).body.values()
    nowhere = {"index.routing.allocation.require._name": "nobody"}
    new = {
        "mappings": described["mappings"],
        "aliases": {alias: {}},
        "settings": nowhere,
        "wait_for_active_shards": "0",
    }
    admin.indices.create(index=f"{alias}-0123456789ab", **new)
    assert "has not assigned the shards" in refusal(place, cluster.settings(), StoreAway)


def test_a_missing_index_and_one_of_something_else(cluster: Cluster, admin: Elasticsearch) -> None:
    place = cluster.place()
    assert "There is no index" in refusal(place, cluster.settings(), StoreMissing)
    admin.indices.create(index=place.rpartition("/")[2])
    assert "was not made by this program" in refusal(place, cluster.settings(), StoreError)
    with (
        pytest.raises(StoreError, match="not made by this program"),
        open_elastic_writer(place, "job", settings=cluster.settings(), replace=True),
    ):
        pass


def test_a_load_that_never_ended(cluster: Cluster) -> None:
    place = cluster.place()
    with open_elastic_writer(place, "job", settings=cluster.settings()) as writer:
        writer.add(OLD)
        writer.checkpoint({"row": 1})
    assert "never loaded completely" in refusal(place, cluster.settings(), StoreIncomplete)
    with (
        pytest.raises(StoreError, match=r"unfinished load of something else \(job\).*--restart"),
        open_elastic_writer(place, "other", settings=cluster.settings()),
    ):
        pass


def test_two_writers_at_once(cluster: Cluster) -> None:
    place = cluster.place()
    with (
        open_elastic_writer(place, "one", settings=cluster.settings()),
        pytest.raises(StoreError, match="Another process is loading"),
        open_elastic_writer(place, "one", settings=cluster.settings()),
    ):
        pass


def test_an_index_without_vectors(cluster: Cluster, corpus: str) -> None:
    import numpy as np

    with pytest.raises(NoVectors, match=r"have no vectors.*python -m indexing vectors"):
        cluster.open(corpus).score_vectors(["Venus"], np.ones((1, 384), np.float32))


def test_an_analyzer_that_the_server_has_not(cluster: Cluster) -> None:
    settings = cluster.settings(elasticsearch_analyzer="english")
    with (
        pytest.raises(SettingError, match=r"no analyzer named 'english'.*ELASTICSEARCH_ANALYZER"),
        open_elastic_writer(cluster.place(), "job", settings=settings),
    ):
        pass


def test_a_rejected_page_is_named_with_the_reason(cluster: Cluster) -> None:
    place, said = cluster.place(), list[str]()
    with open_elastic_writer(place, "job", settings=cluster.settings(), report=said.append) as writer:
        writer.add([*OLD, make_page("x" * 40_000, "Too long a title.", id="long")])
        assert writer.finish("").pages == 2
        assert writer.rejected == 1
    assert len(said) == 1
    assert "'long' was rejected" in said[0]
    assert "failed to parse field [title_key]" in said[0]
    assert len(said[0]) < 500


def test_shards_replicas_and_segments_are_settings(cluster: Cluster, admin: Elasticsearch) -> None:
    place = cluster.place()
    pages = [make_page(f"Page {number}", f"Word number {number}.") for number in range(40)]
    options = {"elasticsearch_shards": 3, "elasticsearch_replicas": 1, "elasticsearch_segments": 1}
    with open_elastic_writer(place, "job", settings=cluster.settings(**options)) as writer:
        writer.add(pages)
        writer.finish("")
    store = cluster.open(place)
    index = admin.indices.get_settings(index=store.generation)[store.generation]["settings"]["index"]
    assert (index["number_of_shards"], index["number_of_replicas"]) == ("3", "1")
    assert index["similarity"]["default"] == {"type": "BM25", "k1": "1.2", "b": "0.75", "discount_overlaps": "true"}
    scores = {score for _, score in store.search_text("word", top_k=40)}
    assert len(scores) == 1, "twins score alike whichever shard they are in"
    chosen = sorted(pages, key=lambda page: digest(page))[:3]
    assert [page.id for page, _ in store.search_text("word", top_k=3)] == sorted(page.id for page in chosen)


@pytest.mark.parametrize(
    "location", ["https://", "https:///x", "http://h:99999/x", "http://h", "http://h/", "http://h/A", "http://h/_x"]
)
def test_addresses_that_make_no_sense(location: str) -> None:
    assert "https://host:9200/index" in refusal(location, PLAIN, SettingError)


def test_parts_of_an_address() -> None:
    address = read_address("https://me:p%40ss@host/search/pages")
    assert (str(address), address.user, address.password) == ("https://host:9200/search/pages", "me", "p@ss")
    assert "p@ss" not in repr(address)
    assert shown("https://me:secret@[::1]:9201/pages") == "https://[::1]:9201/pages"
    assert "secret" not in shown("https://me:secret@h/NO")


def test_nobody_there() -> None:
    assert "cannot be reached" in refusal(f"http://127.0.0.1:{free_port()}/pages", PLAIN, StoreAway)


class Other(BaseHTTPRequestHandler):
    """Answers as a server of another version, or as something else, would."""

    headers_sent: dict[str, str]
    body: bytes
    status: int

    def do_GET(self) -> None:
        self.send_response(self.status)
        for name, value in self.headers_sent.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(self.body)))
        self.end_headers()
        self.wfile.write(self.body)

    do_POST = do_GET

    def log_message(self, *_: object) -> None:
        pass


PRODUCT = {"X-Elastic-Product": "Elasticsearch", "Content-Type": "application/json"}
VERSIONS = json.dumps({"nodes": {"n": {"version": "8.19.9"}}}).encode()
HEADER = json.dumps(
    {"error": {"type": "media_type_header_exception", "reason": "Accept version must be 8"}, "status": 400}
).encode()


@pytest.mark.parametrize(
    ("status", "headers", "body", "kind", "said"),
    [
        (200, PRODUCT, VERSIONS, StoreVersion, "runs Elasticsearch 8.19.9; this program needs Elasticsearch 9"),
        (400, PRODUCT, HEADER, StoreVersion, "another major version"),
        (200, {"Content-Type": "text/html"}, b"<h1>It works!</h1>", StoreError, "not Elasticsearch"),
        (503, PRODUCT, b"{}", StoreAway, "cannot answer now"),
    ],
)
def test_what_answers_is_no_server_of_ours(
    status: int, headers: dict[str, str], body: bytes, kind: type[StoreError], said: str
) -> None:
    handler = type("Answer", (Other,), {"headers_sent": headers, "body": body, "status": status})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        assert said in refusal(f"http://127.0.0.1:{server.server_port}/pages", PLAIN, kind)
    finally:
        server.shutdown()
        server.server_close()


def test_an_api_key_is_sent_in_place_of_a_password() -> None:
    """The server of the tests cannot make API keys, as it lacks the modules of their index; it does refuse wrong ones."""
    seen: list[str] = []

    class Answer(Other):
        headers_sent, body, status = PRODUCT, VERSIONS, 200

        def do_GET(self) -> None:
            seen.append(self.headers["Authorization"])
            super().do_GET()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        settings = Settings(elasticsearch_user="me", elasticsearch_api_key="c2VjcmV0LWtleQ==")
        assert "c2VjcmV0" not in refusal(f"http://127.0.0.1:{server.server_port}/pages", settings, StoreVersion)
        assert "c2VjcmV0" not in repr(settings)
    finally:
        server.shutdown()
        server.server_close()
    assert seen == ["ApiKey c2VjcmV0LWtleQ=="]


def test_no_secret_anywhere(cluster: Cluster, corpus: str, caplog: pytest.LogCaptureFixture) -> None:
    """Not in what commands print, not in logs at their most talkative, not in errors."""
    location = with_login(corpus, cluster.user, cluster.password)
    environment = {**os.environ, **cluster.environment("")}
    command = [sys.executable, "-m", "indexing", "info", "--store"]
    told = subprocess.run([*command, location], cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert json.loads(told.stdout)["pages"] == 2
    refused = subprocess.run(
        [*command, location.replace(":9", ":1", 1) + "x"], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert refused.returncode == 2
    with caplog.at_level(logging.DEBUG):
        store = ElasticStore(location, cluster.settings(elasticsearch_user="", elasticsearch_password=""))
        store.search_text("planet")
        with pytest.raises(StoreAway) as error:
            ElasticStore(with_login(corpus, cluster.user, "not-" + cluster.password), cluster.settings())
    written = "\n".join([told.stdout, told.stderr, refused.stdout, refused.stderr, caplog.text, str(error.value)])
    for secret in (cluster.password, "correct%20horse", "correct horse"):
        assert secret not in written
