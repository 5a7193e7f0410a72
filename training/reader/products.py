"""How the exported reader multiplies by its uint8 matrices: two graphs over one file of steps.

A few of MPNet's activations are a hundred times larger than the rest. With one scale for a whole pair, the stance of
one pair in four changes (docs/experiments.md), so each token has a scale. Both graphs compute the same: `by_signed` is
faster, on CPUs that add products of 8 bits without overflow; `by_unsigned` is right on every CPU.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import NodeProto, TensorProto, helper

Array = NDArray[Any]

OPSET = 17
OURS = "com.microsoft"  # the domain of onnxruntime's operators: see its docs/ContribOperators.md
STEPS, MIDDLE = 255, 128  # of uint8
LEAST_GELU = -0.17
# `LOUD`: channels between MPNet's layers that are many times as large as the others in nearly every token. Each is
# split into `COLUMNS` equal parts, so that it does not set the scale (outlier channel splitting, Zhao et al., ICML
# 2019).
LOUD, COLUMNS = (461, 756, 568, 555, 237, 344, 688, 73), 4
TRIED = (16, 64, 64)  # rows, inputs and outputs of the product that tests a CPU


@dataclass(frozen=True)
class Quantized:
    """A matrix (inputs, outputs) in uint8 steps, with a scale and a zero per output."""

    steps: Array
    scale: Array
    zero: Array

    def moved(self, weight: Array, apart: int = 1) -> Quantized:
        """The steps nearest to other weights, at the same scales, that differ from these by multiples of `apart`."""
        wanted = weight / self.scale + self.zero
        moves = np.round((wanted - self.steps) / apart) * apart
        return Quantized(np.clip(self.steps + moves, 0, STEPS).astype(np.uint8), self.scale, self.zero)

    def column_sums(self) -> Array:
        """The sum of each output's weights, float32."""
        sums = self.steps.sum(axis=0, dtype=np.int64) - len(self.steps) * self.zero.astype(np.int64)
        return np.asarray(sums * self.scale, dtype=np.float32)


def quantized(weight: Array) -> Quantized:
    """The matrix in steps, with one scale per output that spans its least to its largest weight."""
    low, high = np.minimum(weight.min(axis=0), 0), np.maximum(weight.max(axis=0), 0)
    scale = np.maximum((high - low) / STEPS, 1e-12).astype(np.float32)
    zero = np.round(-low / scale).astype(np.uint8)
    return Quantized(np.zeros(weight.shape, np.uint8), scale, zero).moved(weight)


@dataclass
class Graph:
    """Nodes and constants of a network under construction. onnxruntime folds nodes of constants when it opens it."""

    nodes: list[NodeProto] = field(default_factory=list)
    constants: dict[str, Array] = field(default_factory=dict)
    outputs: set[str] = field(default_factory=set)

    def add(self, kind: str, inputs: list[str], output: str, domain: str = "", **attributes: Any) -> str:
        """Add a node and return the name of its output."""
        self.nodes.append(helper.make_node(kind, inputs, [output], domain=domain, **attributes))
        self.outputs.add(output)
        return output

    def constant(self, name: str, value: Any) -> str:
        """Add a constant unless there is one of this name, and return the name."""
        self.constants.setdefault(name, np.asarray(value))
        return name


class Product(Protocol):
    """Adds the product of `activations` and a matrix to the graph.

    name: the matrix's, such as "layer.0.query"; its uint8 steps, (inputs, outputs), are named "layer.0.query.steps".
    """

    def __call__(self, graph: Graph, activations: str, name: str, matrix: Quantized, product: str) -> None: ...


def by_signed(graph: Graph, activations: str, name: str, matrix: Quantized, product: str) -> None:
    """Multiply by int8 weights, which have the fastest kernel."""
    weights = _signed(graph, f"{name}.steps", f"{name}.signed")
    zero = _signed(graph, _zeros(graph, name, matrix), f"{name}.signed_zero")
    _in_rows(graph, activations, name, matrix, (weights, zero), product)


def by_unsigned(graph: Graph, activations: str, name: str, matrix: Quantized, product: str) -> None:
    """Multiply by uint8 weights: onnxruntime then adds in 32 bits on CPUs without an instruction that adds exactly."""
    _in_rows(graph, activations, name, matrix, (f"{name}.steps", _zeros(graph, name, matrix)), product)


