"""Finding the claims of a long text takes as long as finding those of as many short ones, with the networks that ship."""

from __future__ import annotations

import time

import pytest

from retrieval.models.english.parser import english
from retrieval.models.fitted.checkworthy import CheckWorthiness
from retrieval.models.fitted.coreference import Coreference
from retrieval.text.extraction.finder import ClaimFinder

MOST = 0.1  # seconds of a processor for a sentence: twenty times what it takes
NAMES = ("Anna Kowalska", "Peter Novak", "Maria Rossi", "Ivan Petrov", "Clara Weber", "Hugo Martin", "Eva Lind")


def text(sentences: int) -> str:
    """Paragraphs of people whom pronouns mean, no sentence twice."""
    parts = []
    for n in range(sentences // 2):
        who = NAMES[n % len(NAMES)]
        parts.append(f"{who} built bridge number {n} in Warsaw. She said that it had cost {n + 3} million euros.")
    return "\n\n".join(parts)


@pytest.mark.usefixtures("anew")
def test_time_for_a_sentence_does_not_grow_with_the_text() -> None:
    finder = ClaimFinder(english(), CheckWorthiness(1), Coreference(1))
    finder.find(text(20))  # so that everything is loaded

    def each(sentences: int) -> float:
        began = time.process_time()
        assert len(finder.find(text(sentences))) == sentences
        return (time.process_time() - began) / sentences

    for _ in range(3):  # a busy machine may slow one of the two
        few, many = each(50), each(300)
        if many < min(MOST, 2 * few + 0.0025):
            return
    pytest.fail(f"{few:.4f} s for each of 50 sentences, {many:.4f} s for each of 300")
