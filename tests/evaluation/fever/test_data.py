"""FEVER claims are read as they are published, and a line that is none is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.fever.data import FEVER_NAMES, GoldClaim, holds_group, holds_pages, read_claims
from retrieval.errors import CorpusError
from retrieval.types import Label

TWO_PAGES = frozenset({("A", 0), ("B", 3)})
GOLD = GoldClaim("1", "A claim.", Label.SUPPORTED, (TWO_PAGES, frozenset({("C", 1)})))
OPEN = GoldClaim("2", "Another.", Label.NOT_ENOUGH_EVIDENCE, ())


def test_every_label_has_a_name_in_fever() -> None:
    assert set(FEVER_NAMES) == set(Label)
    assert FEVER_NAMES[Label.CONFLICTING] == "NOT ENOUGH INFO"


def test_one_whole_group_must_be_found() -> None:
    assert holds_group(GOLD, [("X", 1), ("B", 3), ("A", 0)])
    assert holds_group(GOLD, [("C", 1)])
    assert not holds_group(GOLD, [("A", 0), ("B", 2), ("C", 0)])
    assert not holds_group(GOLD, [])
    assert not holds_group(OPEN, [("A", 0)])


def test_the_pages_of_one_whole_group_must_be_found() -> None:
    assert holds_pages(GOLD, ["B", "A"])
    assert holds_pages(GOLD, ["C"])
    assert not holds_pages(GOLD, ["A", "X"])
    assert not holds_pages(OPEN, ["A"])


# Claims


def write(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


ROW = {
    "id": 7,
    "label": "REFUTES",
    "claim": "A claim.",
    "evidence": [[[1, 2, "A", 0], [1, 2, "B", 3]], [[1, 3, "C", 1]]],
}


def test_claims_as_they_are_published(tmp_path: Path) -> None:
    unknown = {
        "id": 8,
        "label": "NOT ENOUGH INFO",
        "claim": "B",
        "evidence": [[[9, None, None, None]]],
        "natural": False,
    }
    first, second = read_claims(write(tmp_path / "claims.jsonl", ROW, unknown))
    assert first == GoldClaim("7", "A claim.", Label.REFUTED, (TWO_PAGES, frozenset({("C", 1)})))
    assert (second.evidence, second.verifiable, second.natural, second.complete) == ((), False, False, True)


def test_a_group_named_by_two_annotators_counts_once(tmp_path: Path) -> None:
    twice = {**ROW, "evidence": [[[1, 2, "A", 0]], [[5, 6, "A", 0]]]}
    assert read_claims(write(tmp_path / "claims.jsonl", twice))[0].evidence == (frozenset({("A", 0)}),)


def test_limit_and_blank_lines(tmp_path: Path) -> None:
    path = write(tmp_path / "claims.jsonl", ROW, {**ROW, "id": 8}, {**ROW, "id": 9})
    path.write_text("\n" + path.read_text().replace("\n", "\n\n"))
    assert [claim.id for claim in read_claims(path, 2)] == ["7", "8"]


@pytest.mark.parametrize(
    "row",
    [
        "{",
        "[]",
        "7",
        "null",
        "{}",
        json.dumps({**ROW, "label": "MAYBE"}),
        json.dumps({**ROW, "label": ["SUPPORTS"]}),
        json.dumps({**ROW, "claim": None}),
        json.dumps({**ROW, "claim": ["A"]}),
        json.dumps({**ROW, "evidence": None}),
        json.dumps({**ROW, "evidence": [["A", 0]]}),
        json.dumps({**ROW, "evidence": [[[1, 2, ["A"], 0]]]}),
        json.dumps({"label": "SUPPORTS", "claim": "A"}),
        "[" * 100_000,
    ],
)
def test_a_line_that_is_no_claim(row: str, tmp_path: Path) -> None:
    (tmp_path / "claims.jsonl").write_text(json.dumps(ROW) + "\n" + row + "\n")
    with pytest.raises(CorpusError, match=r"claims\.jsonl, line 2 is not a FEVER claim .* It needs id, claim, label"):
        read_claims(tmp_path / "claims.jsonl")


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "claims.jsonl").write_bytes(b"\xff\xfe\0")
    with pytest.raises(CorpusError, match="not a text file in UTF-8"):
        read_claims(tmp_path / "claims.jsonl")
    with pytest.raises(CorpusError, match="cannot be read: No such file"):
        read_claims(tmp_path / "none.jsonl")
    with pytest.raises(CorpusError, match="cannot be read: Is a directory"):
        read_claims(tmp_path)


def test_the_class_of_a_claim_is_read(tmp_path: Path) -> None:
    row = {"id": 1, "label": "NOT ENOUGH INFO", "claim": "A claim.", "evidence": []}
    path = tmp_path / "claims.jsonl"
    path.write_text(json.dumps(row) + "\n" + json.dumps({**row, "id": 2, "class": "number"}) + "\n", "utf-8")
    assert [claim.kind for claim in read_claims(path)] == ["", "number"]
    path.write_text(json.dumps({**row, "class": 7}) + "\n", "utf-8")
    with pytest.raises(CorpusError, match="line 1"):
        read_claims(path)
