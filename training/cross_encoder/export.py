"""torch -> int8 ONNX: embeddings with a scale per row, matrices per output channel, reduced range.

Per-tensor scales lower the cosine by .13, as measured; reduced range keeps CPUs without VNNI from overflowing.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import onnx
import torch
from onnx import TensorProto, numpy_helper
from torch import nn

from retrieval.errors import ModelError
from retrieval.models.patches import difference
from training.cross_encoder.network import FusedBert
from training.exported import moved_steps, print_entry

WORD_EMBEDDINGS = "bert.embeddings.word_embeddings.rows"
INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def export_network(network: nn.Module, tokenizer: Path, target: Path, output: str, max_tokens: int) -> None:
    """Write the network as int8 ONNX with its tokenizer; print its entry for the catalogue.

    network: has `bert`; its one output is named `output`. The network cannot be used afterwards.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        _quantize(_fused(network, output, max_tokens, Path(folder)), target)
    target.with_suffix(".changes").unlink(missing_ok=True)  # They belong to the network that this one replaces.
    move_embeddings(target, target.with_name("word_embeddings.bin"), WORD_EMBEDDINGS)
    shutil.copyfile(tokenizer, target.with_name("tokenizer.json"))
    for file in (target, target.with_name("word_embeddings.bin"), target.with_name("tokenizer.json")):
        print_entry(file)


def export_changes(network: nn.Module, before: Path, target: Path, output: str, max_tokens: int) -> None:
    """Write what training changed in the exported network `before`, for `retrieval.models.patches.changed`.

    The int8 scales stay, so weights change by whole steps. The network cannot be used afterwards.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        fused = onnx.load(_fused(network, output, max_tokens, Path(folder)))
    trained = {tensor.name: numpy_helper.to_array(tensor) for tensor in fused.graph.initializer}
    model = onnx.load(before, load_external_data=False)
    stored = {tensor.name: tensor for tensor in model.graph.initializer}
    for name, tensor in stored.items():
        if name in trained and tensor.data_type == TensorProto.FLOAT:
            tensor.raw_data = trained[name].tobytes()
        elif name.endswith("_quantized"):
            weight, steps = trained[name.removesuffix("_quantized")], numpy_helper.to_array(tensor)
            scale = numpy_helper.to_array(stored[name.replace("_quantized", "_scale")])
            weight = weight if weight.shape == steps.shape else weight.T  # a Gemm's weights are transposed
            tensor.raw_data = moved_steps(weight, steps, scale).tobytes()
    target.write_bytes(difference(before.read_bytes(), model.SerializeToString()))
    print_entry(target)


def _fused(network: nn.Module, output: str, max_tokens: int, folder: Path) -> Path:
    """The network as float32 ONNX, with onnxruntime's fused nodes where they are faster."""
    network.eval()
    network.bert = FusedBert(network.bert, max_tokens)
    exported, fused = folder / "exported.onnx", folder / "fused.onnx"
    to_onnx(network, exported, INPUTS, output)
    fuse(exported, fused)
    return fused


def move_embeddings(network: Path, shared: Path, name: str) -> None:
    """Move the word embeddings `name` into a file that several networks can share (ONNX external data).

    Raises ModelError if that file already holds different ones.
    """
    from onnx.external_data_helper import set_external_data

    model = onnx.load(network, load_external_data=False)
    rows = next(tensor for tensor in model.graph.initializer if tensor.name == name)
    if shared.exists() and shared.read_bytes() != rows.raw_data:
        raise ModelError(
            f"{shared} holds embeddings that differ from this network's. Move it away and export all networks again."
        )
    shared.write_bytes(rows.raw_data)
    set_external_data(rows, location=shared.name, offset=0, length=len(rows.raw_data))
    rows.ClearField("raw_data")
    network.write_bytes(model.SerializeToString())


def to_onnx(network: nn.Module, target: Path, inputs: Sequence[str], output: str) -> None:
    """Write the network in float32. Its inputs are (batch, tokens), its output (batch, …)."""
    example = tuple(torch.ones(2, 16, dtype=torch.long) for _ in inputs)
    axes = {name: {0: "batch", 1: "tokens"} for name in inputs} | {output: {0: "batch"}}
    torch.onnx.export(
        network, example, str(target), input_names=list(inputs), output_names=[output], dynamic_axes=axes,
        opset_version=17, dynamo=False,
    )  # fmt: skip


def fuse(source: Path, target: Path, **options: int) -> None:
    """Fuse nodes that onnxruntime can compute as one: biases with GELUs, sums with norms. options: for
    `optimize_model`.
    """
    from onnxruntime.transformers.fusion_options import FusionOptions
    from onnxruntime.transformers.optimizer import optimize_model

    chosen = FusionOptions("bert")
    chosen.enable_attention = chosen.enable_embed_layer_norm = False
    optimize_model(str(source), "bert", optimization_options=chosen, **options).save_model_to_file(str(target))


def _quantize(source: Path, target: Path) -> None:
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(
        source, target, op_types_to_quantize=["MatMul", "Attention", "Gemm"], per_channel=True, reduce_range=True,
        weight_type=QuantType.QInt8, extra_options={"DefaultTensorType": TensorProto.FLOAT},
    )  # fmt: skip
