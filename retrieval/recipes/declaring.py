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
    asked, if one is set; its reply is then a separate stage before the verdict. writers: what a language model writes
    before that: questions, contexts. calibrated: the role of the local verdict's model, if its calibration was measured
    on this recipe's evidence; empty if not, and its shares are then estimates. title, what: for people who know no
    recipe. seconds: processor time a claim, median, from `docs/costs.json`. knobs: its tuning.
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
