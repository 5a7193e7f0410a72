"""What makes a verdict worth trusting: it is tested without its evidence, knows conflict, and may abstain."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.load import load_fever
from retrieval.models.fitted.verdict import LABELS, LocalVerdict
from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.text.quantities.stances import exactly
from retrieval.text.sentences import as_read, with_title
from retrieval.types import Claim, Evidence, FactCheck, Label, Stance, Verdict, likeliest
from retrieval.verdicts.conflict import add_conflict, find_conflict, speaks_of_another
from retrieval.verdicts.local import BestSentences
from retrieval.verdicts.namesakes import heard
from retrieval.verdicts.policy import Policy, choose, not_cited, one_source
from retrieval.verdicts.reasons import grounding_sentence
from retrieval.verdicts.side import rests_on_any, without_side
from tests.making import Reader, dump_row, make_page, write_dump

ROOT = Path(__file__).resolve().parents[2]
PAGES = [make_page(title, *(f"{title} says {number}." for number in range(6))) for title in ("One", "Two", "Three")]
SHARES = st.floats(0, 1)


def stance_of(weights: tuple[float, float, float]) -> Stance:
    total = sum(weights) or 1.0
    return Stance(*(weight / total for weight in weights))


STANCES = st.tuples(SHARES, SHARES, SHARES).map(stance_of)
SENTENCES = st.sampled_from([sentence for page in PAGES for sentence in page.sentences()])
EVIDENCE = st.lists(
    st.builds(Evidence, SENTENCES, SHARES, STANCES, st.just("claim")), max_size=9, unique_by=lambda e: e.sentence
).map(lambda found: tuple(sorted(found, key=lambda e: -e.weight)))


def scored(page: int, line: int, score: float, supports: float, refutes: float) -> Evidence:
    return Evidence(PAGES[page].sentences()[line], score, Stance(supports, refutes, 1 - supports - refutes), "claim")


@cache
def model() -> LocalVerdict:
    return LocalVerdict()


CLAIM = "A claim."


def verdict_of(sentences: Sequence[Evidence], **settings: float) -> Verdict:
    """The real classifier's, over these sentences."""
    policy = Policy(BestSentences(model(), Reader(*sentences), 5, 0.02), 5, **settings)
    return policy.local("A claim.", sentences, choose(sentences, 5))


# The grounding test
DECIDES, HARDLY = scored(0, 0, 0.95, 0.95, 0.02), scored(1, 0, 0.1, 0.1, 0.1)


def test_a_verdict_rests_on_the_one_sentence_that_decides() -> None:
    verdict = verdict_of([DECIDES, HARDLY])
    assert verdict.label is Label.SUPPORTED
    assert verdict.grounded is True
    assert verdict.label_without_evidence is Label.NOT_ENOUGH_EVIDENCE
    assert verdict.without_evidence == model().probabilities(
        [HARDLY.weight], [HARDLY.stance], Reader(HARDLY).judge_together("", [with_title(HARDLY.sentence)])
    )


def test_a_verdict_does_not_rest_on_what_others_say_as_well() -> None:
    """The next best move up; they are too far behind the best to be shown."""
    sentences = [DECIDES, *(scored(1, line, 0.45, 0.95, 0.02) for line in range(5))]
    verdict = verdict_of(sentences)
    assert choose(sentences, 5) == [DECIDES]
    assert (verdict.grounded, verdict.label_without_evidence) == (False, Label.SUPPORTED)


def test_candidates_after_the_fifth_move_up() -> None:
    shown = [scored(0, line, 0.9, 0.9, 0.05) for line in range(5)]
    beyond = [scored(1, line, 0.85, 0.9, 0.05) for line in range(5)]
    assert verdict_of([*shown, *beyond]).grounded is False
    assert verdict_of(shown).grounded is True


def test_not_enough_evidence_cites_nothing_that_could_be_withheld() -> None:
    for sentences in ([], [HARDLY]):
        verdict = verdict_of(sentences)
        assert verdict.label is Label.NOT_ENOUGH_EVIDENCE
        assert (verdict.grounded, verdict.without_evidence, verdict.label_without_evidence) == (None, None, None)


