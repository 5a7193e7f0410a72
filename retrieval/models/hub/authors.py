"""The models that the thesis uses, and their settings: one command fetches the models and writes the settings."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from pathlib import Path

from retrieval.errors import SettingError
from retrieval.settings import Settings
from retrieval.settings.groups import GROUPS
from retrieval.settings.in_force import KNOBS

DPR = ("facebook/dpr-question_encoder-single-nq-base", "facebook/dpr-ctx_encoder-single-nq-base")
# The final configuration of the thesis (its sections 3.3.6 to 3.3.11).
AUTHORS: Mapping[str, str] = {
    "recipe": "esoteric",
    "span_models": "Babelscape/wikineural-multilingual-ner,vabatista/t5-small-answer-extraction-en",
    "question_model": "mrm8488/t5-base-finetuned-question-generation-ap",
    "question_encoder": "dpr",
    "page_encoder": "dpr",
    "relevance_model": "theobaur/relevancy_classification_FEVER",
    "similarity_model": "sentence-transformers/all-mpnet-base-v2",
}
# The knobs of recipe `esoteric` that these models need.
AUTHORS_KNOBS: Mapping[str, str | float | bool] = {
    "similarity_cutoff": 0.7,
    "sentences_by": "spacy",
    "sentence_titles": False,
}


def authors_models() -> list[str]:
    """The models' names on the hub."""
    names = [AUTHORS[role] for role in ("span_models", "question_model", "relevance_model", "similarity_model")]
    return [*",".join(names).split(","), *DPR]


def take_authors(settings: Settings, file: Path, fetch: Callable[[str, Settings], str]) -> Iterator[str]:
    """Fetch every model, then write the settings into `file` unless it exists. Yields lines to print.

    fetch: fetches one model. Raises ModelError or SettingError.
    """
    for name in authors_models():
        yield fetch(name, settings)
    lines = settings_file({**AUTHORS, **({"hub_folder": settings.hub_folder} if settings.hub_folder else {})})
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with open(file, "x", encoding="utf-8") as opened:
            opened.write(lines)
        yield f"{file} now holds all their settings; delete it to return to the defaults."
    except FileExistsError:
        yield _about_existing(file, lines)
    except OSError as error:
        raise SettingError(f"{file} cannot be written: {error.strerror}. Set DATA to another folder.") from error
    yield "Next, compute the corpus's vectors: python -m indexing vectors --model dpr"


def _about_existing(file: Path, lines: str) -> str:
    with contextlib.suppress(OSError):
        if file.read_text("utf-8", "replace") == lines:
            return f"{file} already holds all their settings."
    return f"{file} already exists and was not changed. Add these lines to it:\n\n{lines}"


def settings_file(values: Mapping[str, str]) -> str:
    """The settings as TOML, each in the table of its group, and the knobs that these models need."""
    tables: dict[str, list[str]] = {}
    for group, holder in GROUPS.items():
        for name in (field.name for field in fields(holder)):
            if name in values:
                tables.setdefault(group, []).append(_toml(name, values[name]))
    tables[f"{KNOBS}.{AUTHORS['recipe']}"] = [_toml(name, value) for name, value in AUTHORS_KNOBS.items()]
    return "\n".join("\n".join([f"[{group}]", *lines, ""]) for group, lines in tables.items())


def _toml(name: str, value: str | float | bool) -> str:
    return f"{name} = {json.dumps(value, ensure_ascii=False)}"  # TOML writes such values as JSON does
