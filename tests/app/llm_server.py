"""The application with a language model: `python -m tests.app.llm_server DATA PORT URL GATE`.

After the model's reply comes a stage with a gate, so that the process can be killed there.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from app import create_app
from retrieval.llm.budget import Budget
from retrieval.llm.client import open_llm
from retrieval.pipeline import Pipeline
from retrieval.settings import Settings
from retrieval.stages.judge import SentenceJudge
from retrieval.stages.llm_verdict import AskModel, ModelVerdict
from retrieval.types import Evidence, Label
from retrieval.verdicts.policy import Policy
from tests.app.fake import MODELS, STEPS, FakeResources, FakeStage
from tests.app.gate import Gate


class Fixed:
    """A local model that says the same of any sentences."""

    id, calibration_error = "fake", None

    def probabilities(self, claim: str, sentences: Sequence[Evidence]) -> Mapping[Label, float]:
        return {Label.SUPPORTED: 0.8, Label.REFUTED: 0.1, Label.NOT_ENOUGH_EVIDENCE: 0.1}


class LLMResources(FakeResources):
    """The fake pipeline up to its evidence, then the real stages around a real client."""

    def __init__(self, settings: Settings, gate: Gate | None = None) -> None:
        super().__init__()
        llm = open_llm(settings)
        assert llm
        *found, _ = self.stages
        found[-1].writes = ("sentences", "evidence")
        judge, budget = SentenceJudge(5), Budget(settings.llm_tokens, 60)
        reply, verdict = AskModel(llm, judge, budget), ModelVerdict(llm, judge, Policy(Fixed(), 5), budget)
        self.all = (*found, reply, FakeStage("pages again", STEPS, gate), verdict)
        self.llm = llm

    def models(self, recipe: str) -> Mapping[str, str]:
        return {**MODELS, "language_model": self.llm.id}

    def pipeline(self, recipe: str) -> Pipeline:
        return Pipeline("fast", self.all)

    def close(self) -> None:
        self.llm.close()


def main(data: str, port: str, url: str, gate: str) -> None:
    settings = Settings(data=Path(data), workers=1, llm_model="m-1", llm_url=url, llm_key="sk-Geheimnis-0123456789")
    app = create_app(settings, LLMResources(settings, Gate(Path(gate))))
    app.extensions["esoteric"].readiness.start()
    app.run(port=int(port), threaded=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
