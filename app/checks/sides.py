"""The evidence for and against a claim, the sentence that could change its verdict, its speaker, and people's decisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flask import session

from app.checks.moved_on import since_then
from app.checks.words import KINDS, Quotation, pages_with_evidence, stance_of, with_other_side
from app.http.services import services
from app.tables.decisions import Decision, signed
from app.tables.reports import ReportClaim
from app.tables.stored_check import FAILED, StoredCheck
from retrieval.output.headline import LABELS
from retrieval.types import SIDES, Claim, Evidence, FactCheck
from retrieval.verdicts.other_side import would_change

AUTHOR = "author"  # key in the session: who signed last in this browser
NO_NAMES = frozenset("i we you he she it they a an the one this that his her its their our my".split())


@dataclass(frozen=True)
class Change:
    """The sentence that could change a verdict. anchor: of its quotation, if it is among the evidence."""

    evidence: Evidence
    anchor: str


def sides(check: FactCheck) -> dict[str, list[Quotation]]:
    """The evidence by stance (supports, refutes, neutral), each strongest first.

    If no sentence takes the verdict's side, the neutral one nearest to it is listed there, as the verdict rests on it.
    """
    found: dict[str, list[Quotation]] = {"supports": [], "refutes": [], "neutral": []}
    quotations = [quotation for page in pages_with_evidence(check) for quotation in page.quotations]
    for quotation in sorted(quotations, key=lambda one: -stance_of(one.evidence.stance)[1]):
        found[stance_of(quotation.evidence.stance)[0]].append(quotation)
    taken = KINDS[check.verdict.label] if check.verdict and check.verdict.label in SIDES else ""
    if taken and not found[taken]:
        resting = max(found["neutral"], key=lambda one: getattr(one.evidence.stance, taken), default=None)
        if resting is not None:
            found["neutral"].remove(resting)
            found[taken].append(resting)
    return found


def change(check: FactCheck) -> Change | None:
    """The strongest sentence for the other side, and its quotation; None if there is none."""
    best = would_change(check)
    if best is None:
        return None
    place = (best.sentence.page_id, best.sentence.start)
    for page in pages_with_evidence(check):
        for quotation in page.quotations:
            if (quotation.evidence.sentence.page_id, quotation.evidence.sentence.start) == place:
                return Change(best, quotation.anchor)
    return Change(best, "")


def changes(decisions: Sequence[Decision]) -> list[tuple[Decision, str]]:
    """Each decision, oldest first, with what its author did, in words; empty if there is only one and it stands."""
    if all(decision.label for decision in decisions) and len(decisions) < 2:
        return []
    before = [""] + [decision.label for decision in decisions]
    return [(decision, _done(label, decision.label)) for label, decision in zip(before, decisions, strict=False)]


def _done(before: str, label: str) -> str:
    if not label:
        return "withdrew the verdict"
    return f"changed “{LABELS[before]}” to “{LABELS[label]}”" if before else f"decided “{LABELS[label]}”"


def decision_parts(check: StoredCheck) -> dict[str, Any]:
    """Values for `decision.html`."""
    decisions = services().decisions.of_check(check.id)
    return {
        "decisions": decisions,
        "changes": changes(decisions),
        "signed": signed(decisions),
        "typed": {"label": "", "author": session.get(AUTHOR, ""), "note": ""},
    }


def remember_author(name: str) -> None:
    """Fill this name into the forms of this browser until it is closed."""
    session[AUTHOR] = name


def claim_parts(row: ReportClaim) -> dict[str, Any]:
    """Values for `claim.html` and `panel.html`. waiting: there is nothing to show yet. Of a check that failed, only the
    decisions.
    """
    check = services().checks.get(row.check_id) if row.check_id and row.ended else None
    if check is None or row.state == FAILED:
        decisions = {"check": check, **decision_parts(check)} if check else {}
        return {"row": row, "record": FactCheck(Claim("", row.text), ""), "waiting": not row.error, **decisions}
    record = with_other_side(check.complete)
    shown = {"pages": pages_with_evidence(record), "sides": sides(record), **since_then(check)}
    return {"row": row, "record": check.complete, "check": check, "waiting": False, **decision_parts(check), **shown}


def speaker_of(check: StoredCheck) -> str:
    """The speaker that the report's text names first; empty if it names nobody."""
    return next(filter(None, map(named, services().reports.speakers(check.id))), "")


def named(speaker: str) -> str:
    """The speaker; empty for a pronoun or a description without a name, such as "the museum's guide"."""
    capitals = [word for word in speaker.split() if word[0].isupper() and word.casefold() not in NO_NAMES]
    return speaker if capitals else ""
