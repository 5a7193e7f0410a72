"""Compares ways to quantize the activations of the shipped reader: labels that change against float32, accuracy, time."""

from __future__ import annotations

import functools
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from evaluation.stance.run import Pair, judge, score_stances, strongest
from retrieval.models import catalogue
from retrieval.models.reader import OnnxReader
from training.reader.export import IN_BLOCKS, exported_model
from training.reader.products import INT8_ACTIVATIONS

FLOAT_ACTIVATIONS = 1  # `accuracy_level` of MatMulNBits
BLOCKS = (32, 64, 128, 256)

Change = Callable[[onnx.GraphProto], None]


def compare_arithmetic(pairs: Sequence[Pair], weights: Path = catalogue.WEIGHTS) -> list[dict[str, Any]]:
    """A row for float32 and for each way: share of labels changed, accuracies, milliseconds a pair on one thread."""
    ways: dict[str, Change] = {"float32": in_blocks(128, FLOAT_ACTIVATIONS), "uint8, one scale a pair": one_scale}
    ways |= {f"int8, a scale for {block} of a token": in_blocks(block, INT8_ACTIVATIONS) for block in BLOCKS}
    readers: dict[str, Callable[[Path], OnnxReader]] = {
        name: functools.partial(changed_reader, weights, change) for name, change in ways.items()
    }
    readers["uint8, a scale for a token"] = lambda folder: OnnxReader(exported_model(weights), 1, weights, exact=True)
    rows: list[dict[str, Any]] = []
    first: list[str] = []
    for name, opened in readers.items():
        with tempfile.TemporaryDirectory() as folder:
            reader = opened(Path(folder))
            begun = time.perf_counter()
            stances = judge(reader, pairs)
            taken = time.perf_counter() - begun
        labels = [strongest(stance) for stance in stances]
        first = first or labels
        scores = score_stances([pair.label for pair in pairs], stances)
        changed = sum(a != b for a, b in zip(first, labels, strict=True)) / len(pairs)
        figures = {metric: round(scores[metric].value, 3) for metric in ("label_accuracy", "two_way_accuracy")}
        rows.append({"way": name, "changed": round(changed, 4), **figures, "ms": round(1000 * taken / len(pairs), 1)})
    return rows


def changed_reader(weights: Path, change: Change, folder: Path) -> OnnxReader:
    """The shipped reader whose activations have scales for blocks, with a change in its graph."""
    for file in weights.glob("reader*"):
        if file.name != IN_BLOCKS:
            shutil.copyfile(file, folder / file.name)
    network = onnx.load(weights / IN_BLOCKS, load_external_data=False)
    change(network.graph)
    onnx.save(network, folder / IN_BLOCKS)
    return OnnxReader(exported_model(folder), 1, folder, exact=False)


def in_blocks(block: int, accuracy_level: int) -> Change:
    """Activations with a scale for so many of a token, or in float32."""

    def change(graph: onnx.GraphProto) -> None:
        for tensor in graph.initializer:
            name, _, part = tensor.name.rpartition(".")
            if name.startswith("layer.") and part in ("blocks", "each"):
                outputs, inputs = _shape(graph, name)
                shape = [outputs, inputs // block, block][: 3 if part == "blocks" else 2]
                tensor.CopyFrom(numpy_helper.from_array(np.array(shape), tensor.name))
        for node in graph.node:
            if node.op_type == "MatMulNBits":
                values = {"block_size": block, "accuracy_level": accuracy_level}
                for attribute in node.attribute:
                    attribute.i = values.get(attribute.name, attribute.i)

    return change


def one_scale(graph: onnx.GraphProto) -> None:
    """What `onnxruntime.quantization.quantize_dynamic` writes: the largest activation sets the scale of them all."""
    nodes = []
    for node in graph.node:
        if node.op_type in ("Transpose", "Reshape", "Expand") and node.input[0].startswith("layer."):
            continue
        if node.op_type != "MatMulNBits":
            nodes.append(node)
            continue
        name, (given,), (product,) = node.input[1].rpartition(".")[0], node.input[:1], node.output
        flat = {part: f"{name}.{part}" for part in ("scale", "zero")}
        for part in flat:
            tensor = next(tensor for tensor in graph.initializer if tensor.name == flat[part])
            tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor)[:, 0], flat[part]))
        parts = [f"{name}.{part}" for part in ("given", "given_scale", "given_zero", "sum", "sum_float", "both_scales")]
        steps, scale, zero, whole, as_float, scales = parts
        nodes += [
            helper.make_node("DynamicQuantizeLinear", [given], [steps, scale, zero]),
            helper.make_node("MatMulInteger", [steps, f"{name}.steps", zero, flat["zero"]], [whole]),
            helper.make_node("Cast", [whole], [as_float], to=TensorProto.FLOAT),
            helper.make_node("Mul", [scale, flat["scale"]], [scales]),
            helper.make_node("Mul", [as_float, scales], [product]),
        ]
    del graph.node[:]
    graph.node.extend(nodes)


def _shape(graph: onnx.GraphProto, name: str) -> tuple[int, int]:
    """(outputs, inputs) of a matrix."""
    steps = next(tensor for tensor in graph.initializer if tensor.name == f"{name}.steps")
    return steps.dims[1], steps.dims[0]