class Stubborn:
    """Says the same whatever it reads."""

    id = "stubborn"
    calibration_error: float | None = None

    def probabilities(
        self, relevances: Sequence[float], stances: Sequence[Stance], together: Stance, exact: Sequence[int] = ()
    ) -> Mapping[Label, float]:
        return MappingProxyType({Label.SUPPORTED: 0.2, Label.REFUTED: 0.7, Label.NOT_ENOUGH_EVIDENCE: 0.1})


@pytest.mark.parametrize("sentences", [(), (DECIDES,), (DECIDES, HARDLY)])
def test_a_model_that_does_not_read_is_found_out(sentences: tuple[Evidence, ...]) -> None:
    policy, shown = Policy(BestSentences(Stubborn(), Reader(*sentences), 5), 5, side_from=0.0), choose(sentences, 5)
    assert replace(policy, side_from=1.0).local("", sentences, shown).label is Label.NOT_ENOUGH_EVIDENCE
    verdict = policy.local("A claim.", sentences, shown)
    assert (verdict.grounded, verdict.calibrated) == (False, False)
    assert "contradicts it: " not in verdict.reason
    done = FactCheck(Claim("c", "A claim."), sentences=sentences, evidence=tuple(shown), verdict=verdict)
    assert ("rests on no sentence" in grounding_sentence(done)) == (not sentences)


# Conflict

FOR, AGAINST = scored(0, 0, 0.95, 0.9, 0.05), scored(1, 0, 0.9, 0.05, 0.9)


def test_strong_sentences_of_two_pages_conflict() -> None:
    verdict = verdict_of([FOR, AGAINST], conflicting_from=0.4)
    assert verdict.label is Label.CONFLICTING
    assert verdict.confidence == pytest.approx(0.9 * 0.9), "as sure as its weaker side"
    assert sum(verdict.probabilities.values()) == pytest.approx(1)
    assert verdict.grounded is True
    assert not verdict.calibrated, "the strength of a conflict is no probability"
    assert verdict.reason == "“One” speaks for it: “One says 0.” But “Two” speaks against it: “Two says 0.”"


def test_what_is_no_conflict() -> None:
    same_page = replace(AGAINST, sentence=PAGES[0].sentences()[1])
    weak = replace(AGAINST, relevance=0.4)
    for sentences in ([FOR, same_page], [FOR, weak], [FOR], [AGAINST], []):
        verdict = verdict_of(sentences, conflicting_from=0.4)
        assert set(verdict.probabilities) == set(LABELS)
    assert set(verdict_of([FOR, AGAINST]).probabilities) == set(LABELS), "never where it is not asked for"
    assert find_conflict(CLAIM, [FOR, replace(AGAINST, verified=False)]) is None
    assert find_conflict(CLAIM, [FOR, same_page]) is None


def test_a_conflict_that_remains_without_the_sentences_cited() -> None:
    others = [replace(e, sentence=PAGES[n % 2].sentences()[3], relevance=0.45) for n, e in enumerate([FOR, AGAINST])]
    beyond = [replace(e, stance=Stance(*stance)) for e, stance in zip(others, ((1, 0, 0), (0, 1, 0)), strict=True)]
    verdict = verdict_of([FOR, AGAINST, *beyond], conflicting_from=0.4)
    assert (verdict.label, verdict.label_without_evidence) == (Label.CONFLICTING, Label.CONFLICTING)
    assert verdict.grounded is False


