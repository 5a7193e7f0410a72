"""A stage touches what it says it reads, and changes what it says it writes: proven for every stage of every recipe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, NoReturn

import pytest

from retrieval.protocols import Stage
from retrieval.recipes import RECIPES
from retrieval.resources import Resources
from retrieval.stores.knowledge import KnowledgeStore
from retrieval.types import FactCheck, Limits, Reply
from tests.contracts.test_recipe_verdicts import CLAIM, OPENINGS, PAGES, reply

ADDED_TO = {"notes", "details", "calls"}  # what a stage that writes them only adds to
SWITCHES: tuple[dict[str, Any], ...] = (
    {},
    {"fusion_verdict": "two", "context_order": "before"},
    {"without": "titles"},
    {"fusion_sufficiency": True, "llm_grounding": True},
)


class Untouchable:
    """In the place of a field: nothing can be asked of it."""

    def __init__(self, name: str) -> None:
        object.__setattr__(self, "_name", name)

    def _raise(self, *_: object) -> NoReturn:
        raise AssertionError(f"touches {object.__getattribute__(self, '_name')}, which it does not declare")

    __iter__ = __len__ = __bool__ = __getitem__ = __contains__ = __add__ = __radd__ = _raise
    __eq__ = __hash__ = __or__ = __ror__ = __getattr__ = __str__ = _raise  # type: ignore[assignment]


class Replying:
    """Implements `LLM`: a good reply to every prompt."""

    id = "replying"

    def complete(
        self,
        instructions: str,
        content: str,
        schema: Mapping[str, object] | None = None,
        *,
        limits: Limits | None = None,
    ) -> Reply:
        return Reply(reply(next(name for words, name in OPENINGS.items() if instructions.startswith(words))), 100, 10)


class WithModel(Resources):
    model: Replying | None = None

    def llm(self) -> Replying | None:
        return self.model


def guarded(stage: Stage, check: FactCheck) -> FactCheck:
    """The check with every field that the stage does not declare made untouchable."""
    allowed = {*stage.reads, *(ADDED_TO & set(stage.writes))}
    return replace(check, **{f.name: Untouchable(f.name) for f in fields(check) if f.name not in allowed})


@pytest.mark.parametrize("model", [None, Replying()], ids=["local", "model"])
@pytest.mark.parametrize("switches", SWITCHES, ids=str)
@pytest.mark.parametrize("recipe", RECIPES)
def test_stages_declare_what_they_touch(
    resources: Resources, recipe: str, switches: dict[str, Any], model: Replying | None
) -> None:
    ours = WithModel(replace(resources.settings, **switches))
    ours._loaded, ours.model = resources._loaded, model
    pipeline = ours.over(KnowledgeStore(PAGES, "bridge")).pipeline(recipe)
    check = pipeline.start(CLAIM)
    for stage in pipeline.stages:
        given = guarded(stage, check)
        *_, last = stage.run(given)
        changed = {f.name for f in fields(check) if getattr(last.check, f.name) is not getattr(given, f.name)}
        assert changed <= set(stage.writes), stage.name
        check = replace(check, **{name: getattr(last.check, name) for name in changed})
    assert check.verdict


@pytest.mark.parametrize("recipe", RECIPES)
def test_stages_have_one_style(resources: Resources, recipe: str) -> None:
    """What a stage is made of are its fields; its name and what it reads and writes are the class's."""
    for model in (None, Replying()):
        ours = WithModel(resources.settings)
        ours._loaded, ours.model = resources._loaded, model
        for stage in ours.over(KnowledgeStore(PAGES, "bridge")).pipeline(recipe).stages:
            assert type(stage).__dataclass_params__.frozen, stage  # type: ignore[attr-defined]
            assert not {f.name for f in fields(stage)} & {"name", "reads", "writes"}, stage  # type: ignore[arg-type]
