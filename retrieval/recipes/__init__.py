"""The recipes, one module each. The command line, the API and the pages offer `RECIPES`."""

from __future__ import annotations

from retrieval.errors import RecipeError
from retrieval.recipes import aic, careful, contextual, esoteric, fast, rag_fusion
from retrieval.recipes.declaring import Recipe

__all__ = ["KNOBS", "RECIPES", "Recipe", "find_recipe"]

RECIPES: dict[str, Recipe] = {
    recipe.name: recipe
    for recipe in (careful.RECIPE, fast.RECIPE, esoteric.RECIPE, aic.RECIPE, rag_fusion.RECIPE, contextual.RECIPE)
}
KNOBS = {name: recipe.knobs for name, recipe in RECIPES.items()}


def find_recipe(name: str) -> Recipe:
    """The recipe with this name. Raises RecipeError, which lists all recipes, if there is none."""
    if name not in RECIPES:
        raise RecipeError(f"There is no recipe named {name[:40]!r}. Choose one of: {', '.join(RECIPES)}.")
    return RECIPES[name]
