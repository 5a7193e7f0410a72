"""The sentence that would change a verdict first: the strongest one for the other side."""

from __future__ import annotations

from retrieval.types import Evidence, FactCheck, Label

TAKES_A_SIDE = 0.25  # least share of a sentence's stance for it to take a side
OTHER_SIDE = {Label.SUPPORTED: ("refutes",), Label.REFUTED: ("supports",)}
BOTH = ("supports", "refutes")


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

    read = [one for one in (*check.evidence, *check.sentences) if speaks(one) >= TAKES_A_SIDE]
    return max(read, key=lambda one: one.weight * speaks(one), default=None)
