"""Estimates what a load will take: bytes to fetch, disk, time."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from indexing.download import file_name
from indexing.fever import find_sources
from indexing.wikipedia.dump import Dump
from indexing.wikipedia.fetching import disk_needed, existing_folder, readers
from indexing.wikipedia.places import open_place
from retrieval.errors import CorpusError
from retrieval.stores.locations import on_server

# Compressed bytes a second: for a dump of the search index, each process that unpacks (5.6 kB and 1.1 ms a page); for
# FEVER's archive, the whole load (5.4 million pages and 1.7 GB in 6.9 minutes, docs/benchmarks.md).
UNPACKED, FEVER_LOADED = 5_000_000, 4_000_000
FETCHED = 10_000_000  # bytes a second, over a line of 80 Mbit/s
FEVER_SHARE = 2.8  # bytes of a store per byte of FEVER's archive: 4.8 GB for 1.7
PLAIN_SHARE = 0.6  # bytes of a store per byte of an uncompressed file
FEVER_NAME = "Wikipedia of June 2017 (FEVER)"


@dataclass(frozen=True)
class Plan:
    """What a load takes. files: their number, with `bytes` in all; fetched: bytes over the network. disk: bytes needed
    during the load; free: bytes free on that disk. seconds: an estimate for this machine and a line of 80 Mbit/s. day:
    the dump's, such as 2025-12-07; empty if unknown.
    """

    name: str
    day: str
    files: int
    bytes: int
    fetched: int
    disk: int
    free: int
    seconds: int


def plan_wikipedia(dump: Dump, store: str, text: str, keep: bool) -> Plan:
    """The plan for loading this dump into a folder."""
    waiting, pages = disk_needed(dump, text, keep)
    fetched = sum(file.size or 0 for file in dump.files if file.remote)
    processes = min(readers(), os.cpu_count() or 1, len(dump.files))
    seconds = round(max(fetched / FETCHED, dump.size / (UNPACKED * processes)))
    free = free_on_disk(store)
    return Plan(dump.name, dump.day, len(dump.files), dump.size, fetched, waiting + pages, free, seconds)


def plan_fever(paths: Sequence[str], store: str) -> Plan:
    """The plan for loading files in FEVER's format, given as paths or addresses. Raises CorpusError."""
    remote = [path for path in paths if on_server(path)]
    sources = find_sources([Path(path) for path in paths if path not in remote])
    local = {source.path: source.path.stat().st_size for source in sources}
    fetched = sum(_size_at(path) for path in remote)
    plain = sum(size for path, size in local.items() if path.suffix == ".jsonl")
    size = fetched + sum(local.values())
    pages = int((size - plain) * FEVER_SHARE + plain * PLAIN_SHARE)
    seconds = fetched / FETCHED + (size - plain + plain * PLAIN_SHARE / FEVER_SHARE) / FEVER_LOADED
    names = [file_name(path) if path in remote else Path(path).resolve().name for path in paths]
    name = FEVER_NAME if names[0] == "wiki-pages.zip" else names[0]
    files = len(local) + len(remote)
    return Plan(name, "", files, size, fetched, fetched + pages, free_on_disk(store), round(seconds))


def free_on_disk(store: str) -> int:
    """Free bytes on the disk of a folder that exists or will be made."""
    return shutil.disk_usage(existing_folder(Path(store))).free


def _size_at(address: str) -> int:
    with open_place(address) as place:
        if (size := place.size()) is None and not place.name:
            raise CorpusError(f"{place} is not the address of a file. Name an archive.")
        return size or 0
