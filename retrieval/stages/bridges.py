"""Finds the sentence that led to a page that the claim does not name; the page's sentences are read together with it. "The
director of Seven Samurai was born in Tokyo." needs a sentence on Akira Kurosawa's page and the one that names him.
"""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.text.ranking import holds_title
from retrieval.text.titles import fold, holds_name, without_bracket
from retrieval.types import Evidence, FactCheck, Sentence

BRIDGES_FROM = 20  # a check's best sentences, among which bridges are sought
SHORTEST_NAME = 4  # characters of a title; shorter titles are often ordinary words


def bridge_to(claim: str, sentence: Sentence, others: Sequence[Sentence]) -> Sentence | None:
    """The first other sentence that names this one's page, on a page that the claim names; None if it names both."""
    name = fold(without_bracket(sentence.title))
    if len(name) < SHORTEST_NAME or holds_title(claim, sentence.title, sentence.all_names):
        return None
    naming = (other for other in others if other.page_id != sentence.page_id and holds_name(fold(other.text), name))
    return next((other for other in naming if holds_title(claim, other.title, other.all_names)), None)


def bridges_of(check: FactCheck, sentences: Sequence[Evidence]) -> list[Evidence | None]:
    """For each sentence, the sentence to read it with, from the first `BRIDGES_FROM` of the check, or None. Candidates
    are ordered by relevance, so that ranking sentences anew changes nothing.
    """
    likeliest = sorted(
        check.sentences[:BRIDGES_FROM], key=lambda one: (-one.relevance, one.sentence.page_id, one.sentence.line)
    )
    others = {one.sentence: one for one in likeliest}
    bridges = (bridge_to(check.claim.reading, one.sentence, list(others)) for one in sentences)
    return [others[bridge] if bridge else None for bridge in bridges]
