"""Claims that two names mean one thing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.verdicts.rules.same_thing import one_thing
from tests.making import make_page

PAGES = [
    make_page("Moona", "Moonas are birds.", "Although once called a “wadler”, it is only distantly related to the true wadler."),
    make_page("Wadler", "Wadlers are birds."),
    replace(make_page("K9", "K9, also known as Mount Orna, is a mountain."), names=("Mount Orna",)),
    make_page("Dall", "Dalls are apes.", "They live near the zorn.", "They are no longer considered distinct from zorns.", "Unlike other zorns, they swim."),
    make_page("Zorn", "Zorns are apes."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("The moona is the same animal as the wadler.", False),
        ("moonas and wadlers are the same", False),
        ("wadlers and moonas are exactly the same thing", False),
        ("Moonas and wadlers are different birds.", True),
        ("K9 is the same mountain as Mount Orna", True),
        ("K9 and Mount Orna are different mountains", False),
        ("Dalls and zorns are the same animal.", None),  # no page says it
        ("Moonas and wadlers are the same size.", None),
        ("Moonas and wadlers are birds.", None),
    ],
)
def test_what_sets_one_beside_the_other_decides(claim: str, holds: bool | None) -> None:
    told = one_thing(claim, PAGES)
    assert (told and told.holds) is holds


@given(st.text(alphabet="ab and the same as are thing ", max_size=60), st.text(max_size=80))
def test_any_text_is_survived(claim: str, text: str) -> None:
    pages = [make_page("Ab", text or "Ab.")]
    told = one_thing(claim, pages)
    assert told is None or told.sentence in pages[0].sentences()
