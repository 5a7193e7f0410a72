"""What speaks for and against a claim: evidence, answers to its questions, the sentence that could change its verdict, its
speaker, and people's decisions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from flask import session

from app.checks.words import KINDS, Quotation, by_strength, place_of, quoted, stance_of
from app.http.services import services
from app.tables.decisions import Decision, signed
from app.tables.stored_check import StoredCheck
from retrieval.output.headline import LABELS
from retrieval.text.words import content_words
from retrieval.types import SIDES, Evidence, FactCheck, QuestionAnswer
from retrieval.verdicts.side import would_change

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
    for quotation in by_strength(check):
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
    anchors = (quotation.anchor for quotation, _ in quoted(check) if place_of(quotation.evidence) == place_of(best))
    return Change(best, next(anchors, ""))


def answers(check: FactCheck) -> list[tuple[str, str, list[QuestionAnswer]]]:
    """Each question with the claim's answer, empty if it has none, and with the answers found."""
    grouped = groupby(check.questions, key=lambda pair: (pair.question, pair.claimed))
    return [(*asked, [_to_the_point(pair, check) for pair in pairs if pair.answer]) for asked, pairs in grouped]


def _to_the_point(pair: QuestionAnswer, check: FactCheck) -> QuestionAnswer:
    """Only the words that answer, if they are known: "Paris" beside the claim's "Berlin"."""
    if not pair.claimed or not pair.sources:
        return pair
    for number, one in enumerate(check.evidence, 1):
        if instead := _instead(pair.claimed, one, check.claim.text):
            return replace(pair, answer=instead, sources=(number,))
    cited = [check.evidence[number - 1] for number in pair.sources if 0 < number <= len(check.evidence)]
    sentence = next((one for one in cited if one.sentence.text == pair.answer), None)
    same = re.search(rf"\b{re.escape(pair.claimed)}\b", pair.answer, re.IGNORECASE)
    supports = sentence is not None and stance_of(sentence.stance)[0] == "supports"
    return replace(pair, answer=same[0]) if same and supports else pair


def _instead(claimed: str, one: Evidence, claim: str) -> str:
    """What the sentence says instead of these words of the claim, if it contradicts all of them: "Norway" answers what Oslo is the
    capital of, but not what Oslo is. Empty if it does not.
    """
    start = claim.find(claimed)
    if one.differs is None or start < 0:
        return ""
    first, last = one.differs.claim
    apart = last <= start or start + len(claimed) <= first
    whole = content_words(claimed) <= content_words(claim[first:last])
    return one.sentence.text[slice(*one.differs.sentence)] if whole and not apart else ""


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


def speaker_of(check: StoredCheck) -> str:
    """The speaker that the report's text names first; empty if it names nobody."""
    return next(filter(None, map(named, services().reports.speakers(check.id))), "")


def named(speaker: str) -> str:
    """The speaker; empty for a pronoun or a description without a name, such as "the museum's guide"."""
    capitals = [word for word in speaker.split() if word[0].isupper() and word.casefold() not in NO_NAMES]
    return speaker if capitals else ""
