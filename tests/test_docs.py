"""What the documentation says is what the code does."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from evaluation.results import results_table
from retrieval.settings import settings_table

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def test_readme_holds_the_settings_table() -> None:
    match = re.search(r"<!-- settings: begin -->\n(.*?)\n<!-- settings: end -->", README, re.S)
    assert match, "README.md has lost its settings block"
    assert match[1] == settings_table(), "run `python -m retrieval settings` and paste the table into README.md"


@pytest.mark.parametrize("page", ["README.md", "docs/results.md"])
def test_figures_are_those_of_the_stored_scorecard(page: str) -> None:
    card = json.loads((ROOT / "docs" / "scorecard.json").read_text("utf-8"))
    assert results_table(card) in (ROOT / page).read_text("utf-8"), "run `make scorecard`"


def test_links_of_the_documentation_lead_somewhere() -> None:
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.relative_to(ROOT)} links to {target}, which is not there"
