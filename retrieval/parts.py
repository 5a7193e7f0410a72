"""The parts that pipelines are built from: settings, models, a corpus, a language model. Immutable; variants are
copies.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, fields, replace
from typing import Self

from retrieval.llm import client as llm
from retrieval.llm.budget import Budget
from retrieval.protocols import LLM, PageStore
from retrieval.roles import Chosen
from retrieval.roles.own import OwnModels
from retrieval.settings import NO_LLM, Settings
from retrieval.settings.groups import Corpus
from retrieval.settings.language_model import LanguageModel
from retrieval.stores.opened import OpenCorpus
from retrieval.text.languages import AND, Language, find_language
from retrieval.types import CorpusInfo

# Settings that opened resources depend on: if one of them differs, the resource is opened again.
OF_CORPUS = ("data", *(setting.name for setting in fields(Corpus)))
LLM_ROLES = ("llm_questions", "llm_contexts")
OF_LLM = tuple(setting.name for setting in fields(LanguageModel) if setting.name not in LLM_ROLES)


@dataclass(frozen=True, eq=False)
class Parts(OwnModels):
    """Settings, models, a corpus and a language model. Safe to share between threads.

    opened: the corpus of the settings. given: another store in its place. model: a language model in place of
    LLM_MODEL. web: whether checks read the open web too; None for the settings' choice. limit: a further limit on a
    claim's tokens, and the sentence to show when they are used up.
    """

    opened: OpenCorpus = field(default_factory=OpenCorpus)
    given: PageStore | None = None
    model: LLM | None = None
    web: bool | None = None
    limit: tuple[int, str] = (sys.maxsize, "")

    @property
    def reads_web(self) -> bool:
        """Whether checks read the open web too."""
        return self.settings.searches_web if self.web is None else self.web

    def store(self) -> PageStore:
        """The corpus in use now, reopened if a loader has switched it. Raises StoreError or SettingError."""
        return self.opened.store(self.settings) if self.given is None else self.given

    def corpus(self) -> CorpusInfo:
        """The description of the corpus in use. Raises StoreError."""
        return self.store().info()

    def language(self) -> Language:
        """The language of the corpus in use. Raises StoreError."""
        return find_language(self.corpus().language)

    def only_retrieves(self) -> bool:
        """Whether checks give no verdict, because no model was measured in the corpus's language. Raises StoreError."""
        return not set(self.language().code.split(AND)) <= self.chosen().read_languages()

    def over(self, store: PageStore, web: bool = False) -> Self:
        """A copy over another store, such as a claim's own documents. web: whether checks read the open web too."""
        return replace(self, given=store, web=web)

    def asking(self, model: LLM) -> Self:
        """A copy with this language model in place of LLM_MODEL."""
        return replace(self, model=model)

    def without_web(self) -> Self:
        """A copy that does not search the web."""
        return replace(self, web=False)

    def within(self, tokens: int, why: str) -> Self:
        """A copy with a limit on each claim's tokens. why: the sentence to show when they are used up."""
        return replace(self, limit=(max(0, tokens), why))

    def with_settings(self, settings: Settings) -> Self:
        """A copy under other settings. It shares the open corpus and models that the change does not affect."""
        same = all(getattr(settings, name) == getattr(self.settings, name) for name in OF_CORPUS)
        opened = self.opened if same else OpenCorpus()
        return replace(self, settings=settings, opened=opened, web=settings.searches_web and self.reads_web)

    def chosen(self) -> Chosen:
        """The models that the settings name for each role, ours or a hub's."""
        return Chosen(self)

    def llm(self) -> LLM | None:
        """The language model of the settings, None if none is set. Raises SettingError."""
        if self.model is not None:
            return self.model
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

    def budget(self) -> Budget:
        """The limits on what one claim may cost."""
        tokens, why = min(self.limit, (self.settings.llm_tokens, ""))
        return Budget(tokens, self.settings.llm_seconds, why)
