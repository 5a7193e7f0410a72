"""Opens the models that make page vectors, by the names that `python -m indexing vectors --model` accepts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from retrieval.errors import ModelError
from retrieval.models import catalogue
from retrieval.protocols import Encoder, Matrix, PairEncoder
from retrieval.settings import Settings
from retrieval.text.ranking import LONGEST_VECTOR, unit_length, with_length

MINILM, STATIC = catalogue.ENCODER.name, catalogue.STATIC.name
SHORT = {"": MINILM, "minilm": MINILM, "dpr": "facebook/dpr-ctx_encoder-single-nq-base"}


def open_page_encoder(name: str, settings: Settings, device: str = "cpu") -> tuple[Encoder, str]:
    """The page encoder and its id. name: `minilm`, `static`, `dpr`, or the name of one of our models or a hub's.

    Raises ModelError, which says how to install it, if it is missing.
    """
    full = SHORT.get(name, name)
    opened: dict[str, Callable[[], Encoder]] = {
        MINILM: lambda: _minilm(settings, device),
        STATIC: lambda: _static(settings, device),
    }
    if full in opened:
        return opened[full](), catalogue.find("encoder", full).id
    return _hub(full, settings, device)


def _minilm(settings: Settings, device: str) -> Encoder:
    from retrieval.models.onnx import OnnxEncoder

    return OnnxEncoder(threads=settings.threads, device=device)


def _static(settings: Settings, device: str) -> Encoder:
    from retrieval.models.static_encoder import StaticEncoder

    if device != "cpu":
        raise ModelError("The model `static` has no network for a GPU to run. Leave out `--device`.")
    return StaticEncoder(settings.data / "models", settings.threads)


def _hub(name: str, settings: Settings, device: str) -> tuple[Encoder, str]:
    """A hub's model. Raises ModelError if its loader or its files are missing."""
    from retrieval.models.hub import opening as hub

    chosen = replace(settings, hub_device=device)
    encoder, id = hub.encoder(name, "context", chosen), hub.find(name, chosen).id
    if unit_length(encoder.encode(["one"])):
        return encoder, id
    return (LengthKeptOfPairs(encoder) if isinstance(encoder, PairEncoder) else LengthKept(encoder)), id


class LengthKept:
    """An encoder whose vectors differ in length, as unit vectors with the length in one more number. Implements
    `Encoder`.
    """

    def __init__(self, encoder: Encoder) -> None:
        self._encoder, self.dimension = encoder, encoder.dimension + 1

    def encode(self, texts: Sequence[str]) -> Matrix:
        """(len(texts), dimension); `ranking.LONGEST_VECTOR` and a query's length turn cosines back into products."""
        return with_length(self._encoder.encode(texts)) / LONGEST_VECTOR


class LengthKeptOfPairs(LengthKept):
    """`LengthKept` for an encoder that reads title and text as a pair. Implements `PairEncoder`."""

    def __init__(self, encoder: PairEncoder) -> None:
        super().__init__(encoder)
        self._of_pairs = encoder

    def encode_pairs(self, pairs: Sequence[tuple[str, str]]) -> Matrix:
        """See `encode`."""
        return with_length(self._of_pairs.encode_pairs(pairs)) / LONGEST_VECTOR
