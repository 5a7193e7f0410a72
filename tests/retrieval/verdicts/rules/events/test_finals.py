"""Who won a tournament or final, as its page says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.verdicts.rules.events.finals import won_final
from tests.making import make_page

PAGES = [
    make_page(
        "1954 FIFA World Cup",
        "The 1954 FIFA World Cup was held in Switzerland.",
        "In the group, Hungary defeated West Germany 8–3.",
        "The tournament was won by West Germany, who defeated Hungary 3–2 in the final.",
    ),
    make_page(
        "Super Bowl X",
        "Super Bowl X was a game between the NFC champion Oston Rangers and the AFC champion Varn Miners.",
        "The Miners defeated the Rangers by the score of 21–17.",
        "The Rangers defeated the Tarn Colts in the playoffs.",
    ),
    make_page("1938 Orlish Cup", "Italy retained the championship, beating Hungary 4–2 in the final."),
    make_page("2003 Pell Open", "It was a great tournament, in which the best could beat Ann Voss."),
]


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("West Germany won the 1954 World Cup.", True),
        ("germany won the world cup in 1954", True),
        ("Hungary won the 1954 World Cup", False),
        ("Hungary lost the 1954 World Cup.", True),
        ("Brazil won the 1954 FIFA World Cup.", False),
        ("Puskás won the 1954 World Cup.", None),  # perhaps a player
        ("Super Bowl X was won by the Varn Miners.", True),
        ("Varn beat Oston in Super Bowl X.", True),
        ("The Rangers won Super Bowl X", False),
        ("The Rangers won against the Miners in Super Bowl X", False),
        ("Oston lost to Varn in Super Bowl X", True),
        ("Oston won Super Bowl X", False),
        ("The Lund Owls won Super Bowl X", False),
        ("Hungary won the 1938 Orlish Cup", False),
        ("Ann Voss won the 2003 Pell Open", None),  # "could beat"
        ("Hungary won the World Cup", None),  # which one
        ("Hungary won the 1974 World Cup", None),  # no page
    ],
)
def test_the_page_of_the_event_decides(claim: str, holds: bool | None) -> None:
    told = won_final(claim, PAGES)
    assert (told and told.holds) is holds
    assert told is None or bool(told.note) is not holds


@given(st.text(max_size=60))
def test_any_text_is_survived(text: str) -> None:
    won_final(f"{text} won the 1954 World Cup", [make_page("1954 World Cup", f"{text} defeated {text} in the final.")])
