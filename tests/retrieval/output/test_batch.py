"""Where the sentences of a table's answers are from, in a file that a spreadsheet opens."""

from __future__ import annotations

import csv
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from retrieval.errors import CorpusError
from retrieval.output.batch import COLUMNS, check_table
from retrieval.output.tables.reading import read_table
from retrieval.pipeline import Pipeline
from retrieval.types import Claim, Evidence, FactCheck, Hit, Label, Page, Stance, Verdict
from tests.app.process import ROOT

BEFORE = ("label", "confidence", "reason", "evidence", "abstained", "grounded", "calibrated", "one_source", "error")
TEXT = "It is hot."
WIKI = Page(
    "a", "Mercury (planet)", TEXT, ((0, 0, len(TEXT)),), site="en.wikipedia.org", revision=12, retrieved="2025-12-07"
)
OWN = replace(WIKI, id="b", title="Notes", source="-1+1.txt", site="", revision=None, retrieved="")


class Found:
    """In place of a pipeline: finds a sentence on each of these pages."""

    def __init__(self, *pages: Page, verdict: Verdict | None = None) -> None:
        self.pages, self.verdict = pages, verdict

    def run(self, claim: Claim) -> FactCheck:
        evidence = tuple(Evidence(page.sentences()[0], 0.5, Stance(1, 0, 0), "claim") for page in self.pages)
        hits = tuple(Hit(page, 1.0, "text") for page in self.pages)
        return FactCheck(claim, pages=hits, evidence=evidence, verdict=self.verdict)


def row_of(folder: Path, *pages: Page, verdict: Verdict | None = None) -> dict[str, str]:
    source, target = folder / "in.csv", folder / "out.csv"
    source.write_text("claim\nMercury is hot.\n", "utf-8")
    check_table(source, target, cast(Pipeline, Found(*pages, verdict=verdict)), 500)
    with open(target, encoding="utf-8-sig", newline="") as file:
        (row,) = csv.DictReader(file)
    return row


def test_new_columns_come_last() -> None:
    assert COLUMNS[: len(BEFORE)] == BEFORE
    assert COLUMNS[len(BEFORE) :] == ("url", "revision", "retrieved", "rating", "leans", "notes")


RATED = Verdict(Label.SUPPORTED, {Label.SUPPORTED: 0.8, Label.REFUTED: 0.2}, "It is.", "a model")


@pytest.mark.parametrize(
    ("verdict", "confidence", "rating"),
    [
        (RATED, "0.8000", ""),
        (replace(RATED, sources=(1,)), "0.8000", "0.8000"),
        (replace(RATED, probabilities={}, sources=()), "", ""),
    ],
)
def test_a_language_models_rating_is_told_apart_from_a_probability(
    tmp_path: Path, verdict: Verdict, confidence: str, rating: str
) -> None:
    row = row_of(tmp_path, WIKI, verdict=verdict)
    assert (row["label"], row["confidence"], row["rating"]) == ("SUPPORTED", confidence, rating)


ADDRESS = "https://en.wikipedia.org/w/index.php?title=Mercury_%28planet%29&oldid=12"


@pytest.mark.parametrize(
    ("pages", "url", "revision", "retrieved"),
    [
        ((), "", "", ""),
        ((WIKI,), ADDRESS, "12", "2025-12-07"),
        ((WIKI, OWN), f"{ADDRESS} |' -1%2B1.txt", "12 | ", "2025-12-07 | "),
        ((OWN,), "'-1%2B1.txt", "", ""),
    ],
)
def test_each_sentence_has_its_address(
    tmp_path: Path, pages: tuple[Page, ...], url: str, revision: str, retrieved: str
) -> None:
    row = row_of(tmp_path, *pages)
    assert (row["url"], row["revision"], row["retrieved"]) == (url, revision, retrieved)
    assert row["error"] == ""


class Recalling(Found):
    """Remembers what it was asked."""

    def __init__(self) -> None:
        super().__init__(WIKI)
        self.asked: list[str] = []

    def run(self, claim: Claim) -> FactCheck:
        self.asked.append(claim.text)
        return super().run(claim)


CLAIMS = ["Mercury is hot.", 'They say "so",\nand more, “ä”.', "Mercury is far.", "x" * 501]


def table_of(folder: Path, claims: list[str]) -> Path:
    source = folder / "in.csv"
    with open(source, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["number", "claim"], *([n, claim] for n, claim in enumerate(claims))])
    return source


def test_it_goes_on_wherever_it_was_cut_off(tmp_path: Path) -> None:
    source, target = table_of(tmp_path, CLAIMS), tmp_path / "out.csv"
    whole = check_table(source, target, cast(Pipeline, Recalling()), 500)
    written = target.read_bytes()
    for length in range(len(written) + 1):
        target.write_bytes(written[:length])
        pipeline = Recalling()
        assert check_table(source, target, cast(Pipeline, pipeline), 500, resume=True) == whole
        assert target.read_bytes() == written, length
    assert pipeline.asked == []
    check_table(source, target, cast(Pipeline, pipeline), 500)
    assert len(pipeline.asked) == 3, "all are checked again, unless asked otherwise"


