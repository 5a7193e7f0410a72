"""What the documentation says is what the code does."""

from __future__ import annotations

import re
from pathlib import Path

from retrieval.settings import settings_table

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def test_readme_holds_the_settings_table() -> None:
    match = re.search(r"<!-- settings: begin -->\n(.*?)\n<!-- settings: end -->", README, re.S)
    assert match, "README.md has lost its settings block"
    assert match[1] == settings_table(), "run `python -m retrieval settings` and paste the table into README.md"


def test_links_of_the_documentation_lead_somewhere() -> None:
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.relative_to(ROOT)} links to {target}, which is not there"
