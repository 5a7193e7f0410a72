"""A denial's verdict is that of its positive sentence, turned round with all that it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import pytest

from retrieval.output.record import check_as_json, dump_check, load_check
from retrieval.pipeline import Pipeline
from retrieval.stage_names import STANCES
from retrieval.stages.verdict import SEVERAL, ChooseEvidence, LocalVerdict, StancesToClaim, with_denials
from retrieval.types import Claim, Evidence, FactCheck, Hit, Label, Progress, Sentence, Stance
from retrieval.verdicts.policy import Policy, turned
from tests.making import make_page

PAGE = make_page("Anchor Bridge", "The Anchor Bridge was opened in 1932.", "It is closed to lorries.")
DENIAL = Claim(
    "c", "The Anchor Bridge was not opened in 1932.", read="The Anchor Bridge was opened in 1932.", turned=True
)


@dataclass
class ByBest:
    """Shares by the best sentence's stance; remembers what it was asked."""

    asked: list[str]
    id: str = "best"
    calibration_error: float | None = 0.02

    def probabilities(self, claim: str, sentences: Sequence[Evidence]) -> Mapping[Label, float]:
        self.asked.append(claim)
        if not sentences:
            return {Label.SUPPORTED: 0.1, Label.REFUTED: 0.2, Label.NOT_ENOUGH_EVIDENCE: 0.7}
        stance = sentences[0].stance
        return {
            Label.SUPPORTED: stance.supports,
            Label.REFUTED: stance.refutes,
            Label.NOT_ENOUGH_EVIDENCE: stance.neutral,
        }


def evidence(number: int, stance: Stance, relevance: float = 0.9) -> Evidence:
    line, start, end = PAGE.lines[number]
    return Evidence(Sentence(PAGE.id, PAGE.title, line, start, end, PAGE.text[start:end]), relevance, stance, "words")


def checked(stance: Stance, claim: Claim = DENIAL) -> tuple[FactCheck, ByBest]:
    model = ByBest([])
    found = FactCheck(
        claim,
        pages=(Hit(PAGE, 1.0, "title"),),
        sentences=(evidence(0, stance), evidence(1, Stance(0.1, 0.1, 0.8), 0.2)),
    )
    pipeline = with_denials(Pipeline("p", (Found(found), ChooseEvidence(1), LocalVerdict(Policy(model, 1)))))
    return pipeline.run(claim), model


@dataclass(frozen=True)
class Found:
    """Puts what was found into the check."""

    check: FactCheck
    name = "sentences"
    reads = ("claim",)
    writes = ("sentences", "pages")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        yield Progress(self.name, 1, 1, replace(check, sentences=self.check.sentences, pages=self.check.pages))


@pytest.mark.parametrize(
    ("stance", "label", "word"),
    [
        (Stance(0.8, 0.1, 0.1), Label.REFUTED, "contradicts it"),
        (Stance(0.1, 0.8, 0.1), Label.SUPPORTED, "supports it"),
        (Stance(0.1, 0.1, 0.8), Label.NOT_ENOUGH_EVIDENCE, "does not decide it"),
    ],
)
def test_verdict_stances_and_reason_are_those_of_the_denial(stance: Stance, label: Label, word: str) -> None:
    check, model = checked(stance)
    assert check.verdict is not None
    assert set(model.asked) == {"The Anchor Bridge was opened in 1932."}, "the model reads the positive sentence alone"
    assert (check.verdict.label, check.verdict.calibrated) == (label, True)
    assert check.verdict.probabilities[Label.REFUTED] == stance.supports
    assert check.evidence[0].stance == Stance(stance.refutes, stance.supports, stance.neutral)
    assert word in check.verdict.reason
    if label is not Label.NOT_ENOUGH_EVIDENCE:
        assert check.verdict.without_evidence == {
            Label.REFUTED: 0.1,
            Label.SUPPORTED: 0.1,
            Label.NOT_ENOUGH_EVIDENCE: 0.8,
        }


def test_the_same_sentence_read_as_it_stands_is_not_turned() -> None:
    check, _ = checked(Stance(0.8, 0.1, 0.1), Claim("c", "The Anchor Bridge was opened in 1932."))
    assert check.verdict is not None
    assert check.verdict.label is Label.SUPPORTED
    assert STANCES not in check.timings


def test_a_claim_of_several_sentences_is_not_supported_as_a_whole() -> None:
    one, two = (
        Claim("c", "The Anchor Bridge was opened in 1932."),
        Claim("c", "The Anchor Bridge was opened in 1932. It is in Berlin."),
    )
    (single, _), (both, _) = checked(Stance(0.8, 0.1, 0.1), one), checked(Stance(0.8, 0.1, 0.1), two)
    assert single.verdict is not None
    assert both.verdict is not None
    assert (single.verdict.abstained, single.notes) == (False, ())
    assert (both.verdict.abstained, both.notes) == (True, (SEVERAL,))
    refuted, _ = checked(Stance(0.1, 0.8, 0.1), two)
    assert refuted.verdict is not None
    assert not refuted.verdict.abstained, "one false sentence is enough"


def test_turned_twice_is_as_before() -> None:
    one = evidence(0, Stance(0.7, 0.2, 0.1))
    assert turned(turned(one)) == one


def test_stances_stand_behind_all_that_writes_sentences() -> None:
    pipeline = with_denials(
        Pipeline("p", (Found(FactCheck(DENIAL)), ChooseEvidence(1), LocalVerdict(Policy(ByBest([]), 1))))
    )
    assert [type(stage) for stage in pipeline.stages][2:] == [StancesToClaim, LocalVerdict]


def test_the_record_tells_it_and_keeps_it() -> None:
    check, _ = checked(Stance(0.8, 0.1, 0.1))
    shown = check_as_json(check)
    assert (shown["claim"], shown["read_as"], shown["denial"], shown["no_verdict"]) == (
        DENIAL.text,
        DENIAL.read,
        True,
        None,
    )
    assert load_check(dump_check(check)) == check
