"""What a recipe says of itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from retrieval.parts import Parts
from retrieval.pipeline import Pipeline
from retrieval.settings.declaring import Knobs

# Roles that several recipes have.
READERS = ("relevance_model", "stance_model", "cross_encoder")


@dataclass(frozen=True)
class Recipe:
    """A pipeline that can be chosen by name. stages: in order of flow.

    roles: the models it needs, as `models/catalogue.py` or a setting calls them. prompts: what a language model is
    asked, where one is set; its reply then comes as a stage of its own before the verdict. writers: what a language
    model writes before that: questions, contexts. calibrated: role of the local verdict's model, where its calibration
    was measured on what this recipe finds; empty if it was not, so that its shares are estimates. title, what: what
    people who know no recipe are told; seconds: of a processor a claim at the median, from `docs/costs.json`. knobs: what it
    can be tuned by.
    """

    name: str
    summary: str
    roles: tuple[str, ...]
    stages: tuple[str, ...]
    build: Callable[[Parts], Pipeline]
    prompts: tuple[str, ...] = ("verdict",)
    writers: tuple[str, ...] = ()
    calibrated: str = ""
    title: str = ""
    what: str = ""
    seconds: float | None = None
    knobs: type[Knobs] = Knobs
