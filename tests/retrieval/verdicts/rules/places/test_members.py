"""Whether a country is in an organisation, as its page says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.verdicts.rules.places.countries import member
from tests.making import make_page

PAGES = [
    make_page("Iceland", "Iceland is an island.", "It has fewer people than any other NATO member.", "It has applied for membership of the European Union."),
    make_page("Norway", "Norway trades with the European Union and its member states, having rejected EU membership twice.", "It is a member of the United Nations."),
    make_page("Greece", "Greece joined the European Communities in 1981 and is part of the eurozone.", "It was a member of the Warsaw Pact until 1990."),
    make_page("OPEC", "OPEC is a group of countries.", "It was founded by the first five members: Iran, Iraq, Kuwait, Saudi Arabia and Venezuela."),
    make_page("Euro", "The euro is the currency of the eurozone, which consists of 19 of the 28 member states of the European Union: Austria, Estonia, and Spain."),
    make_page("Kuwait", "Kuwait is a country."),
    make_page("Member states of NATO", "Twelve countries were part of its founding: Belgium, Canada, Denmark and Italy."),
    make_page("Canada", "Canada is a country."),
    make_page("Estonia", "Estonia is a country."),
    make_page("Sweden", "Sweden is a country."),
    make_page("Georgia", "Georgia is a member of the Commonwealth of Independent States."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("iceland is in NATO", True),
        ("Norway is a member of the UN.", True),
        ("Norway is a member of the European Union.", False),
        ("Norway is part of the EU", False),
        ("Norway belongs to the European Union.", False),
        ("Greece is a member state of the Eurozone", True),
        ("Greece is in the Warsaw Pact.", False),
        ("Kuwait is in OPEC", True),
        ("Canada is in NATO", True),
        ("the euro is the currency of Estonia", True),
        ("Estonia uses the euro.", True),
        ("Greece's currency is the euro.", True),
    ],
)
def test_the_countrys_page_decides(claim: str, holds: bool) -> None:
    told = member(claim, PAGES)
    assert told
    assert told.holds is holds
    assert bool(told.note) is not holds


@pytest.mark.parametrize(
    "claim",
    [
        "Sweden uses the euro.",
        "Norway is a founding member of the UN.",
        "Sweden is in OPEC.",
        "The shop uses the euro.",
        "Iceland is a member of the European Union.",  # it has only applied
        "Georgia is a member of the Commonwealth.",  # of another one
        "Greece is in NATO.",
        "Bjork is in NATO.",
        "Greece is in Europe.",
    ],
)
def test_nothing_is_decided(claim: str) -> None:
    assert member(claim, PAGES) is None


@given(st.text(alphabet="member of NATO EU, not.", max_size=120))
def test_any_text_is_survived(text: str) -> None:
    page = make_page("Greece", f"Greece {text}.")
    told = member("Greece is in NATO.", [page])
    assert told is None or told.sentence in page.sentences()
