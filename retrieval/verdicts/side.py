"""Whether a verdict for or against a claim has a sentence that takes its side, and which one takes the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from retrieval.types import SIDES, Evidence, FactCheck, Label, Stance, likeliest

LIKELIEST = 1.0  # share of a side, as a part of the neutral share, from which it is the likeliest stance
LEAST_NEUTRAL = 1e-9  # divides a share where a stance has no neutral one
LEAST_OTHER_SIDE = 0.25  # least share of a sentence's stance for the other side, for it to be shown
OTHER_SIDE = {Label.SUPPORTED: ("refutes",), Label.REFUTED: ("supports",)}
BOTH = ("supports", "refutes")


def side_share(label: Label, stance: Stance) -> float:
    """The stance's share for a side, divided by its neutral share; 0 if the other side's share is no smaller."""
    own, other = stance.supports, stance.refutes
    if label is Label.REFUTED:
        own, other = other, own
    return own / max(stance.neutral, LEAST_NEUTRAL) if own > other else 0.0


def takes_a_side(stance: Stance) -> bool:
    """Whether the likeliest stance is not neutral."""
    return any(side_share(label, stance) >= LIKELIEST for label in SIDES)


def rests_on_any(label: Label, evidence: Sequence[Evidence], least: float = LIKELIEST) -> bool:
    """Whether a verdict of this label may rest on one of the sentences. One that takes no side needs none."""
    return label not in SIDES or not least or any(side_share(label, one.stance) >= least for one in evidence)


def without_side(shares: Mapping[Label, float]) -> Mapping[Label, float]:
    """Moves the share of the likeliest label, a side that no sentence takes, to NOT_ENOUGH_EVIDENCE."""
    label, undecided = likeliest(shares), Label.NOT_ENOUGH_EVIDENCE
    return MappingProxyType({**shares, label: 0.0, undecided: shares.get(undecided, 0.0) + shares[label]})


def would_change(check: FactCheck) -> Evidence | None:
    """The strongest sentence read for the other side, by weight and stance; None if there is none. If nothing decides,
    either side counts as the other; if the evidence conflicts, both are shown already.
    """
    if check.verdict is None or check.verdict.label is Label.CONFLICTING:
        return None
    wanted = OTHER_SIDE.get(check.verdict.label, BOTH)

    def speaks(evidence: Evidence) -> float:
        shares = {"supports": evidence.stance.supports, "refutes": evidence.stance.refutes}
        return max(shares[side] for side in wanted)

    read = [one for one in (*check.evidence, *check.sentences) if speaks(one) >= LEAST_OTHER_SIDE]
    return max(read, key=lambda one: one.weight * speaks(one), default=None)