@given(EVIDENCE, SHARES)
def test_probabilities_stay_probabilities(sentences: tuple[Evidence, ...], least: float) -> None:
    verdict = verdict_of(sentences, conflicting_from=least)
    for shares in filter(None, (verdict.probabilities, verdict.without_evidence)):
        assert sum(shares.values()) == pytest.approx(1)
        assert all(0 <= share <= 1 for share in shares.values())
    assert verdict.label is likeliest(verdict.probabilities)
    assert verdict.confidence == max(verdict.probabilities.values())
    if verdict.label is Label.CONFLICTING:
        conflict = find_conflict(CLAIM, choose(sentences, 5))
        assert conflict is not None
        assert conflict.strength >= least > 0
        assert conflict.support.sentence.page_id != conflict.refutation.sentence.page_id
        assert conflict.support.sentence.text in verdict.reason
        assert conflict.refutation.sentence.text in verdict.reason
    else:
        three = verdict_of(sentences)
        assert verdict.label is three.label, "the order of the other labels never changes"


@given(st.lists(SHARES, min_size=3, max_size=3), SHARES, SHARES)
def test_a_conflict_takes_its_share_from_all(weights: list[float], strength: float, least: float) -> None:
    total = sum(weights) or 1.0
    before = dict(zip(LABELS, (weight / total for weight in weights), strict=True))
    after = add_conflict(before, strength, least)
    if 0 < least <= strength:
        assert after[Label.CONFLICTING] == strength
        assert all(after[label] == before[label] * (1 - strength) for label in LABELS)
    else:
        assert after == before


def test_a_model_with_its_own_share_of_conflict_is_left_alone() -> None:
    own = dict.fromkeys(Label, 0.25)
    assert add_conflict(own, 0.9, 0.4) is own


class FourShares:
    """Implements `VerdictModel`: says CONFLICTING whatever it reads."""

    id, calibration_error = "four", 0.03

    def probabilities(self, claim: str, sentences: Sequence[Evidence]) -> Mapping[Label, float]:
        return {Label.CONFLICTING: 0.6, Label.REFUTED: 0.3, Label.SUPPORTED: 0.1, Label.NOT_ENOUGH_EVIDENCE: 0.0}


def test_no_model_finds_a_conflict_within_one_page() -> None:
    same_page = replace(AGAINST, sentence=PAGES[0].sentences()[1])
    policy = Policy(FourShares(), 5, conflicting_from=0.4, side_from=0.0)
    for shown in ([FOR, same_page], [FOR], []):
        verdict = policy.local("A claim.", shown, shown)
        assert verdict.label is Label.REFUTED
        assert verdict.probabilities == pytest.approx(
            {Label.REFUTED: 0.75, Label.SUPPORTED: 0.25, Label.NOT_ENOUGH_EVIDENCE: 0.0}
        )
        assert not verdict.calibrated
    verdict = policy.local("A claim.", [FOR, AGAINST], [FOR, AGAINST])
    assert (verdict.label, verdict.confidence, verdict.calibrated) == (Label.CONFLICTING, 0.6, True)
    assert replace(policy, conflicting_from=0.0).local("", [FOR, AGAINST], [FOR, AGAINST]).label is Label.REFUTED


# Sources


def test_one_page_and_its_copies_are_one_source() -> None:
    second = replace(FOR, sentence=PAGES[0].sentences()[1])
    copy = replace(FOR, sentence=replace(FOR.sentence, page_id="Copy", text=f" {FOR.sentence.text.upper()} "))
    other = replace(FOR, sentence=PAGES[1].sentences()[0])
    for cited in ([FOR], [FOR, second], [FOR, copy], [FOR, AGAINST]):
        assert one_source(Label.SUPPORTED, cited)
    assert not one_source(Label.SUPPORTED, [FOR, other])
    assert not one_source(Label.SUPPORTED, [])
    assert not any(one_source(label, [FOR]) for label in (Label.NOT_ENOUGH_EVIDENCE, Label.CONFLICTING))
    assert verdict_of([DECIDES, HARDLY]).one_source


# No verdict without a side

NEUTRAL = scored(0, 0, 0.95, 0.02, 0.2)  # 78 % neutral
WEAK = scored(0, 1, 0.3, 0.05, 0.8)  # too far behind the best to be shown for its weight


