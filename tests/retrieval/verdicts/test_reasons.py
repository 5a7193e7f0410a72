"""Reasons quote the evidence that decides, and say of it only what its stance allows."""

from __future__ import annotations

import re
from dataclasses import replace
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.types import Claim, Evidence, FactCheck, Label, Stance, Verdict, likeliest
from retrieval.verdicts.reasons import NOTHING, grounding_sentence, nested, reason
from tests.making import make_page

CLAIM = "Paris has a tower that is higher than any in Lyon."
PARIS = make_page("Paris", "Paris is a city.", "It has a tower.", "Its mayor was born in Lyon.")
LYON = make_page("Lyon", "Lyon is a city in France.", "It lies on the Rhône.")
SENTENCES = [*PARIS.sentences(), *LYON.sentences()]
SHARES = st.floats(0, 1)
VERBS = {
    Label.SUPPORTED: (" supports it:", " speaks for it"),
    Label.REFUTED: (" contradicts it:", " speaks against it"),
}


def stance_of(weights: tuple[float, float, float]) -> Stance:
    total = sum(weights) or 1.0
    return Stance(*(weight / total for weight in weights))


STANCES = st.tuples(SHARES, SHARES, SHARES).map(stance_of)
EVIDENCE = st.lists(st.builds(Evidence, st.sampled_from(SENTENCES), SHARES, STANCES, st.just("claim"), st.booleans()))


def quoted(text: str) -> set[str]:
    """The sentences that a reason quotes."""
    return set(re.findall(r": “(.*?)”", text))


@given(st.sampled_from(Label), EVIDENCE)
def test_nothing_is_quoted_that_is_no_verified_evidence(label: Label, evidence: list[Evidence]) -> None:
    said = reason(label, CLAIM, evidence)
    verified = {(e.sentence.title, e.sentence.text) for e in evidence if e.verified}
    assert quoted(said) <= {text for _, text in verified}
    assert bool(quoted(said)) == bool(verified)
    assert (said == NOTHING) == (not evidence)
    assert all(any(f"“{title}”" in said for title, its in verified if its == text) for text in quoted(said)), (
        "with the page it stands in"
    )


@given(st.sampled_from([Label.SUPPORTED, Label.REFUTED]), EVIDENCE)
def test_no_sentence_is_said_to_take_a_side_that_it_does_not_take(label: Label, evidence: list[Evidence]) -> None:
    said = reason(label, CLAIM, evidence)
    plainly, hardly = VERBS[label]
    other = VERBS[Label.REFUTED if label is Label.SUPPORTED else Label.SUPPORTED]
    assert not any(verb in said for verb in other)
    for e in (e for e in evidence if e.verified and e.sentence.text in quoted(said)):
        own, against = e.stance.supports, e.stance.refutes
        if label is Label.REFUTED:
            own, against = against, own
        if plainly in said:
            assert any(_takes(label, e2, plain=True) for e2 in evidence if e2.sentence == e.sentence)
        elif hardly in said:
            assert any(_takes(label, e2, plain=False) for e2 in evidence if e2.sentence == e.sentence)
        else:
            assert own <= against
    if any(_takes(label, e, plain=False) for e in evidence if e.verified):
        assert plainly in said or hardly in said, "where a sentence takes the side, it is named"


def _takes(label: Label, evidence: Evidence, plain: bool) -> bool:
    stance = evidence.stance
    own, other = stance.supports, stance.refutes
    if label is Label.REFUTED:
        own, other = other, own
    return own > other and (own >= stance.neutral or not plain)


@given(EVIDENCE)
def test_conflicting_quotes_two_pages_or_claims_none(evidence: list[Evidence]) -> None:
    said = reason(Label.CONFLICTING, CLAIM, evidence)
    assert (" speaks for it: “" in said) == (" But “" in said) == (" speaks against it: “" in said)
    if " But " in said:
        assert "“Paris”" in said
        assert "“Lyon”" in said


def scored(number: int, score: float, supports: float, refutes: float) -> Evidence:
    return Evidence(SENTENCES[number], score, Stance(supports, refutes, 1 - supports - refutes), "claim")


def test_the_reason_names_the_sentence_that_decides() -> None:
    evidence = [scored(0, 0.9, 0.1, 0.1), scored(1, 0.8, 0.9, 0.0), scored(3, 0.7, 0.0, 0.9)]
    assert reason(Label.SUPPORTED, CLAIM, evidence) == "“Paris” supports it: “It has a tower.”"
    assert reason(Label.REFUTED, CLAIM, evidence) == "“Lyon” contradicts it: “Lyon is a city in France.”"
    nearest = "The nearest sentence, in “Paris”, does not decide it: “Paris is a city.”"
    assert reason(Label.NOT_ENOUGH_EVIDENCE, CLAIM, evidence) == nearest
    both = "“Paris” speaks for it: “It has a tower.” But “Lyon” speaks against it: “Lyon is a city in France.”"
    assert reason(Label.CONFLICTING, CLAIM, evidence) == both


