"""What a recipe says of itself is what it builds."""

from __future__ import annotations

import pytest

from retrieval.errors import RecipeError
from retrieval.recipes import RECIPES, find_recipe
from retrieval.resources import Resources
from retrieval.stage_names import STANCES, WORDS
from retrieval.stages.languages import JUDGING

# Stages that every recipe is given, whatever it consists of: what they leave out, turn round, mark and take back.
BETWEEN, BEHIND = ("other languages", STANCES), ["differences", "language"]


@pytest.mark.parametrize("name", RECIPES)
def test_stages_and_models_are_those_listed(name: str, resources: Resources) -> None:
    recipe = find_recipe(name)
    pipeline = resources.pipeline(name)
    names = [stage.name for stage in pipeline.stages]
    at = names.index("other languages")
    assert JUDGING.isdisjoint(names[:at]), "what is left out must not be judged"
    assert next(name for name in names[at + 1 :] if name != STANCES) in JUDGING
    assert [*recipe.stages, *BEHIND] == [name for name in names if name not in BETWEEN]
    assert names.index(STANCES) < names.index("verdict")
    assert set(names) <= set(WORDS), "people read what each stage does"
    assert set(resources.models(name)) == set(recipe.roles)


def test_an_unknown_recipe_names_those_there_are() -> None:
    with pytest.raises(RecipeError, match="fast"):
        find_recipe("quick")
