"""Opens models from the Hugging Face hub that you have fetched; `requirements-hub.txt` names the packages they need.

Only `python -m retrieval models --get NAME` fetches a model, unless HUB_DOWNLOAD is true. A name may also be a folder
that holds a model. Each model loads on first use, in float32, on HUB_DEVICE.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from retrieval.errors import EsotericError, ModelError
from retrieval.models.hub import networks
from retrieval.models.hub.catalogue import HubModel, find_hub_model
from retrieval.models.hub.networks import Place
from retrieval.protocols import Encoder, QuestionGenerator, RelevanceClassifier, SpanExtractor, StanceReader
from retrieval.settings import Settings

Model = TypeVar("Model")

PACKAGES = ("torch", "transformers", "sentence_transformers", "huggingface_hub")
INSTALL = ".venv/bin/python -m pip install -r requirements-hub.txt"
BESIDE_WEIGHTS = ("*.json", "*.txt", "*.model", "*.py")  # files to fetch too
OTHER_WEIGHTS = ("onnx/*", "openvino/*", "*.onnx", "*.h5", "*.msgpack", "*.ot", "*.gguf")


def span_extractor(name: str, settings: Settings) -> SpanExtractor:
    """Open a span finder: names by token classification, or answers by a T5. Raises ModelError."""
    return _opened(name, settings, networks.span_extractor)


def question_generator(name: str, settings: Settings) -> QuestionGenerator:
    """Open a T5 that writes the question to an answer and its context. Raises ModelError."""
    return _opened(name, settings, networks.AnswerQuestions)


def encoder(name: str, role: str, settings: Settings) -> Encoder:
    """Open an encoder. role: `question` for queries to search passages with, `similar` for sentences to find similar
    ones with, anything else for the texts to search.

    DPR's vectors keep their length, because its scores are dot products; all others have length 1. Raises ModelError.
    """
    listed = find_hub_model(name) or HubModel(name, "encoder", "", 0, "")
    queries = {"question": listed.query, "similar": listed.similar}

    def make(place: Place, device: str) -> Encoder:
        if networks.reads_as_dpr(place.folder):
            return (networks.DPRQuestions if role in queries else networks.DPRPassages)(place, device)
        if listed.own_code and not settings.hub_code:
            raise ModelError(f"{name} runs its own code. Set HUB_CODE to true if you trust it, or {_default(name)}.")
        return networks.SentenceEncoder(place, device, queries.get(role, ""), listed.own_code)

    return _opened(name, settings, make)


def relevance_classifier(name: str, settings: Settings) -> RelevanceClassifier:
    """Open a classifier of (claim, sentence) pairs, for relevance. Raises ModelError."""
    return _opened(name, settings, networks.PairClassifier)


def stance_reader(name: str, settings: Settings) -> StanceReader:
    """Open a model of natural language inference, for stance. Raises ModelError."""
    return _opened(name, settings, networks.StancesByInference)


def reranker(name: str, settings: Settings) -> RelevanceClassifier:
    """Open a cross-encoder, whose score goes through a sigmoid. Raises ModelError."""
    return _opened(name, settings, networks.CrossEncoderScores)


def find(name: str, settings: Settings) -> Place:
    """The model's folder on this machine; fetched if HUB_DOWNLOAD allows it. Raises ModelError."""
    if missing := missing_packages():
        raise ModelError(
            f"{name} needs packages that are not installed ({', '.join(missing)}). Install them: {INSTALL}; "
            f"or {_default(name)}."
        )
    if (Path(name) / "config.json").is_file() or (Path(name) / "modules.json").is_file():
        return Place(Path(name), Path(name).resolve().name)
    folder = local_folder(name, settings)
    if folder is None and settings.hub_download:
        folder = fetch(name, settings)
    if folder is None:
        size = f" ({listed.megabytes:,} MB)" if (listed := find_hub_model(name)) else ""
        raise ModelError(
            f"{name} is not on this machine. Fetch it{size}: python -m retrieval models --get {name}; "
            f"or {_default(name)}."
        )
    return Place(folder, f"{name}@{folder.name[:8]}")


def missing_packages() -> list[str]:
    """The packages of `requirements-hub.txt` that are not installed."""
    return [name for name in PACKAGES if not installed(name)]


def installed(package: str) -> bool:
    """Whether a package is installed, without loading it."""
    return importlib.util.find_spec(package) is not None


def local_folder(name: str, settings: Settings) -> Path | None:
    """The model's folder in this machine's cache of the hub; None if it is not there. Makes no connection."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    try:
        folder = Path(snapshot_download(name, cache_dir=_cache(settings), local_files_only=True))
    except (LocalEntryNotFoundError, HfHubHTTPError, HFValidationError, OSError):
        return None
    return folder if any(folder.glob("*.json")) else None


def fetch(name: str, settings: Settings) -> Path:
    """Fetch a model from the hub, preferably as safetensors. Raises ModelError."""
    from huggingface_hub import HfApi, snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OfflineModeIsEnabled

    try:
        files = HfApi().list_repo_files(name)
        weights = "*.safetensors" if any(file.endswith(".safetensors") for file in files) else "*.bin"
        return Path(
            snapshot_download(
                name,
                cache_dir=_cache(settings),
                allow_patterns=[*BESIDE_WEIGHTS, weights],
                ignore_patterns=list(OTHER_WEIGHTS),
            )
        )
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OfflineModeIsEnabled, OSError) as error:
        why = " ".join(str(error).split()).partition(" For more")[0][:200]
        raise ModelError(f"{name} cannot be fetched ({why}). Check its name and the connection.") from None
    except Exception as error:  # HTTP clients raise errors of many types
        raise ModelError(f"{name} cannot be fetched ({type(error).__name__}). Check the connection.") from None


def _cache(settings: Settings) -> Path | None:
    return Path(settings.hub_folder) if settings.hub_folder else None


def _opened(name: str, settings: Settings, make: Callable[[Place, str], Model]) -> Model:
    place = find(name, settings)
    with _readable(name):
        return make(place, _device(settings))


def _device(settings: Settings) -> str:
    import torch

    if settings.hub_device == "cuda" and not torch.cuda.is_available():
        raise ModelError("HUB_DEVICE is cuda, but torch finds no GPU. Set HUB_DEVICE to cpu.")
    if settings.threads and torch.get_num_threads() != settings.threads:
        torch.set_num_threads(settings.threads)
    return settings.hub_device


@contextmanager
def _readable(name: str) -> Iterator[None]:
    """Turns errors while a model's files are read into a ModelError."""
    try:
        yield
    except EsotericError:
        raise
    except Exception as error:
        why = " ".join(str(error).split())[:160]
        raise ModelError(
            f"{name} cannot be loaded ({why}). Fetch it again: python -m retrieval models --get {name}; "
            f"or {_default(name)}."
        ) from error


def _default(name: str) -> str:
    listed = find_hub_model(name)
    return f"use the default, {listed.default}, which is here" if listed else "use the default, which is here"
