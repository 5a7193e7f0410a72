"""What our components share: they open a recipe over a corpus, and turn a check into Haystack's documents."""

from __future__ import annotations

import inspect
import threading
import uuid
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Self

from haystack import Document, default_from_dict, default_to_dict
from haystack.core.serialization import component_to_dict
from haystack.utils.deserialization import deserialize_component_inplace

from retrieval.errors import RecipeError
from retrieval.haystack.chat import ChatGeneratorModel
from retrieval.output.record import check_as_json
from retrieval.pipeline import Pipeline, run_stage
from retrieval.protocols import Stage
from retrieval.recipes.tuning import tuned
from retrieval.resources import Resources, open_resources
from retrieval.settings import Settings
from retrieval.text.claims import read_claim
from retrieval.types import Claim, Evidence, FactCheck, Page

# The outputs of a whole check by socket, see `result_of`.
OUTPUTS: dict[str, Any] = {
    "label": str,
    "confidence": float,
    "reason": str,
    "documents": list[Document],
    "questions": list[str],
    "check": dict[str, Any],
}


@dataclass(frozen=True, eq=False)
class CheckUnderway:
    """A check between two components. It is immutable: each step passes on a new one.

    record: the record so far. left: the stages still to run, in order. stages: the names of all the recipe's stages.
    finish: completes the record.
    """

    record: FactCheck
    left: tuple[Stage, ...]
    stages: tuple[str, ...]
    finish: Callable[[FactCheck], FactCheck]

    def __deepcopy__(self, _: Any) -> Self:
        """The same object. Haystack would copy it between components, with its open models."""
        return self

    def through(self, name: str) -> Self:
        """The check after its next stage of this name; unchanged if the claim does not need it. Raises RecipeError."""
        if name not in self.stages:
            has = f"With the settings in force it has: {', '.join(self.stages)}."
            raise RecipeError(f"Recipe {self.record.recipe} has no stage {name[:40]!r}. {has}")
        names = [stage.name for stage in self.left]
        return self._run(names.index(name)) if name in names else self

    def finished(self) -> FactCheck:
        """The whole record, after the remaining stages."""
        check = self
        while check.left:
            check = check._run(0)
        return check.finish(check.record)

    def _run(self, position: int) -> Self:
        check = self.record
        for progress in run_stage(self.left[position], check):
            check = progress.check
        return replace(self, record=check, left=self.left[position + 1 :])


class Opening:
    """A recipe over a corpus; `warm_up` or the first claim opens it."""

    def __init__(
        self,
        recipe: str = "",
        store: str = "",
        against: Sequence[str] | None = None,
        knowledge: str = "",
        knobs: Sequence[str] | None = None,
        chat_generator: Any = None,
    ) -> None:
        """The arguments are those of `python -m retrieval check`: `--recipe`, `--store`, `--against`, `--knowledge`,
        `--set`; for empty ones, the settings decide. chat_generator: your own, asked by the verdict and other steps in
        place of LLM_MODEL. Nothing is opened before `warm_up`.
        """
        self.recipe, self.store, self.against, self.knowledge = recipe, store, list(against or ()), knowledge
        self.knobs, self.chat_generator = list(knobs or ()), chat_generator
        self._resources: Resources | None = None
        self._opening = threading.Lock()

    def warm_up(self) -> None:
        """Open the corpus and load the models. Raises StoreError, ModelError, SettingError or RecipeError."""
        if hasattr(self.chat_generator, "warm_up"):
            self.chat_generator.warm_up()
        self.pipeline()

    def pipeline(self) -> Pipeline:
        """The recipe over the corpus in use now."""
        resources = self._open()
        return resources.pipeline(self.recipe or resources.settings.recipe)

    def start(self, claim: str, *, judged: bool = True) -> CheckUnderway:
        """The check before its first stage. judged: whether you want a verdict; if not, pages are searched even for a
        text that is not a statement. Raises ClaimError, and what `warm_up` raises.
        """
        resources, pipeline = self._open(), self.pipeline()
        text = read_claim(claim, resources.settings.claim_length)
        check = replace(pipeline, reader=pipeline.reader if judged else None).start(Claim(uuid.uuid4().hex, text))
        names = tuple(stage.name for stage in pipeline.stages)
        finish = partial(resources.finished, recipe=pipeline.name)
        return CheckUnderway(check, pipeline.stages_for(check), names, finish)

    def to_dict(self) -> dict[str, Any]:
        """The component as a dictionary, from which `from_dict` rebuilds it."""
        arguments = {name: getattr(self, name) for name in inspect.signature(self.__init__).parameters}  # type: ignore[misc]
        if arguments.get("chat_generator") is not None:
            arguments["chat_generator"] = component_to_dict(self.chat_generator, "chat_generator")
        written: dict[str, Any] = default_to_dict(self, **arguments)
        return written

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Inverse of `to_dict`."""
        if data["init_parameters"].get("chat_generator"):
            deserialize_component_inplace(data["init_parameters"], key="chat_generator")
        made: Self = default_from_dict(cls, data)
        return made

    def _open(self) -> Resources:
        with self._opening:
            if self._resources is None:
                settings = Settings.from_environment()
                if self.knobs:
                    settings = tuned(settings, self.recipe or settings.recipe, self.knobs)
                knowledge = Path(self.knowledge) if self.knowledge else None
                resources = open_resources(settings, self.store, self.against, knowledge)
                if self.chat_generator is not None:
                    resources = replace(resources, model=ChatGeneratorModel(self.chat_generator))
                self._resources = resources
            return self._resources


def result_of(check: FactCheck) -> dict[str, Any]:
    """A finished check's outputs by socket; see `EsotericFactChecker.run`."""
    judged: dict[str, Any] = {"reason": " ".join(check.notes)}
    if verdict := check.verdict:
        judged = {"label": str(verdict.label), "confidence": verdict.confidence, "reason": verdict.reason}
    return {
        **judged,
        "documents": [sentence_document(evidence) for evidence in check.evidence],
        "questions": list(dict.fromkeys(pair.question for pair in check.questions)),
        "check": check_as_json(check),
    }


def sentence_document(evidence: Evidence) -> Document:
    """content: the sentence; score: its relevance, 0 to 1; meta: its page and offsets, and its stance on the claim."""
    sentence = evidence.sentence
    place = {name: getattr(sentence, name) for name in ("page_id", "title", "line", "start", "end")}
    meta = {**place, **asdict(evidence.stance), "verified": evidence.verified}
    return Document(content=sentence.text, score=evidence.relevance, meta=meta)


def page_document(page: Page, score: float) -> Document:
    """content: the page's text; meta: its id and title."""
    return Document(content=page.text, score=score, meta={"page_id": page.id, "title": page.title})
