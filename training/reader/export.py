"""torch -> ONNX for the reader: uint8 matrices in a file beside the graph, activations quantized in blocks of a token.

A scale for all tokens of a sentence would be set by a few activations a hundred times larger than the others, which
MPNet's feed-forward layers have: it changed the stance of one pair in four (`docs/experiments.md`).
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from onnx.external_data_helper import set_external_data

from retrieval.models import catalogue
from retrieval.models.patches import changed, difference
from training.cross_encoder.export import fuse, move_embeddings, tell, to_onnx
from training.reader.network import ExportedReader, Reader

NETWORK, MATRICES, WORDS, VOCABULARY = "reader.onnx", "reader_matrices.bin", "reader_words.bin", "reader_tokenizer.json"
CHANGES = "reader.changes"
INPUTS = ("input_ids", "attention_mask")
MAX_TOKENS = 112
BLOCKS = (128, 64, 32, 16)  # activations of a token that share a scale: the most that divide a matrix evenly
INT8_ACTIVATIONS = (
    4  # `accuracy_level` of MatMulNBits (onnxruntime's docs/ContribOperators.md); 1 leaves them in float32
)
PARTS = ("query", "key", "value", "attention", "intermediate", "output")  # matrices of a layer, in order of use

Array = NDArray[Any]


@dataclass(frozen=True)
class Quantized:
    """A matrix (inputs, outputs) in uint8 steps; scale and zero are one per output."""

    steps: Array
    scale: Array
    zero: Array

    def moved(self, weight: Array) -> Quantized:
        """The nearest steps to other weights, on the same scale."""
        steps = np.clip(np.round(weight / self.scale) + self.zero, 0, 255).astype(np.uint8)
        return Quantized(steps, self.scale, self.zero)


def quantized(weight: Array) -> Quantized:
    """One scale per output, from its least to its largest weight."""
    low, high = np.minimum(weight.min(axis=0), 0), np.maximum(weight.max(axis=0), 0)
    scale = np.maximum((high - low) / 255, 1e-12).astype(np.float32)
    zero = np.round(-low / scale).astype(np.uint8)
    return Quantized(np.empty(0), scale, zero).moved(weight)


def export_reader(reader: Reader, tokenizer: Path, folder: Path) -> None:
    """Write the reader with its matrices, word embeddings and tokenizer; print their entries for the catalogue.

    The network cannot be used afterwards.
    """
    folder.mkdir(parents=True, exist_ok=True)
    fused = _fused(reader)
    found = {name: quantized(weight) for name, weight in _matrices(fused).items()}
    ends = np.cumsum([one.steps.size for one in found.values()])
    places = {name: int(end) - one.steps.size for (name, one), end in zip(found.items(), ends, strict=True)}
    (folder / MATRICES).write_bytes(b"".join(one.steps.tobytes() for one in found.values()))
    _write(fused, found, places, folder)
    shutil.copyfile(tokenizer, folder / VOCABULARY)
    for name in (NETWORK, MATRICES, WORDS, VOCABULARY):
        tell(folder / name)


def export_changes(reader: Reader, before: Path, folder: Path) -> None:
    """Write what training changed in the reader of folder `before`: `reader.changes`, and its network.

    Scales stay: weights move by whole steps of them. The network cannot be used afterwards.
    """
    folder.mkdir(parents=True, exist_ok=True)
    fused, (known, places) = _fused(reader), stored_matrices(before)
    found = {name: known[name].moved(weight) for name, weight in _matrices(fused).items()}
    published = (before / MATRICES).read_bytes()
    moved = bytearray(published)
    for name, one in found.items():
        moved[places[name] : places[name] + one.steps.size] = one.steps.tobytes()
    (folder / CHANGES).write_bytes(difference(published, bytes(moved)))
    _write(fused, found, places, folder)
    for name in (NETWORK, CHANGES):
        tell(folder / name)


def stored_matrices(folder: Path, changes: Path | None = None) -> tuple[dict[str, Quantized], dict[str, int]]:
    """(each matrix of an exported reader, where its steps begin in the file of matrices)."""
    stored = {tensor.name: tensor for tensor in onnx.load(folder / NETWORK, load_external_data=False).graph.initializer}
    content = (folder / MATRICES).read_bytes()
    content = changed(content, changes.read_bytes()) if changes else content
    found, places = {}, {}
    for name in (name.removesuffix(".steps") for name in stored if name.endswith(".steps")):
        tensor = stored[f"{name}.steps"]
        places[name] = next(int(entry.value) for entry in tensor.external_data if entry.key == "offset")
        steps = np.frombuffer(content, np.uint8, int(np.prod(tensor.dims)), places[name]).reshape(tensor.dims)
        scale, zero = (numpy_helper.to_array(stored[f"{name}.{part}"])[:, 0] for part in ("scale", "zero"))
        found[name] = Quantized(steps, scale, zero)
    return found, places


def exported_model(folder: Path) -> catalogue.Model:
    """The catalogue entry for what `export_reader` wrote into the folder, with changes if it holds any."""
    names = (NETWORK, MATRICES, WORDS, VOCABULARY, *(CHANGES,) * (folder / CHANGES).exists())
    files = tuple(catalogue.ModelFile(name, hashlib.sha256((folder / name).read_bytes()).hexdigest()) for name in names)
    return catalogue.Model(
        "reader", "esoteric-reader-uint8", "`python -m training reader`", "Apache-2.0", files, max_tokens=MAX_TOKENS
    )


def _fused(reader: Reader) -> onnx.ModelProto:
    """The network in float32, with onnxruntime's own nodes where they are faster."""
    shape = reader.mpnet.config
    with tempfile.TemporaryDirectory() as name:
        exported = Path(name) / "exported.onnx"
        to_onnx(ExportedReader(reader).eval(), exported, INPUTS, "logits")
        fuse(exported, exported, num_heads=shape.num_attention_heads, hidden_size=shape.hidden_size, opt_level=0)
        return onnx.load(exported)


