"""Recipes aic, rag_fusion and contextual with a real language model over HTTP, and again from its recorded replies.

SmolLM2 with 135 M parameters cannot judge: what is asked is that every call arrives, is counted and recorded, and that
what comes back is read completely or becomes a sentence that people see.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from evaluation.averitec.recorded import Recorded
from retrieval.protocols import LLM
from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.settings.in_force import CONFIG, read_knobs
from retrieval.stores.knowledge import KnowledgeStore
from retrieval.types import Claim, FactCheck
from tests.llm.test_real_model import settings, weights
from tests.making import make_page

__all__ = ["settings", "weights"]
pytestmark = pytest.mark.llm

PAGES = (
    make_page("Anchor Bridge", "The Anchor Bridge was opened in March 1931.", "It is a steel bridge over the Lowe."),
    make_page("Opening day", "Thousands came when the mayor opened the Anchor Bridge.", "It was a Thursday."),
)
CLAIMS = ("The Anchor Bridge was opened in 1932.", "Thousands came to the opening of the Anchor Bridge.")
# What a model with room for 2,048 tokens can be shown.
SMALL = Path(__file__).parents[2] / "evaluation" / "averitec" / "small.toml"


@dataclass(frozen=True, eq=False)
class Taped(Resources):
    """Replies from a file; what it lacks is asked of the model and written there."""

    tape: Path = Path()
    live: bool = True

    def llm(self) -> LLM | None:
        return Recorded(self.tape, super().llm() if self.live else None)


@pytest.fixture(scope="module")
def resources(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Taped]:
    folder = tmp_path_factory.mktemp("taped")
    small = replace(settings, data=folder, knobs=read_knobs({CONFIG: str(SMALL)}))
    found = Taped(small, tape=folder / "replies.jsonl")
    yield found
    found.close()


def outcome(resources: Taped, recipe: str, claim: str) -> FactCheck:
    return resources.over(KnowledgeStore(PAGES, "bridge")).pipeline(recipe).run(Claim("c", claim))


@pytest.mark.parametrize("claim", CLAIMS)
@pytest.mark.parametrize("recipe", ["aic", "rag_fusion", "contextual"])
def test_the_way_to_a_real_model_and_back(resources: Taped, recipe: str, claim: str) -> None:
    lived = outcome(resources, recipe, claim)
    if any(call.error for call in lived.calls):  # what cannot be read, or was cut off, is said
        assert lived.notes
        assert lived.verdict
        return
    rows = resources.tape.read_text("utf-8").splitlines()
    resources = replace(resources, live=False)
    replayed = outcome(resources, recipe, claim)
    assert resources.tape.read_text("utf-8").splitlines() == rows, "nothing is asked a second time"
    assert lived.verdict
    assert lived.verdict.method == resources.settings.llm_model
    assert lived.verdict == replayed.verdict
    assert all(call.reply.prompt_tokens > 50 for call in lived.calls)
    assert [call.purpose for call in lived.calls] == [call.purpose for call in replayed.calls]
    assert all(0 < number <= len(lived.evidence) for pair in lived.questions for number in pair.sources)


def test_each_recipe_reaches_a_verdict_with_it(resources: Taped) -> None:
    resources = replace(resources, live=False)
    for recipe in ("aic", "rag_fusion", "contextual"):
        reached = [outcome(resources, recipe, claim) for claim in CLAIMS]
        assert all(found.verdict for found in reached)
