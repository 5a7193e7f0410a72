"""A verdict in one to three words, and whether a share may be shown with it, for pages and exports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from retrieval.types import Label, Verdict

LABELS: Mapping[str, str] = {
    Label.SUPPORTED: "Supported",
    Label.REFUTED: "Refuted",
    Label.NOT_ENOUGH_EVIDENCE: "Not enough evidence",
    Label.CONFLICTING: "Conflicting evidence",
}
LEANING: Mapping[str, str] = {Label.SUPPORTED: "Leans supported", Label.REFUTED: "Leans refuted"}
NOT_SURE = "Not sure"  # shown instead of the label if the verdict abstains


class Labelled(Protocol):
    """The fields that a verdict shares with a database row that holds one."""

    @property
    def label(self) -> str | None:
        """The label; None if there is no verdict."""

    @property
    def abstained(self) -> bool | None:
        """See `Verdict`; None in tables of earlier versions."""

    @property
    def leans(self) -> bool | None:
        """See `Verdict`; None in tables of earlier versions."""


def headline(verdict: Labelled) -> str:
    """The verdict in one to three words; empty if there is none."""
    if verdict.label is None:
        return ""
    if verdict.abstained:
        return NOT_SURE
    return (LEANING if verdict.leans else LABELS).get(verdict.label, LABELS[verdict.label])


def kind_of_share(verdict: Verdict) -> str:
    """The name of the number beside the verdict: a probability only if calibration was measured."""
    if verdict.calibrated:
        return "probability"
    return "the model's own rating" if verdict.rated else "estimate"


def shows_share(verdict: Verdict) -> bool:
    """Whether to show a number with the verdict: with “not enough evidence”, people would take it for a finding."""
    return bool(verdict.probabilities) and verdict.label is not Label.NOT_ENOUGH_EVIDENCE
