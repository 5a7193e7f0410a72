"""The evidence for and against a claim, and the sentence most likely to change its verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from app.jobs.checks import FAILED, StoredCheck
from app.reports.decisions import signed
from app.reports.table import ReportClaim
from app.web.moved_on import since_then
from app.web.presentation import Quotation, pages_with_evidence, stance_of
from app.web.services import services
from retrieval.types import Claim, Evidence, FactCheck, Label

LEAST = 0.25  # least share of a sentence's stance for it to take a side
OTHER_SIDE = {Label.SUPPORTED: ("refutes",), Label.REFUTED: ("supports",)}
BOTH = ("supports", "refutes")


@dataclass(frozen=True)
class Change:
    """anchor: of the quotation; empty if it is not among the evidence."""

    evidence: Evidence
    anchor: str


def sides(check: FactCheck) -> dict[str, list[Quotation]]:
    """The evidence by stance: supports, refutes, neutral; each strongest first."""
    found: dict[str, list[Quotation]] = {"supports": [], "refutes": [], "neutral": []}
    quotations = [quotation for page in pages_with_evidence(check) for quotation in page.quotations]
    for quotation in sorted(quotations, key=lambda one: -stance_of(one.evidence.stance)[1]):
        found[stance_of(quotation.evidence.stance)[0]].append(quotation)
    return found


def change(check: FactCheck) -> Change | None:
    """The strongest sentence read for the other side, by weight and stance; None if there is none. If nothing decides,
    either side counts as the other; if the evidence conflicts, both are shown already.
    """
    if check.verdict is None or check.verdict.label is Label.CONFLICTING:
        return None
    wanted = OTHER_SIDE.get(check.verdict.label, BOTH)

    def speaks(evidence: Evidence) -> float:
        shares = {"supports": evidence.stance.supports, "refutes": evidence.stance.refutes}
        return max(shares[side] for side in wanted)

    read = [one for one in (*check.evidence, *check.sentences) if speaks(one) >= LEAST]
    best = max(read, key=lambda one: one.weight * speaks(one), default=None)
    if best is None:
        return None
    place = (best.sentence.page_id, best.sentence.start)
    for page in pages_with_evidence(check):
        for quotation in page.quotations:
            if (quotation.evidence.sentence.page_id, quotation.evidence.sentence.start) == place:
                return Change(best, quotation.anchor)
    return Change(best, "")


def decision_parts(check: StoredCheck) -> dict[str, Any]:
    """What `change.html` and `decision.html` show of a check."""
    decisions = services().decisions.of([check.id]).get(check.id, [])
    return {
        "change": change(check.complete),
        "decisions": decisions,
        "signed": signed(decisions),
        "typed": {"label": "", "author": "", "note": ""},
    }


def claim_parts(row: ReportClaim) -> dict[str, Any]:
    """What `report_claim.html` and `panel.html` show of a claim of a report; waiting: there is nothing to show yet. Of a
    check that failed only what a person decides.
    """
    check = services().checks.get(row.check_id) if row.check_id and row.ended else None
    if check is None or row.state == FAILED:
        decided = {"check": check, **decision_parts(check)} if check else {}
        return {"row": row, "record": FactCheck(Claim("", row.text), ""), "waiting": not row.error, **decided}
    shown = {"pages": pages_with_evidence(check.complete), "sides": sides(check.complete), **since_then(check)}
    return {"row": row, "record": check.complete, "check": check, "waiting": False, **decision_parts(check), **shown}
