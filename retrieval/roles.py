"""The model for each role: ours, unless the role's setting names another; the same in every recipe."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from retrieval.errors import ModelError
from retrieval.models import catalogue
from retrieval.models.disk_cache import cached
from retrieval.models.encoders import PAGE_ENCODERS, open_page_encoder
from retrieval.models.english.asking.questions import PolarByModel, RuleQuestions
from retrieval.models.hub import opening as hub
from retrieval.models.hub.catalogue import QUESTIONS as RULES
from retrieval.models.hub.catalogue import find_hub_model
from retrieval.models.pair_scorers import BothReadings, FormChecked, Readers, ScorerRelevance
from retrieval.protocols import (
    Encoder,
    PageStore,
    PairScorer,
    QuestionGenerator,
    Reader,
    RelevanceClassifier,
    SpanExtractor,
    StanceReader,
)
from retrieval.settings import Settings
from retrieval.settings.groups import Hub
from retrieval.stages.claim import MergedSpans, TitleNgrams
from retrieval.stores.vectors import vectors_id
from retrieval.text.languages import AND, ENGLISH_CODE, LANGUAGES, Language

if TYPE_CHECKING:
    from retrieval.parts import Parts

OURS = catalogue.CROSS_ENCODER.name  # relevance and stance in one pass
DPR_QUESTIONS = "facebook/dpr-question_encoder-single-nq-base"
OF_HUB = ("threads", *(setting.name for setting in fields(Hub)))  # settings with which a hub model is opened

# A role's setting -> (the role's displayed name, kinds of model that can play it: see `HubModel.role`).
ROLES = {
    "span_models": ("span finder", ("spans",)),
    "question_model": ("question writer", ("questions",)),
    "question_encoder": ("question encoder", ("encoder",)),
    "page_encoder": ("document encoder", ("encoder",)),
    "reranker": ("reranker", ("reranker", "relevance")),
    "relevance_model": ("relevance", ("relevance", "reranker")),
    "stance_model": ("stance reader", ("stance",)),
    "similarity_model": ("similarity", ("encoder",)),
}


def reads_by_ours(settings: Settings) -> bool:
    """Whether relevance and stance come from the models on which the verdicts' probabilities were calibrated."""
    return settings.relevance_model == settings.stance_model == OURS


def read_languages(settings: Settings) -> set[str]:
    """The codes of the languages with verdicts: those in which the relevance and stance models were measured, and those
    whose profile names models, if the settings allow these.
    """
    return _measured(settings) | ({code for code, one in LANGUAGES.items() if one.models and settings.language_models})


def suited_to(language: Language, settings: Settings) -> Settings:
    """The settings with the models of the language's profile, if these are allowed and the chosen ones do not fit it."""
    codes = set(language.code.split(AND))
    if codes <= _measured(settings) or not codes <= read_languages(settings):
        return settings
    named: dict[str, Any] = dict(language.models)
    return replace(settings, **named)


def _measured(settings: Settings) -> set[str]:
    named = {code.strip().lower() for code in settings.reader_languages.split(",")}
    return {ENGLISH_CODE} if reads_by_ours(settings) else named


