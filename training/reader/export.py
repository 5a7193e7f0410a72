"""torch -> ONNX for the reader: uint8 matrices in a file beside two graphs, one of them for CPUs that add exactly."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper
from onnx.external_data_helper import set_external_data

from retrieval.models.patches import difference
from retrieval.models.reader import trained_on
from training.cross_encoder.export import fuse, move_embeddings, to_onnx
from training.exported import print_entry
from training.reader.network import ExportedReader, Reader
from training.reader.products import Array, Graph, Product, Quantized, by_signed, by_unsigned, quantized, trial

NETWORK, UNSIGNED, TRIAL = "reader.onnx", "reader_unsigned.onnx", "reader_trial.onnx"
MATRICES, WORDS, VOCABULARY = "reader_matrices.bin", "reader_words.bin", "reader_tokenizer.json"
CHANGES = "reader.changes"  # the changes by all later trainings
FILES = (NETWORK, UNSIGNED, TRIAL, MATRICES, WORDS, VOCABULARY)
INPUTS = ("input_ids", "attention_mask")
PARTS = ("query", "key", "value", "attention", "intermediate", "output")  # matrices of a layer, in order of use


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
    for name in FILES:
        print_entry(folder / name)


def export_changes(reader: Reader, before: Path, folder: Path, apart: int = 1) -> None:
    """Write both graphs and the changes by all trainings to the matrices of folder `before`.

    Scales stay, so weights change by whole steps; multiples of `apart` steps make a smaller file. The network cannot be
    used afterwards.
    """
    folder.mkdir(parents=True, exist_ok=True)
    fused, (known, places) = _fused(reader), stored_matrices(before, None)
    found = {name: known[name].moved(weight, apart) for name, weight in _matrices(fused).items()}
    content = (before / MATRICES).read_bytes()
    moved = bytearray(content)
    for name, one in found.items():
        moved[places[name] : places[name] + one.steps.size] = one.steps.tobytes()
    (folder / CHANGES).write_bytes(difference(content, bytes(moved)))
    _write(fused, found, places, folder)
    for name in (NETWORK, UNSIGNED, TRIAL, CHANGES):
        print_entry(folder / name)


def changes_in(folder: Path) -> Path | None:
    """The changes of later trainings to the reader of a folder; None if there are none."""
    return folder / CHANGES if (folder / CHANGES).exists() else None


def stored_matrices(folder: Path, changes: Path | None) -> tuple[dict[str, Quantized], dict[str, int]]:
    """(an exported reader's matrices by name, where each one's steps begin in the file of matrices)."""
    stored = {tensor.name: tensor for tensor in onnx.load(folder / NETWORK, load_external_data=False).graph.initializer}
    content = trained_on(folder / MATRICES, changes)
    found, places = {}, {}
    for name in (name.removesuffix(".steps") for name in stored if name.endswith(".steps")):
        tensor = stored[f"{name}.steps"]
        places[name] = next(int(entry.value) for entry in tensor.external_data if entry.key == "offset")
        steps = np.frombuffer(content, np.uint8, int(np.prod(tensor.dims)), places[name]).reshape(tensor.dims)
        scale, zero = (numpy_helper.to_array(stored[f"{name}.{part}"]).reshape(-1) for part in ("scale", "zero"))
        found[name] = Quantized(steps, scale, zero)
    return found, places


def _fused(reader: Reader) -> onnx.ModelProto:
    """The network in float32, with onnxruntime's fused nodes where they are faster."""
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
    """Write both graphs, whose matrices' steps are at `places` in `MATRICES`, and the graph that tests a CPU."""
    (folder / WORDS).unlink(missing_ok=True)  # It belongs to an earlier export; both new graphs share one.
    for name, way in ((NETWORK, by_signed), (UNSIGNED, by_unsigned)):
        onnx.save(_with_products(network, way, found, places), folder / name)
        move_embeddings(folder / name, folder / WORDS, "words.rows")
    onnx.save(trial(), folder / TRIAL)


def _with_products(
    network: onnx.ModelProto, way: Product, found: dict[str, Quantized], places: dict[str, int]
) -> onnx.ModelProto:
    """The network with its matrix products replaced by the nodes that `way` adds."""
    products = _products(network)
    gone = {node.input[1] for node in products}
    turned = {product.output[0]: turn for product, turn in zip(products, found.items(), strict=True)}
    graph = Graph()
    for node in network.graph.node:
        if node.output[0] in turned:
            name, matrix = turned[node.output[0]]
            way(graph, node.input[0], name, matrix, node.output[0])
        else:
            graph.nodes.append(node)
    made = onnx.ModelProto()
    made.CopyFrom(network)
    del made.graph.node[:], made.graph.initializer[:]
    made.graph.node.extend(graph.nodes)
    made.graph.initializer.extend(tensor for tensor in network.graph.initializer if tensor.name not in gone)
    made.graph.initializer.extend(_steps(name, matrix, places[name]) for name, matrix in found.items())
    made.graph.initializer.extend(numpy_helper.from_array(value, name) for name, value in graph.constants.items())
    return made


def _steps(name: str, matrix: Quantized, place: int) -> TensorProto:
    """The steps of a matrix, as a tensor whose data is in `MATRICES`."""
    steps = TensorProto(name=f"{name}.steps", data_type=TensorProto.UINT8, dims=matrix.steps.shape, raw_data=b"-")
    set_external_data(steps, location=MATRICES, offset=place, length=matrix.steps.size)
    steps.ClearField("raw_data")
    return steps
