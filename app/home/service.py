"""Recipes and corpora to choose from wherever claims are started, and what is known about them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from werkzeug.datastructures import MultiDict

from app.accounts.service import viewer
from app.folders import ROOT
from app.http.services import services
from retrieval.errors import EsotericError, StoreError
from retrieval.measured import measured
from retrieval.recipes import RECIPES
from retrieval.types import CorpusInfo

FIRST = ("careful", "fast", "esoteric")  # the recipes that most people choose from, in this order
EXAMPLE_CLAIMS = 3


@dataclass(frozen=True)
class Choice:
    """A recipe. cost: time of a claim, right: share of everyday claims that it gets right, both in words; empty if not
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
    """first: always shown. more: shown on request. explanation: how the shares were measured, in a sentence; empty if they were not."""

    first: tuple[Choice, ...]
    more: tuple[Choice, ...]
    explanation: str


def recipe_choices(language_model: bool) -> Choices:
    """All recipes. language_model: whether one is asked too, which takes an unknown time."""
    choices = {name: choice_named(name, language_model) for name in RECIPES}
    first = tuple(choices.pop(name) for name in FIRST if name in choices)
    return Choices(first, tuple(choices.values()), _explanation())


def choice_named(name: str, language_model: bool) -> Choice:
    """A recipe; one that no longer exists is called by its name."""
    if name not in RECIPES:
        return Choice(name, name, "", "")
    recipe = RECIPES[name]
    cost = cost_in_words(recipe.seconds)
    more = " and the language model" if language_model and cost else ""
    known = measured().recipes.get(name)
    right = f"right for {known.share:.0%}" if known else ""
    return Choice(name, recipe.title or name, recipe.what, cost + more, right)


def _explanation() -> str:
    found = measured()
    if not found.recipes:
        return ""
    most = max(found.recipes.values(), key=lambda right: right.claims)
    return (
        f"“Right for” is the share of up to {most.claims:,} everyday claims, checked against {found.pages:,} pages without a "
        "language model, whose verdict was right."
    )


def cost_in_words(seconds: float | None) -> str:
    """.163 -> about 0.2 s; 12.4 -> about 12 s; .02 -> under 0.1 s."""
    if seconds is None:
        return ""
    if seconds < 0.1:
        return "under 0.1 s"
    return f"about {seconds:.1f} s" if seconds < 9.5 else f"about {seconds:.0f} s"


def web_host() -> str:
    """The host of the search engine, if the open web is searched; otherwise empty."""
    from retrieval.web.engines import searched_at

    settings = services().settings
    return searched_at(settings) if settings.searches_web else ""


def choice_parts(asked: MultiDict[str, str]) -> dict[str, Any]:
    """Values for a form that chooses how to check. asked: how it was filled in."""
    settings, recipe = services().settings, asked.get("recipe", "")
    return {
        "choices": services().sources.beside_default(viewer()),
        "recipes": RECIPES,
        "ways": recipe_choices(bool(settings.llm_model)),
        "recipe": recipe if recipe in RECIPES else settings.recipe,
        "shared": asked.get("shared") == "1",
        **corpus_parts(),
    }


def corpus_parts() -> dict[str, Any]:
    """Values for `against.html`: the default corpus, or why it cannot be read, and the open web."""
    try:
        corpus, problem = services().resources.corpus(), ""
    except StoreError as error:
        corpus, problem = None, str(error)
    return {
        "web_host": web_host(),
        "fetches_pages": services().settings.fetches_pages,
        "left_out": services().resources.left_out(),
        "corpus": corpus,
        "corpus_problem": problem,
    }


def only_retrieves(corpus: CorpusInfo | None) -> str:
    """A sentence for a corpus whose checks give no verdict; empty for others."""
    from retrieval.stages import languages

    resources = services().resources
    declared = corpus is not None and corpus.language != ""
    return languages.only_retrieves(resources.language()) if declared and resources.only_retrieves() else ""


def models() -> dict[str, str]:
    """Role -> model of the default recipe; empty if it cannot be opened."""
    try:
        return dict(services().resources.models(services().settings.recipe))
    except EsotericError:
        return {}


def calibration() -> dict[str, float]:
    """Recipe -> calibration error of its local verdict, if measured with the models in use."""
    from retrieval.models.fitted.logistic import calibration_error
    from retrieval.roles import reads_by_ours

    if not reads_by_ours(services().settings):
        return {}
    errors = {name: calibration_error(recipe.calibrated) for name, recipe in RECIPES.items()}
    return {name: error for name, error in errors.items() if error is not None}


def is_sample(corpus: CorpusInfo) -> bool:
    """Whether this is the corpus that comes with the program."""
    return "sample" in corpus.name.lower()


@lru_cache(maxsize=1)
def sample_claims() -> tuple[str, ...]:
    file = ROOT / "data" / "sample" / "claims.jsonl"
    if not file.exists():
        return ()
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    return tuple(row["claim"] for row in rows if row.get("example"))[:EXAMPLE_CLAIMS]
