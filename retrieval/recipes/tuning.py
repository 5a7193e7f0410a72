"""The knobs of all recipes: how `--set` changes them, how they are checked, and how they decide answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from difflib import get_close_matches
from typing import Any

from retrieval import stage_names
from retrieval.errors import SettingError
from retrieval.recipes import RECIPES, find_recipe
from retrieval.recipes.answering import Answering, may_use_four_labels
from retrieval.recipes.declaring import Recipe
from retrieval.recipes.esoteric import Esoteric
from retrieval.roles import reads_by_ours
from retrieval.settings import Settings, deciding
from retrieval.settings.declaring import in_words


def tuned(settings: Settings, recipe: str, given: Sequence[str]) -> Settings:
    """The settings with these knobs of a recipe, each as `name=value`. Raises RecipeError or SettingError."""
    names = knob_names(find_recipe(recipe).name)
    for pair in given:
        name, equals, value = pair.partition("=")
        if not equals or name not in names:
            raise SettingError(f"`--set {pair[:60]}` names no knob of recipe {recipe}. {_meant(name, names)}")
        settings = settings.tuned(recipe, **{name: value})
    RECIPES[recipe].knobs.of(settings)
    return settings


def check_knobs(settings: Settings) -> list[str]:
    """A sentence for each recipe or knob set that does not exist. Raises SettingError if a value does not fit."""
    wrong = []
    for recipe, name, _ in settings.knobs:
        if recipe not in RECIPES:
            wrong.append(f"`[recipes.{recipe[:60]}]` is no recipe. Choose one of: {', '.join(RECIPES)}.")
        elif name not in (names := knob_names(recipe)):
            wrong.append(f"`{name[:60]}` is no knob of recipe {recipe}. {_meant(name, names)}")
    for known in RECIPES.values():
        known.knobs.of(settings)
    return list(dict.fromkeys(wrong))


def knob_names(recipe: str) -> tuple[str, ...]:
    """The names of a recipe's knobs. recipe: one that exists."""
    return tuple(knob.name for knob in fields(RECIPES[recipe].knobs))


def deciding_values(recipe: str, settings: Settings) -> dict[str, Any]:
    """Name -> value of the settings and knobs that decide a recipe's answers, in alphabetical order."""
    values = {name: getattr(settings, name) for name in deciding(recipe)}
    if recipe in RECIPES:
        knobs = RECIPES[recipe].knobs.of(settings)
        values |= {knob.name: getattr(knobs, knob.name) for knob in fields(knobs)}
    return dict(sorted(values.items()))


def deciding_in_words(recipe: str, settings: Settings) -> dict[str, str]:
    """Like `deciding_values`, for display, without passwords."""
    own = deciding(recipe)
    return {
        name: settings.shown(name) if name in own else in_words(value)
        for name, value in deciding_values(recipe, settings).items()
    }


def played(recipe: Recipe, settings: Settings, collected: bool = False, asked: bool = False) -> list[str]:
    """The roles that a recipe uses under these settings. collected: whether the claim's own documents are read. asked:
    whether a language model is set for the verdict.
    """
    knobs = recipe.knobs.of(settings)
    by_four_labels = isinstance(knobs, Answering) and may_use_four_labels(settings, knobs, collected)
    instead = {}
    if stage_names.READING in knobs.left_out or not reads_by_ours(settings):
        instead = {"reader": "", "reading": "", "careful_verdict": "verdict"}
        instead |= {"ranker": ""} if isinstance(knobs, (Answering, Esoteric)) else {}
    if by_four_labels or (asked and isinstance(knobs, Answering) and knobs.by_model):
        instead |= {"ranker": "", "reading": ""}
    if by_four_labels:
        instead["careful_verdict"] = "four_labels"
    return [now for role in recipe.roles if (now := instead.get(role, role))]


def _meant(name: str, names: Sequence[str]) -> str:
    near = get_close_matches(name, names, 1)
    if near:
        return f"Did you mean `{near[0]}`?"
    return f"Its knobs are: {', '.join(names)}." if names else "It has none."