def _in_rows(
    graph: Graph, activations: str, name: str, matrix: Quantized, weights_and_zero: tuple[str, str], product: str
) -> None:
    """Multiply uint8 activations, with a scale per token of one pair. Weights and zero are both int8 or both uint8."""
    weights, zero = weights_and_zero
    after_gelu = name.endswith(".output")
    width = len(matrix.steps)
    loud = [] if name.endswith((".attention", ".output")) else [channel for channel in LOUD if channel < width]
    if f"{activations}.steps" not in graph.outputs:  # query, key and value share them
        _quantize_rows(graph, _divided(graph, activations, loud, width), activations, after_gelu)
    if loud:
        repeated = graph.add("Gather", [weights, "rows.loud"], f"{name}.repeated", axis=0)
        weights = graph.add("Concat", [weights, repeated], f"{name}.all", axis=0)
    scale, unit = graph.constant(f"{name}.scale", matrix.scale), graph.constant("rows.one", np.float32(1))
    parts = [f"{activations}.steps", weights, unit, scale, _zero(graph, after_gelu), zero]
    sums = graph.add("MatMulIntegerToFloat", parts, f"{name}.sums", OURS)
    if not after_gelu:
        graph.add("Mul", [sums, f"{activations}.scale"], product)
        return
    above = graph.add("Mul", [sums, f"{activations}.scale"], f"{name}.above")
    lowest = graph.constant(f"{name}.lowest", LEAST_GELU * matrix.column_sums())
    graph.add("Add", [above, lowest], product)


def trial() -> onnx.ModelProto:
    """A product like those of `by_signed`: input "steps", uint8, shaped as in `TRIED`, times weights of 127."""
    rows, inputs, outputs = TRIED
    steps = helper.make_tensor_value_info("steps", TensorProto.UINT8, [rows, inputs])
    sums = helper.make_tensor_value_info("sums", TensorProto.INT32, [rows, outputs])
    weights = helper.make_tensor("weights", TensorProto.INT8, [inputs, outputs], b"\x7f" * (inputs * outputs), raw=True)
    node = helper.make_node("MatMulInteger", ["steps", "weights"], ["sums"])
    graph = helper.make_graph([node], "trial", [steps], [sums], [weights])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)


def _zeros(graph: Graph, name: str, matrix: Quantized) -> str:
    """The steps that stand for 0, one per output."""
    return graph.constant(f"{name}.zero", matrix.zero)


def _divided(graph: Graph, activations: str, loud: list[int], width: int) -> str:
    """The activations with each loud channel split into `COLUMNS` equal parts; all but the first come last."""
    if not loud:
        return activations
    shares = np.ones(width, np.float32)
    shares[loud] /= COLUMNS
    first = graph.add("Mul", [activations, graph.constant("rows.shares", shares)], f"{activations}.first")
    places = graph.constant("rows.loud", loud * (COLUMNS - 1))
    others = graph.add("Gather", [first, places], f"{activations}.others", axis=-1)
    return graph.add("Concat", [first, others], f"{activations}.divided", axis=-1)


def _quantize_rows(graph: Graph, read: str, activations: str, after_gelu: bool) -> None:
    """Make `activations.steps` and `activations.scale`, (1, tokens, 1). After a GELU all steps lie above its least value."""
    flat = graph.constant("rows.flat", [-1])
    if after_gelu:
        read = graph.add(
            "Sub", [read, graph.constant("rows.least_gelu", np.float32(LEAST_GELU))], f"{activations}.from_least"
        )
        largest, steps = read, STEPS
    else:
        largest, steps = graph.add("Abs", [read], f"{activations}.sizes"), MIDDLE - 1
    most = graph.add("ReduceMax", [largest], f"{activations}.most", axes=[-1], keepdims=1)
    step = graph.constant(f"rows.step_of_{steps}", np.float32(1 / steps))
    scale = graph.add("Mul", [most, step], f"{activations}.scale")
    scales = graph.add("Reshape", [scale, flat], f"{activations}.scales")
    count = graph.add("Shape", [scales], f"{activations}.count")
    zeros = graph.add("Expand", [_zero(graph, after_gelu), count], f"{activations}.zeros")
    graph.add("QuantizeLinear", [read, scales, zeros], f"{activations}.steps", axis=1)


def _zero(graph: Graph, after_gelu: bool) -> str:
    """The step that stands for 0, or after a GELU for its least value."""
    return graph.constant("rows.least", np.uint8(0)) if after_gelu else graph.constant("rows.middle", np.uint8(MIDDLE))


def _signed(graph: Graph, steps: str, signed: str) -> str:
    """uint8 steps as int8, 128 less. Adding 128 in uint8 wraps around, so no wider type is needed."""
    turned = graph.add("Add", [steps, graph.constant("rows.half", np.uint8(MIDDLE))], f"{signed}.turned")
    return graph.add("Cast", [turned], signed, to=TensorProto.INT8)