class Sure:
    """Implements `VerdictModel`: refuted with this share, whatever it reads."""

    id, calibration_error = "sure", 0.02

    def __init__(self, share: float = 0.54) -> None:
        self.shares = {Label.SUPPORTED: 0.06, Label.REFUTED: share, Label.NOT_ENOUGH_EVIDENCE: 0.94 - share}

    def probabilities(self, claim: str, sentences: Sequence[Evidence]) -> Mapping[Label, float]:
        return self.shares


def test_a_verdict_that_no_sentence_shares_decides_nothing() -> None:
    verdict = Policy(Sure(), 5).local("A claim.", [NEUTRAL], [NEUTRAL])
    assert verdict.label is Label.NOT_ENOUGH_EVIDENCE
    assert verdict.probabilities == pytest.approx(
        {Label.SUPPORTED: 0.06, Label.REFUTED: 0.0, Label.NOT_ENOUGH_EVIDENCE: 0.94}
    )
    assert (verdict.calibrated, verdict.leans, verdict.without_evidence) == (False, False, None)
    assert "does not decide it" in verdict.reason


def test_the_sentence_that_takes_the_side_is_shown() -> None:
    sentences = [NEUTRAL, WEAK]
    shown = choose(sentences, 5)
    assert shown == sentences
    verdict = Policy(Sure(), 5).local("A claim.", sentences, shown)
    assert (verdict.label, verdict.calibrated) == (Label.REFUTED, True)
    assert WEAK.sentence.text in verdict.reason
    assert choose([DECIDES, WEAK], 5) == [DECIDES], "one that takes a side is there already"
    assert choose([NEUTRAL, replace(WEAK, relevance=0.01)], 5) == [NEUTRAL], "nor what is not worth showing at all"


def test_a_sentence_that_only_favours_the_side_suffices_where_the_settings_say_so() -> None:
    policy = Policy(Sure(0.9), 5, side_from=0.25)
    verdict = policy.local("A claim.", [NEUTRAL], [NEUTRAL])
    assert (verdict.label, verdict.leans) == (Label.REFUTED, True), "however sure it is"
    assert replace(policy, side_from=0.3).local("", [NEUTRAL], [NEUTRAL]).label is Label.NOT_ENOUGH_EVIDENCE


@given(EVIDENCE, SHARES, SHARES)
def test_a_decided_verdict_has_a_sentence_of_its_side(
    sentences: tuple[Evidence, ...], least: float, threshold: float
) -> None:
    verdict, shown = verdict_of(sentences, conflicting_from=least, lean_below=threshold), choose(sentences, 5)
    sides = {
        Label.SUPPORTED: [one for one in shown if one.stance.supports >= max(one.stance.refutes, one.stance.neutral)],
        Label.REFUTED: [one for one in shown if one.stance.refutes >= max(one.stance.supports, one.stance.neutral)],
    }
    assert sides.get(verdict.label, [True])
    assert verdict.leans == (verdict.label in sides and verdict.confidence < threshold)


# Abstention


@given(EVIDENCE, SHARES)
def test_it_abstains_below_the_threshold_and_still_says_where_it_leans(
    sentences: tuple[Evidence, ...], threshold: float
) -> None:
    verdict, decided = verdict_of(sentences, abstain_below=threshold), verdict_of(sentences)
    assert verdict.abstained == (verdict.confidence < threshold)
    assert not decided.abstained
    assert replace(verdict, abstained=False) == decided


# The real models


