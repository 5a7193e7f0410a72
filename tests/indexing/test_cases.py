"""The cases of trouble that lie beside the project, where they do: each file gives what its README says."""

from __future__ import annotations

import csv
import functools
import json
from pathlib import Path
from typing import cast

import pytest

from app.jobs.readers.process import Bounds, Reading
from app.jobs.readers.texts import paragraphs, plain_text
from indexing.documents import read_documents
from retrieval.output.batch import check_table
from retrieval.output.claims import read_text
from retrieval.output.tables.reading import claim_column, read_table
from retrieval.pipeline import Pipeline
from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.text.extraction.finder import ClaimFinder
from tests.retrieval.output.test_batch import Found

CASES = Path(__file__).parents[3] / "shared" / "cases" / "documents"
WANTED = {
    "tracked.docx": (
        "opened in 1934 by the mayor.",
        "is not open to lorries.",
        "cost 4 million euros.",
        "carries 9,000 cars a day.",
    ),
    "sdt.docx": ("bridge was opened in 1932.", "opened in 1950.", "has 12 tracks.", "is 40 km long."),
    "misc.docx": (
        "The station was opened in 1960.",
        "opened in 1970. The dock",
        "is 4 metres deep",
        "45° today",
        "mid-1990s",
    ),
    "foot.docx": ("opened in 1932. It is made of steel.", "\nThe opening was moved to 1934"),
    "super.pdf": ("opened in 1970.",),
    "c3_32.pdf": ("The Harbour Bridge was opened in 1932 by the governor of the province.",),
    "hyphen.pdf": ("mid-1990s", "well-known", "Austro-Hungarian", "unemployment"),
    "pagebreak.pdf": ("by the then governor of the province.",),
    "chars.pdf": ("The bridge was opened in 1932.",),
    "inline.html": ("in 19 March 1932. It is 503 metres", "“It is great”, said the mayor."),
    "time.html": ("was opened in 1932 by the mayor",),
    "gb.html": ("1932年通车", "喆字"),
    "mathml.html": ("E=mc²",),
}
# Claims of texts, which are read as pasted and as uploaded.
CLAIMS = {
    "c1.txt": ["The Eiffel Tower was opened in 1889.", "The Eiffel Tower is 330 m tall.", "The tower has three levels."],
    "c2.txt": ["The Louvre was opened in 1793.", "The Louvre holds 35,000 works.", "The museum had 8.9 million visitors in 2023."],
    "m1.txt": [
        "The act was signed on Mar. 23, 2010.", "The race began on Apr. 9, 2003.", "The fire broke out on Jun. 3, 2009.",
        "The trial began on Tues. 5 May 2011.", "The king reigned until Mar. 1650.",
    ],
    "md1.txt": [
        "The Eiffel Tower is in Paris.", "The tower is 330 m tall.", "It cost 8 million francs.", "The price is $5.",
        "H2O is water.", "Paris is in France.", "The Louvre is in Paris.",
    ],
    "t1.txt": ["45 per cent of pupils failed.", "The wall is 13,171 miles long.", "The company's revenue rose to 5 million euros in 2010."],
}  # fmt: skip
COUNTS = {"c1.txt": 3, "c2.txt": 3, "m1.txt": 13}
TABLES = {
    "far.xlsx": (("claim",), 1),
    "sep.csv": (("id", "claim"), 1),
    "header2.csv": (("id", "claim"), 2),
    "unquoted_comma.csv": (("id", "claim", "column 3", "column 4"), 2),
    "formula.csv": (("id", "claim"), 4),
}
UNWANTED = ("moon", "500 ", "197012", "109", "500503", "wellknown", "\ufffd")

pytestmark = pytest.mark.skipif(not CASES.is_dir(), reason="the cases are not beside the project")


@pytest.mark.parametrize("name", WANTED)
def test_a_case_is_read_as_a_person_reads_it(name: str) -> None:
    errors: list[str] = []
    pages = list(read_documents([CASES / name], lambda _, fault: errors.append(fault)))
    assert not errors
    indexed = "\n".join(page.text for page in pages)
    claimed = read_text(str(CASES / name)).text.replace("\n\n", "\n")
    for text in (indexed, claimed):
        assert [part for part in WANTED[name] if part not in text] == []
        assert [part for part in UNWANTED if part in text] == []


def test_uploads_are_read_as_on_the_command_line(tmp_path: Path) -> None:
    found: dict[str, str] = dict.fromkeys(WANTED, "")
    reading = Reading([CASES / name for name in WANTED], tmp_path, Bounds(60, 800), headings=True)
    assert [told["file"] for told in reading.run() if told["pages"]] == list(WANTED)
    for line in reading.content.decode().splitlines():
        name = str(json.loads(line)["url"]).partition(",")[0]
        found[name] += "\n".join(paragraphs([line]))
    assert {name: [part for part in WANTED[name] if part.strip() not in text] for name, text in found.items()} == {
        name: [] for name in WANTED
    }


@functools.cache
def finder() -> ClaimFinder:
    return Resources(Settings()).claim_finder()


@pytest.mark.parametrize("name", CLAIMS)
def test_the_claims_of_a_text_are_those_that_a_person_reads(name: str) -> None:
    given = read_text(str(CASES / name)).text
    uploaded = plain_text((CASES / name).read_bytes(), name)
    assert uploaded is not None
    assert uploaded.text == given
    found = finder().find(given)
    texts = [claim.text for claim in found]
    assert [claim for claim in CLAIMS[name] if claim not in texts] == []
    assert len(found) == COUNTS.get(name, len(found))
    assert not [text for text in texts if "[" in text or "**" in text or "](" in text or "†" in text]
    wall = [claim.speaker for claim in found if "13,171" in claim.text]
    assert "the ministry" not in wall


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_read_and_checked_row_by_row(name: str, tmp_path: Path) -> None:
    table, notes = read_table(CASES / name), list[str]()
    columns, rows = TABLES[name]
    assert table.columns == columns
    assert len(table.column(claim_column(table))) == rows
    check_table(CASES / name, tmp_path / "out.csv", cast(Pipeline, Found()), 500, tell=notes.append)
    assert notes == list(table.notes)
    assert bool(notes) == (name not in ("sep.csv", "formula.csv"))
    with (tmp_path / "out.csv").open(encoding="utf-8-sig", newline="") as file:
        written = list(csv.DictReader(file))
    assert (tmp_path / "out.csv").read_bytes().startswith(b"\xef\xbb\xbf")
    assert not [cell for row in written for cell in (row["claim"],) if cell.startswith(("=", "+", "-", "@"))]
