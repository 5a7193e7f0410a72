"""The parts of pipelines: settings, models that are loaded once, a corpus, a language model."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, Self, TypeVar

from retrieval.llm import client as llm
from retrieval.llm.budget import Budget
from retrieval.llm.examples import Examples, read_examples
from retrieval.models import catalogue
from retrieval.models.disk_cache import cached
from retrieval.models.english.parser import SpacySpans, english
from retrieval.models.fitted.checkworthy import CheckWorthiness
from retrieval.models.fitted.coreference import Coreference
from retrieval.models.fitted.four_labels import FourLabels
from retrieval.models.fitted.joined_reading import JoinedReading
from retrieval.models.fitted.ranker import SentenceRanker
from retrieval.models.fitted.verdict import LocalVerdict
from retrieval.models.loaded import Loaded
from retrieval.models.onnx import OnnxEncoder, OnnxPairScorer, token_counter
from retrieval.models.pair_scorers import FormChecked
from retrieval.models.reader import OnnxReader
from retrieval.protocols import LLM, Encoder, PageStore, PairScorer, Reader, SpanExtractor
from retrieval.roles import Chosen, read_languages
from retrieval.settings import NO_LLM, Settings
from retrieval.settings.groups import Corpus, LanguageModel
from retrieval.stores.opened import OpenCorpus
from retrieval.text.chunks import TokenCount
from retrieval.text.extraction.finder import ClaimFinder
from retrieval.text.languages import AND, Language, find_language
from retrieval.types import CorpusInfo
from retrieval.verdicts.local import FourLabelClassifier, StanceClassifier

# The settings that opened resources depend on: if one of them differs, the resource is opened again.
OF_CORPUS = ("data", *(setting.name for setting in fields(Corpus)))
LLM_ROLES = ("llm_questions", "llm_contexts")
OF_LLM = tuple(setting.name for setting in fields(LanguageModel) if setting.name not in LLM_ROLES)

Thing = TypeVar("Thing")


@dataclass(frozen=True, eq=False)
class Parts:
    """An immutable bundle, safe to share between threads; variants are copies by `replace`, which share what is loaded.

    instead: models to use in place of ours, keyed by the name under which ours is opened. store_instead: in place of the
    settings' corpus. model: a language model in place of LLM_MODEL. web: whether checks read the open web too; None for
    the settings' choice. limit: a further limit on a claim's tokens, and the sentence to show when they are used up.

    Methods that open a model raise ModelError; those that read the corpus, StoreError.
    """

    settings: Settings
    loaded: Loaded = field(default_factory=Loaded)
    instead: Mapping[str, Any] = field(default_factory=dict)
    store_instead: PageStore | None = None
    model: LLM | None = None
    web: bool | None = None
    limit: tuple[int, str] = (sys.maxsize, "")

    def once(self, name: str, make: Callable[[], Thing], *needs: str) -> Thing:
        """The result of `make`, which is called once per process for this name. needs: all settings that it depends on."""
        if name in self.instead:
            return self.instead[name]  # type: ignore[no-any-return]
        return self.loaded.once(self._key(name, needs), make)

    def _key(self, name: str, needs: tuple[str, ...]) -> tuple[str, Hashable]:
        return name, tuple((need, getattr(self.settings, need)) for need in sorted(needs))

    # Variants

    def over(self, store: PageStore, web: bool = False) -> Self:
        """A copy over another store, such as a claim's own documents. web: whether checks read the open web too."""
        return replace(self, store_instead=store, web=web)

    def within(self, tokens: int, why: str) -> Self:
        """A copy with a limit on each claim's tokens. why: the sentence to show when they are used up."""
        return replace(self, limit=(max(0, tokens), why))

    def with_settings(self, settings: Settings) -> Self:
        """A copy under other settings; it searches the web only if this one does."""
        return replace(self, settings=settings, web=settings.searches_web and self.reads_web)

    # The corpus

    @property
    def reads_web(self) -> bool:
        """Whether checks read the open web too."""
        return self.settings.searches_web if self.web is None else self.web

    def _opened(self) -> OpenCorpus:
        return self.once("corpus", OpenCorpus, *OF_CORPUS)

    def store(self) -> PageStore:
        """The corpus in use now, reopened if a loader has switched it. Raises StoreError or SettingError."""
        return self._opened().store(self.settings) if self.store_instead is None else self.store_instead

    def corpus(self) -> CorpusInfo:
        """The description of the corpus in use."""
        return self.store().info()

    def language(self) -> Language:
        """The language of the corpus in use."""
        return find_language(self.corpus().language)

    def only_retrieves(self) -> bool:
        """Whether checks give no verdict, because no model was measured in the corpus's language."""
        return not set(self.language().code.split(AND)) <= read_languages(self.settings)

    # The language model

    def llm(self) -> LLM | None:
        """The language model of the settings, None if none is set. Raises SettingError."""
        return self.model or self.once("language model", lambda: llm.open_llm(self.settings), *OF_LLM)

    def llm_for(self, role: str) -> LLM | None:
        """The model that writes `questions` or `contexts`: its setting's, else LLM_MODEL's. Raises SettingError."""
        setting = f"llm_{role}"
        name = getattr(self.settings, setting)
        if name in ("", NO_LLM):
            return self.llm() if name == "" else None
        return self.once(setting, lambda: llm.open_llm(replace(self.settings, llm_model=name)), *OF_LLM, setting)

    def budget(self) -> Budget:
        """The limits on what one claim may cost."""
        tokens, why = min(self.limit, (self.settings.llm_tokens, ""))
        return Budget(tokens, self.settings.llm_seconds, why)

    # Models: for each role, and our own

    def chosen(self) -> Chosen:
        """The models that the settings name for each role, ours or a hub's."""
        return Chosen(self)

    def pair_scorer(self) -> PairScorer:
        """The small cross-encoder."""
        return self.once("pair scorer", lambda: FormChecked(OnnxPairScorer(threads=self.settings.threads)), "threads")

    def reader(self) -> Reader:
        """The larger cross-encoder."""
        return self.once("reader", lambda: FormChecked(OnnxReader(threads=self.settings.threads)), "threads")

    def joined_reading(self) -> JoinedReading:
        """Joins the readings of both."""
        return self.once("reading", JoinedReading)

    def sentence_ranker(self) -> SentenceRanker:
        """Ranks sentences after the first reading."""
        return self.once("ranker", SentenceRanker)

    def verdict_model(self) -> StanceClassifier:
        """The verdict over the first reading."""
        return self.once("verdict", LocalVerdict)

    def careful_verdict(self) -> StanceClassifier:
        """The verdict over both readings."""
        return self.once("careful verdict", lambda: LocalVerdict(catalogue.CAREFUL_VERDICT))

    def four_labels(self, kind: Literal["four", "two"] = "four") -> FourLabelClassifier:
        """The verdict with AVeriTeC's four labels."""
        return self.once(f"four labels {kind}", lambda: FourLabels(kind))

    def span_extractor(self) -> SpanExtractor:
        """Finds names and noun phrases."""
        return self.once("spans", SpacySpans)

    def vocabulary(self) -> frozenset[str]:
        """Words, in lower case, that are spelt correctly even if no page contains them: those of the networks' vocabulary."""

        def whole_words() -> frozenset[str]:
            *_, tokenizer = catalogue.load(catalogue.CROSS_ENCODER)
            return frozenset(filter(str.isalpha, json.loads(tokenizer.read_text("utf-8"))["model"]["vocab"]))

        return self.once("vocabulary", whole_words)

    def encoder(self) -> Encoder:
        """The encoder of texts, whose vectors are cached in DATA."""

        def make() -> Encoder:
            real = OnnxEncoder(threads=self.settings.threads)
            return cached(real, catalogue.ENCODER.id, self.settings.data / "vectors.sqlite", self.settings.vector_cache)

        return self.once("encoder", make, "threads", "vector_cache", "data")

    def token_count(self) -> TokenCount:
        """A function that counts the tokens of texts."""
        return self.once("tokens", token_counter)

    def claim_finder(self) -> ClaimFinder:
        """The finder of a text's claims."""

        def make() -> ClaimFinder:
            return ClaimFinder(english(), CheckWorthiness(self.settings.threads), Coreference(self.settings.threads))

        return self.once("claim finder", make, "threads")

    def examples(self) -> Examples:
        """Checked claims to show a language model, found by BM25. Raises SettingError."""
        return self.once("examples", lambda: read_examples(self.settings.examples), "examples")
