"""What a load reads, leaves out, refuses and reports."""

from __future__ import annotations

import gzip
import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from indexing.load import Place, load_fever
from retrieval.errors import CorpusError, StoreAway, StoreError
from retrieval.stores.embedded.store import EmbeddedStore
from retrieval.stores.embedded.writer import open_writer
from retrieval.types import CorpusInfo
from tests.app.process import free_port
from tests.indexing.breaking_load import broken, unbroken
from tests.indexing.loads import PAGES, goes_on, rows
from tests.making import dump_row, write_dump

# Broken lines


@pytest.fixture
def bad_dump(dump: Path, whole: CorpusInfo) -> Path:
    """The dump with a line broken: the 7th of its first file."""
    file = dump / "wiki-001.jsonl"
    lines = file.read_text().splitlines()
    lines[6] = lines[6][:30]
    file.write_text("\n".join(lines) + "\n")
    return dump


def mend(dump: Path) -> None:
    write_dump(dump / "wiki-001.jsonl", rows(0, 20))


def test_a_broken_line_stops_the_load(bad_dump: Path, store: Path, whole: CorpusInfo) -> None:
    ended = unbroken("fever", bad_dump, "--store", store)
    assert ended.returncode == 2
    last = ended.stderr.splitlines()[-1]
    assert last.startswith(f"{bad_dump}/wiki-001.jsonl, line 7: ")
    assert last.endswith("Repair the line, or skip such lines with `--skip-bad`.")
    assert '{"id": "Page_005"' in last
    assert "Traceback" not in ended.stderr
    mend(bad_dump)
    assert goes_on(bad_dump, store, whole) == ["Resuming after 5 pages."]


def test_a_broken_line_stops_again_while_it_is_not_mended(bad_dump: Path, store: Path) -> None:
    for _ in range(2):
        with pytest.raises(CorpusError, match=r"wiki-001\.jsonl, line 7: "):
            load_fever([bad_dump], str(store))


def test_broken_lines_are_counted_and_left_out(bad_dump: Path, store: Path) -> None:
    with open(bad_dump / "wiki-002.jsonl", "a") as file:
        file.write('{"id": "A\\u0000", "lines": ""}\n[]\n\n')
    ended = unbroken("fever", bad_dump, "--store", store, "--skip-bad")
    assert ended.returncode == 1
    assert "wiki-001.jsonl, line 7: " in ended.stderr
    assert "wiki-002.jsonl, line 23: it contains a NUL or half a character" in ended.stderr
    assert "wiki-002.jsonl, line 24: it is not a JSON object" in ended.stderr
    assert ended.stderr.splitlines()[-1] == "3 lines or pages were left out; they are named above."
    assert ended.stdout.startswith(f"{PAGES - 1} pages in {store}, fingerprint ")


def test_skip_bad_goes_on_with_a_load_that_a_broken_line_stopped(bad_dump: Path, store: Path) -> None:
    with pytest.raises(CorpusError):
        load_fever([bad_dump], str(store))
    reported: list[str] = []
    card, bad = load_fever([bad_dump], str(store), skip_bad=True, report=reported.append)
    assert (card.pages, bad) == (PAGES - 1, 1)
    assert reported[0] == "Resuming after 5 pages."
    assert len(reported) == 2


def test_control_characters_of_a_broken_line_do_not_reach_the_terminal(tmp_path: Path, store: Path) -> None:
    (tmp_path / "wiki-1.jsonl").write_bytes(b'\x1b[2J\x07 {"id"\n')
    ended = unbroken("fever", tmp_path / "wiki-1.jsonl", "--store", store)
    assert (ended.returncode, "\x1b[2J" in ended.stderr, "\x07" in ended.stderr) == (2, False, False)


def test_bad_lines_counted_before_a_break_count_at_the_end(bad_dump: Path, store: Path) -> None:
    assert broken("page:30", "fever", bad_dump, "--store", store, "--skip-bad").returncode == -signal.SIGKILL
    _, bad = load_fever([bad_dump], str(store), skip_bad=True, report=lambda _: None)
    assert bad == 1


# Other files, other jobs


def test_a_file_changed_in_what_was_loaded_is_not_gone_on_with(dump: Path, store: Path) -> None:
    broken("page:15", "fever", dump, "--store", store)
    write_dump(dump / "wiki-001.jsonl", rows(0, 20, "Changed"))
    with pytest.raises(CorpusError, match=r"has changed in lines that are already loaded\. Add `--restart`"):
        load_fever([dump], str(store))
    card, _ = load_fever([dump], str(store), restart=True)
    assert card.pages == PAGES
    assert "Changed" in EmbeddedStore(store).get(["Page_003"])["Page_003"].text


def test_another_load_is_refused_until_restart(dump: Path, store: Path, whole: CorpusInfo) -> None:
    broken("page:15", "fever", dump, "--store", store)
    other = dump / "wiki-002.jsonl"
    ended = unbroken("fever", other, "--store", store)
    assert ended.returncode == 2
    assert f"{store} holds an unfinished load of something else" in ended.stderr
    assert str(dump / "wiki-001.jsonl") in ended.stderr
    assert "add `--restart` to discard it" in ended.stderr
    assert unbroken("fever", other, "--store", store, "--restart").returncode == 0
    assert EmbeddedStore(store).count() == 21


