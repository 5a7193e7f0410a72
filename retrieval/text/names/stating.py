"""Titles that are sentences. A title is not evidence: what it states must stand in the text below it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from retrieval.protocols import PairScorer
from retrieval.text.sentences import pair_text
from retrieval.text.titles import fold, holds_name, without_bracket
from retrieval.text.words import content_words
from retrieval.types import Evidence, Sentence

SHARED, LEAST_SHARED = 0.4, 2  # share and number of the claim's words in a title that make it worth reading
NAME = 0.75  # largest share of the claim's words for a title in the claim to count as a name in it
# Relevance of a title read alone, and its stance for or against, that make it a statement.
RELEVANT, TAKES_SIDES = 0.5, 0.3


def stating_titles(scorer: PairScorer, claim: str, sentences: Sequence[Sentence]) -> frozenset[str]:
    """The sentences' titles that state the claim or its contrary: see `stating`."""
    return stating(scorer, claim, (sentence.title for sentence in sentences))


def stating(scorer: PairScorer, claim: str, titles: Iterable[str]) -> frozenset[str]:
    """The titles that alone, over an empty page, speak for the claim or against it. A name ("Tbilisi") states nothing;
    "Tbilisi is the capital of Armenia" states a claim. Titles that share few words with the claim are not read, so
    ordinary names cost nothing.
    """
    words = content_words(claim)
    likely = [title for title in dict.fromkeys(titles) if _may_state(title, claim, words)]
    found = set[str]()
    for rows, relevances, stances in scorer.score(claim, [pair_text(title, "") for title in likely]) if likely else ():
        for row, relevance, stance in zip(rows, relevances, stances, strict=True):
            if relevance >= RELEVANT and max(stance.supports, stance.refutes) >= TAKES_SIDES:
                found.add(likely[row])
    return frozenset(found)


def titles_note(evidence: Sequence[Evidence]) -> str:
    """A note on titles that were not read; empty if all were."""
    titles = dict.fromkeys(f"“{e.sentence.title}”" for e in evidence if not e.title_read)
    if not titles:
        return ""
    return f"A title is not evidence: sentences under {', '.join(titles)} were read without it, because it takes sides itself."


def _may_state(title: str, claim: str, words: frozenset[str]) -> bool:
    """Whether to read a title alone: it shares words with the claim, and is not a name in it."""
    bare = without_bracket(title)
    shared = len(content_words(bare) & words)
    name = holds_name(fold(claim), fold(bare)) and shared <= NAME * len(words)
    return shared >= LEAST_SHARED and shared >= SHARED * len(words) and not name
