"""Opens the models that make page vectors, by the names that `python -m indexing vectors --model` accepts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from retrieval.errors import ModelError
from retrieval.models import catalogue
from retrieval.models.hub import opening as hub
from retrieval.models.onnx import OnnxEncoder
from retrieval.models.static_encoder import StaticEncoder
from retrieval.protocols import Encoder, Matrix, PairEncoder
from retrieval.settings import Settings
from retrieval.text.ranking import LONGEST_VECTOR, unit_length, with_length

MINILM = catalogue.ENCODER.name
PAGE_ENCODERS = {"": MINILM, "minilm": MINILM, "dpr": "facebook/dpr-ctx_encoder-single-nq-base"}  # short name -> name


def open_page_encoder(name: str, settings: Settings, device: str = "cpu") -> tuple[Encoder, str]:
    """The page encoder and its id. name: `minilm`, `static`, `dpr`, or another model's name. Raises ModelError."""
    name = PAGE_ENCODERS.get(name, name)
    if name == MINILM:
        return OnnxEncoder(settings.threads, device=device), catalogue.ENCODER.id
    if name == catalogue.STATIC.name:
        if device != "cpu":
            raise ModelError("The model `static` has no network for a GPU to run. Leave out `--device`.")
        return StaticEncoder(settings.data / "models", settings.threads), catalogue.STATIC.id
    chosen = replace(settings, hub_device=device)
    encoder, id = hub.encoder(name, "context", chosen), hub.find(name, chosen).id
    if unit_length(encoder.encode(["one"])):
        return encoder, id
    return (LengthKeptOfPairs if isinstance(encoder, PairEncoder) else LengthKept)(encoder), id


class LengthKept:
    """An encoder with vectors of unit length; one more number preserves the original length. Implements `Encoder`."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder, self.dimension = encoder, encoder.dimension + 1

    def encode(self, texts: Sequence[str]) -> Matrix:
        """(len(texts), dimension); `ranking.LONGEST_VECTOR` and a query's length turn cosines back into products."""
        return with_length(self._encoder.encode(texts)) / LONGEST_VECTOR


class LengthKeptOfPairs(LengthKept):
    """`LengthKept` for an encoder that reads title and text as a pair. Implements `PairEncoder`."""

    _encoder: PairEncoder

    def encode_pairs(self, pairs: Sequence[tuple[str, str]]) -> Matrix:
        """See `encode`."""
        return with_length(self._encoder.encode_pairs(pairs)) / LONGEST_VECTOR
