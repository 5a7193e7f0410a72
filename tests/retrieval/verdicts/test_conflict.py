"""Whom a verdict hears where the page that the claim names and another one disagree."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.types import Evidence, Label, Stance
from retrieval.verdicts.conflict import TwoSides, add_conflict, names_page
from retrieval.verdicts.namesakes import heard
from retrieval.verdicts.policy import choose, shown_for
from retrieval.verdicts.reasons import dissent
from tests.making import make_page

CLAIM = "Vienna lies on the Rhine."
VIENNA = make_page("Vienna", "It lies on the Danube.", "It has a zoo.")
NEWS = make_page("Morning News", "Vienna lies on the Rhine.", "Vienna is far from the Rhine.")
FILM = make_page("Vienna (film)", "It was filmed on the Rhine.")


def said(page: int | None, line: int, weight: float, supports: float, refutes: float) -> Evidence:
    sentence = (VIENNA, NEWS, FILM)[page or 0].sentences()[line]
    return Evidence(sentence, weight, Stance(supports, refutes, max(0.0, 1 - supports - refutes)), "claim")


LOUD, QUIET = said(1, 0, 0.95, 0.98, 0.01), said(0, 0, 0.15, 0.01, 0.55)


def test_the_page_that_the_claim_names_counts() -> None:
    assert heard(CLAIM, [LOUD, QUIET]) == [QUIET]
    assert heard("Austria's capital lies on the Rhine.", [LOUD, QUIET]) == [LOUD, QUIET], "no page is named"
    assert heard(CLAIM, [LOUD, said(0, 1, 0.9, 0.01, 0.02)]) == [LOUD, said(0, 1, 0.9, 0.01, 0.02)], "it is silent"
    assert heard(CLAIM, [LOUD, QUIET, said(0, 1, 0.9, 0.9, 0.0)])[0] == LOUD, "it disagrees with itself"
    assert heard(CLAIM, [said(1, 0, 0.3, 0.9, 0.0), QUIET])[-1] == QUIET, "nobody speaks up"


def test_a_page_titled_like_something_else_does_not_overrule_the_subject_by_another_name() -> None:
    def of(title: str, name: str, weight: float, supports: float, refutes: float) -> Evidence:
        page = replace(make_page(title, "It is in Lund, Orland."), other_names=(name,))
        return Evidence(page.sentences()[0], weight, Stance(supports, refutes, 1 - supports - refutes), "claim")

    school, town = of("Orland School of Trade", "OST", 0.96, 0.96, 0.02), of("Lund, Orland", "", 0.11, 0.03, 0.63)
    for claim in ("OST is in Lund, Orland.", "An OST is in Lund, Orland."):
        assert heard(claim, [school, town])[0] == school
    planted = of("Lies", "Lund, Orland", 0.96, 0.96, 0.02)
    assert heard("Lund, Orland is in Varn.", [planted, town]) == [town], "a page has that title"


def test_it_works_in_both_directions() -> None:
    supports, denies = said(0, 0, 0.9, 0.9, 0.0), said(1, 1, 0.9, 0.0, 0.9)
    assert heard(CLAIM, [denies, supports]) == [supports]


def test_a_bracket_does_not_matter_and_a_title_that_is_not_read_names_nothing() -> None:
    assert names_page(CLAIM, said(2, 0, 1.0, 0.0, 0.0))
    assert not names_page(CLAIM, said(1, 0, 1.0, 0.0, 0.0))
    unread = Evidence(VIENNA.sentences()[0], 1.0, Stance(0.0, 0.0, 1.0), "claim", title_read=False)
    assert not names_page(CLAIM, unread)


def test_a_part_of_a_longer_name_names_no_page() -> None:
    def of(title: str, weight: float, supports: float, refutes: float) -> Evidence:
        sentence = make_page(title, "The Calypso sank there.").sentences()[0]
        return Evidence(sentence, weight, Stance(supports, refutes, 1 - supports - refutes), "claim")

    wreck, sea = of("Wreck of the ship", 0.9, 0.0, 0.9), of("Sea", 0.1, 0.7, 0.1)
    assert wreck in heard("The Calypso sank in the Coral Sea.", [wreck, sea, of("Coral Sea", 0.1, 0.1, 0.1)])
    assert heard("The Calypso sank in the sea, the Coral Sea.", [wreck, sea, of("Coral Sea", 0.1, 0.1, 0.1)])[0] == sea


def test_the_reason_names_who_says_otherwise() -> None:
    assert dissent(Label.REFUTED, [LOUD]).startswith(" “Morning News” says otherwise")
    assert dissent(Label.REFUTED, []) == ""
    assert dissent(Label.NOT_ENOUGH_EVIDENCE, [LOUD]) == ""


SHARE = st.floats(0, 1)
SAID = st.builds(said, st.integers(0, 2), st.just(0), SHARE, SHARE.map(lambda s: s / 2), SHARE.map(lambda s: s / 2))


@given(st.lists(SAID, max_size=6))
def test_what_is_heard_is_part_of_what_was_said_and_never_nothing(sentences: list[Evidence]) -> None:
    left = heard(CLAIM, sentences)
    assert [evidence for evidence in sentences if evidence in left] == left
    assert all(evidence in left for evidence in sentences if names_page(CLAIM, evidence))
    assert bool(left) == bool(sentences)


def test_what_is_overruled_is_shown_behind_what_counts() -> None:
    """The page about the subject is shown though a model finds it far weaker; else people saw only what does not count."""
    assert choose([LOUD, QUIET], 5) == [LOUD]
    assert shown_for(CLAIM, [LOUD, QUIET], 5) == [QUIET, LOUD]
    assert shown_for(CLAIM, [LOUD, QUIET], 1) == [QUIET], "room for one alone"
    assert shown_for(CLAIM, [QUIET], 5) == [QUIET]
    assert shown_for(CLAIM, [], 5) == []


OWN = {Label.SUPPORTED: 0.45, Label.REFUTED: 0.27, Label.NOT_ENOUGH_EVIDENCE: 0.27, Label.CONFLICTING: 0.01}
SURE = {**OWN, Label.SUPPORTED: 0.5, Label.REFUTED: 0.22}


def test_two_strong_sides_outweigh_a_models_own_small_share_of_conflict_where_that_is_wanted() -> None:
    after = add_conflict(OWN, 0.6, 0.4, "undecided")
    assert after[Label.CONFLICTING] == pytest.approx(0.6)
    assert sum(after.values()) == pytest.approx(1)
    assert after[Label.SUPPORTED] / after[Label.REFUTED] == pytest.approx(5 / 3)
    assert add_conflict(OWN, 0.3, 0.4, "undecided") is OWN
    assert add_conflict(SURE, 0.9, 0.4, "undecided") is SURE, "it has decided"
    assert add_conflict(SURE, 0.9, 0.4, "always")[Label.CONFLICTING] == pytest.approx(0.9)
    assert add_conflict(OWN, 0.9, 0.4) is OWN, "not unless it is wanted"


@pytest.mark.parametrize("two_sides", get_args(TwoSides))
def test_a_models_own_larger_share_of_conflict_is_left_alone(two_sides: TwoSides) -> None:
    own = {Label.SUPPORTED: 0.03, Label.REFUTED: 0.03, Label.NOT_ENOUGH_EVIDENCE: 0.03, Label.CONFLICTING: 0.91}
    assert add_conflict(own, 0.9, 0.4, two_sides) is own


@pytest.mark.parametrize("two_sides", get_args(TwoSides))
def test_a_model_that_knows_no_conflict_is_given_one(two_sides: TwoSides) -> None:
    shares = {Label.SUPPORTED: 0.9, Label.REFUTED: 0.05, Label.NOT_ENOUGH_EVIDENCE: 0.05}
    assert add_conflict(shares, 0.6, 0.4, two_sides)[Label.CONFLICTING] == pytest.approx(0.6)
