"""The real application, whose scoring of sentences waits at a gate, so that a browser can act while a check runs.

`python -m tests.browser.gated_server PORT GATE`, the rest from the environment.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from app import create_app
from retrieval.protocols import PairScorer
from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.types import Stance
from tests.app.gate import PAUSE, Gate

AT = "scoring"
Scored = tuple[list[int], list[float], list[Stance]]


class GatedScorer:
    """Scores as the real one does; after the first sentences it waits at the gate, and hands on nothing meanwhile."""

    def __init__(self, scorer: PairScorer, gate: Gate) -> None:
        self.scorer, self.gate = scorer, gate

    def score(self, claim: str, sentences: Sequence[str]) -> Iterator[Scored]:
        for indices, relevances, stances in self.scorer.score(claim, sentences):
            yield indices[:1], relevances[:1], stances[:1]
            while self.gate.holds(AT):
                time.sleep(PAUSE)
                yield [], [], []
            yield indices[1:], relevances[1:], stances[1:]

    def judge_together(self, claim: str, sentences: Sequence[str]) -> Stance:
        return self.scorer.judge_together(claim, sentences)


def main(port: str, gate: str) -> None:
    settings = Settings.from_environment()
    resources = Resources(settings)
    gated = GatedScorer(resources.pair_scorer(), Gate(Path(gate)))
    resources = replace(resources, instead={"pair scorer": gated})
    app = create_app(settings, resources)
    app.extensions["esoteric"].readiness.start()
    app.run(port=int(port), threaded=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