def test_quotation_marks_are_not_nested() -> None:
    said = replace(scored(0, 0.9, 0.9, 0.0), sentence=replace(SENTENCES[0], text="It is “a city”."))
    assert reason(Label.SUPPORTED, CLAIM, [said]) == "“Paris” supports it: “It is ‘a city’.”"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('It is "a city", in 1989 called "old".', "It is ‘a city’, in 1989 called ‘old’."),
        ('("A city.")', "(‘A city.’)"),
        ("He is 5'10\" and she is 5'2\" tall.", "He is 5'10\" and she is 5'2\" tall."),
        ('One mark " alone, and " two.', 'One mark " alone, and " two.'),
        ('"' * 9, '"' * 9),
    ],
)
def test_straight_quotation_marks_are_not_nested_either(text: str, shown: str) -> None:
    assert nested(text) == shown
    assert len(nested(text)) == len(text)


def test_a_side_that_is_hardly_taken() -> None:
    assert reason(Label.REFUTED, CLAIM, [scored(0, 0.9, 0.1, 0.3)]) == (
        "“Paris” speaks against it, though not plainly: “Paris is a city.”"
    )
    assert reason(Label.REFUTED, CLAIM, [scored(0, 0.9, 0.3, 0.3)]) == (
        "No sentence alone contradicts it. The nearest, in “Paris”, reads: “Paris is a city.”"
    )
    assert reason(Label.SUPPORTED, CLAIM, [scored(0, 0.9, 0.3, 0.6)]).startswith("No sentence alone supports it.")
    assert reason(Label.CONFLICTING, CLAIM, [scored(0, 0.9, 0.3, 0.6)]).startswith(
        "The sentences do not agree. The nearest,"
    )


def test_a_weaker_sentence_on_the_right_side_comes_before_a_stronger_one_on_the_wrong() -> None:
    evidence = [scored(0, 0.95, 0.4, 0.5), scored(3, 0.35, 0.8, 0.1)]
    assert reason(Label.SUPPORTED, CLAIM, evidence) == "“Lyon” supports it: “Lyon is a city in France.”"


def test_no_evidence_and_none_that_is_verified() -> None:
    assert reason(Label.SUPPORTED, CLAIM, []) == NOTHING
    unverified = replace(scored(0, 0.9, 0.9, 0.0), verified=False)
    assert reason(Label.SUPPORTED, CLAIM, [unverified]).startswith(
        "None of the sentences found could be verified in its page"
    )


# The grounding test in words


def grounded_check(label: Label, without: Label | None, cited: int, read: int) -> FactCheck:
    found = tuple(scored(number, 0.9, 0.9, 0.0) for number in range(read))
    others = MappingProxyType({other: 0.5 if other is without else 0.25 for other in Label}) if without else None
    shares = MappingProxyType({other: 0.7 if other is label else 0.1 for other in Label})
    verdict = Verdict(label, shares, "", "m", without_evidence=others)
    return FactCheck(Claim("c", "x"), sentences=found, evidence=found[:cited], verdict=verdict)


@pytest.mark.parametrize(
    ("check", "sentence"),
    [
        (grounded_check(Label.SUPPORTED, None, 1, 2), ""),
        (FactCheck(Claim("c", "x")), ""),
        (
            grounded_check(Label.SUPPORTED, Label.NOT_ENOUGH_EVIDENCE, 1, 2),
            "The verdict rests on the sentence it cites: without it, it would be “not enough evidence” (50%).",
        ),
        (
            grounded_check(Label.REFUTED, Label.SUPPORTED, 2, 3),
            "The verdict rests on the sentences it cites: without them, it would be “supported” (50%).",
        ),
        (
            grounded_check(Label.REFUTED, Label.REFUTED, 2, 3),
            "The verdict does not rest on the sentences it cites: without them, it would still be “refuted” (50%), "
            "from the other sentences that were read.",
        ),
        (
            grounded_check(Label.REFUTED, Label.REFUTED, 1, 1),
            "The verdict does not rest on the sentence it cites: without it, it would still be “refuted” (50%), "
            "though no other sentence was read.",
        ),
        (grounded_check(Label.SUPPORTED, Label.SUPPORTED, 0, 0), "The verdict rests on no sentence."),
    ],
)
def test_what_the_grounding_test_says(check: FactCheck, sentence: str) -> None:
    assert grounding_sentence(check) == sentence
    if check.verdict and check.verdict.without_evidence:
        assert check.verdict.grounded == (likeliest(check.verdict.without_evidence) is not check.verdict.label)
