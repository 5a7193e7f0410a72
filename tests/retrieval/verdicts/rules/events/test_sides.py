"""Between whom something was fought."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.verdicts.rules.events.sides import fought_between
from tests.making import make_page

PAGES = [
    make_page("Tarn War", "The Tarn War was a war between Argentina and the United Kingdom over Tarn.", "Chile helped."),
    make_page("Pell War", "The Pell War was fought between the British Empire and Qing China."),
    make_page("Orm Sound", "The Orm Sound (Norrish: Ormen) is the water that separates southern Varn from Pell, and joins two seas."),
    make_page("Two Houses", "The Two Houses was a war.", "It pitted the House of Varn against the House of Orm."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("The Tarn War was between Argentina and the UK.", True),
        ("the tarn war was fought between britain and argentina", True),
        ("The Pell War was between Britain and China", True),
        ("The Two Houses was a war between Varn and Orm", True),
        ("The Tarn War was between Argentina and Chile.", False),
        ("The Pell War was between Britain and its colonies.", False),
        ("The Mell War was between Britain and China.", False),  # no page
        ("The Tarn War was in 1982.", False),
        ("The Orm Sound separates Varn from Pell.", True),
        ("The Orm Sound divides Pell and Varn", True),
        ("The Orm Sound separates Varn from Spain.", False),
    ],
)
def test_a_page_that_names_both_sides_supports(claim: str, supported: bool) -> None:
    assert (fought_between(claim, PAGES) is not None) is supported


@given(st.text(max_size=80))
def test_any_text_is_survived(text: str) -> None:
    fought_between(
        f"{text} was between {text} and Spain", [make_page(text or "A", f"It was between {text} and Spain.")]
    )
