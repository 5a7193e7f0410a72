"""The synthetic encyclopedia is in the dump's format, repeatable, and as long as the real one."""

import json
import unicodedata
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from indexing import synthetic
from indexing.fever import parse_row
from indexing.synthetic import main, page_title, rows, write_corpus
from retrieval.errors import CorpusError

PAGES = 6_000


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("synthetic")
    write_corpus(folder, PAGES, files=4)
    return folder


@pytest.fixture(scope="module")
def found(corpus: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for file in sorted(corpus.iterdir()) for line in file.read_text("ascii").splitlines()][1:]


def test_files_and_first_row(corpus: Path) -> None:
    assert [file.name for file in sorted(corpus.iterdir())] == [f"wiki-00{number}.jsonl" for number in (1, 2, 3, 4)]
    counts = [len(file.read_text().splitlines()) for file in sorted(corpus.iterdir())]
    assert counts == [PAGES // 4 + 1] + [PAGES // 4] * 3
    assert (corpus / "wiki-001.jsonl").read_text().startswith('{"id": "", "text": "", "lines": ""}\n')


def test_rows_are_as_in_the_dump(found: list[dict[str, Any]]) -> None:
    for row in found:
        assert list(row) == ["id", "text", "lines"]
        assert row["id"] == unicodedata.normalize("NFD", row["id"])
        assert not set(row["id"]) & set(" ():")
        fields = [line.split("\t") for line in row["lines"].split("\n")]
        assert [field[0] for field in fields] == [str(number) for number in range(len(fields))]
        assert fields[-1][1:] == [""]
        assert all(len(field) in (2, 4) for field in fields)
        assert " ".join(field[1] for field in fields[:-1]) + " " == row["text"]
        assert row["text"].endswith(" . ")


def test_reader_understands_them(corpus: Path, found: list[dict[str, Any]]) -> None:
    pages = [parse_row(json.dumps(row).encode()) for row in found]
    titles = {page.title for page in pages if page}
    assert titles == {page_title(number, 0) for number in range(PAGES)}
    assert len(titles) == len({row["id"] for row in found}) == PAGES
    links = [link for page in pages if page for link in page.links]
    assert len(links) > PAGES
    assert set(links) <= titles


def test_titles_are_unique_in_a_large_corpus() -> None:
    for first in (0, 5_000_000, synthetic.MOST_PAGES - 20_000):
        assert len({page_title(number, 3) for number in range(first, first + 20_000)}) == 20_000


def test_titles_are_as_in_the_dump(found: list[dict[str, Any]]) -> None:
    ids = [row["id"] for row in found]
    assert np.mean(["-LRB-" in page_id for page_id in ids]) == pytest.approx(0.19, abs=0.02)
    assert np.mean([not page_id.isascii() for page_id in ids]) == pytest.approx(0.04, abs=0.01)
    assert np.mean(["-COLON-" in page_id for page_id in ids]) == pytest.approx(0.01, abs=0.005)
    assert np.mean([page_id.count("_") + 1 for page_id in ids]) == pytest.approx(2.94, rel=0.15)
    names = {page_id.partition("_-LRB-")[0] for page_id in ids if "-LRB-" in page_id}
    assert names <= set(ids)


def test_lengths_are_as_in_the_dump(found: list[dict[str, Any]]) -> None:
    characters = [len(row["text"]) for row in found]
    sentences = [row["lines"].count("\n") for row in found]
    assert np.mean(characters) == pytest.approx(669, rel=0.1)
    assert np.median(characters) == pytest.approx(386, rel=0.2)
    assert np.quantile(characters, 0.95) == pytest.approx(2453, rel=0.2)
    assert np.mean(sentences) == pytest.approx(4.86, rel=0.1)
    assert np.median(sentences) == 3


def test_few_words_are_frequent_and_many_are_rare(found: list[dict[str, Any]]) -> None:
    words, counts = np.unique([word for row in found for word in row["text"].split()], return_counts=True)
    assert 0.04 < counts[words == "the"][0] / counts.sum() < 0.07
    assert np.mean(counts == 1) > 0.3


def test_same_seed_same_bytes(corpus: Path, tmp_path: Path) -> None:
    write_corpus(tmp_path, PAGES, files=4)
    for file in corpus.iterdir():
        assert (tmp_path / file.name).read_bytes() == file.read_bytes()
    assert list(rows(0, 10, PAGES, 1)) != list(rows(0, 10, PAGES, 0))


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path), "--pages", "3"]) == 0
    assert "3 pages" in capsys.readouterr().out
    assert len(list(tmp_path.iterdir())) == 109
    assert main([str(tmp_path), "--pages", "3"]) == 2
    assert "already holds a corpus" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [{"pages": 0}, {"pages": 1 << 25}, {"pages": 5, "files": 0}, {"pages": 5, "seed": -1}]
)
def test_impossible_wishes(tmp_path: Path, arguments: dict[str, int]) -> None:
    with pytest.raises(CorpusError, match="Ask for"):
        write_corpus(tmp_path, **arguments)
