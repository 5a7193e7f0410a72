"""The generation being loaded into Elasticsearch: starts and resumes it, for one writer at a time."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from retrieval.errors import SettingError, StoreError
from retrieval.settings import Settings
from retrieval.stores.elastic.index import (
    ALIAS_OF_BUILDING,
    LOADING,
    META,
    Json,
    index_settings,
    is_generation,
    mapping,
    new_generation,
)
from retrieval.stores.elastic.server import NotThere, Server
from retrieval.stores.pages import SCHEMA, check_unfinished

SECONDS_OF_A_SILENT_WRITER = 120.0  # without a checkpoint, after which another machine may take over the load
NUMBERS_BETWEEN_RUNS = 10**9  # more than the operations of a load between two checkpoints
SECONDS_TO_CREATE = 120.0


@dataclass
class Building:
    """An index being loaded. name: the index's. position: of the last checkpoint. number: the highest operation number.

    pages: in the index when the writer was opened. dimension: of its vectors. vector_model: the encoder of the vectors
    that it started with. card: fields of `CorpusInfo`, once complete.
    """

    name: str
    job: str
    position: Mapping[str, Any] | None
    number: int
    pages: int
    dimension: int
    card: Json = field(default_factory=dict)
    vector_model: str = ""

    @classmethod
    def begin(
        cls, server: Server, job: str, current: tuple[str, Json] | None, settings: Settings, dimension: int
    ) -> Building:
        """A new index, with the pages of the current generation if one is given."""
        client = server.client.options(request_timeout=SECONDS_TO_CREATE)
        name = new_generation(server.address.index)
        aliases: Json = {server.address.index + ALIAS_OF_BUILDING: {}}
        # A load that was killed after its switch left generations without an alias.
        delete(server, [old for old, its_aliases in generations(server).items() if not its_aliases])
        with server.asked():
            if current:
                # The server makes hard links: nothing is copied, and the old index does not change.
                prefixed = {f"index.{key}": value for key, value in LOADING.items()}
                client.indices.clone(index=current[0], target=name, settings=prefixed, aliases=aliases, timeout="120s")
            else:
                _create(server, name, settings, dimension, aliases)
            client.cluster.health(index=name, wait_for_status="yellow", timeout="60s")
            model = current[1].get("vector_model", "") if current else ""
            building = cls(name, job, None, time.time_ns() // 1000, *_contents(server, name), vector_model=model)
        take(server, building)
        return building


def find_building(server: Server, job: str, restart: bool) -> Building | None:
    """Take over this job's unfinished load; None if there is none. Raises StoreVersion, and StoreError if it is not free."""
    name, note = next(iter(unfinished_load(server)), ("", {}))
    if not name:
        return None
    _check_holder(server, note)
    if restart or not note.get("position"):  # without a checkpoint, no part is known to be complete
        with server.asked():
            server.client.indices.delete(index=name)
        return None
    check_unfinished(server.address, note.get("schema"), str(note.get("job")), job)
    with server.asked():
        server.client.indices.put_settings(index=name, settings=LOADING)
        server.client.indices.refresh(index=name)
        number = max(time.time_ns() // 1000, int(note["number"]) + NUMBERS_BETWEEN_RUNS)
        model = note.get("vector_model", "")
        building = Building(name, job, note["position"], number, *_contents(server, name), vector_model=model)
    take(server, building)
    return building


def unfinished_load(server: Server) -> list[tuple[str, Json]]:
    """[(name of the index being loaded, the note that its loader keeps there)]; empty if no index is being loaded."""
    with suppress(NotThere), server.asked():
        mappings = server.client.indices.get_mapping(index=server.address.index + ALIAS_OF_BUILDING).body
        return [(name, index["mappings"].get("_meta", {}).get(META, {})) for name, index in mappings.items()]
    return []


def take(server: Server, building: Building) -> None:
    """Write the load's position and owner into the index. Raises StoreError if another process has taken it over."""
    note = {
        "vector_model": building.vector_model,
        **building.card,
        "schema": SCHEMA,
        "job": building.job,
        "position": building.position,
        "number": building.number,
        "holder": _this_process(),
        "seen": time.time(),
    }
    with server.asked():
        server.client.indices.put_mapping(index=building.name, meta={META: note})


def release(server: Server, building: Building) -> None:
    """Let another process resume the load. Does nothing if the index is gone, as after `--restart`."""
    with suppress(NotThere, KeyError), server.asked():
        described = server.client.indices.get_mapping(index=building.name).body[building.name]
        note = described["mappings"]["_meta"][META]
        server.client.indices.put_mapping(index=building.name, meta={META: {**note, "holder": ""}})


def generations(server: Server) -> dict[str, Json]:
    """The aliases of all generations on the server, by name, in use or not."""
    with server.asked():
        aliases = server.client.indices.get_alias(index=f"{server.address.index}-*").body
    return {name: aliases[name]["aliases"] for name in sorted(aliases) if is_generation(server.address.index, name)}


def delete(server: Server, names: Iterable[str]) -> None:
    """Delete these generations, if they still exist."""
    with server.asked():
        for name in names:
            server.client.indices.delete(index=name, ignore_unavailable=True)


def _check_holder(server: Server, note: Json) -> None:
    host, _, process = str(note.get("holder", "")).rpartition(":")
    if not host or (host == socket.gethostname() and not _is_running(int(process))):
        return
    if host == socket.gethostname() or time.time() - float(note["seen"]) < SECONDS_OF_A_SILENT_WRITER:
        raise StoreError(
            f"Another process is loading into {server.address} (process {process} on {host}). "
            "Wait until it ends, or stop it."
        )


def _create(server: Server, name: str, settings: Settings, dimension: int, aliases: Json) -> None:
    """Create an empty index. Raises SettingError if the server lacks the analyzer."""
    from elasticsearch import BadRequestError

    client = server.client.options(request_timeout=SECONDS_TO_CREATE)
    fields = mapping(settings, dimension)
    try:
        client.indices.create(index=name, settings=index_settings(settings), mappings=fields, aliases=aliases)
    except BadRequestError as error:
        if "analyzer" not in str(error.body):
            raise
        raise SettingError(
            f"Elasticsearch at {server} has no analyzer named {settings.elasticsearch_analyzer[:40]!r}. "
            "Set ELASTICSEARCH_ANALYZER to `whitespace`, or use a server with the module analysis-common."
        ) from None


def _contents(server: Server, name: str) -> tuple[int, int]:
    """The number of pages in the index, and the dimension of its vectors."""
    fields = server.client.indices.get_mapping(index=name).body[name]["mappings"]["properties"]
    return server.client.count(index=name)["count"], fields.get("vector", {}).get("dims", 0)


def _this_process() -> str:
    return f"{socket.gethostname()}:{os.getpid()}"


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # it belongs to another user
        pass
    return True
