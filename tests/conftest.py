"""What all tests share: the sample corpus loaded once, and the resources of a process over it."""

from __future__ import annotations

import functools
import gc
import os
import shutil
import ssl
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpcore2
import pytest
from hypothesis import settings as hypothesis_settings

# The same few examples in every run. HYPOTHESIS_PROFILE=search looks for new ones.
hypothesis_settings.register_profile("steady", derandomize=True, deadline=None, max_examples=40)
hypothesis_settings.register_profile("search", deadline=None, max_examples=1000)
hypothesis_settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

pytest.register_assert_rewrite(
    "tests.contracts.page_store", "tests.contracts.corpus_writer", "tests.contracts.vectors", "tests.indexing.loads"
)

from indexing.load import load_fever  # noqa: E402
from retrieval.resources import Resources  # noqa: E402
from retrieval.settings import Settings  # noqa: E402
from retrieval.stores.elastic.server import read_address  # noqa: E402
from retrieval.stores.embedded.store import EmbeddedStore  # noqa: E402
from tests.elastic.corpora import Cluster, own_cluster  # noqa: E402
from tests.elastic.server import ElasticServer, install  # noqa: E402
from tests.networks import parse_anew, read_anew, remember_parses, remember_readings, share_sessions  # noqa: E402
from tests.services import PostgreSQL  # noqa: E402

# Stores wait for the disk at every checkpoint. Where memory has room for pytest's folders, tests need not.
MEMORY = Path("/dev/shm")
if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > 2_000_000_000:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "data" / "sample"


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their markers
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What needs a browser is slow. Where several processes share the tests, all of them see the same order."""
    for item in items:
        if item.nodeid.startswith("tests/browser/"):
            item.add_marker(pytest.mark.slow)
    if config.pluginmanager.hasplugin("xdist"):
        from tests.sharing import arrange

        arrange(items)


def pytest_collection_finish() -> None:
    """What has been loaded is never garbage. Searching it again and again takes a twentieth of the suite's time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """What is handed out at once: a file, or all that waits for the same server."""
    from tests.sharing import ByServer

    return ByServer(config, log)


@pytest.fixture(scope="session", autouse=True)
def shared_sessions() -> Iterator[None]:
    """The networks that ship are opened once, and read the same input once; so does spaCy."""
    with pytest.MonkeyPatch.context() as patch:
        share_sessions(patch)
        remember_readings(patch)
        remember_parses(patch)
        yield


@pytest.fixture(scope="session", autouse=True)
def shared_authorities() -> Iterator[None]:
    """Each HTTP client reads the certificate authorities anew, .02 s of a processor, and the tests make two thousand clients."""
    import certifi

    make, usual = ssl.create_default_context, {certifi.where(), os.environ.get("SSL_CERT_FILE")}
    shared = functools.cache(lambda file: make(cafile=file))

    def made(*purpose: Any, cafile: str | None = None, **more: Any) -> ssl.SSLContext:
        return shared(cafile) if cafile in usual and not (purpose or more) else make(*purpose, cafile=cafile, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl, "create_default_context", made)
        patch.setattr(httpcore2, "default_ssl_context", functools.cache(httpcore2.default_ssl_context))
        yield


@pytest.fixture
def anew() -> Iterator[None]:
    """Networks and spaCy read all that they are given: for tests that compare one reading with another of the same input."""
    with pytest.MonkeyPatch.context() as patch:
        read_anew(patch)
        parse_anew(patch)
        yield


@pytest.fixture(scope="session")
def sample_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that holds the sample corpus. For reading only."""
    folder = tmp_path_factory.mktemp("sample") / "store"
    load_fever([SAMPLE / "wiki-001.jsonl"], str(folder), name="sample")
    return folder


@pytest.fixture(scope="session")
def sample_store(sample_folder: Path) -> Iterator[EmbeddedStore]:
    """The sample corpus, open."""
    store = EmbeddedStore(sample_folder)
    yield store
    store.close()


@pytest.fixture(scope="session")
def resources(sample_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Resources]:
    """Store and models of a process, over the sample corpus."""
    resources = Resources(Settings(data=tmp_path_factory.mktemp("data"), store=str(sample_folder)))
    yield resources
    resources.close()


@pytest.fixture(scope="session")
def elastic_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ElasticServer]:
    """A node of Elasticsearch that tests may kill, started once; who kills it starts it again."""
    home, java = install()
    parent = tmp_path_factory.mktemp("elastic")
    if os.geteuid() == 0:  # A folder that the server's user can reach, in memory where that is possible.
        parent = MEMORY if os.environ.get("PYTEST_DEBUG_TEMPROOT") == str(MEMORY) else Path("/var/tmp")
    with tempfile.TemporaryDirectory(dir=parent, prefix="esoteric-", ignore_cleanup_errors=True) as folder:
        server = ElasticServer(Path(folder), home, java)
        try:
            server.start()
            yield server
        finally:
            server.kill()


@pytest.fixture(scope="session")
def cluster(request: pytest.FixtureRequest) -> Cluster:
    """An Elasticsearch to read and write: the one that ELASTICSEARCH_URL names (user and password in it), or our own."""
    if named := os.environ.get("ELASTICSEARCH_URL"):
        address = read_address(named.rstrip("/") + "/any")
        return Cluster(address.url, address.user, address.password, os.environ.get("ELASTICSEARCH_CA", ""))
    server = request.getfixturevalue("elastic_server")
    return own_cluster(server.host, server.authority)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """A real PostgreSQL."""
    server = PostgreSQL()
    yield server
    server.close()
