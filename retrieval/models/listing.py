"""All models for people: what for, how large, under which licence, whether they are here, how to get them."""

from __future__ import annotations

from collections.abc import Iterator

from retrieval.errors import ModelError
from retrieval.models import catalogue
from retrieval.models.hub import opening as hub
from retrieval.models.hub.catalogue import HUB_MODELS
from retrieval.settings import Settings

GET = "python -m retrieval models --get NAME"


def list_models(settings: Settings) -> Iterator[str]:
    """Two lines a model: ours, those of the hub, the language model of the settings."""
    for model in catalogue.MODELS:
        yield from _lines(model.role, model.name, model.megabytes, model.licence, _here(model))
        yield f"{'':14} {model.source}"
    missing = hub.missing_packages()
    yield f"From the hub, on request. {f'First: {hub.INSTALL}' if missing else f'Fetch one: {GET}'}"
    for wanted in HUB_MODELS:
        known = "huggingface_hub" not in missing
        here = "here" if known and hub.local_folder(wanted.name, settings) else "not here"
        yield from _lines(wanted.role, wanted.name, wanted.megabytes, wanted.licence, here)
        yield f"{'':14} in place of {wanted.default}"
    yield f"{'language model':14} {settings.llm_model or 'none; LLM_MODEL and LLM_URL name one (see README)'}"


def fetch_model(name: str, settings: Settings) -> str:
    """Fetch a model from the hub; returns a sentence. Raises ModelError."""
    if "huggingface_hub" in hub.missing_packages():
        raise ModelError(f"Models from the hub need packages that are not installed. Install them: {hub.INSTALL}")
    return f"{name} is in {hub.fetch(name, settings)}."


def _lines(role: str, name: str, megabytes: float, licence: str, here: str) -> Iterator[str]:
    yield f"{role:14} {name:50} {megabytes:7.1f} MB  {here:9} {licence}"


def _here(model: catalogue.Model) -> str:
    if model is catalogue.SPANS:
        from retrieval.models.english.parser import PACKAGES

        return "here" if any(hub.installed(name) for name in PACKAGES) else "not here"
    return "here" if all((catalogue.WEIGHTS / file.name).is_file() for file in model.files) else "not here"
