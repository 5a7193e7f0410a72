"""Judgements kept on disk are those that were made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from retrieval.types import Stance
from training.classifiers.score_cache import KeptScorer


class Counting:
    """Judges by length, one sentence a batch, longest first; counts what it reads."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def score(self, claim: str, sentences: Sequence[str]) -> Iterator[tuple[list[int], list[float], list[Stance]]]:
        for row in sorted(range(len(sentences)), key=lambda row: -len(sentences[row])):
            self.read.append(sentences[row])
            share = 1 / (1 + len(claim + sentences[row]))
            yield [row], [share], [Stance(share, 0.0, 1 - share)]

    def judge_together(self, claim: str, sentences: Sequence[str]) -> Stance:
        return Stance(0.0, 0.0, 1.0)


def judged(scorer: KeptScorer, claim: str, texts: Sequence[str]) -> dict[int, tuple[float, Stance]]:
    found: dict[int, tuple[float, Stance]] = {}
    for rows, scores, stances in scorer.score(claim, texts):
        found |= dict(zip(rows, zip(scores, stances, strict=True), strict=True))
    return found


def test_what_was_judged_once_is_not_read_again(tmp_path: Path) -> None:
    real = Counting()
    first = judged(KeptScorer(real, "one", tmp_path / "kept"), "claim", ["a", "bbb", "cc"])
    assert sorted(first) == [0, 1, 2]
    again = judged(KeptScorer(real, "one", tmp_path / "kept"), "claim", ["cc", "new one", "a"])
    assert real.read == ["bbb", "cc", "a", "new one"]
    assert (again[0], again[2]) == (first[2], first[0])
    assert sorted(again) == [0, 1, 2]
    judged(KeptScorer(real, "another network", tmp_path / "kept"), "claim", ["a"])
    judged(KeptScorer(real, "one", tmp_path / "kept"), "another claim", ["a"])
    assert real.read[-2:] == ["a", "a"]
