"""A process's resources: recipes as pipelines over the corpus in use, and the names of their models."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from retrieval.errors import SettingError, StoreError
from retrieval.llm.client import ChatModel
from retrieval.llm.probe import known, text_of
from retrieval.llm.prompts import prompt_id
from retrieval.models import catalogue
from retrieval.models.english.parser import english
from retrieval.models.onnx import give_back
from retrieval.parts import LLM_ROLES, OF_LLM, Parts
from retrieval.pipeline import Pipeline
from retrieval.protocols import ClaimReader
from retrieval.recipes import find_recipe
from retrieval.recipes.tuning import played
from retrieval.roles import read_languages, suited_to
from retrieval.settings import Settings
from retrieval.stages.languages import SameLanguage, retrieval_only, same_language, with_measured_languages
from retrieval.stages.verdict import Differences, with_denials
from retrieval.stages.web import WebSearch, with_web
from retrieval.stores.knowledge_file import KnowledgeFile, read_knowledge
from retrieval.stores.named import CORPUS, WEB, open_named, parts_of, read_together, together
from retrieval.text.languages import AND, ENGLISH_CODE
from retrieval.types import Claim, FactCheck, NoVerdict, ReadClaim


@dataclass(frozen=True, eq=False)
class Resources(Parts):
    """The models, corpus and recipes that checks run with. Keep one per process; it opens each when first needed."""

    def pipeline(self, recipe: str) -> Pipeline:
        """The recipe over the corpus in use, and the web if checks read it. Raises RecipeError, StoreError or ModelError."""
        named, language = find_recipe(recipe), self.language()
        if self.only_retrieves():
            most = (self.settings.top_pages, self.settings.top_sentences, self.settings.top_evidence)
            built = retrieval_only(recipe, self.store(), language, *most)
        else:
            built = with_measured_languages(named.build(self._suited()), read_languages(self.settings))
            differences = Differences(self.chosen().pair_scorer() if language.code == ENGLISH_CODE else None)
            built = with_denials(built)
            built = replace(built, stages=(*built.stages, differences, self._same_language()))
        built = replace(built, reader=self.claim_reader())
        return with_web(built, self._web_search()) if self.reads_web else built

    def claim_reader(self) -> ClaimReader:
        """The reader of claims, with English grammar if the corpus is in English. Raises StoreError or ModelError."""
        from retrieval.models.english.reading import EnglishReading, PlainReading  # compiles many patterns

        if ENGLISH_CODE not in self.language().code.split(AND) or self.only_retrieves():
            return PlainReading()
        return self.once("claim reader", lambda: EnglishReading(english()))

    def read_claim(self, text: str) -> ReadClaim:
        """How a check would read this text before it searches. Raises StoreError or ModelError."""
        reading = self.claim_reader().read(Claim("", text))
        if reading.no_verdict or self.only_retrieves():
            return reading
        check = next(self._same_language().run(FactCheck(reading.claim, notes=reading.notes))).check
        return replace(reading, notes=check.notes, no_verdict=NoVerdict(check.no_verdict) if check.no_verdict else None)

    def models(self, recipe: str) -> dict[str, str]:
        """Role -> id of the models that a recipe uses, by settings or the catalogue. Raises RecipeError or SettingError."""
        suited, named = self, find_recipe(recipe)
        with suppress(StoreError):
            if self.only_retrieves():
                return {}
            suited = self._suited()
        chosen, settings = suited.chosen(), suited.settings
        models = {
            role: chosen.id_of(role) if hasattr(settings, role) else catalogue.find(role).id
            for role in played(named, settings, isinstance(self.store_instead, KnowledgeFile), self.llm() is not None)
        }
        writers = {f"llm_{role}": self.llm_for(role) for role in named.writers}
        models |= {role: model.id for role, model in writers.items() if model and model is not self.llm()}
        if model := self.llm():
            models["language_model"] = model.id
        if model or any(writers.values()):
            models["prompt"] = ", ".join(map(prompt_id, named.prompts))
        return models

    def finished(self, check: FactCheck, recipe: str) -> FactCheck:
        """The check after the last stage of the recipe, with its models and the notes on the claim's own documents."""
        notes = self.store_instead.notes if isinstance(self.store_instead, KnowledgeFile) else ()
        return replace(check, models=self.models(recipe), notes=(*check.notes, *notes))

    def language_model(self) -> list[tuple[str, str]]:
        """(name, value) pairs on the language model's server, if one is set. Makes no request. Raises SettingError."""
        model = self.llm()
        lines = text_of(known(model, self.settings)).splitlines() if isinstance(model, ChatModel) else []
        return [(name, value.strip()) for name, _, value in (line.partition(":") for line in lines)]

    def left_out(self) -> str:
        """Why the language model is not being asked, in a sentence; empty if it is, or if none is set."""
        try:
            return str(getattr(self.llm(), "left_out", ""))
        except SettingError:  # reported where the model is needed
            return ""

    def _suited(self) -> Self:
        """A copy with the models for the corpus's language, if LANGUAGE_MODELS asks for them. Raises StoreError."""
        return replace(self, settings=suited_to(self.language(), self.settings))

    def _same_language(self) -> SameLanguage:
        return same_language(self.corpus().language, read_languages(self.settings))

    def _web_search(self) -> WebSearch:
        from retrieval.web.engines import open_engine  # imports an HTTP client
        from retrieval.web.pages import open_reader

        settings = self.settings
        reader = open_reader(settings, read_languages(settings) | set(self.language().code.split(AND)))
        return WebSearch(open_engine(settings), reader, settings.web_questions, settings.web_pages)

    def warm_up(self) -> None:
        """Load everything that the default recipe needs. Raises StoreError or ModelError."""
        self.pipeline(self.settings.recipe)
        give_back()

    def close(self) -> None:
        """Close the corpus and connections. Models stay open until the process ends."""
        for name, needs in (("language model", OF_LLM), *((role, (*OF_LLM, role)) for role in LLM_ROLES)):
            if model := self.loaded.pop(self._key(name, needs)):
                model.close()
        self._opened().close()


def open_resources(
    settings: Settings, store: str = "", against: Sequence[str] = (), knowledge: Path | None = None
) -> Resources:
    """Resources over what `--store`, `--against` and `--knowledge` name. Raises StoreError, SettingError or ClaimError."""
    resources = Resources(replace(settings, store=store or settings.store))
    if knowledge:
        if store or against:
            raise SettingError("`--knowledge` and `--store` or `--against` name two corpora. Leave one of them out.")
        return resources.over(read_knowledge(knowledge))
    parts = parts_of(together(against))
    if parts in ((), (CORPUS,)):
        return replace(resources, web=False) if parts else resources
    if WEB in parts and not settings.searches_web:
        raise SettingError("`--against web` needs a search engine. Set WEB to `searxng` or `brave`.")
    others = [part for part in parts if part != WEB]
    stores = {part: resources.store() if part == CORPUS else open_named(part, settings) for part in others}
    return resources.over(read_together(stores), web=WEB in parts)
