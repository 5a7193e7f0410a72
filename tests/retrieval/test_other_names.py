"""A page that is called by another of its names, judged by the real network."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.stores.knowledge import KnowledgeStore
from retrieval.types import Claim, FactCheck, Label
from tests.making import make_page

BRIDGE = make_page(
    "Lindenburg Bridge",
    "The Lindenburg Bridge is a road bridge over the Linden.",
    "The bridge was opened in 1931 by the mayor.",
)
PAGES = [
    replace(BRIDGE, names=("Amber Bridge",)),
    make_page(
        "Sable Bridge", "The Sable Bridge, also known as the Gold Bridge, is a bridge.", "It was opened in 1950."
    ),
    make_page("Amber River", "The Amber River is a river."),
    make_page("Otter", "The otter is a mammal of rivers."),
    make_page("Otters (band)", "Otters are a rock band from Norham."),
]


@pytest.fixture(scope="module")
def resources(tmp_path_factory: pytest.TempPathFactory) -> Resources:
    data: Path = tmp_path_factory.mktemp("data")
    return Resources(Settings(data=data, threads=1)).over(KnowledgeStore(PAGES, "bridges", language="en"))


def checked(resources: Resources, claim: str) -> FactCheck:
    return resources.pipeline("fast").run(Claim("c", claim))


@pytest.mark.parametrize(
    ("claim", "label", "title", "also"),
    [
        ("The Amber Bridge was opened in 1931.", Label.SUPPORTED, "Lindenburg Bridge", "Amber Bridge"),
        ("The Amber Bridge was opened in 1945.", Label.REFUTED, "Lindenburg Bridge", "Amber Bridge"),
        ("The Gold Bridge was opened in 1950.", Label.SUPPORTED, "Sable Bridge", "Gold Bridge"),
        ("Otters are mammals.", Label.SUPPORTED, "Otter", ""),
    ],
)
def test_a_page_is_found_and_judged_by_its_other_name(
    resources: Resources, claim: str, label: Label, title: str, also: str
) -> None:
    check = checked(resources, claim)
    assert check.pages[0].page.title == title
    assert (check.evidence[0].sentence.title, check.evidence[0].also) == (title, also)
    assert check.verdict is not None
    assert check.verdict.label is label
