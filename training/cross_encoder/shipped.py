"""The shipped cross-encoder as a network that can be trained further."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor

from retrieval.models.patches import changed
from training.cross_encoder.network import CrossEncoder

Array = NDArray[Any]


def load_shipped(base: Path, file: Path) -> CrossEncoder:
    """The network with the dequantized weights of an exported file and of the changes beside it, if any.

    Word embeddings are those of `base`. Training from these values leaves most int8 weights unchanged, so the new file
    of changes is small.
    """
    network = CrossEncoder(base)
    network.load_state_dict(network.state_dict() | shipped_state(file, network))
    network.bert.embeddings.requires_grad_(False)
    network.eval()
    return network


def shipped_state(file: Path, network: CrossEncoder) -> dict[str, Tensor]:
    """The network's parameters by name, read from a file that `training.cross_encoder.export` wrote."""
    exported, changes = file.read_bytes(), file.with_suffix(".changes")
    if changes.exists():
        exported = changed(exported, changes.read_bytes())
    tensors = onnx.load_from_string(exported).graph.initializer
    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in tensors if not tensor.external_data}
    # The export drops the names of linear layers' matrices but keeps their order.
    unnamed = iter(name.removesuffix("_quantized") for name in stored if "MatMul" in name and "_quantized" in name)
    state: dict[str, Array] = {"heads.weight": _matrix(stored, "heads.weight"), "heads.bias": stored["heads.bias"]}
    for name in ("token_type_embeddings.weight", "LayerNorm.weight", "LayerNorm.bias"):
        state[f"bert.embeddings.{name}"] = stored[f"bert.embeddings.{name}"]
    positions = network.bert.embeddings.position_embeddings.weight.detach().numpy().copy()
    known = stored["bert.embeddings.position_embeddings.weight"]
    positions[: len(known)] = known
    state["bert.embeddings.position_embeddings.weight"] = positions
    for layer in range(network.bert.config.num_hidden_layers):
        ours, theirs = f"bert.encoder.layer.{layer}.", f"bert.layers.{layer}."
        weights = np.split(_matrix(stored, f"bert.attentions.{layer}.weight"), 3)
        biases = np.split(stored[f"bert.attentions.{layer}.bias"], 3)
        for part, weight, bias in zip(("query", "key", "value"), weights, biases, strict=True):
            state[f"{ours}attention.self.{part}.weight"] = weight
            state[f"{ours}attention.self.{part}.bias"] = bias
        for part in ("attention.output", "intermediate", "output"):
            state[f"{ours}{part}.dense.weight"] = _matrix(stored, next(unnamed))
            state[f"{ours}{part}.dense.bias"] = stored[f"{theirs}{part}.dense.bias"]
            if part != "intermediate":
                norm = stored[f"{theirs}{part}.LayerNorm.weight"]
                state[f"{ours}{part}.LayerNorm.weight"] = norm / norm.size**0.5  # `PlainNorm` multiplied it by the root
                state[f"{ours}{part}.LayerNorm.bias"] = stored[f"{theirs}{part}.LayerNorm.bias"]
    return {name: torch.from_numpy(np.array(value)) for name, value in state.items()}


def _matrix(stored: dict[str, Array], name: str) -> Array:
    """A quantized matrix as floats, (outputs, inputs) as in torch."""
    return (stored[f"{name}_quantized"] * stored[f"{name}_scale"]).astype(np.float32).T
