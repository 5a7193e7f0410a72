"""The models that recipe `esoteric` runs with: ours by default, a hub's where a setting names one."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING

from retrieval.errors import ModelError
from retrieval.models import catalogue
from retrieval.models.encoders import SHORT as PAGE_ENCODERS
from retrieval.models.encoders import open_page_encoder
from retrieval.models.hub import opening as hub
from retrieval.models.hub.catalogue import find_hub_model
from retrieval.protocols import (
    Encoder,
    PageStore,
    QuestionGenerator,
    RelevanceClassifier,
    SpanExtractor,
)
from retrieval.settings.groups import Hub
from retrieval.stages.claim import MergedSpans, TitleNgrams
from retrieval.stages.esoteric.questions import PolarQuestions

if TYPE_CHECKING:
    from retrieval.models.english.questions import RuleQuestions
    from retrieval.resources import Resources

RULES = "rules"
OF_HUB = ("threads", *(setting.name for setting in fields(Hub)))  # settings that a hub's model is opened with
DPR_QUESTIONS = "facebook/dpr-question_encoder-single-nq-base"


class Chosen:
    """Opens what the settings name, once a process."""

    def __init__(self, resources: Resources) -> None:
        self._resources, self._settings = resources, resources.settings

    def span_extractor(self, store: PageStore, ngrams: bool = True) -> SpanExtractor:
        """All that SPAN_MODELS names, and runs of words that are titles. Raises ModelError."""
        extractors: list[SpanExtractor] = [TitleNgrams(store)] if ngrams else []
        named = [self._spans(name) for name in _split(self._settings.span_models)]
        return MergedSpans([*named, *extractors])

    def question_generator(self) -> QuestionGenerator:
        """What QUESTION_MODEL names. Raises ModelError."""
        name = self._settings.question_model
        if name == RULES:
            return self._rules()
        return self._resources.once(f"questions {name}", lambda: hub.question_generator(name, self._settings), *OF_HUB)

    def polar_questions(self) -> PolarQuestions:
        """Grammar; where it finds no verb to move, the model that asks the other questions. Raises ModelError."""
        from retrieval.models.english.questions import PolarByModel

        rules = self._rules()
        return rules if self._settings.question_model == RULES else PolarByModel(rules, self.question_generator())

    def question_encoder(self) -> Encoder:
        """What QUESTION_ENCODER names. Raises ModelError."""
        name = self._settings.question_encoder
        return self._encoder(DPR_QUESTIONS if name == "dpr" else name, "question")

    def page_encoder(self) -> Encoder:
        """What PAGE_ENCODER names. Raises ModelError."""
        return self._encoder(self._settings.page_encoder, "context")

    def similarity_encoder(self) -> Encoder:
        """What SIMILARITY_MODEL names. Raises ModelError."""
        return self._encoder(self._settings.similarity_model, "similarity")

    def relevance_classifier(self) -> RelevanceClassifier | None:
        """What RELEVANCE_MODEL names; None for our own, which judges relevance and stance in one pass. Raises ModelError."""
        name = self._settings.relevance_model
        if name == catalogue.CROSS_ENCODER.name:
            return None
        listed = find_hub_model(name)
        opened = hub.reranker if listed and listed.role == "reranker" else hub.relevance_classifier
        return self._resources.once(f"relevance {name}", lambda: opened(name, self._settings), *OF_HUB)

    def id_of(self, role: str) -> str:
        """As records of checks name the models of a setting: with the version, where they are here."""
        names = str(getattr(self._settings, role))
        if names == "dpr" and role == "question_encoder":
            names = DPR_QUESTIONS
        ours = {model.name: model.id for model in catalogue.MODELS} | {RULES: RULES}
        return ", ".join(ours.get(name) or self._hub_id(name) for name in _split(names))

    def _hub_id(self, name: str) -> str:
        try:
            return hub.find(PAGE_ENCODERS.get(name, name), replace(self._settings, hub_download=False)).id
        except ModelError:
            return name

    def _spans(self, name: str) -> SpanExtractor:
        if name == catalogue.SPANS.name:
            return self._resources.span_extractor()
        return self._resources.once(f"spans {name}", lambda: hub.span_extractor(name, self._settings), *OF_HUB)

    def _rules(self) -> RuleQuestions:
        from retrieval.models.english.questions import RuleQuestions

        return self._resources.once("rules", RuleQuestions)

    def _encoder(self, name: str, role: str) -> Encoder:
        from retrieval.models.memory_cache import CachedEncoder

        full = PAGE_ENCODERS.get(name, name)
        if full == catalogue.ENCODER.name:
            return self._resources.encoder()
        if full == catalogue.STATIC.name:
            return self._resources.once(
                "static encoder", lambda: open_page_encoder(full, self._settings)[0], *OF_HUB, "data"
            )
        made = lambda: CachedEncoder(hub.encoder(full, role, self._settings))  # noqa: E731
        return self._resources.once(f"encoder {full} {role}", made, *OF_HUB)


def _split(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()]
