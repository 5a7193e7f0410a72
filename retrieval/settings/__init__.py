"""Settings: one object that every part of the program receives. `groups.py` declares them; `in_force.py` reads their
values from the environment and from a file when a command starts, never at import.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from retrieval.settings.declaring import EVERY, check_value, declared, in_words, without_password
from retrieval.settings.groups import FIELDS, Accounts, Corpus, Hub, Judging, LanguageModel, Limits, Models, Server, Web
from retrieval.settings.in_force import in_order, read_values

__all__ = ["CHOSEN_CORPUS", "NO_LLM", "Settings", "deciding"]

CHOSEN_CORPUS = "chosen-corpus"  # file in DATA with one line: the name of a folder in DATA/corpora
NO_LLM = "none"  # as LLM_QUESTIONS or LLM_CONTEXTS: no language model, whatever LLM_MODEL is


@dataclass(frozen=True, repr=False)
class Settings(Limits, Web, Hub, LanguageModel, Models, Judging, Corpus, Accounts, Server):  # fields: last base first
    """A field for each setting; its environment variable is the field's name in capitals. Raises SettingError, which names
    the setting, if a value is not allowed.

    knobs: (recipe, knob, value as given), in alphabetical order; `Knobs.of` reads a recipe's.
    """

    knobs: tuple[tuple[str, str, Any], ...] = ()

    def __post_init__(self) -> None:
        for name, setting in FIELDS.items():
            check_value(setting, getattr(self, name))

    def __repr__(self) -> str:
        """All values, without secrets and without passwords in addresses."""
        return f"Settings({', '.join(f'{name}={self.shown(name)!r}' for name in FIELDS)}, knobs={self.knobs!r})"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """The settings in force. Raises SettingError, which names the variable, if a value does not fit."""
        return cls(**read_values(environment).values)

    def knobs_of(self, recipe: str) -> dict[str, Any]:
        """Knob -> value as given, for those of a recipe's knobs that are set."""
        return {name: value for owner, name, value in self.knobs if owner == recipe}

    def tuned(self, recipe: str, **knobs: Any) -> Settings:
        """A copy with these knobs of a recipe set."""
        given = {(owner, name): value for owner, name, value in self.knobs}
        given |= {(recipe, name): value for name, value in knobs.items()}
        return replace(self, knobs=in_order(given))

    def store_location(self) -> str:
        """The location of the corpus: STORE, else the one in DATA/corpora that the page Corpora chose, else DATA/store."""
        return self.store or str(self._chosen_corpus() or self.data / "store")

    def _chosen_corpus(self) -> Path | None:
        try:
            name = (self.data / CHOSEN_CORPUS).read_text("utf-8").strip()
        except (OSError, ValueError):
            return None
        return None if name in ("", ".", "..") or "/" in name else self.data / "corpora" / name

    def asks_a_model(self) -> bool:
        """Whether a language model is set for any part of a check."""
        return bool({self.llm_model, self.llm_questions, self.llm_contexts} - {"", NO_LLM})

    def shown(self, name: str) -> str:
        """The value of a setting for display, without secrets."""
        known, given = declared(FIELDS[name]), getattr(self, name)
        value = in_words(given)
        if known.secret:
            return "***" if value else ""
        return without_password(value) if known.address else value


def deciding(recipe: str) -> tuple[str, ...]:
    """The names of the settings, without knobs, that decide a recipe's answers, in alphabetical order."""
    return tuple(sorted(name for name, setting in FIELDS.items() if {recipe, EVERY} & set(declared(setting).decides)))
