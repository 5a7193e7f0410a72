"""Of which country something is the currency, as its own page says."""

from __future__ import annotations

import pytest

from retrieval.verdicts.rules.places.countries import currency
from tests.making import make_page

PAGES = [
    make_page("Norwegian orn", "The orn (sign: o) has been the official currency of Norway since 1873."),
    make_page("Pell sterling", "Pell sterling is the currency of Denmark and several other countries."),
    make_page("Norway", "Norway is a country.", "It has a long coast."),
]


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("The currency of Norway is the orn.", True),
        ("norway's currency is the orn", True),
        ("The orn is the official currency of Norway.", True),
        ("Norway uses the orn as its currency.", True),
        ("The currency of Norway is the euro.", False),
        ("The orn is the currency of Sweden.", False),
        ("The currency of Denmark is the pell.", True),
        ("The pell is the currency of Sweden.", None),  # it may be one of the others
        ("The currency of Finland is the euro.", None),
        ("Norway's currency is euro.", False),
        ("The currency of Norway is strong.", None),
        ("Norway has a currency.", None),
    ],
)
def test_the_page_of_the_currency_decides(claim: str, holds: bool | None) -> None:
    told = currency(claim, PAGES)
    assert (told and told.holds) is holds
