"""The application with a language model: `python -m tests.app.llm_server DATA PORT URL GATE`.

After the model's reply comes a stage with a gate, so that the process can be killed there.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from app import create_app
from retrieval.llm.budget import Budget
from retrieval.llm.client import open_llm
from retrieval.pipeline import Pipeline
from retrieval.settings import Settings
from retrieval.stages.llm_verdict import LLMReplyStage, LLMVerdictStage
from tests.app.fake import MODELS, STEPS, FakeResources, FakeStage
from tests.app.gate import Gate


class LLMResources(FakeResources):
    """The fake pipeline up to its evidence, then the real stages around a real client."""

    def __init__(self, settings: Settings, gate: Gate | None = None) -> None:
        super().__init__()
        llm = open_llm(settings)
        assert llm
        *found, local = self.stages
        found[-1].writes = ("sentences", "evidence")
        reply, verdict = LLMReplyStage(llm, Budget(settings.llm_tokens, 60)), LLMVerdictStage(llm, local)
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
