"""The one place that makes a verdict, for all recipes, with a local model or a language model.

- Subject: if other pages contradict the page that the claim names, that page counts.
- Namesakes: a sentence about another bearer of the name is not a contradiction.
- Conflict: CONFLICTING needs sentences of different sources, one for the claim and one against it.
- Side: a local verdict that decides needs a shown sentence whose likeliest stance is its side; else nothing is decided.
- Grounding: a verdict that decides is computed again without the sentences it cites.
- Leaning: below a confidence, a local verdict only leans to its side.
- Abstention: below a confidence that people set, the verdict only says which label it leans towards.
- Calibration: shares are probabilities only if calibration was measured; a language model's ratings never are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Protocol

from retrieval.llm.replies import CAUTIOUS, Opinion
from retrieval.text.addresses import source_of
from retrieval.types import SIDES, Claim, Evidence, Label, Stance, Verdict, likeliest
from retrieval.verdicts.conflict import TwoSides, add_conflict, find_conflict, without_conflict
from retrieval.verdicts.namesakes import find_namesakes, heard, set_aside, told_apart
from retrieval.verdicts.reasons import dissent, reason
from retrieval.verdicts.side import LIKELIEST, rests_on_any, takes_a_side, without_side

CLOSE_TO_BEST = 0.6  # share of the best sentence's weight below which a sentence is not shown as evidence
LEAST_WEIGHT = 0.02
NO_CONFLICT = (
    "The language model calls the evidence conflicting. A conflict needs sentences of different sources, and there is none "
    "here, so the label with its next best rating counts."
)


class VerdictModel(Protocol):
    """Turns sentences into label probabilities. Decides which of them to read, and whether singly or together.

    calibration_error: of its probabilities (expected calibration error, 0 to 1), measured on claims it was not fitted
    on, with sentences as this recipe finds them; None if not measured: then the shares are not probabilities.
    """

    @property
    def id(self) -> str:
        """The name that the verdict's `method` shows."""
        ...

    @property
    def calibration_error(self) -> float | None:
        """See above."""
        ...

    def probabilities(self, claim: str, sentences: Sequence[Evidence]) -> Mapping[Label, float]:
        """One share a label; they sum to 1. sentences: best first, may be empty. A label that the model does not know
        is left out.
        """
        ...


OPPOSITE = {Label.SUPPORTED: Label.REFUTED, Label.REFUTED: Label.SUPPORTED}


@dataclass(frozen=True)
class TurnedRound:
    """Implements `VerdictModel` for a denial, whose positive sentence the model judges: support for that refutes the denial."""

    model: VerdictModel

    @property
    def id(self) -> str:
        """The model's."""
        return self.model.id

    @property
    def calibration_error(self) -> float | None:
        """The model's."""
        return self.model.calibration_error

    def probabilities(self, claim: str, sentences: Sequence[Evidence]) -> Mapping[Label, float]:
        """The shares of the denial's labels. claim: the positive sentence; sentences: with stances towards the denial."""
        shares = self.model.probabilities(claim, [turned(one) for one in sentences])
        return MappingProxyType({OPPOSITE.get(label, label): share for label, share in shares.items()})


def turned(evidence: Evidence) -> Evidence:
    """The sentence with its stance towards the opposite claim."""
    stance = evidence.stance
    return replace(evidence, stance=Stance(stance.refutes, stance.supports, stance.neutral))


