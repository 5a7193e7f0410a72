"""The shipped reader as a network that can be trained further."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, numpy_helper
from torch import Tensor

from training.reader.export import NETWORK, PARTS, WORDS, changes_in, stored_matrices
from training.reader.network import FIRST_POSITION, Reader
from training.reader.products import Array

# torch's names of `PARTS`
MODULES = (
    "attention.attn.q",
    "attention.attn.k",
    "attention.attn.v",
    "attention.attn.o",
    "intermediate.dense",
    "output.dense",
)


def load_shipped(base: Path, folder: Path) -> Reader:
    """The reader with the dequantized weights of an exported folder. base: MPNet.

    Training from these values leaves most weights on the same step, so the file of changes is small.
    """
    reader = Reader(base)
    reader.load_state_dict(reader.state_dict() | shipped_state(folder, reader))
    return reader


def shipped_state(folder: Path, reader: Reader) -> dict[str, Tensor]:
    """The network's parameters by name, read from files that `training.reader.export` wrote."""
    network = onnx.load(folder / NETWORK, load_external_data=False).graph
    stored = {
        tensor.name: numpy_helper.to_array(tensor)
        for tensor in network.initializer
        if not tensor.external_data and tensor.data_type == TensorProto.FLOAT
    }
    joined = iter(node.input[3] for node in network.node if node.op_type == "MultiHeadAttention")
    heads = next(node.input[1] for node in network.node if node.op_type == "Gemm")
    matrices, _ = stored_matrices(folder, changes_in(folder))
    state: dict[str, Array] = {"heads.weight": stored[heads], "heads.bias": stored["heads.bias"]}
    state |= _embeddings(folder / WORDS, stored, reader)
    for layer in range(reader.mpnet.config.num_hidden_layers):
        ours, theirs = f"mpnet.encoder.layer.{layer}.", f"layers.{layer}."
        for part, module in zip(PARTS, MODULES, strict=True):
            matrix = matrices[f"layer.{layer}.{part}"]
            state[f"{ours}{module}.weight"] = ((matrix.steps.astype(np.float32) - matrix.zero) * matrix.scale).T
        for module, bias in zip(MODULES[:3], np.split(stored[next(joined)], 3), strict=True):
            state[f"{ours}{module}.bias"] = bias
        for module in MODULES[3:]:
            state[f"{ours}{module}.bias"] = stored[f"{theirs}{module}.bias"]
        for module in ("attention", "output"):
            norm = stored[f"{theirs}{module}.LayerNorm.weight"]
            state[f"{ours}{module}.LayerNorm.weight"] = norm / norm.size**0.5  # `PlainNorm` multiplied it by the root
            state[f"{ours}{module}.LayerNorm.bias"] = stored[f"{theirs}{module}.LayerNorm.bias"]
    return {name: torch.from_numpy(np.array(value, dtype=np.float32)) for name, value in state.items()}


def _embeddings(words: Path, stored: dict[str, Array], reader: Reader) -> dict[str, Array]:
    """Word and position embeddings, their norm, and the bias of distances; the export has one value per distance."""
    scales, positions = stored["words.scales"], reader.mpnet.embeddings.position_embeddings.weight.detach().numpy()
    known = stored["positions"]
    positions = np.concatenate([positions[:FIRST_POSITION], known, positions[FIRST_POSITION + len(known) :]])
    encoder, biases = reader.mpnet.encoder, stored["bias_of_distance"]
    longest = (len(biases) + 1) // 2
    table = encoder.relative_attention_bias.weight.detach().numpy().copy()
    distances = torch.arange(1 - longest, longest)[None]
    bins = encoder.relative_position_bucket(distances, num_buckets=len(table))[0]
    table[bins.numpy()] = biases
    return {
        "mpnet.embeddings.word_embeddings.weight": np.fromfile(words, np.int8).reshape(len(scales), -1) * scales,
        "mpnet.embeddings.position_embeddings.weight": positions,
        "mpnet.embeddings.LayerNorm.weight": stored["norm.weight"],
        "mpnet.embeddings.LayerNorm.bias": stored["norm.bias"],
        "mpnet.encoder.relative_attention_bias.weight": table,
    }
