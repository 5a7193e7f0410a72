"""Who won a battle, as its page says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.verdicts.rules.events.battles import won
from tests.making import make_page

PAGES = [
    make_page("Battle of Ostrel", "The Battle of Ostrel was a great Scottish victory.", "An army of King Karl II was defeated near the town by a smaller army under the Earl of Varn, Robert Tam."),
    make_page("Battle of Mell", "At Mell, 20 ships led by Admiral Ben Ash decisively defeated a fleet of the Norrish Empire.", "In the Battle of Pell, Norr defeated Ash."),
    make_page("Siege of Tarn", "The siege of Tarn ended in a victory for the Orlanders over the Norrish.", "It was a defeat for the League, too."),
    make_page("Battle of Harn", "The Battle of Harn was fought in 1066 between the Varnish-Pellan army of Duke Wim II of Varn and an Orlish army under King Hal II.", "It was a decisive Varnish victory."),
    make_page("Long War", "The Long War was fought between Spain and France.", "Lund was a Spanish victory."),
    make_page("Battle of Dall", "Both sides claimed victory in the Battle of Dall.", "Ash defeated Voss, and later Voss defeated Ash."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("Robert Tam won the Battle of Ostrel.", True),
        ("the battle of ostrel was won by scotland", True),
        ("Scotland lost the Battle of Ostrel.", False),
        ("England won the Battle of Ostrel.", False),
        ("Karl II won the Battle of Ostrel", False),
        ("Karl II was defeated in the Battle of Ostrel.", True),
        ("Ash defeated the Norrish Empire in the Battle of Mell.", True),
        ("The Norrish Empire won the Battle of Mell.", False),
        ("The Siege of Tarn was a victory for the Orlanders.", True),
        ("The Siege of Tarn was a defeat for the League.", True),
        ("The League won the siege of Tarn.", False),
        ("Wim the Bold won the Battle of Harn.", True),  # the leader of the side that won
        ("Hal II won the Battle of Harn.", False),
        ("King Hal lost the Battle of Harn.", True),
        ("Ben Ash won the Battle of Harn.", None),  # who led neither
        ("Eva Stern won the Battle of Mell.", None),  # a general whom the page leaves out
        ("France won the Long War.", None),  # one town is not the war
        ("Ash won the Battle of Dall.", None),  # both sides
        ("Scotland won the Battle of Pell.", None),  # no page
        ("Ben Ash won the prize.", None),
    ],
)
def test_the_page_of_the_battle_decides(claim: str, holds: bool | None) -> None:
    told = won(claim, PAGES)
    assert (told and told.holds) is holds
    assert told is None or bool(told.note) is not holds


@given(st.text(max_size=80))
def test_any_text_is_survived(text: str) -> None:
    won(
        f"{text} won the Battle of {text}",
        [make_page(f"Battle of {text}", f"{text} defeated {text} by {text} victory.")],
    )
