"""The declaration of a recipe."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from retrieval.parts import Parts
from retrieval.pipeline import Pipeline
from retrieval.settings.declaring import Knobs

# Roles that several recipes share.
READERS = ("relevance_model", "stance_model", "cross_encoder")
SECOND_PASS = ("ranker", "reader", "reading", "careful_verdict")


@dataclass(frozen=True)
class Recipe:
    """A pipeline to choose by name. stages: in order.

    roles: the models that it needs, as `models/catalogue.py` or a setting calls them. prompts: for a language model's
    verdict, if one is set; its reply is then a separate stage before the verdict. writers: what a language model writes
    before that, questions or contexts. calibrated: the role of the local verdict's model, if its calibration was
    measured on this recipe's evidence; if empty, its shares are estimates. title, what: for people who do not know the
    recipes. seconds: median processor time of a claim, from `docs/costs.json`. knobs: the constants that can be tuned.
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
