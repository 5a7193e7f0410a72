"""Of which country a maker is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.verdicts.rules.works.makers import of_makers_nation
from tests.making import make_page

PAGES = [
    make_page(
        "Nussa", "Nussa is a spread.", "It is manufactured by the Italian company Ferro, which was founded in 1946."
    ),
    make_page("Timm", "Timm is a comic hero created by Belgian cartoonist Ole Gar.", "He is known in France."),
    make_page("Odra", "Odra is an opera by the Austrian-American composer Ben Ash."),
]


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("Nussa is made by an Italian company.", True),
        ("nussa is made by a german company", False),
        ("Timm was created by a Belgian cartoonist", True),
        ("Timm was created by a Danish artist.", False),
        ("Timm was created by a French cartoonist.", None),  # the page names France, for whatever
        ("Odra is an opera by an American composer.", True),
        ("Odra was written by a Spanish composer.", False),
        ("Nussa is made by an Italian family.", None),  # a company, as far as the page says
        ("Nussa is made by a company.", None),
    ],
)
def test_the_page_of_the_work_decides(claim: str, holds: bool | None) -> None:
    told = of_makers_nation(claim, PAGES)
    assert (told and told.holds) is holds


@given(st.text(max_size=60))
def test_any_text_is_survived(text: str) -> None:
    of_makers_nation(f"{text} was made by a French {text}", [make_page(text or "A", f"{text} by the Dutch {text}")])
