"""The models that recipe `esoteric` runs with: ours by default, a hub's where a setting names one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from retrieval.errors import ModelError
from retrieval.models import catalogue
from retrieval.protocols import (
    Encoder,
    PageStore,
    QuestionGenerator,
    RelevanceClassifier,
    SpanExtractor,
)
from retrieval.stages.claim import MergedSpans, TitleNgrams
from retrieval.stages.questions import PolarQuestions

if TYPE_CHECKING:
    from retrieval.models.questions import RuleQuestions
    from retrieval.resources import Resources

RULES = "rules"
INSTALL = "Install its loader: pip install -r requirements-hub.txt"


def model_id(names: str) -> str:
    """As records of checks name the models of a setting: ours with their version, a hub's by its name."""
    ours = {model.name: model.id for model in catalogue.MODELS}
    return ", ".join(ours.get(name, name) for name in _split(names))


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
        return cast(QuestionGenerator, self._hub("question_generator", "QUESTION_MODEL", name, RULES))

    def polar_questions(self) -> PolarQuestions:
        """Grammar, whatever model asks the other questions. Raises ModelError."""
        return self._rules()

    def question_encoder(self) -> Encoder:
        """What QUESTION_ENCODER names. Raises ModelError."""
        return self._encoder("QUESTION_ENCODER", self._settings.question_encoder, "question")

    def page_encoder(self) -> Encoder:
        """What PAGE_ENCODER names. Raises ModelError."""
        return self._encoder("PAGE_ENCODER", self._settings.page_encoder, "context")

    def similarity_encoder(self) -> Encoder:
        """What SIMILARITY_MODEL names. Raises ModelError."""
        return self._encoder("SIMILARITY_MODEL", self._settings.similarity_model, "similarity")

    def relevance_classifier(self) -> RelevanceClassifier | None:
        """What RELEVANCE_MODEL names; None for our own, which judges relevance and stance in one pass. Raises ModelError."""
        name, ours = self._settings.relevance_model, catalogue.CROSS_ENCODER.name
        return None if name == ours else self._hub("relevance_classifier", "RELEVANCE_MODEL", name, ours)

    def _spans(self, name: str) -> SpanExtractor:
        if name == catalogue.SPANS.name:
            return self._resources.span_extractor()
        return cast(SpanExtractor, self._hub("span_extractor", "SPAN_MODELS", name, catalogue.SPANS.name))

    def _rules(self) -> RuleQuestions:
        from retrieval.models.questions import RuleQuestions

        return self._resources.once("rules", RuleQuestions)

    def _encoder(self, setting: str, name: str, role: str) -> Encoder:
        from retrieval.models.cached import CachedEncoder

        if name == catalogue.ENCODER.name:
            return self._resources.encoder()
        made = lambda: CachedEncoder(self._hub("encoder", setting, name, catalogue.ENCODER.name, role))  # noqa: E731
        return self._resources.once(f"encoder {name} {role}", made)

    def _hub(self, kind: str, setting: str, name: str, default: str, *more: str) -> Any:
        """A hub's model. Raises ModelError where its loader or its files are missing, naming the way back."""
        try:
            from retrieval.models import hub  # type: ignore[attr-defined, unused-ignore]
        except ImportError as error:
            raise ModelError(
                f"{setting} names {name[:80]!r}, which is not part of the program. {INSTALL}; "
                f"or set {setting} to {default}, which is here."
            ) from error
        return self._resources.once(f"{kind} {name} {' '.join(more)}", lambda: getattr(hub, kind)(name, *more))


def _split(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()]
