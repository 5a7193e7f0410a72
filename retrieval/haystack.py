# mypy: disable-error-code="untyped-decorator,no-any-return"
"""Our retrieval as components for your own Haystack pipelines (haystack-ai 3). Never imported by the program itself.

    from haystack import Pipeline
    from retrieval.haystack import EsotericRetriever

    pipeline = Pipeline()
    pipeline.add_component("evidence", EsotericRetriever(store="data/local/store", top_k=3))
    documents = pipeline.run({"evidence": {"claim": "Marie Curie won two Nobel Prizes."}})["evidence"]["documents"]

A pipeline written down with `pipeline.dumps()` is read again by
`Pipeline.loads(text, allowed_modules=["retrieval.haystack"])`. Importing this package turns telemetry off (`TELEMETRY_OFF`) where it comes before Haystack's own import.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from haystack import Document, component, default_from_dict, default_to_dict
from haystack.core.serialization import component_to_dict
from haystack.dataclasses import ChatMessage
from haystack.utils.deserialization import deserialize_component_inplace

from retrieval.errors import LLMError
from retrieval.llm.answers import read_answer
from retrieval.llm.client import LEAST_REPLY, counted, prompt_tokens
from retrieval.output.record import check_as_json
from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.text.claims import read_claim
from retrieval.types import Claim, Evidence, FactCheck, Limits, Reply


class ChatGeneratorModel:
    """A Haystack ChatGenerator as our `LLM`: any component whose `run` takes `messages` and returns `replies`.

    Its own parameters decide the length and form of its replies.
    """

    def __init__(self, generator: Any) -> None:
        self._generator = generator
        self.id = str(getattr(generator, "model", "") or type(generator).__name__)

    def complete(
        self,
        instructions: str,
        content: str,
        schema: Mapping[str, object] | None = None,
        *,
        limits: Limits | None = None,
    ) -> Reply:
        """See `LLM`. Whatever the generator raises becomes an LLMError with its words."""
        began, prompt = time.monotonic(), prompt_tokens(instructions, content, schema)
        if limits and limits.tokens - prompt < LEAST_REPLY:
            raise LLMError(f"The question to {self.id} is too long for what is left of this claim's budget.")
        try:
            said = self._generator.run(messages=[ChatMessage.from_system(instructions), ChatMessage.from_user(content)])
            message = said["replies"][0]
            choice = {"message": {"content": message.text}, "finish_reason": message.meta.get("finish_reason")}
            answer = read_answer({"choices": [choice], "usage": message.meta.get("usage")})
        except Exception as error:  # of a component that is not ours
            seconds = round(time.monotonic() - began, 3)
            raise LLMError(f"{self.id} did not answer: {str(error)[:200]}", Reply("", seconds=seconds)) from error
        reply = counted(answer, prompt, round(time.monotonic() - began, 3))
        if answer.finish != "stop" or not answer.text:
            raise LLMError(f"{self.id} gave no whole reply ({answer.finish[:20]}).", replace(reply, text=""))
        return reply


class _Checker:
    """What both components share: a recipe over a corpus, opened by `warm_up` or by the first claim."""

    store: str
    recipe: str

    def _init(self, store: str, recipe: str, chat_generator: Any = None) -> None:
        self.store, self.recipe, self.chat_generator = store, recipe, chat_generator
        self._resources: Resources | None = None
        self._opening = threading.Lock()

    def warm_up(self) -> None:
        """Open the corpus and load the models. Raises StoreError, ModelError or RecipeError."""
        if hasattr(self.chat_generator, "warm_up"):
            self.chat_generator.warm_up()
        self._open().pipeline(self.recipe)

    def _open(self) -> Resources:
        with self._opening:
            if self._resources is None:
                settings = Settings.from_environment()
                resources = Resources(replace(settings, store=self.store or settings.store))
                model = ChatGeneratorModel(self.chat_generator) if self.chat_generator is not None else None
                self._resources = resources.asking(model) if model else resources
            return self._resources

    def _check(self, claim: str, *, judged: bool = True) -> FactCheck:
        """judged: whether a verdict is asked for; without it, what is no statement is looked up like one."""
        resources = self._open()
        text = read_claim(claim, resources.settings.claim_length)
        pipeline = resources.pipeline(self.recipe)
        pipeline = pipeline if judged else replace(pipeline, reader=None)
        check = pipeline.run(Claim(uuid.uuid4().hex, text))
        return replace(check, models=resources.models(self.recipe))


@component
class EsotericRetriever(_Checker):
    """Sentences that bear on a claim, as documents, best first."""

    def __init__(self, store: str = "", recipe: str = "esoteric", top_k: int = 5) -> None:
        """store: the corpus, as for `--store`; empty: STORE, else DATA/store. Nothing is opened before `warm_up`."""
        self._init(store, recipe)
        self.top_k = top_k

    @component.output_types(documents=list[Document])
    def run(self, claim: str, top_k: int | None = None) -> dict[str, list[Document]]:
        """{"documents": at most `top_k`}. content: the sentence; score: its relevance, 0..1; meta: where it stands.

        Raises EsotericError if the claim cannot be checked.
        """
        sentences = self._check(claim, judged=False).sentences
        return {"documents": [_document(e) for e in sentences[: self.top_k if top_k is None else top_k]]}

    def to_dict(self) -> dict[str, Any]:
        """What `from_dict` rebuilds the component from."""
        return default_to_dict(self, store=self.store, recipe=self.recipe, top_k=self.top_k)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> EsotericRetriever:
        """Inverse of `to_dict`."""
        made: EsotericRetriever = default_from_dict(cls, data)
        return made


@component
class EsotericFactChecker(_Checker):
    """A verdict on a claim, with its evidence; where there can be none, the evidence alone."""

    def __init__(self, store: str = "", recipe: str = "esoteric", chat_generator: Any = None) -> None:
        """store: the corpus, as for `--store`; empty: STORE, else DATA/store. Nothing is opened before `warm_up`.

        chat_generator: your own ChatGenerator, which gives the verdict in place of LLM_MODEL.
        """
        self._init(store, recipe, chat_generator)

    @component.output_types(
        label=str, confidence=float, reason=str, documents=list[Document], questions=list[str], check=dict[str, Any]
    )
    def run(self, claim: str) -> dict[str, Any]:
        """label: SUPPORTED, REFUTED, NOT_ENOUGH_EVIDENCE or CONFLICTING. confidence: the label's share, 0..1, which is a
        probability only if the verdict in `check` is `calibrated`; with recipe `esoteric` it is an estimate, with a language
        model its own rating. reason: one sentence why. documents: the evidence. questions: those asked. check: the whole
        check as JSON.

        There is no verdict on what is no statement, nor in a language that the reader was not measured in. Then `label` and `confidence` are left out, so
        that what is connected to them does not run; `reason` says why, and the documents are the nearest sentences.

        Raises EsotericError if the claim cannot be checked.
        """
        check = self._check(claim)
        return {
            **_judged(check),
            "documents": [_document(evidence) for evidence in check.evidence],
            "questions": list(dict.fromkeys(pair.question for pair in check.questions)),
            "check": check_as_json(check),
        }

    def to_dict(self) -> dict[str, Any]:
        """What `from_dict` rebuilds the component from."""
        own = self.chat_generator
        written = None if own is None else component_to_dict(own, "chat_generator")
        return default_to_dict(self, store=self.store, recipe=self.recipe, chat_generator=written)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> EsotericFactChecker:
        """Inverse of `to_dict`."""
        if data["init_parameters"].get("chat_generator"):
            deserialize_component_inplace(data["init_parameters"], key="chat_generator")
        made: EsotericFactChecker = default_from_dict(cls, data)
        return made


def _judged(check: FactCheck) -> dict[str, Any]:
    """Label, confidence and reason; without a verdict the reason alone, which is what the notes say."""
    if check.verdict is None:
        return {"reason": " ".join(check.notes)}
    verdict = check.verdict
    return {"label": str(verdict.label), "confidence": verdict.confidence, "reason": verdict.reason}


def _document(evidence: Evidence) -> Document:
    sentence, stance = evidence.sentence, evidence.stance
    meta = {
        "page_id": sentence.page_id,
        "title": sentence.title,
        "line": sentence.line,
        "start": sentence.start,
        "end": sentence.end,
        "supports": stance.supports,
        "refutes": stance.refutes,
        "neutral": stance.neutral,
        "verified": evidence.verified,
    }
    return Document(content=sentence.text, score=evidence.relevance, meta=meta)
