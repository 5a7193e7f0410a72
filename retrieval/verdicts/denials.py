"""Judges a denial as its positive sentence: support for that refutes the denial, and the other way round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Protocol

from retrieval.types import Evidence, Label, Stance

OPPOSITE = {Label.SUPPORTED: Label.REFUTED, Label.REFUTED: Label.SUPPORTED}


class Judging(Protocol):
    """The part of `VerdictModel` that is reversed."""

    @property
    def id(self) -> str:
        """The name that the verdict's `method` shows."""
        ...

    @property
    def calibration_error(self) -> float | None:
        """The calibration error of its shares, if measured."""
        ...

    def probabilities(self, claim: str, sentences: Sequence[Evidence]) -> Mapping[Label, float]:
        """One share a label."""
        ...


@dataclass(frozen=True)
class TurnedRound:
    """Implements `VerdictModel` for a denial. Asked with its positive sentence and with stances towards the denial."""

    model: Judging

    @property
    def id(self) -> str:
        """The model's."""
        return self.model.id

    @property
    def calibration_error(self) -> float | None:
        """The model's."""
        return self.model.calibration_error

    def probabilities(self, claim: str, sentences: Sequence[Evidence]) -> Mapping[Label, float]:
        """The shares of the denial's labels."""
        shares = self.model.probabilities(claim, [turned(one) for one in sentences])
        return MappingProxyType({OPPOSITE.get(label, label): share for label, share in shares.items()})


def turned(evidence: Evidence) -> Evidence:
    """The sentence with its stance towards the opposite claim."""
    stance = evidence.stance
    return replace(evidence, stance=Stance(stance.refutes, stance.supports, stance.neutral))
