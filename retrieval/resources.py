"""The store and the models of a process: opened when first needed, once, behind a lock."""

from __future__ import annotations

import copy
import sys
import threading
import time
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import fields, replace
from typing import Any, Literal, TypeVar, cast

from retrieval.errors import SettingError, StoreAway, StoreError
from retrieval.llm import client as llm
from retrieval.llm.budget import Budget
from retrieval.llm.examples import Examples, read_examples
from retrieval.llm.prompts import prompt_id
from retrieval.models import catalogue
from retrieval.pipeline import Pipeline
from retrieval.protocols import LLM, ClaimReader, Encoder, PageStore, PairScorer, Reader, SpanExtractor
from retrieval.recipes import find_recipe
from retrieval.roles import Chosen, played, suited_to
from retrieval.settings import NO_LLM, Settings
from retrieval.settings.groups import Corpus
from retrieval.settings.language_model import LanguageModel
from retrieval.stages.languages import retrieval_only, same_language, with_measured_languages
from retrieval.stages.ranking import Ranker
from retrieval.stages.reading_again import Joined
from retrieval.stages.verdict import Differences, with_denials
from retrieval.stages.web import WebSearch, with_web
from retrieval.stores import open_store
from retrieval.stores.knowledge_file import KnowledgeFile
from retrieval.text.chunks import TokenCount
from retrieval.text.extraction.finder import ClaimFinder
from retrieval.text.languages import AND, ENGLISH_CODE, Language, find_language
from retrieval.types import CorpusInfo
from retrieval.verdicts.local import FourLabelClassifier, StanceClassifier

Thing = TypeVar("Thing")

# Settings that what is opened once depends on: if one of them differs, it is opened again.
OF_CORPUS = ("data", *(setting.name for setting in fields(Corpus)))
LLM_ROLES = ("llm_questions", "llm_contexts")
OF_LLM = tuple(setting.name for setting in fields(LanguageModel) if setting.name not in LLM_ROLES)

SECONDS_AWAY = 1.0  # that a server found away is not asked again: pages that tell so must not wait for it in turn


