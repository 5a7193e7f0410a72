"""Recipe `careful`: `fast`, then a larger network reads the best sentences again; both readings make the verdict.

If a model from the hub reads in place of ours, this is `fast`: no second pass follows that model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from retrieval.recipes.declaring import READERS, SECOND_PASS, Recipe
from retrieval.recipes.endings import comparing, read_again, verdict_over_sentences
from retrieval.recipes.fast import RANKED
from retrieval.settings.declaring import Knobs, setting
from retrieval.stage_names import COMPARING, EVIDENCE, READING, VERDICT
from retrieval.stages.verdict import ChooseEvidence


@dataclass(frozen=True)
class Careful(Knobs):
    """Which sentences the larger network reads."""

    recipe: ClassVar[str] = "careful"
    read_sentences: int = setting(5, "Best sentences that the larger network reads again.")
    read_from: float = setting(
        0.0,
        "Least probability of being evidence, after the first pass, at which the larger network reads a third or later "
        "sentence. 0: it reads all.",
    )


RECIPE = Recipe(
    "careful",
    "As fast, but a larger network reads the best sentences again. No key, no GPU.",
    ("span_models", *READERS, *SECOND_PASS),
    {
        **RANKED,
        READING: lambda parts, knobs: read_again(parts, knobs.read_sentences, knobs.read_from),
        COMPARING: lambda parts, _: comparing(parts.chosen().reader()),
        EVIDENCE: lambda parts, _: ChooseEvidence(
            parts.settings.top_evidence, with_bridges=parts.chosen().reader() is not None
        ),
        VERDICT: lambda parts, _: verdict_over_sentences(parts, calibrated=True, again=True),
    },
    calibrated="careful_verdict",
    title="Careful",
    what="Reads the best sentences twice, the second time with a larger network.",
    seconds=0.24,
    knobs=Careful,
)