@pytest.fixture(scope="module")
def quarrel(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Two pages that contradict each other, and two that do not."""
    folder = tmp_path_factory.mktemp("quarrel")
    rows = [
        dump_row("Osk_bridge", "The Osk bridge was never finished .", "Its eastern pier stands in the river ."),
        dump_row("Osk", "Osk is a town on the river Verrin .", "The Osk bridge was finished in 1931 ."),
        dump_row("Verrin", "The Verrin is a river ."),
    ]
    load_fever([write_dump(folder / "wiki-001.jsonl", rows)], str(folder / "store"), name="quarrel")
    return str(folder / "store")


def checked(settings: Settings, resources: Resources, claim: str) -> FactCheck:
    """By recipe `fast` with the models that are loaded already."""
    own = Resources(settings, resources.loaded)
    try:
        return own.pipeline("fast").run(Claim("c", claim))
    finally:
        own.close()


def test_pages_that_contradict_each_other(quarrel: str, resources: Resources) -> None:
    resources.warm_up()
    settings = Settings(store=quarrel)
    verdict = checked(settings, resources, "The Osk bridge was never finished.").verdict
    assert verdict is not None
    assert verdict.label is Label.CONFLICTING
    assert "“Osk bridge” speaks for it: “The Osk bridge was never finished.”" in verdict.reason
    assert "“Osk” speaks against it: “The Osk bridge was finished in 1931.”" in verdict.reason
    assert verdict.grounded is True
    three = checked(replace(settings, conflicting_from=0.0), resources, "The Osk bridge was never finished.").verdict
    assert three is not None
    assert three.label in LABELS
    assert set(three.probabilities) == set(LABELS)


def computed(resources: Resources, claim: str, sentences: Sequence[Evidence]) -> Mapping[Label, float]:
    """The shares of the labels over these sentences: the model's, whose side counts only if a shown sentence takes it."""
    best, counted = heard(claim, sentences)[:5], heard(claim, sentences)
    together = resources.pair_scorer().judge_together(claim, [as_read(e) for e in best])
    exact = [exactly(claim, e.title, e.sentence.text) for e in best]
    shares = model().probabilities([e.weight for e in best], [e.stance for e in best], together, exact)
    shown = [one for one in choose(sentences, 5) if one in counted]
    return shares if rests_on_any(likeliest(shares), shown, resources.settings.side_from) else without_side(shares)


def test_the_test_is_that_of_the_record(resources: Resources) -> None:
    """What the record says can be computed again from it."""
    pipeline = resources.pipeline("fast")
    seen = set()
    with open(ROOT / "data" / "sample" / "claims.jsonl", encoding="utf-8") as lines:
        for line in islice(lines, 0, None, 12):
            check = pipeline.run(Claim("c", json.loads(line)["claim"]))
            verdict = check.verdict
            assert verdict is not None
            seen.add(verdict.grounded)
            assert (verdict.grounded is None) == (verdict.label is Label.NOT_ENOUGH_EVIDENCE)
            if verdict.without_evidence and Label.CONFLICTING not in verdict.without_evidence:
                left = not_cited(check.sentences, check.evidence)
                assert verdict.without_evidence == computed(resources, check.claim.reading, left)
    assert {True, None} <= seen


JORDAN = make_page("Michael Jordan", "He was born in Brooklyn.", "Michael Jordan was born in Brooklyn.")
NAMESAKE = make_page("Michael B. Jordan", "He was born in Santa Ana.")


@pytest.mark.parametrize(
    ("claim", "line", "another"),
    [
        ("Michael B. Jordan was born in Brooklyn.", 0, True),
        ("Michael B. Jordan was born in Brooklyn.", 1, False),  # it says itself of whom it speaks
        ("Michael Jordan was born in Brooklyn.", 0, False),
        ("The player Jordan was born in Brooklyn.", 0, False),
        ("MICHAEL JORDAN was born there.", 0, False),
        ("jordan was born in brooklyn.", 0, False),
        ("Roger Federer was born in Brooklyn.", 0, True),
        ("", 0, True),
    ],
)
def test_a_pronoun_speaks_of_its_page(claim: str, line: int, another: bool) -> None:
    assert speaks_of_another(claim, JORDAN.sentences()[line]) is another


def test_what_is_said_of_a_namesake_is_no_conflict() -> None:
    says = Evidence(JORDAN.sentences()[0], 0.95, Stance(0.95, 0.03, 0.02), "claim")
    denies = Evidence(NAMESAKE.sentences()[0], 0.95, Stance(0.03, 0.95, 0.02), "claim")
    assert find_conflict("Michael B. Jordan was born in Brooklyn.", [says, denies]) is None
    assert find_conflict("Jordan was born in Brooklyn.", [says, denies]) is not None
