"""Downloads against a real server that breaks connections, ignores ranges and changes its file."""

import errno
import fcntl
import json
import os
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import pytest

from indexing import download
from indexing.download import fetch
from retrieval.errors import CorpusError

OLD = bytes(range(256)) * 8_000
NEW = OLD[::-1]


@dataclass
class Site:
    """What the server does, and what it was asked."""

    url: str = ""
    content: bytes = OLD
    etag: str = '"one"'
    modified: str = ""
    statuses: list[int] = field(default_factory=list)  # answers before it serves the file
    breaks: list[int] = field(default_factory=list)  # bytes after which the next connections break
    ranges: bool = True
    if_range: bool = True  # False: ranges are served whatever If-Range says
    length: bool = True
    change_at: int = -1  # request, from 0, at which the file becomes NEW
    location: str = ""
    asked: list[dict[str, str]] = field(default_factory=list)


class Handler(BaseHTTPRequestHandler):
    site: Site

    def do_GET(self) -> None:
        site = self.site
        if len(site.asked) == site.change_at:
            site.content, site.etag = NEW, '"two"'
        site.asked.append({name.lower(): value for name, value in self.headers.items()})
        if site.statuses:
            self.answer(site.statuses.pop(0), b"sorry")
        elif self.path == "/moved":
            self.answer(302, b"", {"Location": site.location})
        elif site.etag and self.headers.get("If-None-Match") == site.etag:
            self.answer(304, b"")
        else:
            self.serve()

    def serve(self) -> None:
        site = self.site
        wanted = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        validator = self.headers.get("If-Range")
        fresh = not site.if_range or validator in (None, site.etag or site.modified)
        if not (wanted and site.ranges and fresh):
            self.answer(200, site.content)
        elif (start := int(wanted[1])) >= len(site.content):
            self.answer(416, b"", {"Content-Range": f"bytes */{len(site.content)}"})
        else:
            place = f"bytes {start}-{len(site.content) - 1}/{len(site.content)}"
            self.answer(206, site.content[start:], {"Content-Range": place})

    def answer(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"ETag": self.site.etag, "Last-Modified": self.site.modified, **(headers or {})}.items():
            if value:
                self.send_header(name, value)
        if self.site.length or status != 200:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if status in (200, 206) and self.site.breaks:
            body = body[: self.site.breaks.pop(0)]
        # The client hangs up where the headers have told it enough.
        try:
            self.wfile.write(body)
        except OSError:
            self.close_connection = True

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setattr(download, "FETCH_PAUSE", 0.001)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    site = Site()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("SiteHandler", (Handler,), {"site": site}))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    site.url = f"http://127.0.0.1:{server.server_port}/data/pages.zip"
    yield site
    server.shutdown()
    server.server_close()
    thread.join()


def quiet(done: int, total: int | None) -> None:
    pass


def test_whole_file(site: Site, tmp_path: Path) -> None:
    reports: list[tuple[int, int | None]] = []
    path = fetch(site.url, tmp_path / "new" / "folder", lambda done, total: reports.append((done, total)))
    assert path == tmp_path / "new" / "folder" / "pages.zip"
    assert path.read_bytes() == OLD
    assert reports[0] == (0, len(OLD))
    assert reports[-1] == (len(OLD), len(OLD))
    assert sorted(file.name for file in path.parent.iterdir()) == ["pages.zip", "pages.zip.source.json"]


