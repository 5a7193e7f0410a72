"""What the documentation says is what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from evaluation.fever.data import file_digest
from evaluation.report.blocks import marks
from evaluation.report.goals import GOALS
from evaluation.report.results import filled, read_cards
from retrieval.settings.listing import common_settings, settings_page
from retrieval.version import VERSION

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def test_readme_holds_the_settings_table() -> None:
    match = re.search(r"<!-- settings: begin -->\n(.*?)\n<!-- settings: end -->", README, re.S)
    assert match, "README.md has lost its settings block"
    assert match[1] == common_settings(), "paste what `python -m retrieval settings --common` prints into README.md"
    assert len(match[1].splitlines()) - 2 <= 12, "a dozen settings, not all of them"


def test_the_page_of_settings_is_current() -> None:
    page = (ROOT / "docs" / "settings.md").read_text("utf-8")
    assert page == settings_page(), "run `python -m retrieval settings --markdown > docs/settings.md`"


@pytest.mark.parametrize("page", ["README.md", "docs/results.md"])
def test_figures_are_those_of_the_stored_scorecards(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    assert marks("scorecard")[0] in text
    assert filled(text, read_cards(ROOT / "docs" / "scorecard.json")) == text, "run `make scorecard`"


def test_every_goal_has_a_stored_figure() -> None:
    cards = read_cards(ROOT / "docs" / "scorecard.json")
    for goal in GOALS:
        assert goal.metric in cards[goal.card][goal.part], goal


def test_stored_scorecards_are_of_the_data_in_the_repository() -> None:
    """And of one set of weights: a scorecard that was forgotten when the others were made again would lie."""
    cards = read_cards(ROOT / "docs" / "scorecard.json")
    claims = ROOT / "data" / "sample" / "adversarial.jsonl"
    assert cards["adversarial"]["data"]["sha256"] == file_digest(claims), "run `make scorecard`"
    assert marks("classes")[0] in (ROOT / "docs" / "results.md").read_text("utf-8")
    models = {card["pipeline"]["models"]["cross_encoder"] for card in cards.values()}
    assert len(models) == 1, "run `make scorecard`"


def test_the_changelog_is_cut_into_releases_and_the_program_is_the_newest() -> None:
    heads = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    releases = [
        re.fullmatch(r"(\d+)\.(\d+)\.(\d+) - (\d{4}-\d\d-\d\d)", head) for head in heads if head != "Unreleased"
    ]
    assert all(releases), heads
    assert heads.index("Unreleased") == 0 if "Unreleased" in heads else True
    numbers = [tuple(map(int, found.groups()[:3])) for found in releases if found]
    assert numbers == sorted(set(numbers), reverse=True)
    assert ".".join(map(str, numbers[0])) == VERSION


def test_links_of_the_documentation_lead_somewhere() -> None:
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.relative_to(ROOT)} links to {target}, which is not there"
