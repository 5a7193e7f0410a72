"""Fetches one large archive over HTTP, resuming where an earlier attempt stopped.

Bytes are collected in `NAME.part`; `NAME.source.json` records which version of the file they belong to (RFC 9110, sections
8.8 and 14), so that parts of two versions are never joined. `NAME` appears only when complete.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import IO

import httpx
from tqdm import tqdm

from indexing import web
from indexing.web import address, shown
from retrieval.errors import CorpusError
from retrieval.stores.embedded.generations import sync_folder

FRUITLESS_ATTEMPTS = 5  # failed attempts in a row, without progress
FETCH_ATTEMPTS = 200  # attempts in all, for a connection that keeps breaking
FETCH_PAUSE = 1.0  # seconds before the second attempt; doubled after each attempt without progress
LONGEST_FETCH_PAUSE = 30.0  # seconds
SPARE_SPACE = 50_000_000  # bytes to leave free on the disk
CHUNK = 1 << 18  # bytes
CHUNKS_A_LOOK = 100  # chunks between two checks of the disk's free space

Report = Callable[[int, int | None], None]


class _Broken(Exception):
    """The transfer stopped early, but a retry may succeed. seconds: the wait that the server asked for, if any."""

    seconds: float | None = None


@dataclass(frozen=True)
class _Version:
    """The version of the file on the server. If unknown, etag and modified are empty, and size is None."""

    url: str
    etag: str = ""
    modified: str = ""
    size: int | None = None

    @property
    def validator(self) -> str:
        """The value for If-Range: a strong ETag, else the date."""
        return self.etag if self.etag and not self.etag.startswith("W/") else self.modified

    def same(self, other: _Version) -> bool:
        """Whether both may be the same bytes, by all values that both have."""
        pairs = [(self.etag.removeprefix("W/"), other.etag.removeprefix("W/")), (self.size, other.size)]
        if not (self.etag and other.etag):
            pairs.append((self.modified, other.modified))
        return all(ours == theirs or ours in ("", None) or theirs in ("", None) for ours, theirs in pairs)


def fetch(url: str, folder: Path, progress: Report | None = None) -> Path:
    """Fetch the file into `folder`, unless the one there is current. Returns its path.

    progress: called with the bytes fetched and the total (None: unknown); by default a bar on stderr. Raises
    CorpusError if it cannot be fetched; the bytes fetched are kept, and the next call resumes.
    """
    with fetching_into(folder), web.client() as client:
        return fetch_beside(client, url, folder, progress, web.pause)


def fetch_beside(
    client: httpx.Client, url: str, folder: Path, progress: Report | None, wait: Callable[[float], None]
) -> Path:
    """Like `fetch`, for a caller that holds the folder's lock (`fetching_into`): several threads may fetch different
    files into it. wait: called with the seconds to wait before another attempt; an exception from it ends the transfer.
    """
    place = address(url)
    target = folder / file_name(url)
    try:
        # A part beside a whole file is the start of a newer version, which the sidecar describes.
        if target.exists() and not _part(target).exists() and _is_current(client, place, target):
            return target
        with nullcontext(progress) if progress else _bar(target.name) as report:
            _fetch_in_attempts(client, place, target, report, wait)
    except OSError as error:
        raise _disk_error(error, target) from error
    return target


def forget(target: Path) -> None:
    """Remove a fetched file and its sidecar."""
    for file in (target, _part(target), _sidecar(target)):
        file.unlink(missing_ok=True)


def file_name(url: str) -> str:
    """The name for a file fetched from an address; it cannot lead out of its folder."""
    name = re.sub(r"[^\w.()+ -]", "_", address(url).path.rstrip("/").rpartition("/")[2]).lstrip(".")
    return name[-150:] or "download"


@contextmanager
def fetching_into(folder: Path) -> Iterator[None]:
    """Create the folder and lock it against other processes, at most until this one ends. Raises CorpusError if another
    process is fetching into it, or if it cannot be created.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise _disk_error(error, folder) from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError as error:
        raise CorpusError(f"Another process is fetching into {folder}. Wait for it or name another folder.") from error
    finally:
        os.close(handle)


@contextmanager
def _bar(name: str) -> Iterator[Report]:
    with tqdm(desc=name, unit="B", unit_scale=True, unit_divisor=1000) as bar:

        def report(done: int, total: int | None) -> None:
            bar.total = total
            if done < bar.n or bar.n == 0:
                # Bytes that were already on disk, or were lost, must not count towards the speed.
                bar.initial = bar.n = done
                bar.refresh()
            else:
                bar.update(done - bar.n)

        yield report


def _is_current(client: httpx.Client, place: httpx.URL, target: Path) -> bool:
    """Whether the file at `target` is the server's version; True if the server does not tell."""
    known = _remembered(target, place)
    size = target.stat().st_size
    headers = {"If-None-Match": known.etag} if known.etag else {}
    with suppress(httpx.RequestError), client.stream("GET", place, headers=headers) as answer:
        if answer.status_code == 200:
            # Leaving the block closes the connection, so the body is never read.
            return _version(place, answer).same(replace(known, size=size))
    return known.size in (None, size)


