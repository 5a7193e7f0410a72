"""Sentences about a relative of the claim's subject; those about other things are in test_comparing.py."""

from __future__ import annotations

import pytest

from retrieval.stages.comparing.of_another import unless_of_another
from retrieval.types import RANKER, Claim, Evidence, FactCheck, Hit, Page, Stance
from tests.making import make_page

WIFE = make_page("Maja Orn", "Maja Orn (1867 – 1934) was a chemist.")
HUSBAND = make_page("Piet Orn", "Piet Orn (1859 – 1906) was a chemist.", "He was born in Pell.")
SIGN = make_page("—", "A dash is a sign.")
TOWER = make_page("Fort Orn", "Fort Orn is a tower in Pell.")


@pytest.mark.parametrize(
    ("claim", "page", "silent"),
    [
        ("Maja Orn was born in Tarn in 1867.", HUSBAND, True),
        ("Maja Orn is a fort in Tarn.", TOWER, False),  # no person
        ("Maja Orn, the wife of Piet Orn, was born in Tarn.", HUSBAND, False),
        ("Maja Orn was born in Tarn.", SIGN, True),  # whose title has no words
        ("Orn was born in Tarn.", HUSBAND, False),  # perhaps it means him
    ],
)
def test_a_relative_whom_the_claim_does_not_name_refutes_nothing(claim: str, page: Page, silent: bool) -> None:
    pages = [WIFE, page]
    last = Evidence(page.sentences()[-1], 0.9, Stance(0.05, 0.9, 0.05), "claim", rank_score=0.9, rank_method=RANKER)
    begun = FactCheck(Claim("1", claim), pages=tuple(Hit(one, 1.0, "text") for one in pages), sentences=(last,))
    (done,) = unless_of_another(begun, pages).sentences
    assert (done.stance.neutral > 0.9) is silent
