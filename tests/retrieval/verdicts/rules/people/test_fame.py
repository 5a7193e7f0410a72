"""Whether someone was famous while alive."""

from __future__ import annotations

import pytest

from retrieval.verdicts.rules.people.fame import fame
from tests.making import make_page

PAGES = [
    make_page("H. R. Holt", "H. R. Holt was an author who achieved posthumous fame.", "He lived in Pell."),
    make_page("Ada Lind", "Ada Lind was a poet.", "Little of it sold, and she was virtually unknown when she died."),
    make_page("Ole Berg", "Ole Berg was a famous painter.", "He died in Oslo."),
]


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("hr holt wasn't famous while he was alive", True),
        ("H. R. Holt was famous during his lifetime.", False),
        ("Holt only became famous after his death", True),
        ("Ada Lind was widely recognised in her own lifetime", False),
        ("Ada Lind was not well known while she was alive.", True),
        ("Ole Berg was famous during his lifetime.", None),
        ("Ada Lind was famous.", None),
    ],
)
def test_fame_after_death_decides(claim: str, holds: bool | None) -> None:
    told = fame(claim, PAGES)
    assert (told and told.holds) is holds
