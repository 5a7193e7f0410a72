# mypy: disable-error-code="untyped-decorator,no-any-return"
"""Every step of a recipe as a component, and the recipe as a `Pipeline` of these.

A step runs one stage of the recipe. It passes on the check in socket `check`, and pages or sentences in socket
`documents`. Rankers and verdicts also accept `documents`, so that your own component between two steps can remove or
reorder them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from haystack import Document, Pipeline, component
from haystack.core.errors import PipelineRuntimeError

from retrieval.errors import EsotericError
from retrieval.haystack.opening import OUTPUTS, CheckUnderway, Opening, page_document, result_of, sentence_document
from retrieval.protocols import Stage
from retrieval.stores.knowledge_file import tidy_lines
from retrieval.text.sentences import sentence_spans
from retrieval.types import Evidence, FactCheck, Hit, Page

FIRST, LAST = "start", "result"
METHOD = "haystack"  # of pages from your own component


@component
class CheckStart(Opening):
    """Begins a check: reads the claim, and opens the corpus for all steps."""

    @component.output_types(check=CheckUnderway, query=str)
    def run(self, claim: str) -> dict[str, Any]:
        """check: for the first step. query: the claim as it is searched, for your own retriever. Raises EsotericError."""
        check = self.start(claim)
        return {"check": check, "query": check.record.claim.reading}


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
        """check: after this step. documents: the pages found so far, best first."""
        check = check.through(self.stage)
        return {"check": check, "documents": [page_document(hit.page, hit.score) for hit in check.record.pages]}


@component
class RankerStep(_Step):
    """A step that finds, judges or orders sentences."""

    def __init__(self, stage: str, gives: str = "sentences") -> None:
        """stage: the name of the stage that it runs. gives: which documents it passes on, all `sentences` or the `evidence`."""
        self.stage, self.gives = stage, gives

    @component.output_types(check=CheckUnderway, documents=list[Document])
    def run(self, check: CheckUnderway, documents: list[Document] | None = None) -> dict[str, Any]:
        """check: after this step. documents: its sentences, best first; as an argument, see `with_documents`."""
        check = with_documents(check, documents).through(self.stage)
        return {"check": check, "documents": [sentence_document(one) for one in getattr(check.record, self.gives)]}


@component
class VerdictStep(_Step):
    """A step that reaches a verdict, or withdraws one."""

    @component.output_types(check=CheckUnderway)
    def run(self, check: CheckUnderway, documents: list[Document] | None = None) -> dict[str, Any]:
        """check: after this step, with its verdict in `check.record.verdict`. documents: see `with_documents`."""
        return {"check": with_documents(check, documents).through(self.stage)}


@component
class CheckResult:
    """Ends a check: components after it get plain values."""

    @component.output_types(**OUTPUTS, record=FactCheck)
    def run(self, check: CheckUnderway) -> dict[str, Any]:
        """The outputs of `EsotericFactChecker.run`, and `record`: the check as a Python object."""
        record = check.finish(check.record)
        return {**result_of(record), "record": record}


def with_documents(check: CheckUnderway, documents: Sequence[Document] | None) -> CheckUnderway:
    """The check with only these documents, in their order; unchanged if None.

    Documents with `page_id` and `start` in their `meta`, as steps give them, choose among the check's sentences. Others
    are pages: one of the check's (by `page_id`), or a new one with the document's content and the `title` and `url` of
    its `meta`.
    """
    if documents is None:
        return check
    record = check.record
    if not documents:
        return replace(check, record=replace(record, pages=(), sentences=(), evidence=()))
    metas = [document.meta for document in documents]
    places = {(meta.get("page_id", ""), meta["start"]): n for n, meta in enumerate(metas) if "start" in meta}
    if places:
        sentences, evidence = _chosen(record.sentences, places), _chosen(record.evidence, places)
        return replace(check, record=replace(record, sentences=sentences, evidence=evidence))
    known = {hit.page.id: hit for hit in record.pages}
    pages = tuple(known.get(one.meta.get("page_id", "")) or _hit(one) for one in documents if one.content)
    return replace(check, record=replace(record, pages=pages))


def _chosen(found: Sequence[Evidence], places: Mapping[tuple[str, int], int]) -> tuple[Evidence, ...]:
    """The sentences that have a place, in the order of their places."""

    def place(one: Evidence) -> int:
        return places.get((one.sentence.page_id, one.sentence.start), len(places))

    return tuple(one for one in sorted(found, key=place) if place(one) < len(places))


def _hit(document: Document) -> Hit:
    text = "\n".join(tidy_lines(document.content or ""))
    lines = tuple((line, start, end) for line, (start, end) in enumerate(sentence_spans(text)))
    title, source = (str(document.meta.get(name) or "") for name in ("title", "url"))
    return Hit(Page(document.id, title or document.id, text, lines, source=source), document.score or 0.0, METHOD)


def recipe_pipeline(
    recipe: str = "",
    store: str = "",
    *,
    against: Sequence[str] = (),
    knowledge: str = "",
    knobs: Sequence[str] = (),
    chat_generator: Any = None,
) -> Pipeline:
    """The recipe as a Haystack pipeline: `start`, a component for each stage, `result`. Arguments as for `CheckStart`.

    A component is named after its stage, with `_` for spaces (`second_hop`); if two stages share a name, the second gets a
    2. The stages depend on the settings in force, so this opens the corpus and raises what `warm_up` raises.
    """
    start = CheckStart(recipe, store, against, knowledge, knobs, chat_generator)
    steps: dict[str, Any] = {}
    seen = Counter[str]()
    for stage in start.pipeline().stages:
        name = stage.name.replace(" ", "_")
        seen[name] += 1
        steps[f"{name}_{seen[name]}" if seen[name] > 1 else name] = _step(stage)
    pipeline = Pipeline()
    pipeline.add_component(FIRST, start)
    before = FIRST
    for name, step in {**steps, LAST: CheckResult()}.items():
        pipeline.add_component(name, step)
        pipeline.connect(f"{before}.check", f"{name}.check")
        before = name
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
