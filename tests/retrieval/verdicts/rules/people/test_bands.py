"""Who was in a band, as its page lists them."""

from __future__ import annotations

import pytest

from retrieval.verdicts.rules.people.bands import in_band
from tests.making import make_page

PAGES = [
    make_page("The Orms", "The Orms were an English rock band formed in Tarn in 1960.", "The line-up comprised Tom Rook, Ida Holt, Ben Ash and Pia Dal.", "The first drummer was Karl Voss."),
    make_page("Quill", "Quill are a folk band.", "The group consists of Bo (vocals and guitar), Ada Brod (bass guitar), Jan Vell (drums) and singer Una Holt."),
    make_page("Rolf Aas", "Rolf Aas is a Norrish musician, best known as the frontman and guitarist of the rock band Lumo."),
    make_page("Ola Rud", "Ola Rud was the singer of Lumo.", "He played the drums in his school."),
    make_page("Jo Tam", "Jo Tam is known for being the singer and co-founder of the Estonian rock band Lumo, found by drummer Ole Vik."),
    make_page("Lumo", "Lumo is an Estonian rock band.", "It won a prize."),
    make_page("Vell", "Vell are a pop group.", "They were founded by Ole Holm on guitar and lead vocals, Tim Moe on drums and Kai Lund on bass."),
    make_page("Tarn", "Tarn is a town.", "Its members of parliament are Tom Rook, Ida Holt and Ben Ash."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("Tom Rook was in the Orms.", True),
        ("Pia Dal was a member of The Orms", True),
        ("Mira Ness was a member of the Orms.", False),
        ("Mira Ness was the lead singer of the Orms.", False),
        ("Mira Ness was in the band The Orms.", False),
        ("Mira Ness plays for the Orms.", False),
        ("Tom Rook sang in the Orms.", True),
        ("Bo is the singer of Quill.", True),
        ("Bo is the drummer in Quill.", False),
        ("Ada Brod was Quill's guitarist.", False),
        ("Ada Brod was Quill's bassist.", True),
        ("una holt was the drummer of quill", False),
        ("Una Holt was the lead singer of Quill.", True),
        ("Jan Vell played bass in Quill.", False),
        ("Tim Moe was the drummer of Vell.", True),
        ("Kai Lund was the drummer of Vell.", False),
        ("Rolf Aas was Lumo's drummer", False),
        ("Rolf Aas was the guitarist of Lumo.", True),
        ("Jo Tam is the singer of Lumo.", True),
        ("Jo Tam is the drummer of Lumo.", False),  # the drummer whom the page names is another
    ],
)
def test_the_list_decides(claim: str, holds: bool) -> None:
    told = in_band(claim, PAGES)
    assert told
    assert told.holds is holds


@pytest.mark.parametrize(
    "claim",
    [
        "Karl Voss was in the Orms.",
        "Pia Dal was the drummer of the Orms.",
        "Mira Ness was in Lumo.",
        "Mira Ness was in Tarn.",
        "Ness was in the Orms.",
        "Tom Rook met the Orms.",
        "Bo plays with Tarn.",
        "Ola Rud was the drummer of Lumo.",
        "Mira never sang for the Orms.",
        "Jan Vell sings for Quill.",  # who plays the drums may sing too
    ],
)
def test_everything_else_is_left_open(claim: str) -> None:
    assert in_band(claim, PAGES) is None