def _matrices(network: onnx.ModelProto) -> dict[str, Array]:
    """The layers' matrices by name, (inputs, outputs), in order of use."""
    stored = {tensor.name: tensor for tensor in network.graph.initializer}
    used = [node.input[1] for node in _products(network)]
    names = [f"layer.{number // len(PARTS)}.{PARTS[number % len(PARTS)]}" for number in range(len(used))]
    return {name: numpy_helper.to_array(stored[tensor]) for name, tensor in zip(names, used, strict=True)}


def _products(network: onnx.ModelProto) -> list[onnx.NodeProto]:
    stored = {tensor.name for tensor in network.graph.initializer}
    return [node for node in network.graph.node if node.op_type == "MatMul" and node.input[1] in stored]


def _write(network: onnx.ModelProto, found: dict[str, Quantized], places: dict[str, int], folder: Path) -> None:
    """Write the network with quantized matrices, whose steps lie at `places` of `MATRICES`."""
    graph, products = network.graph, _products(network)
    gone = {node.input[1] for node in products}
    nodes, tensors = [], [tensor for tensor in graph.initializer if tensor.name not in gone]
    turned = {product.output[0]: turn for product, turn in zip(products, found.items(), strict=True)}
    for node in graph.node:
        if node.output[0] not in turned:
            nodes.append(node)
            continue
        name, matrix = turned[node.output[0]]
        nodes += _product(node, name, matrix)
        tensors += _tensors(name, matrix, places[name])
    del graph.node[:], graph.initializer[:]
    graph.node.extend(nodes)
    graph.initializer.extend(tensors)
    onnx.save(network, folder / NETWORK)
    (folder / WORDS).unlink(missing_ok=True)
    move_embeddings(folder / NETWORK, folder / WORDS, "words.rows")


def _product(node: onnx.NodeProto, name: str, matrix: Quantized) -> list[onnx.NodeProto]:
    """The nodes in place of a product. All but the last are computed when the network is opened."""
    inputs, outputs = matrix.steps.shape
    return [
        helper.make_node("Transpose", [f"{name}.steps"], [f"{name}.turned"]),
        helper.make_node("Reshape", [f"{name}.turned", f"{name}.blocks"], [f"{name}.in_blocks"]),
        helper.make_node("Expand", [f"{name}.scale", f"{name}.each"], [f"{name}.scales"]),
        helper.make_node("Expand", [f"{name}.zero", f"{name}.each"], [f"{name}.zeros"]),
        helper.make_node(
            "MatMulNBits",
            [node.input[0], f"{name}.in_blocks", f"{name}.scales", f"{name}.zeros"],
            [node.output[0]],
            domain="com.microsoft",
            bits=8,
            K=inputs,
            N=outputs,
            block_size=_block(inputs),
            accuracy_level=INT8_ACTIVATIONS,
        ),
    ]


def _block(inputs: int) -> int:
    return next(block for block in BLOCKS if inputs % block == 0)


def _tensors(name: str, matrix: Quantized, place: int) -> list[TensorProto]:
    inputs, outputs = matrix.steps.shape
    blocks = inputs // _block(inputs)
    steps = TensorProto(name=f"{name}.steps", data_type=TensorProto.UINT8, dims=matrix.steps.shape, raw_data=b"-")
    set_external_data(steps, location=MATRICES, offset=place, length=matrix.steps.size)
    steps.ClearField("raw_data")
    values = {
        "scale": matrix.scale[:, None],
        "zero": matrix.zero[:, None],
        "blocks": np.array([outputs, blocks, inputs // blocks]),
        "each": np.array([outputs, blocks]),
    }
    return [steps, *(numpy_helper.from_array(value, f"{name}.{part}") for part, value in values.items())]