def test_bar_shows_size(site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fetch(site.url, tmp_path)
    assert re.search(r"pages\.zip: 100%.*2\.05M/2\.05M.*B/s", capsys.readouterr().err)


def test_broken_connections_are_resumed(site: Site, tmp_path: Path) -> None:
    site.breaks = [1_000_000, 500_000, 100_000]
    assert fetch(site.url, tmp_path, quiet).read_bytes() == OLD
    assert "range" not in site.asked[0]
    starts = [int(request["range"][6:-1]) for request in site.asked[1:]]
    assert starts == sorted(starts)
    assert starts[0] > 0
    assert {request["if-range"] for request in site.asked[1:]} == {'"one"'}


def test_resumed_by_date_where_there_is_no_etag(site: Site, tmp_path: Path) -> None:
    site.etag, site.modified, site.breaks = "", "Wed, 01 Jan 2020 00:00:00 GMT", [1_000_000]
    assert fetch(site.url, tmp_path, quiet).read_bytes() == OLD
    assert site.asked[1]["if-range"] == site.modified


@pytest.mark.parametrize("etag", ["", 'W/"weak"'])
def test_starts_again_where_the_version_cannot_be_told(site: Site, tmp_path: Path, etag: str) -> None:
    site.etag, site.breaks = etag, [1_000_000]
    assert fetch(site.url, tmp_path, quiet).read_bytes() == OLD
    assert "range" not in site.asked[1]


def test_next_run_goes_on(site: Site, tmp_path: Path) -> None:
    site.breaks = [1_000_000] + [0] * 20
    with pytest.raises(CorpusError, match=r"could not be fetched completely.*Run the same command again"):
        fetch(site.url, tmp_path, quiet)
    assert not (tmp_path / "pages.zip").exists()
    came = (tmp_path / "pages.zip.part").stat().st_size
    assert came > 0
    assert len(site.asked) <= download.FRUITLESS_ATTEMPTS + 1
    site.breaks, asked = [], len(site.asked)
    reports: list[int] = []
    assert fetch(site.url, tmp_path, lambda done, total: reports.append(done)).read_bytes() == OLD
    assert site.asked[asked]["range"] == f"bytes={came}-"
    assert reports[0] == came


def test_ranges_ignored(site: Site, tmp_path: Path) -> None:
    site.ranges, site.breaks = False, [1_000_000, 1_500_000]
    assert fetch(site.url, tmp_path, quiet).read_bytes() == OLD
    assert len(site.asked) == 3


@pytest.mark.parametrize("if_range", [True, False])
def test_file_changed_between_attempts(site: Site, tmp_path: Path, if_range: bool) -> None:
    site.breaks, site.change_at, site.if_range = [1_000_000], 1, if_range
    assert fetch(site.url, tmp_path, quiet).read_bytes() == NEW
    assert json.loads((tmp_path / "pages.zip.source.json").read_text())["etag"] == '"two"'


def test_part_without_sidecar_is_not_trusted(site: Site, tmp_path: Path) -> None:
    (tmp_path / "pages.zip.part").write_bytes(b"of unknown origin")
    assert fetch(site.url, tmp_path, quiet).read_bytes() == OLD
    assert "range" not in site.asked[0]


def test_killed_before_the_last_step(site: Site, tmp_path: Path) -> None:
    path = fetch(site.url, tmp_path, quiet)
    path.rename(tmp_path / "pages.zip.part")
    assert fetch(site.url, tmp_path, quiet).read_bytes() == OLD
    assert site.asked[-1]["range"] == f"bytes={len(OLD)}-"


def test_server_faults_pass(site: Site, tmp_path: Path) -> None:
    site.statuses = [500, 503, 429]
    assert fetch(site.url, tmp_path, quiet).read_bytes() == OLD


def test_server_faults_that_stay(site: Site, tmp_path: Path) -> None:
    site.statuses = [500] * 99
    with pytest.raises(CorpusError, match="the server answered 500"):
        fetch(site.url, tmp_path, quiet)
    assert len(site.asked) == download.FRUITLESS_ATTEMPTS


def test_missing_file(site: Site, tmp_path: Path) -> None:
    site.statuses = [404]
    with pytest.raises(CorpusError, match=r"answered 404 Not Found\. Check the address\."):
        fetch(site.url, tmp_path, quiet)
    assert len(site.asked) == 1


def test_no_server(site: Site, tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="could not be fetched"):
        fetch("http://127.0.0.1:9/a.zip", tmp_path, quiet)


def test_length_unknown(site: Site, tmp_path: Path) -> None:
    site.length = False
    reports: list[int | None] = []
    assert fetch(site.url, tmp_path, lambda done, total: reports.append(total)).read_bytes() == OLD
    assert set(reports) == {None}


def test_redirect(site: Site, tmp_path: Path) -> None:
    site.location = site.url
    moved = site.url.replace("/data/pages.zip", "/moved")
    assert fetch(moved, tmp_path, quiet).read_bytes() == OLD
    site.location = "ftp://127.0.0.1/pages.zip"
    with pytest.raises(CorpusError, match="leads nowhere"):
        fetch(moved, tmp_path / "b", quiet)
    site.location = moved
    with pytest.raises(CorpusError, match="leads nowhere"):
        fetch(moved, tmp_path / "c", quiet)


class TestCompleteFile:
    def test_is_not_fetched_again(self, site: Site, tmp_path: Path) -> None:
        fetch(site.url, tmp_path, quiet)
        (tmp_path / "pages.zip").touch()
        assert fetch(site.url, tmp_path, quiet).read_bytes() == OLD
        assert site.asked[1]["if-none-match"] == '"one"'
        assert len(site.asked) == 2

    def test_copied_by_hand_is_kept_where_the_size_agrees(self, site: Site, tmp_path: Path) -> None:
        (tmp_path / "pages.zip").write_bytes(NEW)
        assert fetch(site.url, tmp_path, quiet).read_bytes() == NEW
        (tmp_path / "pages.zip").write_bytes(NEW[:-1])
        assert fetch(site.url, tmp_path, quiet).read_bytes() == OLD

    def test_is_fetched_where_the_server_has_another(self, site: Site, tmp_path: Path) -> None:
        fetch(site.url, tmp_path, quiet)
        site.change_at = 1
        assert fetch(site.url, tmp_path, quiet).read_bytes() == NEW

    def test_newer_version_that_was_interrupted(self, site: Site, tmp_path: Path) -> None:
        fetch(site.url, tmp_path, quiet)
        site.change_at, site.breaks = 1, [0, 1_000_000, *[0] * 20]
        with pytest.raises(CorpusError):
            fetch(site.url, tmp_path, quiet)
        assert (tmp_path / "pages.zip").read_bytes() == OLD
        site.breaks = []
        assert fetch(site.url, tmp_path, quiet).read_bytes() == NEW

    def test_serves_where_the_server_is_gone(self, site: Site, tmp_path: Path) -> None:
        fetch(site.url, tmp_path, quiet)
        site.statuses = [500]
        assert fetch(site.url, tmp_path, quiet).read_bytes() == OLD
        assert len(site.asked) == 2


class TestDisk:
    def test_too_small(self, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(download.shutil, "disk_usage", lambda path: SimpleNamespace(free=50_500_000))
        with pytest.raises(CorpusError, match=r"needs 0\.00 GB more .* Free some space"):
            fetch(site.url, tmp_path, quiet)
        assert not (tmp_path / "pages.zip").exists()

    def test_full(self, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(handle: int) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with monkeypatch.context() as patch:
            patch.setattr(download.os, "fsync", full)
            with pytest.raises(CorpusError, match=r"is full\. Free some space and run"):
                fetch(site.url, tmp_path, quiet)
        assert fetch(site.url, tmp_path, quiet).read_bytes() == OLD
        assert site.asked[-1]["range"] == f"bytes={len(OLD)}-"

    def test_second_process(self, site: Site, tmp_path: Path) -> None:
        handle = os.open(tmp_path, os.O_RDONLY)
        fcntl.flock(handle, fcntl.LOCK_EX)
        with pytest.raises(CorpusError, match="Another process"):
            fetch(site.url, tmp_path, quiet)
        os.close(handle)
        assert fetch(site.url, tmp_path, quiet).exists()


@pytest.mark.parametrize("url", ["ftp://a/b.zip", "file:///etc/passwd", "wiki.zip", "http://", "http://a:port/", ""])
def test_only_web_addresses(tmp_path: Path, url: str) -> None:
    with pytest.raises(CorpusError, match="Give one that begins with https://"):
        fetch(url, tmp_path, quiet)


def test_names_stay_in_the_folder(site: Site, tmp_path: Path) -> None:
    base = site.url.rpartition("/data")[0]
    assert fetch(f"{base}/a/..%2F..%2F.evil", tmp_path, quiet).parent == tmp_path
    assert fetch(f"{base}/", tmp_path, quiet).name == "download"


def test_password_is_not_shown_or_kept(site: Site, tmp_path: Path) -> None:
    fetch(site.url.replace("http://", "http://me:secret@"), tmp_path, quiet)
    assert "authorization" in site.asked[0]
    assert "secret" not in (tmp_path / "pages.zip.source.json").read_text()
    site.statuses = [404]
    with pytest.raises(CorpusError) as caught:
        fetch(site.url.replace("http://", "http://me:secret@"), tmp_path / "b", quiet)
    assert "secret" not in str(caught.value)
