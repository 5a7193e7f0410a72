"""docker-compose.yml: valid, without secrets, and every command and health check run here without docker."""

from __future__ import annotations

import base64
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from elasticsearch import ApiError, Elasticsearch

from app.jobs.readers import claim_tables as table_reading
from app.jobs.readers import documents as uploads
from app.jobs.readers import texts as text_reading
from retrieval.settings import Settings
from retrieval.stores import open_store
from tests.app.process import ROOT, Server, free_port
from tests.elastic.corpora import Cluster, own_cluster, with_login
from tests.elastic.server import ElasticServer
from tests.services import PostgreSQL, missing, postgresql_binaries

FILE = ROOT / "docker-compose.yml"
ELASTICSEARCH = ROOT / "docker" / "elasticsearch"
PASSWORDS = {
    "POSTGRES_PASSWORD": "secret",
    "ELASTIC_PASSWORD": "elastic-secret",
    "READER_PASSWORD": "reader-secret",
    "LOADER_PASSWORD": "loader-secret",
}
USERS = ("reader", "loader")
FEVERS = ("Wikipedia of June 2017 (FEVER)", "en")  # name and language, as the Makefile has them
OWN_MEMORY = 500  # megabytes that web takes itself, with open uploads, at most
LOADERS = ("sample", "index", "wikipedia", "models", "vectors", "loader")


def interpolate(text: str, environment: dict[str, str]) -> str:
    """As the compose specification says: ${NAME:-default}, ${NAME:?error}, $$ for a dollar sign."""

    def value(match: re.Match[str]) -> str:
        if match[0] == "$$":
            return "$"
        found = environment.get(match["name"], "")
        assert found or match["how"] != ":?", f"{match['name']} is needed: {match['rest']}"
        return found or (match["rest"] if match["how"] == ":-" else "")

    return re.sub(r"\$\$|\$\{(?P<name>[A-Z_]+)(?P<how>:[-?])?(?P<rest>[^}]*)\}", value, text)


@pytest.fixture(scope="module")
def raw() -> dict[str, Any]:
    return dict(yaml.safe_load(FILE.read_text("utf-8")))


@pytest.fixture(scope="module")
def services() -> dict[str, dict[str, Any]]:
    return dict(yaml.safe_load(interpolate(FILE.read_text("utf-8"), PASSWORDS))["services"])