@dataclass(frozen=True)
class Policy:
    """The rules of a recipe.

    top_k: most sentences that a verdict rests on; a recipe may show more. conflicting_from: least strength, 0 to 1, of a conflict that counts; 0: no
    verdict is CONFLICTING. abstain_below: the confidence below which a verdict is marked as not sure; lean_below: the one
    below which a local verdict is marked as only leaning to its side. side_from: least share of a sentence for a side,
    relative to its neutral share, for a verdict to rest on it; 1: the side is its likeliest stance, 0: no sentence is needed. two_sides: whether
    a conflict overrules a model that knows the label, see `add_conflict`.
    """

    model: VerdictModel
    top_k: int
    conflicting_from: float = 0.0
    abstain_below: float = 0.0
    lean_below: float = 0.0
    side_from: float = LIKELIEST
    two_sides: TwoSides = "off"

    def about(self, claim: Claim) -> Policy:
        """The rules for this claim: of a denial, the model judges the positive sentence."""
        return replace(self, model=TurnedRound(self.model)) if claim.turned else self

    def local(self, claim: str, sentences: Sequence[Evidence], evidence: Sequence[Evidence]) -> Verdict:
        """The local model's verdict. sentences: all that were read, best first; evidence: those that are shown."""
        shares, measured = self._judge(claim, sentences, evidence)
        label, against = likeliest(shares), set_aside(claim, sentences)
        counted = [one for one in evidence if one.sentence not in against]
        namesakes = find_namesakes(claim, sentences)
        about_others = namesakes.aside if namesakes else frozenset()
        others = [one for one in evidence if one.sentence in against and one.sentence not in about_others]
        return Verdict(
            label,
            shares,
            reason(label, claim, counted) + dissent(label, others) + told_apart(namesakes),
            self.model.id,
            abstained=shares[label] < self.abstain_below,
            without_evidence=self._without(claim, sentences, evidence) if is_tested(label) else None,
            calibrated=measured,
            one_source=one_source(label, counted),
            leans=label in SIDES and (shares[label] < self.lean_below or not rests_on_any(label, counted)),
        )

    def rated(self, opinion: Opinion, evidence: Sequence[Evidence], method: str) -> tuple[Verdict, tuple[str, ...]]:
        """A language model's verdict over the evidence it was shown, and notes about it."""
        notes: tuple[str, ...] = ()
        cited = cited_by(opinion, evidence)
        if opinion.label is Label.CONFLICTING and not (self.conflicting_from and _of_two_sources(cited)):
            opinion, notes = _next_rating(opinion), (NO_CONFLICT,)
        verdict = Verdict(opinion.label, opinion.ratings, opinion.reason, method, sources=opinion.sources)
        abstained = verdict.confidence < self.abstain_below
        return replace(verdict, abstained=abstained, one_source=one_source(opinion.label, cited)), notes

    def _without(
        self, claim: str, sentences: Sequence[Evidence], evidence: Sequence[Evidence]
    ) -> Mapping[Label, float]:
        """The grounding test: withholds the cited sentences and moves the next best ones up."""
        others = not_cited(sentences, evidence)
        return self._judge(claim, others, choose(others, self.top_k))[0]

    def _judge(
        self, claim: str, sentences: Sequence[Evidence], shown: Sequence[Evidence]
    ) -> tuple[Mapping[Label, float], bool]:
        """Shares of the labels, and whether they are unchanged from the model, as when calibration was measured.

        Only sentences that are shown, at most `top_k`, can conflict or take a side. Sentences that the pages named by the claim
        contradict are ignored, and those about a namesake.
        """
        against = set_aside(claim, sentences)
        modelled = self.model.probabilities(claim, [one for one in sentences if one.sentence not in against])
        counted = [one for one in shown[: self.top_k] if one.sentence not in against]
        conflict = find_conflict(claim, counted) if self.conflicting_from else None
        shares = modelled
        if conflict:
            shares = add_conflict(modelled, conflict.strength, self.conflicting_from, self.two_sides)
        if conflict is None and likeliest(shares) is Label.CONFLICTING:
            shares = without_conflict(shares)
        if not rests_on_any(likeliest(shares), counted, self.side_from):
            shares = without_side(shares)
        return shares, shares is modelled and self.model.calibration_error is not None


def choose(scored: Sequence[Evidence], top_k: int) -> list[Evidence]:
    """The first `top_k` sentences with enough weight to be shown; `scored` is best first.

    If none of these takes a side, the first one that does is shown too, because a verdict may rest on it.
    """
    worth = [evidence for evidence in scored[:top_k] if evidence.weight >= LEAST_WEIGHT]
    close = [evidence for evidence in worth if evidence.weight >= CLOSE_TO_BEST * scored[0].weight]
    decided = [evidence for evidence in worth if takes_a_side(evidence.stance)]
    return close if any(evidence in close for evidence in decided) else [*close, *decided[:1]]


def shown_for(claim: str, scored: Sequence[Evidence], top_k: int) -> list[Evidence]:
    """The sentences chosen from those that count, plus the best of the others, which readers should see."""
    counted = heard(claim, scored)
    against = [evidence for evidence in choose(scored, top_k) if evidence not in counted][:1]
    return [*choose(counted, max(1, top_k - len(against))), *against][:top_k]


def is_tested(label: Label) -> bool:
    """NOT_ENOUGH_EVIDENCE cites nothing that decides, so there is nothing to withhold."""
    return label is not Label.NOT_ENOUGH_EVIDENCE


def not_cited(sentences: Sequence[Evidence], cited: Sequence[Evidence]) -> list[Evidence]:
    """The others, in their order."""
    withheld = {evidence.sentence for evidence in cited}
    return [evidence for evidence in sentences if evidence.sentence not in withheld]


def cited_by(opinion: Opinion, evidence: Sequence[Evidence]) -> list[Evidence]:
    """The sentences that a language model's verdict rests on: those it names, or all it was shown if it names none."""
    return [evidence[number - 1] for number in opinion.sources] or list(evidence)


def one_source(label: Label, cited: Sequence[Evidence]) -> bool:
    """Whether all support for a deciding label is in one article or document. Copies do not count."""
    if label not in SIDES:
        return False
    leaning = [e for e in cited if (e.stance.supports > e.stance.refutes) == (label is Label.SUPPORTED)] or cited
    first: dict[str, str] = {}
    for evidence in leaning:
        first.setdefault(" ".join(evidence.sentence.text.casefold().split()), source_of(evidence.sentence))
    return len(set(first.values())) == 1


def _of_two_sources(cited: Sequence[Evidence]) -> bool:
    return len({source_of(evidence.sentence) for evidence in cited if evidence.verified}) > 1


def _next_rating(opinion: Opinion) -> Opinion:
    """The opinion with its best-rated label other than CONFLICTING; among equal ratings, the most cautious."""
    ratings = without_conflict(opinion.ratings)
    best = max(ratings.values(), default=0.0)
    label = next((one for one in CAUTIOUS if ratings.get(one) == best), Label.NOT_ENOUGH_EVIDENCE)
    return replace(opinion, label=label, ratings=ratings)
