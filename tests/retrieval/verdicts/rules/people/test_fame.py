"""Whether someone was famous while alive."""

from __future__ import annotations

import pytest

from retrieval.verdicts.rules.people.fame import fame
from tests.making import make_page

PAGES = [
    make_page("H. R. Holt", "Hal Rune Holt was an author who achieved posthumous fame.", "He lived in Pell."),
    make_page("Ada Lind", "Ada Lind was a poet.", "Little of it sold, and she was virtually unknown when she died."),
    make_page("Ole Berg", "Ole Berg was a famous painter.", "He died in Oslo."),
    make_page("Ole Voss", "Ole Voss was a popular painter and received a prize posthumously.", "His most famous picture was shown after his death.",
              "He had an unknown illness before he died.", "He collected works of Ane Moe, who was neglected during her lifetime."),
    make_page("Ane Moe", "Ane Moe was unknown before 1990, but popular in her lifetime.", "She became famous in Norr after her death."),
]  # fmt: skip


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
        ("Ole Voss was popular during his lifetime.", None),
        ("Ole Voss was not famous during his lifetime.", None),
        ("Ane Moe was only famous after her death", True),
    ],
)
def test_fame_after_death_decides(claim: str, holds: bool | None) -> None:
    told = fame(claim, PAGES)
    assert (told and told.holds) is holds
