"""Files that LibreOffice and Chromium wrote say what their readers see."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from retrieval.text.files.pdf.reading import read_pdf
from retrieval.text.files.web_page import read_page
from retrieval.text.files.word.reading import read_word
from tests.services import chromium_path

DATA = Path(__file__).parent / "data"
SHOWN = [
    "The harbour", "The dam is old.", "The quay opened in 1970 and has 12 cranes.",
    "It is 5 km² wide, 10^9 litres flow, H2O is clean, in 1970 it grew.",
    "The first line was broken softly in 1901 and tabbed.", "The date is from the archive.", "Metres.", "The number was checked.",
]  # fmt: skip
PARAGRAPHS = [
    "The canal was opened in 1834 by the then governor of the province, who had argued for it in the council for ten years.",
    "Its engineer came from a family of well-known millwrights and had built eleven locks by the mid-1990s of the old calendar.",
    "The quay was 503 metres long, and ninety ships could lie there at once.",
]
TYPED = [
    PARAGRAPHS[0].replace("1834", "1834<sup>1</sup>"),
    PARAGRAPHS[1],
    PARAGRAPHS[2].replace("and", "and <s>forty</s>"),
]
LOOKS = {
    "two columns": ("columns: 2; font: 13px serif; text-align: justify; hyphens: auto", 5),
    "a narrow column": ("font: 19px serif; width: 13em", 2),
    "one column": ("font: 13px sans-serif", 4),
}


def test_a_word_file_of_libreoffice() -> None:
    found = read_word((DATA / "libreoffice.docx").read_bytes())
    more = (
        "The lock is not open to ships and has gates.", "The weir was built in 1811.", "The pier is long and blue today.",
        "A softhyphen and non-breaking hyphen in mid-1990s and 45 ° here.", "The control of 1932 is here.",
        "The box tells that the mole is 90 m long.", "| Outer cell | Inner / 44 |", "| Height | 12 |",
    )  # fmt: skip
    assert [line for line in (*SHOWN, *more) if line not in found.text.split("\n")] == []
    assert found.notes == (
        "its tracked changes were read as accepted (1 word inserted and 7 words deleted); "
        "left out: 4 hidden words, 1 struck-out word and 1 comment",
    )


def test_a_page_of_libreoffice() -> None:
    found = read_page((DATA / "libreoffice.html").read_bytes()).text
    assert [line for line in SHOWN if line not in found.split("\n")] == []
    assert "not really" not in found
    assert "green" not in found


@pytest.mark.parametrize("look", LOOKS)
def test_a_page_that_chromium_prints(look: str, tmp_path: Path) -> None:
    """With its own heads and feet, over two pages."""
    style, times = LOOKS[look]
    body = "".join(f"<p>{words}</p>" for words in TYPED * times)
    page, printed = tmp_path / "page.html", tmp_path / "page.pdf"
    page.write_text(
        f"<!doctype html><html lang=en><title>The canal</title><style>@page{{size:A5}}body{{{style}}}</style>"
        f"<h1>The canal</h1>{body}"
    )
    command = [chromium_path(), "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'user'}"]
    subprocess.run([*command, f"--print-to-pdf={printed}", page.as_uri()], check=True, capture_output=True, timeout=120)
    found = read_pdf(printed.read_bytes())
    lines = [line for line in found.text.replace("\f", " ").replace(" \n", "\n").split("\n") if line.strip()]
    assert lines == ["The canal", *PARAGRAPHS * times]
    assert found.title == "The canal"
    assert found.notes == (f"left out: {times} struck-out words",)
