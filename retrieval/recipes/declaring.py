"""The declaration of a recipe."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from retrieval.parts import Parts
from retrieval.pipeline import Pipeline
from retrieval.protocols import Stage
from retrieval.settings.declaring import Knobs

# Roles that several recipes share.
READERS = ("relevance_model", "stance_model", "cross_encoder")
SECOND_PASS = ("ranker", "reader", "reading", "careful_verdict")

# Name of a stage -> a function that makes it from the parts and the recipe's knobs: one stage, several, or none.
Stages = Mapping[str, Callable[[Parts, Any], Stage | tuple[Stage, ...] | None]]


@dataclass(frozen=True)
class Recipe:
    """A pipeline to choose by name.

    roles: the models that it needs, as `models/catalogue.py` or a setting calls them. stages: in order. prompts: for a
    language model's verdict. writers: what a language model writes before that, questions or contexts. calibrated: the
    role of the local verdict's model, if its calibration was measured on this recipe's evidence; if empty, its shares are
    estimates. title, what: for people new to recipes. seconds: median processor time of a claim (`docs/costs.json`).
    """

    name: str
    summary: str
    roles: tuple[str, ...]
    stages: Stages
    prompts: tuple[str, ...] = ("verdict",)
    writers: tuple[str, ...] = ()
    calibrated: str = ""
    title: str = ""
    what: str = ""
    seconds: float | None = None
    knobs: type[Knobs] = Knobs

    def build(self, parts: Parts) -> Pipeline:
        """Its pipeline over these parts. Raises StoreError, ModelError or SettingError."""
        parts = replace(parts, store_instead=parts.store())  # one generation of the corpus for all stages
        return Pipeline(self.name, make(self.stages, parts, self.knobs.of(parts.settings)))


def make(stages: Stages, parts: Parts, knobs: Knobs) -> tuple[Stage, ...]:
    """The stages in order, without those that the knobs leave out."""
    groups = [stages[name](parts, knobs) for name in stages if name not in knobs.left_out]
    return tuple(stage for group in groups if group for stage in (group if isinstance(group, tuple) else (group,)))