def test_it_does_not_go_on_with_another_table(tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    check_table(table_of(tmp_path, CLAIMS), target, cast(Pipeline, Recalling()), 500)
    written = target.read_bytes()
    for others in ([*CLAIMS[:2], "Another."], CLAIMS[:2]):
        with pytest.raises(CorpusError, match="was not made from this table"):
            check_table(table_of(tmp_path, others), target, cast(Pipeline, Recalling()), 500, resume=True)
        assert target.read_bytes() == written


SLOWLY = """
import sys, time
from pathlib import Path
from retrieval.output.batch import check_table
from tests.retrieval.output.test_batch import Recalling

class Slow(Recalling):
    def run(self, claim):
        time.sleep(0.05)
        return super().run(claim)

check_table(Path(sys.argv[1]), Path(sys.argv[2]), Slow(), 500)
"""


def test_what_was_checked_before_a_kill_is_kept(tmp_path: Path) -> None:
    claims = [f"Mercury is hot, number {number}." for number in range(60)]
    source, target = table_of(tmp_path, claims), tmp_path / "out.csv"
    killed = subprocess.Popen([sys.executable, "-c", SLOWLY, str(source), str(target)], cwd=ROOT)
    until = time.monotonic() + 60
    while not target.exists() or target.read_bytes().count(b"\r\n") < 6:
        assert time.monotonic() < until
        time.sleep(0.01)
    killed.kill()
    killed.wait()
    pipeline = Recalling()
    check_table(source, target, cast(Pipeline, pipeline), 500, resume=True)
    assert 0 < len(pipeline.asked) <= 55
    with open(target, encoding="utf-8-sig", newline="") as file:
        assert [row["claim"] for row in csv.DictReader(file)] == claims


class Counting(Found):
    """Notes which claims it is asked."""

    def __init__(self, *pages: Page) -> None:
        super().__init__(*pages, verdict=RATED)
        self.asked: list[str] = []

    def run(self, claim: Claim) -> FactCheck:
        self.asked.append(claim.text)
        if "fails" in claim.text:
            raise CorpusError("The corpus is away.")
        return super().run(claim)


def test_a_claim_in_several_rows_is_checked_once(tmp_path: Path) -> None:
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    claims = ["Mercury is hot.", "Venus is hot.", "MERCURY  is hot.", "It fails.", "It fails."]
    source.write_text("claim\n" + "\n".join(claims[:1]) + "\n", "utf-8")
    pipeline = Counting(WIKI)
    check_table(source, target, cast(Pipeline, pipeline), 500)
    source.write_text("claim\n" + "\n".join(claims) + "\n", "utf-8")
    outcome = check_table(source, target, cast(Pipeline, pipeline), 500, resume=True)
    assert pipeline.asked == ["Mercury is hot.", "Venus is hot.", "It fails.", "It fails."]
    assert (outcome.checked, outcome.failed) == (3, 2)
    with open(target, encoding="utf-8-sig", newline="") as file:
        rows = [*csv.DictReader(file)]
    assert [row["claim"] for row in rows] == claims
    answers = [{name: row[name] for name in COLUMNS} for row in rows]
    assert answers[0] == answers[1] == answers[2]
    assert answers[0]["evidence"]
    assert answers[3]["error"] == "The corpus is away."


def test_formulas_are_copied_as_text_and_notes_are_told(tmp_path: Path) -> None:
    source, target, told = tmp_path / "in.csv", tmp_path / "out.csv", list[str]()
    source.write_text(
        "id,claim\n-1.5,Mercury, it is said, is hot.\n+2,=1+1 is the sum.\n3,-5 degrees is cold.\n", "utf-8"
    )
    pipeline = Counting(WIKI)
    check_table(source, target, cast(Pipeline, pipeline), 500, tell=told.append)
    assert [note.partition(" has more cells")[0] for note in told] == ["1 of its rows"]
    assert pipeline.asked == ["Mercury", "=1+1 is the sum.", "-5 degrees is cold."]
    assert target.read_bytes().startswith(b"\xef\xbb\xbfid,claim,")
    with open(target, encoding="utf-8-sig", newline="") as file:
        rows = [*csv.DictReader(file)]
    assert [row["id"] for row in rows] == ["-1.5", "+2", "3"]
    assert [row["claim"] for row in rows] == ["Mercury", "'=1+1 is the sum.", "'-5 degrees is cold."]
    written = target.read_bytes()
    target.write_bytes(written.removeprefix(b"\xef\xbb\xbf"))  # as earlier versions wrote it
    check_table(source, target, cast(Pipeline, pipeline), 500, resume=True)
    assert len(pipeline.asked) == 3
    found = read_table(target)
    assert found.columns[:2] == ("id", "claim")
