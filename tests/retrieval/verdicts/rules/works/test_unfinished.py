"""Works that their makers did not finish."""

from __future__ import annotations

import pytest

from retrieval.verdicts.rules.works.unfinished import unfinished
from tests.making import make_page

PAGES = [
    make_page("Odra", "Odra is an opera by Ada Lind.", "It was unfinished at the time of Lind's death."),
    make_page("Orna", "Orna is an opera by Ada Lind.", "She wrote songs before completing it.", "Her earlier opera Odra was left incomplete."),
    make_page("Orsa", "Orsa is an opera by Ada Lind.", "Unfinished at her death, it was completed in 1926 by her pupil Ole Berg from notes by Lind."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("Lind died before she could finish Odra", True),
        ("ada lind died before finishing odra", True),
        ("Ada Lind left Odra unfinished.", True),
        ("Ada Lind completed Odra before she died.", False),
        ("Ada Lind finished Odra.", False),
        ("Ole Berg finished Odra.", None),  # whose opera it is not
        ("Ada Lind finished Orna.", None),
        ("Ole Berg completed Orsa.", True),
        ("Berg left Orsa unfinished.", False),
        ("Ada Lind finished Orsa.", False),
        ("Ada Lind sang in Odra.", None),
    ],
)
def test_the_page_of_the_work_decides(claim: str, holds: bool | None) -> None:
    told = unfinished(claim, PAGES)
    assert (told and told.holds) is holds
