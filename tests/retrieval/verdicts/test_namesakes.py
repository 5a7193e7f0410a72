"""Pages that share a name: which of them a claim means, and whose contradiction does not count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from retrieval.types import Evidence, Label, Stance
from retrieval.verdicts.namesakes import find_namesakes, heard, told_apart
from retrieval.verdicts.policy import Policy, shown_for
from tests.making import make_page

CLAIM = "Harvest was directed by Ann Stone."


def said(title: str, supports: float, refutes: float, line: int = 0, weight: float = 0.9) -> Evidence:
    page = make_page(title, *(f"{title} was directed by somebody, number {number}." for number in range(line + 1)))
    return Evidence(page.sentences()[line], weight, Stance(supports, refutes, 1 - supports - refutes), "claim")


FILM, SERIES = said("Harvest (1997 film)", 0.9, 0.05), said("Harvest (miniseries)", 0.05, 0.9)
PLAIN = "Harvest"


def test_what_is_said_of_a_namesake_is_no_contradiction() -> None:
    found = find_namesakes(CLAIM, [SERIES, FILM])
    assert found is not None
    assert (found.meant, found.others) == ("Harvest (1997 film)", ("Harvest (miniseries)",))
    assert heard(CLAIM, [SERIES, FILM]) == [FILM]
    assert shown_for(CLAIM, [SERIES, FILM], 5) == [FILM, SERIES], "readers still see it, behind what counts"
    assert told_apart(found) == " “Harvest (1997 film)” was taken as the one meant, not “Harvest (miniseries)”."


def test_a_claim_may_say_which_it_means() -> None:
    claim = "The miniseries Harvest was directed by Ann Stone."
    assert heard(claim, [SERIES, FILM]) == [SERIES]


def test_another_form_of_the_word_in_brackets_does_not_say_which_is_meant() -> None:
    state, island = said("Orra", 0.9, 0.05), said("Orra (island)", 0.1, 0.5)
    assert state in heard("Orra is the only state made of islands.", [state, island])
    assert heard("Orra is an island in the south.", [state, island]) == [island]


@pytest.mark.parametrize(
    "other",
    [
        said("Harvest (film)", 0.05, 0.9),  # the film of 1997, perhaps
        said("Harvest", 0.05, 0.9),  # what most people mean
        said("Autumn (film)", 0.05, 0.9),
        said("Harvest (1997 film)", 0.05, 0.9, line=3),
        said("Harvest (1997 film) (updated)", 0.05, 0.9),
    ],
)
def test_nothing_is_put_aside_that_may_be_about_the_same(other: Evidence) -> None:
    assert find_namesakes(CLAIM, [FILM, other]) is None


def test_a_planted_page_does_not_silence_the_page_without_a_bracket_or_one_of_which_much_more_is_known() -> None:
    planted = said("Harvest (updated)", 0.95, 0.0)
    assert heard(CLAIM, [planted, said(PLAIN, 0.0, 0.9)])[-1].sentence.title == PLAIN
    known = [said("Harvest (miniseries)", 0.02, 0.8, line) for line in range(4)]
    assert find_namesakes(CLAIM, [said("Harvest (2020 tale)", 0.9, 0.0), *known]) is None


def test_the_page_without_a_bracket_is_not_contradicted_by_its_namesakes() -> None:
    assert heard(CLAIM, [said(PLAIN, 0.9, 0.0), SERIES]) == [said(PLAIN, 0.9, 0.0)]


def test_weak_and_agreeing_pages_are_all_heard() -> None:
    for pages in ([said("Harvest (1997 film)", 0.2, 0.1), SERIES], [FILM, said("Harvest (miniseries)", 0.8, 0.1)]):
        assert find_namesakes(CLAIM, pages) is None
    assert told_apart(None) == ""


class Leaning:
    """A model that sums up the stances."""

    id, calibration_error = "leaning", 0.02

    def probabilities(self, claim: str, sentences: Sequence[Evidence]) -> Mapping[Label, float]:
        supports = max((one.stance.supports for one in sentences), default=0.0)
        refutes = max((one.stance.refutes for one in sentences), default=0.0)
        total = supports + refutes + 0.1
        return {
            Label.SUPPORTED: supports / total,
            Label.REFUTED: refutes / total,
            Label.NOT_ENOUGH_EVIDENCE: 0.1 / total,
        }


def test_the_policy_decides_by_the_one_meant_and_says_so() -> None:
    verdict = Policy(Leaning(), 5, conflicting_from=0.4).local(CLAIM, [SERIES, FILM], [FILM, SERIES])
    assert verdict.label is Label.SUPPORTED
    assert verdict.reason.endswith("“Harvest (1997 film)” was taken as the one meant, not “Harvest (miniseries)”.")
