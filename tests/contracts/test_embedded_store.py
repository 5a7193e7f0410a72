"""The embedded store keeps the contracts, and says clearly what is wrong with a folder that it cannot open."""

from __future__ import annotations

import functools
import json
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from indexing.vectors import make_vectors
from retrieval.errors import (
    EsotericError,
    NoVectors,
    SettingError,
    StoreDamaged,
    StoreError,
    StoreIncomplete,
    StoreMissing,
    StoreReadOnly,
    StoreVersion,
)
from retrieval.stores import open_store
from retrieval.stores.embedded import generations
from retrieval.stores.embedded.store import EmbeddedStore
from retrieval.stores.embedded.writer import open_writer
from retrieval.stores.pages import SCHEMA
from retrieval.types import Page
from tests.contracts.corpus_writer import NEW, OLD, CorpusWriterContract, OpenStore, OpenWriter
from tests.contracts.encyclopedia import ENCYCLOPEDIA
from tests.contracts.page_store import MakeStore, PageStoreContract
from tests.contracts.vectors import MODEL, Hashes, VectorContract
from tests.making import make_page


def build(folder: Path, pages: Sequence[Page], **options: bool) -> Path:
    """Load the pages into the store at the folder; returns the folder."""
    with open_writer(folder, "test", **options) as writer:
        writer.add(pages)
        writer.finish("test")
    return folder


@pytest.fixture(scope="module")
def make_store(tmp_path_factory: pytest.TempPathFactory) -> MakeStore:
    return lambda pages: open_store(str(build(tmp_path_factory.mktemp("store"), pages)))


class TestEmbeddedStore(PageStoreContract):
    pass


class TestEmbeddedWriter(CorpusWriterContract):
    @pytest.fixture
    def open_writer(self, tmp_path: Path) -> OpenWriter:
        return functools.partial(open_writer, tmp_path / "store")

    @pytest.fixture
    def open_store(self, tmp_path: Path) -> OpenStore:
        return lambda: EmbeddedStore(tmp_path / "store")


class TestEmbeddedVectors(VectorContract):
    @pytest.fixture
    def place(self, tmp_path: Path) -> str:
        return str(build(tmp_path / "store", ENCYCLOPEDIA))

    @pytest.fixture
    def empty_place(self, tmp_path: Path) -> str:
        return str(build(tmp_path / "empty", ()))


def test_vectors_made_anew_are_other_files(tmp_path: Path) -> None:
    """A running application has mapped the ones that were there; writing into these would end it."""
    place = str(build(tmp_path / "store", OLD))
    make_vectors(place, Hashes(), MODEL)
    store, query = open_store(place), Hashes().encode(["query"])
    before = store.score_vectors([OLD[0].id], query)
    files = {file.name: file.stat().st_ino for file in Path(place).rglob("vectors.*")}
    make_vectors(place, Hashes(), "another@2")
    assert len(files) == 5
    assert not {file.name for file in Path(place).rglob("vectors.*") if file.stat().st_ino == files[file.name]}
    assert before[0, 0] > -1
    assert np.array_equal(store._vectors.scores([OLD[0].id], query), before)


def test_vectors_of_pages_that_stayed_are_taken_over(tmp_path: Path) -> None:
    place = str(build(tmp_path / "store", OLD))
    make_vectors(place, Hashes(), MODEL)
    build(tmp_path / "store", NEW)
    with pytest.raises(NoVectors):
        open_store(place).score_vectors(["Mars"], Hashes().encode(["query"]))
    encoder = Hashes()
    assert make_vectors(place, encoder, MODEL).vectors == 3
    assert sorted(encoder.texts) == ["Mars : Mars is red.", "Venus : Venus is bright."]
    assert make_vectors(place, other := Hashes(), "another@2").vectors == len(other.texts) == 3


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return build(tmp_path / "store", OLD)


def test_opening_while_a_loader_switches_again_and_again(corpus: Path) -> None:
    ended = threading.Event()
    seen: list[int] = []
    failures: list[EsotericError] = []

    def read() -> None:
        while not ended.is_set():
            try:
                seen.append(len(EmbeddedStore(corpus).search_text("planet")))
            except EsotericError as error:
                failures.append(error)

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for _ in range(10):
        build(corpus, OLD, replace=True)
    ended.set()
    for reader in readers:
        reader.join()
    assert failures == []
    assert set(seen) == {2}


