"""The ways to check a claim, for people to choose from."""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.recipes import RECIPES, Recipe

FIRST = ("careful", "fast", "esoteric")  # those that most people choose among, in this order


@dataclass(frozen=True)
class Choice:
    """name: of the recipe. cost: of a claim, in words; empty if not measured."""

    name: str
    title: str
    what: str
    cost: str


@dataclass(frozen=True)
class Choices:
    """first: always shown. more: behind a disclosure."""

    first: tuple[Choice, ...]
    more: tuple[Choice, ...]


def recipe_choices(language_model: bool) -> Choices:
    """language_model: whether one is asked too, which takes an unknown time."""
    first = [name for name in FIRST if name in RECIPES]
    more = [name for name in RECIPES if name not in first]
    return Choices(*(tuple(_choice(RECIPES[name], language_model) for name in names) for names in (first, more)))


def choice_named(recipe: str, language_model: bool) -> Choice:
    """The way to check that a recipe is; one that is there no more is called by its name."""
    return _choice(RECIPES[recipe], language_model) if recipe in RECIPES else Choice(recipe, recipe, "", "")


def _choice(recipe: Recipe, language_model: bool) -> Choice:
    cost = cost_in_words(recipe.seconds)
    more = " and the language model" if language_model and cost else ""
    return Choice(recipe.name, recipe.title or recipe.name, recipe.what, cost + more)


def cost_in_words(seconds: float | None) -> str:
    """.163 -> about 0.2 s; 12.4 -> about 12 s; 0.02 -> under 0.1 s."""
    if seconds is None:
        return ""
    if seconds < 0.1:
        return "under 0.1 s"
    return f"about {seconds:.1f} s" if seconds < 9.5 else f"about {seconds:.0f} s"