class Resources:
    """What pipelines are built from. Safe to share between threads; keep one per process."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._lock = threading.RLock()
        self._loaded: dict[tuple[str, Hashable], Any] = {}
        self._store: PageStore | None = None
        self._given: PageStore | None = None
        self._most = (sys.maxsize, "")
        self._llm: LLM | None = None
        self._away: tuple[float, StoreAway] | None = None
        self.reads_web = settings.searches_web

    def store(self) -> PageStore:
        """The corpus in use now; opened again after a loader has switched it. Raises StoreError or SettingError."""
        if self._given is not None:
            return self._given
        with self._lock:
            if self._away and time.monotonic() - self._away[0] < SECONDS_AWAY:
                raise self._away[1]
            try:
                if self._store is None or not self._store.is_current():
                    self._store = open_store(self.settings.store_location(), self.settings)
            except StoreAway as error:
                self._away = (time.monotonic(), error)
                raise
            return self._store

    def over(self, store: PageStore, web: bool = False) -> Resources:
        """The same models over another store: a claim's own documents. What has been loaded is shared, both ways.

        web: whether checks over it read the open web too.
        """
        other = self.without_web()
        other._given, other.reads_web = store, web
        return other

    def asking(self, model: LLM) -> Resources:
        """The same with this language model in place of LLM_MODEL."""
        other = copy.copy(self)
        other._llm = model
        return other

    def without_web(self) -> Resources:
        """The same, and nothing leaves this machine for a search."""
        other = copy.copy(self)
        other.reads_web = False
        return other

    def corpus(self) -> CorpusInfo:
        """What the corpus in use holds. Raises StoreError."""
        return self.store().info()

    def pipeline(self, recipe: str) -> Pipeline:
        """The recipe over the corpus in use now, and over the web. Raises RecipeError, StoreError or ModelError."""
        found, language = find_recipe(recipe), self.language()
        if self.only_retrieves():
            most = (self.settings.top_pages, self.settings.top_sentences, self.settings.top_evidence)
            built = retrieval_only(recipe, self.store(), language, *most)
        else:
            built = found.build(self._suited())
            measured = self.chosen().read_languages()
            built = with_denials(with_measured_languages(built, measured))
            differences = Differences(self.chosen().pair_scorer() if language.code == ENGLISH_CODE else None)
            same = same_language(self.corpus().language, measured)
            built = Pipeline(built.name, (*built.stages, differences, same))
        built = replace(built, reader=self.claim_reader())
        return with_web(built, self._web_search()) if self.reads_web else built

    def claim_reader(self) -> ClaimReader:
        """What reads a claim first: by the grammar of English where the corpus is in English. Raises StoreError or ModelError."""
        from retrieval.models.english.parser import english
        from retrieval.models.english.reading import EnglishReading, PlainReading

        if ENGLISH_CODE not in self.language().code.split(AND) or self.only_retrieves():
            return PlainReading()
        return self.once("claim reader", lambda: EnglishReading(english()))

    def language(self) -> Language:
        """That the corpus in use is written in. Raises StoreError."""
        return find_language(self.corpus().language)

    def only_retrieves(self) -> bool:
        """Whether checks give no verdict, as the reader was not measured in the corpus' language. Raises StoreError."""
        return not set(self.language().code.split(AND)) <= self.chosen().read_languages()

    def models(self, recipe: str) -> dict[str, str]:
        """Role to id of the models that a recipe uses. Raises RecipeError or SettingError.

        A role named like a setting is that setting's choice; the others are the catalogue's.
        """
        suited, found = self, find_recipe(recipe)
        with suppress(StoreError):
            if self.only_retrieves():
                return {}
            suited = self._suited()
        chosen, settings = suited.chosen(), suited.settings
        models = {
            role: chosen.id_of(role) if hasattr(settings, role) else catalogue.find(role).id
            for role in played(recipe, found.roles, settings, isinstance(self._given, KnowledgeFile))
        }
        writers = {f"llm_{role}": self.llm_for(role) for role in found.writers}
        models |= {role: model.id for role, model in writers.items() if model and model is not self.llm()}
        if model := self.llm():
            models["language_model"] = model.id
        if model or any(writers.values()):
            models["prompt"] = ", ".join(map(prompt_id, found.prompts))
        return models

    def _suited(self) -> Resources:
        """The same, with the models of the corpus' language where LANGUAGE_MODELS wants them. Raises StoreError."""
        other = copy.copy(self)
        other.settings = suited_to(self.language(), self.settings)
        return other

    def chosen(self) -> Chosen:
        """The models that the settings name for each role, ours or a hub's."""
        return Chosen(self)

    def span_extractor(self) -> SpanExtractor:
        """Raises ModelError."""
        from retrieval.models.english.spans import SpacySpans

        return self.once("spans", SpacySpans)

    def pair_scorer(self) -> PairScorer:
        """Raises ModelError."""
        return self.once("pair scorer", self.fresh_pair_scorer, "threads")

    def fresh_pair_scorer(self) -> PairScorer:
        """A new one, not shared. Raises ModelError."""
        from retrieval.models.onnx import OnnxPairScorer
        from retrieval.models.pair_scorers import FormChecked

        return FormChecked(OnnxPairScorer(threads=self.settings.threads))

    def with_settings(self, settings: Settings) -> Resources:
        """The same corpus and models under other settings, except the models that these settings change."""
        other = Resources(settings)
        other._loaded, other._lock, other._given = self._loaded, self._lock, self._given
        other._llm = self._llm
        other.reads_web = other.reads_web and self.reads_web
        if all(getattr(settings, name) == getattr(self.settings, name) for name in OF_CORPUS):
            with suppress(StoreError):  # whoever needs the corpus is told then
                self.store()
            other._store = self._store
        return other

    def vocabulary(self) -> frozenset[str]:
        """Words that are known to be spelt right. Raises ModelError."""
        from retrieval.models.vocabulary import whole_words

        return self.once("vocabulary", whole_words)

    def sentence_ranker(self) -> Ranker:
        """Raises ModelError."""
        from retrieval.models.fitted.ranker import SentenceRanker

        return self.once("ranker", SentenceRanker)

    def verdict_model(self) -> StanceClassifier:
        """Raises ModelError."""
        from retrieval.models.fitted.verdict import LocalVerdict

        return self.once("verdict", LocalVerdict)

    def reader(self) -> Reader:
        """The larger cross-encoder. Raises ModelError."""
        from retrieval.models.pair_scorers import FormChecked
        from retrieval.models.reader import OnnxReader

        return self.once("reader", lambda: FormChecked(OnnxReader(threads=self.settings.threads)), "threads")

    def joined_reading(self) -> Joined:
        """Raises ModelError."""
        from retrieval.models.fitted.joined_reading import JoinedReading

        return self.once("reading", JoinedReading)

    def careful_verdict(self) -> StanceClassifier:
        """The verdict over both readings. Raises ModelError."""
        from retrieval.models.fitted.verdict import LocalVerdict

        return self.once("careful verdict", lambda: LocalVerdict(catalogue.CAREFUL_VERDICT))

    def llm(self) -> LLM | None:
        """The language model of the settings, None if none is set. Raises SettingError."""
        if self._llm is not None:
            return self._llm
        return self.once("language model", lambda: llm.open_llm(self.settings), *OF_LLM)

    def llm_for(self, role: str) -> LLM | None:
        """The language model that LLM_QUESTIONS or LLM_CONTEXTS names, else LLM_MODEL's.

        role: `questions` or `contexts`. Raises SettingError.
        """
        setting = f"llm_{role}"
        name = getattr(self.settings, setting)
        if name in ("", NO_LLM):
            return self.llm() if name == "" else None
        return self.once(setting, lambda: llm.open_llm(replace(self.settings, llm_model=name)), *OF_LLM, setting)

    def language_model(self) -> list[tuple[str, str]]:
        """What is known of the language model's server, by name: as `python -m retrieval llm` prints it; nothing is asked.

        Empty where none is set. Raises SettingError.
        """
        from retrieval.llm.probe import known, text_of

        model = self.llm()
        lines = text_of(known(model, self.settings)).splitlines() if isinstance(model, llm.ChatModel) else []
        return [(name, said.strip()) for name, _, said in (line.partition(":") for line in lines)]

    def left_out(self) -> str:
        """Why the language model is not asked at the moment, in a sentence; empty where it is, or where none is set."""
        try:
            return str(getattr(self.llm(), "left_out", ""))
        except SettingError:  # told where it is needed
            return ""

    def budget(self) -> Budget:
        """What one claim may cost."""
        tokens, why = min(self._most, (self.settings.llm_tokens, ""))
        return Budget(tokens, self.settings.llm_seconds, why)

    def within(self, tokens: int, why: str) -> Resources:
        """The same, with a limit of tokens per claim. why: the sentence once they are used up."""
        other = copy.copy(self)
        other._most = (max(0, tokens), why)
        return other

    def encoder(self) -> Encoder:
        """Vectors of texts, kept in DATA once computed. Raises ModelError."""
        from retrieval.models.disk_cache import cached
        from retrieval.models.onnx import OnnxEncoder

        def make() -> Encoder:
            real = OnnxEncoder(threads=self.settings.threads)
            return cached(real, catalogue.ENCODER.id, self.settings.data / "vectors.sqlite", self.settings.vector_cache)

        return self.once("encoder", make, "threads", "vector_cache", "data")

    def claim_finder(self) -> ClaimFinder:
        """What finds the claims of a text. Raises ModelError."""
        from retrieval.models.english.parser import english
        from retrieval.models.fitted.checkworthy import CheckWorthiness
        from retrieval.models.fitted.coreference import Coreference

        def make() -> ClaimFinder:
            threads = self.settings.threads
            return ClaimFinder(english(), CheckWorthiness(threads), Coreference(threads))

        return self.once("claim finder", make, "threads")

    def four_labels(self, kind: Literal["four", "two"] = "four") -> FourLabelClassifier:
        """Raises ModelError."""
        from retrieval.models.fitted.four_labels import FourLabels

        return self.once(f"four labels {kind}", lambda: FourLabels(kind))

    def examples(self) -> Examples:
        """Checked claims to show to a language model, found by BM25. Raises SettingError."""
        return self.once("examples", lambda: read_examples(self.settings.examples), "examples")

    def token_count(self) -> TokenCount:
        """Counts the tokens of texts. Raises ModelError."""
        from retrieval.models.onnx import token_counter

        return self.once("tokens", token_counter)

    def _web_search(self) -> WebSearch:
        from retrieval.web.engines import open_engine
        from retrieval.web.reader import open_reader

        settings = self.settings
        read = self.chosen().read_languages() | set(self.language().code.split(AND))
        return WebSearch(open_engine(settings), open_reader(settings, read), settings.web_questions, settings.web_pages)

    def warm_up(self) -> None:
        """Load everything that the default recipe needs. Raises StoreError or ModelError."""
        from retrieval.models.onnx import give_back

        self.pipeline(self.settings.recipe)
        give_back()

    def close(self) -> None:
        """Close the store and connections. Models go with the process."""
        with self._lock:
            opened = {name for name, _ in self._loaded}
            for name in {"language model", *LLM_ROLES} & opened:
                needs = OF_LLM if name == "language model" else (*OF_LLM, name)
                if model := self._loaded.pop(self._key(name, needs), None):
                    model.close()
            if self._store:
                self._store.close()
            self._store = None

    def once(self, name: str, make: Callable[[], Thing], *needs: str) -> Thing:
        """What `make` returns, made once per process under this name. needs: every setting that it depends on."""
        key = self._key(name, needs)
        with self._lock:
            if key not in self._loaded:
                self._loaded[key] = make()
            return cast(Thing, self._loaded[key])

    def _key(self, name: str, needs: tuple[str, ...]) -> tuple[str, Hashable]:
        return name, tuple((need, getattr(self.settings, need)) for need in sorted(needs))