def test_a_reader_needs_no_folder_once_it_is_open(corpus: Path) -> None:
    reader = EmbeddedStore(corpus)
    shutil.rmtree(corpus)
    assert len(reader.search_text("planet")) == 2
    assert reader.info().bytes > 0


def test_old_generations_are_deleted(corpus: Path) -> None:
    build(corpus, NEW)
    build(corpus, NEW)
    assert len(list(corpus.glob("gen-*"))) == 1
    assert not (corpus / "building").exists()


def test_addresses_are_refused_by_the_writer_of_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SettingError, match="Name a folder"), open_writer("https://localhost/pages", "job"):
        pass
    assert list(tmp_path.iterdir()) == []


# What is wrong with a folder: one clear sentence each.


def test_missing(tmp_path: Path) -> None:
    with pytest.raises(StoreMissing, match=r"There is no corpus at .*/nowhere.*make run"):
        EmbeddedStore(tmp_path / "nowhere")


def test_a_file_or_a_folder_of_something_else_is_no_corpus(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("hello")
    for place in (tmp_path, tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(StoreMissing):
            EmbeddedStore(place)


def test_half_built(tmp_path: Path) -> None:
    with open_writer(tmp_path, "job") as writer:
        writer.add(OLD)
        writer.checkpoint({})
    with pytest.raises(StoreIncomplete, match=r"never loaded completely\. Run the same"):
        EmbeddedStore(tmp_path)


def describe(corpus: Path, change: Callable[[dict[str, object]], object]) -> None:
    """Change the description of the current generation."""
    card = generations.current_generation(corpus) / generations.CARD
    described = json.loads(card.read_text("utf-8"))
    card.write_text(json.dumps(change(described)), "utf-8")


@pytest.mark.parametrize("schema", [0, SCHEMA + 1, "1", None])
def test_another_schema(corpus: Path, schema: object) -> None:
    describe(corpus, lambda card: {**card, "schema": schema})
    with pytest.raises(StoreVersion, match="Load it again with `--replace`"):
        EmbeddedStore(corpus)
    with pytest.raises(StoreVersion):
        build(corpus, NEW)
    build(corpus, NEW, replace=True)
    assert EmbeddedStore(corpus).count() == 2


@pytest.mark.parametrize("card", [[], {}, None, "text", {"schema": SCHEMA}, {"schema": SCHEMA, "who": 1}])
def test_a_description_of_something_else(corpus: Path, card: object) -> None:
    describe(corpus, lambda _: card)
    with pytest.raises(StoreDamaged):
        EmbeddedStore(corpus)


@pytest.mark.parametrize("name", ["", "gen-gone", "..", "../store", "/", "\0", "gen-\0"])
def test_a_current_generation_that_is_not_there(corpus: Path, name: str) -> None:
    (corpus / "CURRENT").write_text(name)
    with pytest.raises(StoreDamaged, match="Load it again"):
        EmbeddedStore(corpus)


def test_a_current_that_cannot_be_read(corpus: Path) -> None:
    (corpus / "CURRENT").write_bytes(b"\xff\xfe")
    with pytest.raises(StoreDamaged):
        EmbeddedStore(corpus)
    (corpus / "CURRENT").unlink()
    (corpus / "CURRENT").mkdir()
    with pytest.raises(StoreDamaged):
        EmbeddedStore(corpus)


def damages(raw: bytes) -> Iterator[bytes | None]:
    yield None
    yield b""
    yield raw[: len(raw) // 2]
    yield b"\xff" * len(raw)


def answer(corpus: Path) -> str:
    """Numbers of pages found by text and by title, or the last sentence of the error."""
    try:
        reader = EmbeddedStore(corpus)
        return f"{len(reader.search_text('planet', ['a planet']))} and {len(reader.find_titles(['Venus']))}"
    except StoreDamaged as error:
        return str(error)[-len("Load it again with `--replace`.") :]


def test_no_lost_cut_or_overwritten_file_causes_anything_but_a_store_error(corpus: Path) -> None:
    generation = generations.current_generation(corpus)
    for file in [file for file in generation.iterdir() if file.suffix != ".lock"]:
        whole = file.read_bytes()
        for damage in damages(whole):
            file.unlink()
            if damage is not None:
                file.write_bytes(damage)
            assert answer(corpus) in ("2 and 1", "Load it again with `--replace`."), (
                f"{file.name} damaged by {damage!r:.20}"
            )
            file.write_bytes(whole)


def test_a_damaged_store_is_replaced_by_a_load(corpus: Path) -> None:
    (generations.current_generation(corpus) / "meta.json").unlink()
    build(corpus, NEW, replace=True)
    assert EmbeddedStore(corpus).count() == 2


def test_not_writable_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("hello")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(StoreReadOnly, match="cannot be written"), open_writer(place, "job"):
            pass


# Writers.


def test_two_writers_at_once(corpus: Path) -> None:
    with (
        open_writer(corpus, "one"),
        pytest.raises(StoreError, match="Another process is loading"),
        open_writer(corpus, "two"),
    ):
        pass


def test_an_unfinished_load_of_another_job(corpus: Path) -> None:
    with open_writer(corpus, "one") as writer:
        writer.add(NEW)
        writer.checkpoint({})
    with (
        pytest.raises(StoreError, match=r"unfinished load of something else \(one\).*--restart"),
        open_writer(corpus, "two"),
    ):
        pass
    with open_writer(corpus, "two", restart=True) as writer:
        assert writer.position is None
        writer.finish("")
    assert EmbeddedStore(corpus).get(["Mars"]) == {}


def test_an_unfinished_load_by_another_version(corpus: Path) -> None:
    with open_writer(corpus, "one") as writer:
        writer.checkpoint({})
    progress = corpus / "building" / "progress.json"
    progress.write_text(progress.read_text().replace(f'"schema": {SCHEMA}', '"schema": 0'))
    with pytest.raises(StoreVersion, match="--restart"), open_writer(corpus, "one"):
        pass


@pytest.mark.parametrize(
    "progress", ["", "{", "[]", "{}", '{"job": "one"}', '{"schema": 1, "job": "one", "position": 7}']
)
def test_a_broken_note_of_progress_means_starting_again(corpus: Path, progress: str) -> None:
    with open_writer(corpus, "one") as writer:
        writer.add(NEW)
        writer.checkpoint({"row": 1})
    (corpus / "building" / "progress.json").write_text(progress)
    with open_writer(corpus, "one") as writer:
        assert writer.position is None
        writer.finish("")
    assert EmbeddedStore(corpus).count() == 2


def cut_switch(corpus: Path, job: str) -> None:
    """Leave the corpus as a crash does between the renaming of `building` and the switch."""
    with open_writer(corpus, job) as writer:
        writer.add([*NEW, make_page("Earth", "Earth is blue.")])
        writer.checkpoint({"row": 3})
    (corpus / "building").rename(corpus / "gen-123456789abc")


def test_a_switch_that_a_crash_cut_in_two_is_taken_up_again(corpus: Path) -> None:
    cut_switch(corpus, "one")
    assert EmbeddedStore(corpus).count() == 2
    with open_writer(corpus, "one") as writer:
        assert writer.position == {"row": 3}
        writer.finish("")
    assert EmbeddedStore(corpus).count() == 4
    assert len(list(corpus.glob("gen-*"))) == 1


def test_a_cut_switch_of_another_job_is_thrown_away_by_restart(corpus: Path) -> None:
    cut_switch(corpus, "one")
    with open_writer(corpus, "two", restart=True) as writer:
        assert writer.position is None
        writer.finish("")
    assert EmbeddedStore(corpus).count() == 2


def test_a_switch_cut_after_its_end_leaves_nothing_for_the_next_load(corpus: Path) -> None:
    progress = {"schema": SCHEMA, "job": "one", "position": {"row": 3}}
    (generations.current_generation(corpus) / "progress.json").write_text(json.dumps(progress))
    with open_writer(corpus, "two") as writer:
        writer.add(NEW)
    with open_writer(corpus, "two") as writer:
        assert writer.position is None
        writer.finish("")
    assert EmbeddedStore(corpus).count() == 2


def test_a_store_without_hard_links(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError("no links here")

    monkeypatch.setattr("os.link", refuse)
    build(corpus, NEW)
    assert EmbeddedStore(corpus).count() == 3


def test_a_corpus_of_the_first_schema_is_read_and_added_to(corpus: Path) -> None:
    describe(corpus, lambda card: {**card, "schema": 1})
    store = EmbeddedStore(corpus)
    before = {page.id for batch in store.scan() for _, page in batch}
    assert (store.info().schema, len(before)) == (1, store.count())
    with open_writer(corpus, "more") as writer:
        writer.add([make_page("Mars", "Mars is red.")])
        assert writer.finish("test").schema == SCHEMA
    assert {page.id for batch in EmbeddedStore(corpus).scan() for _, page in batch} == before | {"Mars"}