def test_it_fits_the_schema_of_the_specification() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(FILE)]
    checked = subprocess.run(command, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_no_secret_stands_in_it(raw: dict[str, Any]) -> None:
    for service in raw["services"].values():
        for name, value in service.get("environment", {}).items():
            if "PASSWORD" in name:
                assert re.fullmatch(r"\$\{[A-Z_]+:\?[^}]+\}", value), name
            assert not re.search(r"://[^/@$]*:[^$@/]+@", str(value)), name
    with pytest.raises(AssertionError, match="run make secrets first"):
        interpolate(FILE.read_text("utf-8"), {})


def test_make_secrets_makes_them_once_for_the_owner_only(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    for _ in range(2):
        subprocess.run(["make", "secrets", f"ENV_FILE={file}"], cwd=ROOT, check=True, capture_output=True)
    lines = dict(line.split("=") for line in file.read_text().splitlines())
    assert set(lines) == set(PASSWORDS)
    assert all(re.fullmatch("[0-9a-f]{48}", value) for value in lines.values())
    assert len(set(lines.values())) == len(PASSWORDS)
    assert file.stat().st_mode & 0o777 == 0o600
    assert ".env" in (ROOT / ".gitignore").read_text().split()


def test_nothing_logs_in_as_superuser() -> None:
    assert not re.search(r"\belastic:\$|://elastic:", FILE.read_text("utf-8"))


def test_the_recipe_is_the_programs_default(services: dict[str, dict[str, Any]]) -> None:
    assert {services[name]["environment"]["RECIPE"] for name in ("web", "worker")} == {Settings().recipe}


def test_an_image_is_built_once(raw: dict[str, Any]) -> None:
    built = [service["image"] for service in raw["services"].values() if "build" in service]
    assert sorted(built) == ["esoteric", "esoteric-elasticsearch"]
    assert all(
        not service["image"].startswith("esoteric") or service["image"] in built for service in raw["services"].values()
    )


def test_services_are_bounded_watched_and_wait_for_each_other(raw: dict[str, Any]) -> None:
    services = raw["services"]
    for name, service in services.items():
        assert "mem_limit" in service, name
        assert ("disable" in service["healthcheck"]) == (name in LOADERS), name
        for needed, how in service.get("depends_on", {}).items():
            ends = needed == "sample"
            assert how == {"condition": "service_completed_successfully" if ends else "service_healthy"}
        mounted = [volume for volume in service["volumes"] if isinstance(volume, str)]
        assert {volume.partition(":")[0] for volume in mounted} <= set(raw["volumes"]), (
            "nothing of the clone, whatever its umask"
        )
    assert services["elasticsearch"]["environment"]["xpack.security.enabled"] == "true"
    published = [port for service in services.values() for port in service.get("ports", [])]
    assert published == ["127.0.0.1:${PORT:-8000}:8000"]


def test_the_readers_of_files_fit_into_the_memory_of_web(services: dict[str, dict[str, Any]]) -> None:
    """Each may take UPLOAD_MEMORY, and the kernel ends one where all together take more than the container has."""
    web = services["web"]
    readers = uploads.UPLOADS_AT_ONCE + text_reading.TEXTS_AT_ONCE + table_reading.TABLES_AT_ONCE
    most = int(re.fullmatch(r"(\d+)g", web["mem_limit"])[1]) * 1024**3 / 1e6  # type: ignore[index]
    assert readers * int(web["environment"]["UPLOAD_MEMORY"]) + OWN_MEMORY <= most


class Stack:
    """The services' own commands and variables as processes of this machine, with this machine's addresses."""

    def __init__(
        self, services: dict[str, dict[str, Any]], folder: Path, database: str, store: str, more: dict[str, str]
    ) -> None:
        self.services, self.folder, self.more = services, folder, more
        self.port = free_port()
        self.places = {
            f"postgresql://esoteric:{PASSWORDS['POSTGRES_PASSWORD']}@postgres:5432/esoteric": database,
        }
        for user in USERS:
            password = PASSWORDS[f"{user.upper()}_PASSWORD"]
            place = with_login(store, f"esoteric-{user}", password)
            self.places[f"http://esoteric-{user}:{password}@elasticsearch:9200/esoteric"] = place

    def environment(self, name: str) -> dict[str, str]:
        image = re.search(r"^ENV (.+)$", (ROOT / "Dockerfile").read_text(), re.M)
        assert image
        made = dict(pair.split("=", 1) for pair in image[1].split())
        made |= {key: str(value) for key, value in self.services[name]["environment"].items()}
        made |= {
            "DATA": str(self.folder / "data"),
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
            "PATH": os.environ["PATH"],
        }
        return {key: self.places.get(value, value) for key, value in made.items()} | self.more

    def command(self, command: list[str]) -> list[str]:
        own = {"python": sys.executable, "/dump": str(ROOT / "data" / "sample")}  # the dump of FEVER has the same form
        return [own.get(word, word) for word in command]

    def run(self, name: str, command: list[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(command), cwd=ROOT, env=self.environment(name), capture_output=True, text=True, timeout=120
        )

    def health(self, name: str) -> subprocess.CompletedProcess[str]:
        test = self.services[name]["healthcheck"]["test"]
        assert test[0] == "CMD"
        return self.run(name, test[1:])


@pytest.fixture(scope="module")
def store(elastic_server: ElasticServer, services: dict[str, dict[str, Any]]) -> tuple[str, dict[str, str]]:
    """What stands at STORE, a place on a real Elasticsearch, and what a process needs beside it to reach it.

    The server gets the users and the rights of the services, by their own script and file.
    """
    cluster = own_cluster(elastic_server.host, elastic_server.authority)
    roles = (ELASTICSEARCH / "roles.yml").read_text()
    own_roles = elastic_server.config / "roles.yml"
    own_roles.write_text(own_roles.read_text() + roles.replace('"esoteric", "esoteric-*"', '"test-*"'))
    for _ in range(2):  # as a container does that is started again
        elastic_server.run("bash", "-c", (ELASTICSEARCH / "users.sh").read_text(), "bash", "true", **PASSWORDS)
    place = cluster.place()
    for kind in USERS:
        _until_known(cluster, f"esoteric-{kind}", PASSWORDS[f"{kind.upper()}_PASSWORD"])
    return place, {"ELASTICSEARCH_CA": cluster.authority}


def _until_known(cluster: Cluster, user: str, password: str) -> None:
    """The server looks into its files every few seconds."""
    client = Elasticsearch(cluster.host, basic_auth=(user, password), ca_certs=cluster.authority)
    deadline = time.monotonic() + 60
    while True:
        try:
            client.cluster.health()
            break
        except ApiError:
            assert time.monotonic() < deadline
            time.sleep(0.2)
    client.close()


@pytest.fixture(scope="module")
def stack(
    services: dict[str, dict[str, Any]],
    postgresql: PostgreSQL,
    store: tuple[str, dict[str, str]],
    tmp_path_factory: pytest.TempPathFactory,
) -> Stack:
    return Stack(services, tmp_path_factory.mktemp("stack"), postgresql.database(), *store)


@pytest.mark.slow
def test_index_web_and_worker_run_as_they_are_written(stack: Stack) -> None:
    for name in ("web", "worker", "index"):
        assert "//elastic:" not in stack.services[name]["environment"]["STORE"], name
    refused = stack.run("web", stack.services["index"]["command"])  # who only reads cannot load
    assert refused.returncode == 2
    assert "may not do this" in refused.stderr
    for told in ("302 pages in", "Nothing was loaded."):  # whenever the stack is started
        loaded = stack.run("sample", stack.services["sample"]["command"])
        assert loaded.returncode == 0, loaded.stderr
        assert told in loaded.stdout
    assert stack.health("web").returncode == 1
    web = Server(*stack.command(stack.services["web"]["command"])[1:], port=stack.port)
    web.environment = stack.environment("web")
    worker: subprocess.Popen[bytes] | None = None
    try:
        web.start()
        assert stack.health("worker").returncode == 1
        command = stack.command(stack.services["worker"]["command"])
        worker = subprocess.Popen(command, cwd=ROOT, env=stack.environment("worker"), stdout=subprocess.DEVNULL)
        check_id = web.submit("Warsaw is the capital of Poland.")
        done = web.wait(check_id, lambda check: check["state"] not in ("queued", "running"), limit=300)
        assert done["state"] == "done", done["error"]
        assert done["corpus"]["pages"] == 302
        assert "wikipedia.org" not in json.dumps(done["evidence"]), "the sample is on no site"
        for name in ("web", "worker"):
            assert stack.health(name).returncode == 0, name
        assert web.client.get("/readyz").status_code == 200
        assert web.client.get("/", headers={"Host": "elsewhere.example"}).status_code == 400
    finally:
        web.close()
        if worker is not None:
            worker.terminate()
            assert worker.wait(30) == 0
    deadline = time.monotonic() + 30
    while stack.health("worker").returncode == 0:
        assert time.monotonic() < deadline


@pytest.mark.slow
def test_the_loads_name_what_they_load(stack: Stack, tmp_path: Path) -> None:
    """FEVER's pages are Wikipedia's of 2017, in English; the sample's are no one's."""
    store = str(tmp_path / "store")
    loaded = stack.run("index", [*stack.services["index"]["command"], "--store", store])
    assert loaded.returncode == 0, loaded.stderr
    corpus = open_store(store)
    (page,) = corpus.get(["Warsaw"]).values()
    assert (corpus.info().name, corpus.info().language, page.site) == (*FEVERS, "en.wikipedia.org")
    wikipedia = stack.services["wikipedia"]
    helped = stack.run("wikipedia", [*wikipedia["entrypoint"], *wikipedia["command"], "--help"])
    assert helped.returncode == 0, helped.stderr
    info = stack.run("loader", [*stack.services["loader"]["entrypoint"], *stack.services["loader"]["command"]])
    assert json.loads(info.stdout).items() >= {"name": "sample", "language": "en", "pages": 302}.items(), info.stderr


def test_the_health_check_of_postgresql(services: dict[str, dict[str, Any]], postgresql: PostgreSQL) -> None:
    kind, program, *arguments = services["postgres"]["healthcheck"]["test"]
    assert kind == "CMD"
    binaries = postgresql_binaries()
    path = binaries / program if binaries else shutil.which(program)
    place = {"PGHOST": str(postgresql.url.host), "PGPORT": str(postgresql.url.port or 5432)}
    assert subprocess.run([str(path), *arguments], env=place, capture_output=True).returncode == 0
    assert subprocess.run([str(path), *arguments], env=place | {"PGPORT": "1"}, capture_output=True).returncode != 0


class _GuardedHealth(http.server.BaseHTTPRequestHandler):
    """Answers as Elasticsearch with security does: the cluster's health for who knows the password."""

    def do_GET(self) -> None:
        known = base64.b64encode(b"esoteric-reader:" + PASSWORDS["READER_PASSWORD"].encode()).decode()
        right = self.headers["Authorization"] == f"Basic {known}"
        asked = self.path == "/_cluster/health?wait_for_status=yellow&timeout=5s"
        self.send_response(200 if right and asked else 401 if asked else 404)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def test_the_health_check_of_elasticsearch(services: dict[str, dict[str, Any]]) -> None:
    """Its shell command, quotes and all, on a stand-in that checks the password."""
    if shutil.which("curl") is None:
        missing("curl", "apt-get install curl")
    kind, command = services["elasticsearch"]["healthcheck"]["test"]
    assert kind == "CMD-SHELL"
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _GuardedHealth) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        here = command.replace("127.0.0.1:9200", f"127.0.0.1:{server.server_port}")
        assert here != command
        codes = [
            subprocess.run(["sh", "-c", here], env=os.environ | {"READER_PASSWORD": password}, capture_output=True)
            for password in (services["elasticsearch"]["environment"]["READER_PASSWORD"], "wrong")
        ]
        server.shutdown()
    assert [code.returncode == 0 for code in codes] == [True, False]
