"""Today's Wikipedia in both stores: the same pages, the same updates."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from indexing.__main__ import main
from indexing.vectors import make_vectors
from retrieval.stores.embedded.store import EmbeddedStore
from tests.contracts.vectors import MODEL, Hashes
from tests.elastic.corpora import Cluster
from tests.indexing.wikipedia.synthetic import write_dump
from tests.making import make_page


@pytest.fixture
def place(cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A store on the server, into which the commands can log in."""
    found = cluster.place()
    for name, value in {**cluster.environment(found), "DATA": str(tmp_path / "data")}.items():
        monkeypatch.setenv(name, value)
    return found


def test_both_stores_hold_the_same_after_a_load_and_an_update(
    cluster: Cluster, place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_dump(tmp_path / "dumps", 100, date="20251207", files=2)
    write_dump(tmp_path / "dumps", 100, date="20251214", files=2, edition=2)
    folder = str(tmp_path / "store")
    for options in (("--date", "20251207"), ("--update",)):
        fingerprints = set()
        for store in (folder, place):
            assert main(["wikipedia", "--address", str(tmp_path / "dumps"), "--store", store, *options]) == 0
            captured = capsys.readouterr()
            assert ("1 new pages, 3 changed, 96 as they were, 1 removed." in captured.err) == ("--update" in options)
            assert main(["info", "--store", store]) == 0
            card = json.loads(capsys.readouterr().out)
            assert card["pages"] == 100
            fingerprints.add(card["fingerprint"])
        assert len(fingerprints) == 1
    embedded, elastic = EmbeddedStore(folder), cluster.open(place)
    named = next(page for page in embedded.sample(100, 0) if page.names)
    for spans in ([named.names[0]], [named.title], ["no such title"]):
        assert elastic.find_titles(spans) == embedded.find_titles(spans)


def test_an_update_leaves_vectors_and_a_load_that_broke_off_resumes_with_its_own_dump(
    cluster: Cluster, place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dumps = tmp_path / "dumps"
    load = ["wikipedia", "--address", str(dumps), "--store", place]
    broken = write_dump(dumps, 100, date="20251207", files=2) / "enwiki_content-20251207-00001.json.bz2"
    whole = broken.read_bytes()
    broken.write_bytes(whole[:-100])
    assert main(load) == 2
    write_dump(dumps, 100, date="20251214", files=2, edition=2)
    broken.write_bytes(whole)
    capsys.readouterr()
    assert main(load) == 0
    assert "Resuming the unfinished load of the dump of 2025-12-07; a newer one" in capsys.readouterr().err
    assert make_vectors(place, Hashes(), MODEL, report=lambda _: None).vectors == 100
    assert main([*load, "--update"]) == 0
    card = cluster.open(place).info()
    assert (card.name, card.pages, card.vectors) == ("English Wikipedia of 2025-12-14", 100, 96)


def test_a_corpus_of_the_first_schema_is_read(cluster: Cluster) -> None:
    place = cluster.place()
    cluster.load(place, [make_page("Mars", "Mars is red.")])
    store = cluster.open(place)
    client = store._server.client
    note = client.indices.get_mapping(index=store.generation).body[store.generation]["mappings"]["_meta"]
    note["esoteric"]["schema"] = 1
    client.indices.put_settings(index=store.generation, settings={"blocks.write": None})
    client.indices.put_mapping(index=store.generation, meta=note)
    client.indices.put_settings(index=store.generation, settings={"blocks.write": True})
    old = cluster.open(place)
    assert (old.info().schema, list(old.get(["Mars"]))) == (1, ["Mars"])
    cluster.load(place, [make_page("Venus", "Venus is hot.")])
    assert (cluster.open(place).info().schema, cluster.open(place).count()) == (2, 2)
