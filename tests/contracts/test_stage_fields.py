"""A stage touches what it says it reads, and changes what it says it writes: proven for every stage of every recipe."""

from __future__ import annotations

import importlib
import itertools
import pkgutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, NoReturn

import pytest

from retrieval import stages
from retrieval.pipeline import Pipeline
from retrieval.protocols import PageStore, Stage
from retrieval.recipes import RECIPES
from retrieval.resources import Resources
from retrieval.stages.web import WebSearch, with_web
from retrieval.stores.knowledge import KnowledgeStore
from retrieval.types import Claim, FactCheck, Limits, Page, Reply
from retrieval.web.engines import Found
from tests.contracts.test_recipe_verdicts import CLAIM, OPENINGS, PAGES, reply
from tests.making import changed, make_page

ADDED_TO = {"notes", "details", "calls"}  # what a stage that writes them only adds to
ASKING = "own/questions"
SWITCHES: tuple[dict[str, Any], ...] = (
    {},
    {"verdict": "two", "context_order": "before"},
    {"without": "titles", "context_order": "only"},
    {"sufficiency": True, "llm_grounding": True},
    {"query": "claim", "context_order": "none", "documents": "questions"},
    {"query": "bm25", "verdict": "llm_two", "pieces": "mean"},
    {"documents": "questions", "prompt": "c", "doubt": "slightest", "context_prompt": "apart"},
    {"question_model": ASKING, "passages": "dual"},
)
BRIDGE = KnowledgeStore(PAGES, "bridge")
ANCHOR = KnowledgeStore(
    [make_page("Ankerbrücke", "Die Ankerbrücke wurde 1931 eröffnet.", "Sie führt über die Lowe.")], language="de"
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


class OneQuestion:
    """Implements `QuestionGenerator`."""

    id = ASKING

    def ask(self, claim: str, answers: Sequence[tuple[int, int, str]]) -> list[str]:
        return ["When was it opened?"] * len(answers)


@dataclass
class SmallWeb:
    """In place of an engine and its reader: every search finds two pages, one of which cannot be read."""

    host = "web.example"

    def search(self, query: str) -> Found:
        return Found(["https://web.example/a", "https://web.example/b"], ["one (too many requests)"])

    def allow(self, address: str) -> bool:
        return True

    @contextmanager
    def opened(self) -> Iterator[Callable[[str], Page | None]]:
        yield {"https://web.example/a": replace(PAGES[0], id="a")}.get


@pytest.fixture(autouse=True)
def _hub(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hub's model of questions is ours."""
    monkeypatch.setattr("retrieval.roles.hub.question_generator", lambda name, settings: OneQuestion())


def guarded(stage: Stage, check: FactCheck) -> FactCheck:
    """The check with every field that the stage does not declare made untouchable."""
    allowed = {*stage.reads, *(ADDED_TO & set(stage.writes))}
    return replace(check, **{f.name: Untouchable(f.name) for f in fields(check) if f.name not in allowed})


def built(
    resources: Resources, recipe: str, model: Replying | None = None, store: PageStore = BRIDGE, **switches: Any
) -> Pipeline:
    ours = replace(resources, settings=changed(resources.settings, **switches), model=model)
    return ours.over(store).pipeline(recipe)


def run_guarded(pipeline: Pipeline, claim: Claim = CLAIM) -> FactCheck:
    """The finished check. Every stage touched what it declares, and nothing else."""
    check = pipeline.start(claim)
    for stage in pipeline.stages:
        given = guarded(stage, check)
        *_, last = stage.run(given)
        changed = {f.name for f in fields(check) if getattr(last.check, f.name) is not getattr(given, f.name)}
        assert changed <= set(stage.writes), stage.name
        check = replace(check, **{name: getattr(last.check, name) for name in changed})
    return check


@pytest.mark.parametrize("model", [None, Replying()], ids=["local", "model"])
@pytest.mark.parametrize("switches", SWITCHES, ids=str)
@pytest.mark.parametrize("recipe", RECIPES)
def test_stages_declare_what_they_touch(
    resources: Resources, recipe: str, switches: dict[str, Any], model: Replying | None
) -> None:
    assert run_guarded(built(resources, recipe, model, **switches)).verdict


@pytest.mark.parametrize("recipe", RECIPES)
def test_so_does_the_search_of_the_web(resources: Resources, recipe: str) -> None:
    check = run_guarded(searching(built(resources, recipe)))
    assert check.verdict
    assert "1 could be read" in check.details["web"]


def searching(pipeline: Pipeline) -> Pipeline:
    return with_web(pipeline, WebSearch(SmallWeb(), SmallWeb(), 2, 2))


def test_so_do_the_stages_of_other_languages(resources: Resources) -> None:
    only_found = run_guarded(built(resources, "fast", store=ANCHOR), Claim("c", "Die Ankerbrücke wurde 1932 eröffnet."))
    assert (only_found.verdict, bool(only_found.evidence)) == (None, True)
    across = Claim("c", "Die Anchor Bridge ist eine Brücke und wurde im Jahr 1932 von der Stadt eröffnet.")
    withdrawn = run_guarded(built(resources, "fast", store=KnowledgeStore(PAGES, "bridge", language="en")), across)
    assert withdrawn.verdict is None
    assert "written in German" in withdrawn.notes[-1]


def test_no_stage_is_left_out(resources: Resources) -> None:
    """Whatever stands in the folder of stages is run above."""
    cases = itertools.product(RECIPES, (None, Replying()), SWITCHES)
    pipelines = [built(resources, recipe, model, **switches) for recipe, model, switches in cases]
    pipelines += [searching(pipelines[0]), built(resources, "fast", store=ANCHOR)]
    reached = {type(stage) for pipeline in pipelines for stage in pipeline.stages}
    modules = [
        importlib.import_module(found.name) for found in pkgutil.walk_packages(stages.__path__, "retrieval.stages.")
    ]
    named = {kind for module in modules for kind in vars(module).values() if is_stage(kind)}
    assert named - reached == set()


def is_stage(kind: object) -> bool:
    return isinstance(kind, type) and is_dataclass(kind) and hasattr(kind, "run") and hasattr(kind, "writes")


@pytest.mark.parametrize("recipe", RECIPES)
def test_stages_have_one_style(resources: Resources, recipe: str) -> None:
    """What a stage is made of are its fields; its name and what it reads and writes are the class's."""
    for model in (None, Replying()):
        for stage in built(resources, recipe, model).stages:
            assert type(stage).__dataclass_params__.frozen, stage  # type: ignore[attr-defined]
            assert not {f.name for f in fields(stage)} & {"name", "reads", "writes"}, stage  # type: ignore[arg-type]
