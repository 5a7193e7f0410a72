# mypy: disable-error-code="untyped-decorator,no-any-return"
"""Every step of a recipe as a component, and the recipe as a `Pipeline` of these.

A step runs one stage of the recipe. It passes on the check in socket `check`, and pages or sentences in socket
`documents`. Rankers and verdicts also accept `documents`, so that your own component between two steps can remove or
reorder them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from haystack import Document, Pipeline, component
from haystack.core.errors import PipelineRuntimeError

from retrieval.errors import EsotericError
from retrieval.haystack.opening import CheckUnderway, Opening, page_document, result_of, sentence_document
from retrieval.haystack.own_documents import with_documents
from retrieval.protocols import Stage
from retrieval.types import FactCheck

FIRST, LAST = "start", "result"


@component
class CheckStart(Opening):
    """Begins a check: reads the claim, and opens the corpus for all steps."""

    def __init__(
        self,
        recipe: str = "",
        store: str = "",
        against: list[str] | None = None,
        knowledge: str = "",
        knobs: list[str] | None = None,
        chat_generator: Any = None,
    ) -> None:
        """The arguments are those of `python -m retrieval check`: `--recipe`, `--store`, `--against`, `--knowledge`,
        `--set`; for empty ones, the settings decide. chat_generator: your own, asked by the verdict and other steps in
        place of LLM_MODEL. Nothing is opened before `warm_up`.
        """
        given: dict[str, Any] = {"against": against or (), "knowledge": knowledge, "knobs": knobs or ()}
        self._reads(recipe, store, **given, chat_generator=chat_generator)

    @component.output_types(check=CheckUnderway, query=str)
    def run(self, claim: str) -> dict[str, Any]:
        """check: for the first step. query: the claim as search and models read it, for your own retriever.

        Raises EsotericError if the claim cannot be checked.
        """
        check = self.start(claim)
        return {"check": check, "query": check.record.claim.reading}

    def to_dict(self) -> dict[str, Any]:
        """What `from_dict` rebuilds the component from."""
        names = ("recipe", "store", "against", "knowledge", "knobs")
        return self._written(**{name: getattr(self, name) for name in names})


class _Step:
    def __init__(self, stage: str) -> None:
        """stage: the name of the stage that it runs."""
        self.stage = stage


@component
class CheckStep(_Step):
    """A step that finds no documents: names in the claim, questions, a call to the language model."""

    @component.output_types(check=CheckUnderway)
    def run(self, check: CheckUnderway) -> dict[str, Any]:
        """check: after this step. Raises RecipeError if the recipe has no such stage."""
        return {"check": check.through(self.stage)}


@component
class RetrieverStep(_Step):
    """A step that finds pages."""

    @component.output_types(check=CheckUnderway, documents=list[Document])
    def run(self, check: CheckUnderway) -> dict[str, Any]:
        """check: after this step. documents: the pages found so far, best first. Raises as `CheckStep`."""
        check = check.through(self.stage)
        return {"check": check, "documents": [page_document(hit.page, hit.score) for hit in check.record.pages]}


@component
class RankerStep(_Step):
    """A step that finds, judges or orders sentences."""

    def __init__(self, stage: str, gives: str = "sentences") -> None:
        """stage: the name of the stage that it runs. gives: which sentences it passes on as documents, all `sentences`
        or the `evidence`.
        """
        self.stage, self.gives = stage, gives

    @component.output_types(check=CheckUnderway, documents=list[Document])
    def run(self, check: CheckUnderway, documents: list[Document] | None = None) -> dict[str, Any]:
        """check: after this step. documents: its sentences, best first. Raises as `CheckStep`.

        The argument `documents` replaces what the check found, see `with_documents`.
        """
        check = with_documents(check, documents).through(self.stage)
        return {"check": check, "documents": [sentence_document(one) for one in getattr(check.record, self.gives)]}


@component
class VerdictStep(_Step):
    """A step that reaches a verdict, or withdraws one."""

    @component.output_types(check=CheckUnderway)
    def run(self, check: CheckUnderway, documents: list[Document] | None = None) -> dict[str, Any]:
        """check: after this step, with its verdict in `check.record.verdict`. documents, errors: as for `RankerStep`."""
        return {"check": with_documents(check, documents).through(self.stage)}


@component
class CheckResult:
    """Ends a check: components after it get plain values."""

    @component.output_types(
        label=str,
        confidence=float,
        reason=str,
        documents=list[Document],
        questions=list[str],
        check=dict[str, Any],
        record=FactCheck,
    )
    def run(self, check: CheckUnderway) -> dict[str, Any]:
        """The outputs of `EsotericFactChecker.run`, and `record`: the check as a Python object."""
        record = check.finish(check.record)
        return {**result_of(record), "record": record}


def recipe_pipeline(
    recipe: str = "",
    store: str = "",
    *,
    against: Sequence[str] = (),
    knowledge: str = "",
    knobs: Sequence[str] = (),
    chat_generator: Any = None,
) -> Pipeline:
    """The recipe as a Haystack pipeline: `start`, a component for each stage, `result`. Arguments: those of
    `CheckStart`.

    A component is named after its stage, with `_` for spaces (`second_hop`); if two stages share a name, the second gets a 2.
    The stages depend on the settings in force, so this opens the corpus. Raises StoreError, ModelError, SettingError or
    RecipeError.
    """
    start = CheckStart(recipe, store, list(against), knowledge, list(knobs), chat_generator)
    components: dict[str, Any] = {FIRST: start}
    seen = Counter[str]()
    for stage in start.pipeline().stages:
        name = stage.name.replace(" ", "_")
        seen[name] += 1
        components[f"{name}_{seen[name]}" if seen[name] > 1 else name] = _step(stage)
    components[LAST] = CheckResult()
    pipeline = Pipeline()
    for name, made in components.items():
        pipeline.add_component(name, made)
    for name, following in zip(components, [*components][1:], strict=False):
        pipeline.connect(f"{name}.check", f"{following}.check")
    return pipeline


def _step(stage: Stage) -> Any:
    """The component for a stage, chosen by the fields that the stage writes."""
    if "verdict" in stage.writes:
        return VerdictStep(stage.name)
    if "corpus" in stage.writes:  # such a stage searches, whatever else it does
        return RetrieverStep(stage.name)
    if "evidence" in stage.writes:
        return RankerStep(stage.name, "evidence")
    if "sentences" in stage.writes:
        return RankerStep(stage.name)
    return RetrieverStep(stage.name) if "pages" in stage.writes else CheckStep(stage.name)


def run_recipe(pipeline: Pipeline, claim: str) -> FactCheck:
    """The check of a claim by a pipeline from `recipe_pipeline`. Raises EsotericError, as the recipe itself does."""
    try:
        return pipeline.run({FIRST: {"claim": claim}})[LAST]["record"]
    except PipelineRuntimeError as error:
        if isinstance(error.__cause__, EsotericError):
            raise error.__cause__ from None
        raise
