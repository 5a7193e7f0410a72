"""The real application with a pause after each batch of sentences, so that a browser can act while a check runs.

`python -m tests.browser.paced_server PORT PACE`, the rest from the environment.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence

from app import create_app
from retrieval.protocols import PairScorer
from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.types import Stance


class PacedScorer:
    """Scores as the real one does, slower."""

    def __init__(self, scorer: PairScorer, pace: float) -> None:
        self.scorer, self.pace = scorer, pace

    def score(self, claim: str, sentences: Sequence[str]) -> Iterator[tuple[list[int], list[float], list[Stance]]]:
        for indices, relevances, stances in self.scorer.score(claim, sentences):
            for position in range(len(indices)):
                yield [indices[position]], [relevances[position]], [stances[position]]
                time.sleep(self.pace)

    def judge_together(self, claim: str, sentences: Sequence[str]) -> Stance:
        return self.scorer.judge_together(claim, sentences)


class PacedResources(Resources):
    """With that scorer."""

    pace = 0.0

    def pair_scorer(self) -> PairScorer:
        return PacedScorer(super().pair_scorer(), self.pace)


def main(port: str, pace: str) -> None:
    settings = Settings.from_environment()
    resources = PacedResources(settings)
    resources.pace = float(pace)
    app = create_app(settings, resources)
    app.extensions["esoteric"].readiness.start()
    app.run(port=int(port), threaded=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