def _fetch_in_attempts(
    client: httpx.Client, place: httpx.URL, target: Path, report: Report, wait: Callable[[float], None]
) -> None:
    furthest, fruitless, problem = 0, 0, ""
    for _ in range(FETCH_ATTEMPTS):
        try:
            _transfer(client, place, target, report)
            return
        except (httpx.UnsupportedProtocol, httpx.TooManyRedirects, httpx.InvalidURL) as error:
            raise CorpusError(f"{shown(place)} leads nowhere: {error}. Check the address.") from error
        except (httpx.TransportError, _Broken) as error:
            problem = web.reason(error)
            seconds = error.seconds if isinstance(error, _Broken) else None
        if seconds is not None and seconds > web.LONGEST_SERVER_WAIT:
            raise web.asked_to_wait(place, seconds)
        done = _size(_part(target))
        fruitless = 0 if done > furthest else fruitless + 1
        furthest = max(furthest, done)
        if fruitless >= FRUITLESS_ATTEMPTS:
            break
        wait(seconds or min(FETCH_PAUSE * 2 ** max(fruitless - 1, 0), LONGEST_FETCH_PAUSE))
    raise CorpusError(
        f"{shown(place)} could not be fetched completely: {problem}. "
        f"Run the same command again: it resumes after the {_size(_part(target)):,} bytes that have come."
    )


def _transfer(client: httpx.Client, place: httpx.URL, target: Path, report: Report) -> None:
    """One attempt. Raises _Broken or httpx.TransportError if another may succeed."""
    part = _part(target)
    known, done = _remembered(target, place), _size(part)
    headers = {"Range": f"bytes={done}-", "If-Range": known.validator} if done and known.validator else {}
    with client.stream("GET", place, headers=headers) as answer:
        version, start = _check(answer, place, known, part, done)
        if start == 0:
            # In this order, a crash leaves an empty part, never old bytes under a new version's name.
            part.write_bytes(b"")
            _remember(target, version)
        _check_space(target, (version.size or 0) - start)
        with open(part, "ab") as file:
            if start != version.size:
                _write(answer, file, start, version.size, report)
            os.fsync(file.fileno())
    if version.size is not None and _size(part) != version.size:
        raise _Broken(f"{_size(part):,} bytes came of {version.size:,}")
    os.replace(part, target)
    sync_folder(target.parent)


def _check(answer: httpx.Response, place: httpx.URL, known: _Version, part: Path, done: int) -> tuple[_Version, int]:
    """The version that the server is about to send, and the first byte."""
    status, version = answer.status_code, _version(place, answer)
    if status == 200:
        return version, 0
    part_sent = re.fullmatch(r"bytes (?:(\d+)-\d+|\*)/(\d+|\*)", answer.headers.get("Content-Range", ""))
    size = int(part_sent[2]) if part_sent and part_sent[2] != "*" else None
    continued = status == 206 and part_sent is not None and part_sent[1] == str(done)
    if continued and replace(version, size=size).same(known):
        return replace(known, size=known.size if size is None else size), done
    if status == 416 and done == known.size and size in (None, done):
        return known, done  # all bytes have arrived, and only the renaming is left
    if status in (206, 416):
        _sidecar(part.with_suffix("")).unlink(missing_ok=True)
        part.unlink(missing_ok=True)
        raise _Broken("the file has changed on the server")
    if web.may_pass(answer):
        broken = _Broken(f"the server answered {status} {answer.reason_phrase}".strip())
        broken.seconds = web.pause_asked(answer)
        raise broken
    raise web.refusal(answer, place)


def _write(answer: httpx.Response, file: IO[bytes], done: int, total: int | None, report: Report) -> None:
    report(done, total)
    for number, chunk in enumerate(answer.iter_raw(CHUNK)):
        if number % CHUNKS_A_LOOK == 0:  # a server may send more than it announced, or announce nothing
            _check_space(Path(file.name), max((total or 0) - done, CHUNK))
        file.write(chunk)
        done += len(chunk)
        report(done, total)
    file.flush()


def _version(place: httpx.URL, answer: httpx.Response) -> _Version:
    length = answer.headers.get("Content-Length", "")
    size = int(length) if length.isdecimal() and answer.status_code == 200 else None
    return _Version(shown(place), answer.headers.get("ETag", ""), answer.headers.get("Last-Modified", ""), size)


def _check_space(target: Path, needed: int) -> None:
    free = shutil.disk_usage(target.parent).free
    if needed + SPARE_SPACE > free:
        raise CorpusError(
            f"{target.name} needs {needed / 1e9:.2f} GB more and {target.parent} has {free / 1e9:.2f} GB free. "
            "Free some space or name another folder."
        )


def _disk_error(error: OSError, target: Path) -> CorpusError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return CorpusError(
            f"The disk of {target.parent} is full. Free some space and run the same command again: "
            f"it resumes after the {_size(_part(target)):,} bytes that have come."
        )
    return CorpusError(f"{target} cannot be written: {error.strerror or error}. Name a writable folder.")


def _remembered(target: Path, place: httpx.URL) -> _Version:
    """The version of the bytes on disk, as far as known."""
    with suppress(OSError, ValueError, TypeError):
        known = _Version(**json.loads(_sidecar(target).read_text()))
        if known.url == shown(place):
            return known
    return _Version(shown(place))


def _remember(target: Path, version: _Version) -> None:
    fresh = target.with_name(target.name + ".source.new")
    fresh.write_text(json.dumps(asdict(version)))
    os.replace(fresh, _sidecar(target))


def _part(target: Path) -> Path:
    return target.with_name(target.name + ".part")


def _sidecar(target: Path) -> Path:
    return target.with_name(target.name + ".source.json")


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
