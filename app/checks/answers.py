"""The questions of a check, with the answers of the claim and of the evidence."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import groupby

from app.checks.words import stance_of
from retrieval.text.words import content_words
from retrieval.types import Evidence, FactCheck, QuestionAnswer


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
    """What the sentence says instead of these words of the claim, if it contradicts all of them: "Norway" answers of what Oslo is the
    capital, but not what Oslo is. Empty if it does not.
    """
    start = claim.find(claimed)
    if one.differs is None or start < 0:
        return ""
    first, last = one.differs.claim
    apart = last <= start or start + len(claimed) <= first
    whole = content_words(claimed) <= content_words(claim[first:last])
    return one.sentence.text[slice(*one.differs.sentence)] if whole and not apart else ""
