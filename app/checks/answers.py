"""The questions of a check, with the answers of the claim and of the evidence."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import groupby

from app.checks.words import stance_of
from retrieval.types import FactCheck, QuestionAnswer


def answers(check: FactCheck) -> list[tuple[str, str, list[QuestionAnswer]]]:
    """Each question with the claim's answer, empty if it has none, and with the answers found."""
    grouped = groupby(check.questions, key=lambda pair: (pair.question, pair.claimed))
    return [(*asked, [_to_the_point(pair, check) for pair in pairs if pair.answer]) for asked, pairs in grouped]


def _to_the_point(pair: QuestionAnswer, check: FactCheck) -> QuestionAnswer:
    """Only the words that answer, if they are known: "Paris" beside the claim's "Berlin"."""
    cited = [check.evidence[number - 1] for number in pair.sources if 0 < number <= len(check.evidence)]
    sentence = next((one for one in cited if one.sentence.text == pair.answer), None)
    if sentence is None or not pair.claimed:
        return pair
    start = check.claim.text.find(pair.claimed)
    if (found := sentence.differs) and start <= found.claim[0] and found.claim[1] <= start + len(pair.claimed):
        return replace(pair, answer=pair.answer[slice(*found.sentence)])
    same = re.search(rf"\b{re.escape(pair.claimed)}\b", pair.answer, re.IGNORECASE)
    supports = stance_of(sentence.stance)[0] == "supports"
    return replace(pair, answer=same[0]) if same and supports else pair