class Chosen:
    """Opens the models that the settings name, once per process. All methods that return a model raise ModelError."""

    def __init__(self, parts: Parts) -> None:
        self._parts, self._settings = parts, parts.settings

    def spans(self) -> SpanExtractor:
        """The models that SPAN_MODELS names."""
        extractors = [self._spans(name) for name in _split(self._settings.span_models)]
        return extractors[0] if len(extractors) == 1 else MergedSpans(extractors)

    def spans_and_titles(self, store: PageStore, most: int) -> SpanExtractor:
        """Like `spans`, plus runs of words that are titles. most: pages to look up; 0 for none."""
        titles: list[SpanExtractor] = [TitleNgrams(store, most)] if most else []
        return MergedSpans([*map(self._spans, _split(self._settings.span_models)), *titles])

    def question_generator(self) -> QuestionGenerator:
        """The model that QUESTION_MODEL names."""
        name = self._settings.question_model
        if name == RULES:
            return self._rules()
        return self._parts.once(f"questions {name}", lambda: hub.question_generator(name, self._settings), *OF_HUB)

    def polar_questions(self) -> RuleQuestions | PolarByModel:
        """Rules of grammar; where these find no verb to move, the model that asks the other questions."""
        rules = self._rules()
        return rules if self._settings.question_model == RULES else PolarByModel(rules, self.question_generator())

    def question_encoder(self) -> Encoder:
        """The model that QUESTION_ENCODER names, for passage search."""
        return self._encoder(_question_half(self._settings.question_encoder), "question")

    def claim_encoder(self) -> Encoder:
        """The model that QUESTION_ENCODER names, for finding similar claims."""
        return self._encoder(_question_half(self._settings.question_encoder), "similar")

    def page_encoder(self) -> Encoder:
        """The model that PAGE_ENCODER names."""
        return self._encoder(self._settings.page_encoder, "context")

    def similarity_encoder(self) -> Encoder:
        """The model that SIMILARITY_MODEL names."""
        return self._encoder(self._settings.similarity_model, "similarity")

    def pair_scorer(self) -> PairScorer:
        """Relevance by the model that RELEVANCE_MODEL names, stance by STANCE_MODEL's."""
        ours, relevance, stance = (
            self._parts.pair_scorer(),
            self._classifier(self._settings.relevance_model),
            self._stance(),
        )
        return FormChecked(Readers(ours, relevance, stance)) if relevance or stance else ours

    def answer_scorer(self) -> PairScorer:
        """Like `pair_scorer`, with our reader's stances too if our models are chosen: for a few sentences."""
        first, reader = self.pair_scorer(), self.reader()
        return BothReadings(first, reader, self._settings.threads) if reader else first

    def reader(self) -> Reader | None:
        """The model for the second pass; None unless the first pass is ours, because it would overrule your choice."""
        return self._parts.reader() if reads_by_ours(self._settings) else None

    def reranker(self) -> RelevanceClassifier:
        """The model that RERANKER names."""
        name = self._settings.reranker
        return self._classifier(name) or ScorerRelevance(self._parts.pair_scorer(), catalogue.CROSS_ENCODER.id)

    def id_of(self, role: str) -> str:
        """The ids of a setting's models in records, with their versions if they are installed."""
        names = str(getattr(self._settings, role))
        if role == "question_encoder":
            names = _question_half(names)
        ours = {model.name: model.id for model in catalogue.MODELS} | {RULES: RULES}
        return ", ".join(ours.get(name) or self._hub_id(name) for name in _split(names))

    def vectors_id(self) -> str:
        """The name under which a corpus keeps the vectors that PAGE_ENCODER makes."""
        return vectors_id(self.page_encoder(), self.id_of("page_encoder"), self._settings.page_characters)

    def _hub_id(self, name: str) -> str:
        try:
            return hub.find(PAGE_ENCODERS.get(name, name), replace(self._settings, hub_download=False)).id
        except ModelError:
            return name

    def _spans(self, name: str) -> SpanExtractor:
        if name == catalogue.SPANS.name:
            return self._parts.span_extractor()
        return self._parts.once(f"spans {name}", lambda: hub.span_extractor(name, self._settings), *OF_HUB)

    def _rules(self) -> RuleQuestions:
        return self._parts.once("rules", RuleQuestions)

    def _classifier(self, name: str) -> RelevanceClassifier | None:
        """A hub's model by its name; None for our own."""
        if name == OURS:
            return None
        listed = find_hub_model(name)
        open_model = hub.reranker if listed and listed.role == "reranker" else hub.relevance_classifier
        return self._parts.once(f"relevance {name}", lambda: open_model(name, self._settings), *OF_HUB)

    def _stance(self) -> StanceReader | None:
        """The hub's model that STANCE_MODEL names; None for our own."""
        name = self._settings.stance_model
        if name == OURS:
            return None
        return self._parts.once(f"stance {name}", lambda: hub.stance_reader(name, self._settings), *OF_HUB)

    def _encoder(self, name: str, role: str) -> Encoder:
        full = PAGE_ENCODERS.get(name, name)
        if full == catalogue.ENCODER.name:
            return self._parts.encoder()
        if full == catalogue.STATIC.name:
            return self._parts.once(
                "static encoder", lambda: open_page_encoder(full, self._settings)[0], *OF_HUB, "data"
            )
        needs = (*OF_HUB, "data", "vector_cache")
        return self._parts.once(f"encoder {full} {role}", lambda: self._of_hub(full, role), *needs)

    def _of_hub(self, name: str, role: str) -> Encoder:
        """An encoder of the hub. Its vectors are cached in DATA like ours, separately for each role's prompt."""
        encoder, place = hub.encoder(name, role, self._settings), hub.find(name, self._settings)
        path = self._settings.data / "vectors.sqlite"
        return cached(encoder, f"{place.content()} {role}", path, self._settings.vector_cache)


def _question_half(name: str) -> str:
    return DPR_QUESTIONS if name == "dpr" else name


def _split(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()]
