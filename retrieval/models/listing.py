"""Lists all models: which one plays each role, and every model's size, licence, and whether it is installed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from retrieval.errors import ModelError
from retrieval.models import catalogue
from retrieval.models.hub import opening as hub
from retrieval.models.hub.catalogue import HUB_MODELS
from retrieval.settings import Settings

GET = "python -m retrieval models --get NAME"
LLM_ROLES = {
    "llm_model": "LLM for the verdict",
    "llm_questions": "LLM for questions",
    "llm_contexts": "LLM for contexts",
}

# A role's setting -> (the role's displayed name, kinds of model that can play it, recipes that have it).
Roles = Mapping[str, tuple[str, Sequence[str], Sequence[str]]]


def list_models(
    settings: Settings, roles: Roles, writers: Mapping[str, Sequence[str]], reader: Sequence[str]
) -> Iterator[str]:
    """Lines that list the roles with the models that play them, then every model.

    writers: a language model's role -> its recipes. reader: recipes that use the reader, which no setting names.
    """
    yield f"{'ROLE':20} {'SETTING':18} {'MODEL':45} RECIPES"
    for setting, (role, _, recipes) in roles.items():
        yield f"{role:20} {setting.upper():18} {getattr(settings, setting):45} {', '.join(recipes)}"
    yield f"{'second reading':20} {'':18} {catalogue.READER.name if reader else 'none':45} {', '.join(reader)}".rstrip()
    for setting, role in LLM_ROLES.items():
        model = getattr(settings, setting) or (settings.llm_model or "none")
        yield f"{role:20} {setting.upper():18} {model:45} {', '.join(writers[setting])}"
    yield ""
    yield "Models that come with the program:"
    for model in catalogue.MODELS:
        here = _here(model)
        measured = _megabytes([catalogue.WEIGHTS / file.name for file in model.files]) if here == "here" else 0.0
        yield _line(model.role, model.name, measured or model.megabytes, model.licence, here)
        yield f"{'':14} {model.source}"
    missing = hub.missing_packages()
    yield f"From the hub, on request. {f'First: {hub.INSTALL}' if missing else f'Fetch one: {GET}'}"
    for wanted in HUB_MODELS:
        folder = None if "huggingface_hub" in missing else hub.local_folder(wanted.name, settings)
        size = _megabytes(folder.rglob("*")) if folder else wanted.megabytes
        yield _line(wanted.role, wanted.name, size, wanted.licence, "here" if folder else "not here")
        places = [setting.upper() for setting, (_, kinds, _) in roles.items() if wanted.role in kinds]
        yield f"{'':14} for {', '.join(places)}; in place of {wanted.default}"


def fetch_model(name: str, settings: Settings) -> str:
    """Fetch a model from the hub; returns a sentence. Raises ModelError."""
    if "huggingface_hub" in hub.missing_packages():
        raise ModelError(f"Models from the hub need packages that are not installed. Install them: {hub.INSTALL}")
    return f"{name} is in {hub.fetch(name, settings)}."


def _line(role: str, name: str, megabytes: float, licence: str, here: str) -> str:
    return f"{role:14} {name:50} {megabytes:7.1f} MB  {here:9} {licence}"


def _megabytes(files: Iterator[Path] | Sequence[Path]) -> float:
    return sum(file.stat().st_size for file in files if file.is_file()) / 1_000_000


def _here(model: catalogue.Model) -> str:
    if model is catalogue.SPANS:
        from retrieval.text.files.hyphens import PACKAGES

        return "here" if any(hub.installed(name) for name in PACKAGES) else "not here"
    return "here" if all((catalogue.WEIGHTS / file.name).is_file() for file in model.files) else "not here"
