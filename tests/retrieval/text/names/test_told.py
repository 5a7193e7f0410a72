"""The other name that the judge is told, beside the title."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from retrieval.stages.sentences import score_sentences
from retrieval.text.ranking import name_in_claim
from retrieval.text.sentences import as_read
from retrieval.types import Evidence, Page, Sentence, Stance
from tests.making import make_page

CLAIM = "The Amber Bridge was opened in 1931."
BRIDGE = replace(make_page("Lindenburg Bridge", "It was opened in 1931."), names=("Amber Bridge",))


def first(page: Page) -> Sentence:
    return page.sentences()[0]


@pytest.mark.parametrize(
    ("claim", "page", "name"),
    [
        (CLAIM, BRIDGE, "Amber Bridge"),
        (CLAIM, replace(BRIDGE, names=(), other_names=("Amber Bridge",)), "Amber Bridge"),
        ("The Lindenburg Bridge, or Amber Bridge, was opened in 1931.", BRIDGE, ""),
        ("The Gold Bridge was opened in 1931.", BRIDGE, ""),
        (CLAIM, replace(BRIDGE, names=("The Amber Bridge was opened in 1931",)), ""),
        ("He told us so.", replace(BRIDGE, names=("US",)), ""),
        ("Pythons swim.", replace(BRIDGE, other_names=("python", "x")), "python"),
    ],
)
def test_the_name_that_the_claim_uses(claim: str, page: Page, name: str) -> None:
    assert name_in_claim(claim, first(page)) == name


class Listening:
    """A scorer that takes one kind of text for a statement, and remembers what it read."""

    def __init__(self, lie: str = "") -> None:
        self.read: list[str] = []
        self.lie = lie

    def score(self, claim: str, sentences: Sequence[str]) -> Iterator[tuple[list[int], list[float], list[Stance]]]:
        self.read += sentences
        for row, text in enumerate(sentences):
            sure = bool(self.lie) and self.lie in text
            yield [row], [0.9 if sure else 0.1], [Stance(0.9, 0.0, 0.1) if sure else Stance(0.0, 0.0, 1.0)]


def judged(scorer: Listening, page: Page) -> Evidence:
    (evidence,) = [one for batch in score_sentences(scorer, CLAIM, [first(page)], "claim") for one in batch]
    return evidence


def test_the_judge_reads_both_names() -> None:
    scorer = Listening()
    evidence = judged(scorer, BRIDGE)
    assert scorer.read[-1] == as_read(evidence) == "Lindenburg Bridge, also Amber Bridge : It was opened in 1931."
    assert (evidence.title, evidence.also) == ("Lindenburg Bridge", "Amber Bridge")


def test_a_name_that_takes_sides_is_not_told() -> None:
    evidence = judged(Listening("also Amber Bridge"), BRIDGE)
    assert (evidence.title_read, evidence.also) == (True, "")
    assert as_read(evidence) == "Lindenburg Bridge : It was opened in 1931."
