"""What a recipe says of itself is what it builds."""

from __future__ import annotations

import pytest

from retrieval.errors import RecipeError
from retrieval.recipes import RECIPES, find_recipe
from retrieval.resources import Resources
from retrieval.stages.languages import JUDGING


@pytest.mark.parametrize("name", RECIPES)
def test_stages_and_models_are_those_listed(name: str, resources: Resources) -> None:
    recipe = find_recipe(name)
    pipeline = resources.pipeline(name)
    names = [stage.name for stage in pipeline.stages]
    after = names[names.index("other languages") + 1]
    assert after in JUDGING, "what is left out must not be judged"
    assert [*recipe.stages, "language"] == [name for name in names if name != "other languages"]
    assert set(resources.models(name)) == set(recipe.roles)


def test_an_unknown_recipe_names_those_there_are() -> None:
    with pytest.raises(RecipeError, match="fast"):
        find_recipe("quick")
