"""The ways to check a claim, for people to choose from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from werkzeug.datastructures import MultiDict

from app.accounts.service import viewer
from app.http.services import services
from retrieval.errors import StoreError
from retrieval.measured import measured
from retrieval.recipes import RECIPES, Recipe

FIRST = ("careful", "fast", "esoteric")  # those that most people choose among, in this order


@dataclass(frozen=True)
class Choice:
    """name: of the recipe. cost: of a claim, right: how many everyday claims it gets right, in words; empty if not
    measured.
    """

    name: str
    title: str
    what: str
    cost: str
    right: str = ""

    @property
    def figures(self) -> str:
        """Both in a line."""
        return ", ".join(filter(None, (self.cost, self.right)))


@dataclass(frozen=True)
class Choices:
    """first: always shown. more: behind a disclosure. told: a sentence on how the shares were measured; empty if they were not."""

    first: tuple[Choice, ...]
    more: tuple[Choice, ...]
    told: str


def recipe_choices(language_model: bool) -> Choices:
    """language_model: whether one is asked too, which takes an unknown time."""
    first = [name for name in FIRST if name in RECIPES]
    more = [name for name in RECIPES if name not in first]

    def shown(names: list[str]) -> tuple[Choice, ...]:
        return tuple(_choice(RECIPES[name], language_model) for name in names)

    return Choices(shown(first), shown(more), _told())


def choice_named(recipe: str, language_model: bool) -> Choice:
    """The way to check that a recipe is; one that is there no more is called by its name."""
    return _choice(RECIPES[recipe], language_model) if recipe in RECIPES else Choice(recipe, recipe, "", "")


def _choice(recipe: Recipe, language_model: bool) -> Choice:
    cost = cost_in_words(recipe.seconds)
    more = " and the language model" if language_model and cost else ""
    known = measured().recipes.get(recipe.name)
    right = f"right for {known.share:.0%}" if known else ""
    return Choice(recipe.name, recipe.title or recipe.name, recipe.what, cost + more, right)


def _told() -> str:
    found = measured()
    if not found.recipes:
        return ""
    most = max(found.recipes.values(), key=lambda right: right.claims)
    return (
        f"“Right for” is the share of up to {most.claims:,} everyday claims, checked against {found.pages:,} pages without a "
        "language model, whose verdict was right."
    )


def cost_in_words(seconds: float | None) -> str:
    """.163 -> about 0.2 s; 12.4 -> about 12 s; 0.02 -> under 0.1 s."""
    if seconds is None:
        return ""
    if seconds < 0.1:
        return "under 0.1 s"
    return f"about {seconds:.1f} s" if seconds < 9.5 else f"about {seconds:.0f} s"


def web_host() -> str:
    """Where questions are sent if the open web is read, as `web_hint.html` says; empty if it is switched off."""
    from retrieval.web.engines import searched_at

    settings = services().settings
    return searched_at(settings) if settings.searches_web else ""


def choice_parts(asked: MultiDict[str, str]) -> dict[str, Any]:
    """What a form shows to choose how a claim is checked. asked: what it was filled in with."""
    settings, recipe = services().settings, asked.get("recipe", "")
    return {
        "choices": services().sources.besides(viewer()),
        "recipes": RECIPES,
        "ways": recipe_choices(bool(settings.llm_model)),
        "recipe": recipe if recipe in RECIPES else settings.recipe,
        "shared": asked.get("shared") == "1",
        **corpus_parts(),
    }


def corpus_parts() -> dict[str, Any]:
    """What `against.html` says of the settings' corpus and the open web, and why there is no corpus if it cannot be
    read.
    """
    fetches, left_out = services().settings.fetches_pages, services().resources.left_out()
    try:
        return {
            "web_host": web_host(),
            "fetches_pages": fetches,
            "left_out": left_out,
            "corpus": services().resources.corpus(),
            "corpus_problem": "",
        }
    except StoreError as error:
        without = {"corpus": None, "corpus_problem": str(error), "left_out": left_out}
        return {"web_host": web_host(), "fetches_pages": fetches, **without}
