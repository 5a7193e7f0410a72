"""The cases of trouble that lie beside the project, where they do: each file gives what its README says."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexing.documents import read_documents
from retrieval.output.claims import read_text

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