@pytest.mark.parametrize("options", [{"replace": True}, {"limit": 30}])
def test_other_options_are_another_load(options: dict[str, bool | int], dump: Path, store: Path) -> None:
    broken("page:15", "fever", dump, "--store", store)
    with pytest.raises(StoreError, match="unfinished load of something else"):
        load_fever([dump], str(store), **options)  # type: ignore[arg-type]


def test_files_in_another_order_are_another_load(dump: Path, store: Path) -> None:
    files = sorted(dump.iterdir())
    broken("page:30", "fever", *files, "--store", store)
    with pytest.raises(StoreError, match="unfinished load of something else"):
        load_fever(files[::-1], str(store))


def test_two_loaders_at_once(dump: Path, store: Path) -> None:
    with open_writer(store, "another"):
        ended = unbroken("fever", dump, "--store", store)
    assert ended.returncode == 2
    assert ended.stderr == f"Another process is loading into {store}. Wait until it ends, or stop it.\n"


# Rights


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that another user may enter, with a dump in it."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        write_dump(Path(name) / "wiki-001.jsonl", rows(0, 3))
        yield Path(name)


@pytest.mark.parametrize("closed", ["store", "store/building"])
def test_a_store_without_the_right_to_write(closed: str, open_folder: Path) -> None:
    store = open_folder / "store"
    store.mkdir()
    store.chmod(0o777)
    (open_folder / closed).mkdir(exist_ok=True)
    (open_folder / closed / "lock").touch()
    (open_folder / closed).chmod(0o555)
    ended = broken("nobody", "fever", open_folder / "wiki-001.jsonl", "--store", store)
    assert (ended.returncode, ended.stderr.count("\n"), "Traceback" in ended.stderr) == (2, 1, False), ended.stderr
    assert f"{store} cannot be written: " in ended.stderr


@pytest.mark.parametrize("closed", ["wiki-001.jsonl", "."])
def test_a_dump_without_the_right_to_read(closed: str, open_folder: Path, tmp_path: Path) -> None:
    (open_folder / closed).chmod(0)
    ended = broken("nobody", "fever", open_folder / "wiki-001.jsonl", "--store", tmp_path / "store")
    (open_folder / closed).chmod(0o755)
    assert (ended.returncode, "Traceback" in ended.stderr) == (2, False), ended.stderr
    assert "Permission denied" in ended.stderr.splitlines()[-1]


# The rest


def test_pages_are_added_to_what_is_there(dump: Path, store: Path, whole: CorpusInfo) -> None:
    load_fever([dump / "wiki-001.jsonl"], str(store))
    card, _ = load_fever([dump / "wiki-002.jsonl"], str(store))
    assert (card.pages, card.fingerprint) == (whole.pages, whole.fingerprint)


@pytest.mark.parametrize("limit", [1, 7, 20, 21, 100])
def test_limit(limit: int, dump: Path, store: Path) -> None:
    card, _ = load_fever([dump], str(store), limit=limit)
    assert card.pages == min(limit, PAGES) - (20 < limit < PAGES)


def test_nothing_behind_the_limit_is_looked_at(bad_dump: Path, store: Path) -> None:
    card, bad = load_fever([bad_dump], str(store), limit=5)
    assert (card.pages, bad) == (5, 0)


def test_files_without_pages_do_not_empty_a_corpus(dump: Path, store: Path, tmp_path: Path) -> None:
    load_fever([dump], str(store))
    for text in ("", "\n\n", dump_row("") + "\n"):
        (tmp_path / "wiki-1.jsonl").write_text(text)
        with pytest.raises(CorpusError, match="The files contain no page"):
            load_fever([tmp_path / "wiki-1.jsonl"], str(store), replace=True)
    assert EmbeddedStore(store).count() == PAGES
    load_fever([dump], str(store))


def test_an_address_is_no_folder(dump: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreAway, match="cannot be reached"):
        load_fever([dump], f"http://127.0.0.1:{free_port()}/pages")
    assert not (tmp_path / "http:").exists()


def test_the_corpus_is_named_after_its_input(dump: Path, store: Path) -> None:
    assert load_fever([dump], str(store))[0].name == "dump"
    assert load_fever(sorted(dump.iterdir()), str(store))[0].name == "wiki-001.jsonl and 1 more"
    assert load_fever([dump], str(store), name="Mine")[0].name == "Mine"


def test_a_damaged_archive_stops_the_load_and_a_whole_one_goes_on(dump: Path, store: Path, whole: CorpusInfo) -> None:
    for file in sorted(dump.iterdir()):
        packed = gzip.compress(file.read_bytes())
        file.unlink()
        (dump / f"{file.name}.gz").write_bytes(packed)
    second = dump / "wiki-002.jsonl.gz"
    packed = second.read_bytes()
    second.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(CorpusError, match=r"wiki-002\.jsonl\.gz cannot be read completely"):
        load_fever([dump], str(store))
    with pytest.raises(StoreError):
        EmbeddedStore(store)
    second.write_bytes(packed)
    assert goes_on(dump, store, whole)


def test_names_that_are_not_unicode(dump: Path, tmp_path: Path, store: Path) -> None:
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/wiki-\xff.jsonl"))
    (dump / "wiki-001.jsonl").rename(odd)
    ended = broken("page:15", "fever", odd, "--store", store)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    assert load_fever([odd], str(store), report=lambda _: None)[0].pages == 20


def test_place_is_what_progress_holds() -> None:
    assert Place(**vars(Place(1, 2, 3, 4, 5))) == Place(1, 2, 3, 4, 5)
