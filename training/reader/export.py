"""torch -> int8 ONNX for the reader: word embeddings in a file of their own, so that no file is larger than 90 MB."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import torch
from onnx import TensorProto

from retrieval.models import catalogue
from training.cross_encoder.export import move_embeddings, tell
from training.reader.network import ExportedReader, Reader

WORDS = "words.rows"
INPUTS = ("input_ids", "attention_mask")
MAX_TOKENS = 112


def export_reader(reader: Reader, tokenizer: Path, target: Path) -> None:
    """Write the reader as int8 ONNX, its word embeddings and its tokenizer beside it; print what the catalogue must say.

    The network cannot be used afterwards.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        exported = Path(folder) / "exported.onnx"
        _to_onnx(ExportedReader(reader).eval(), exported)
        _fuse(exported, reader.mpnet.config.num_attention_heads, reader.mpnet.config.hidden_size)
        _quantize(exported, target)
    words = target.with_name("reader_words.bin")
    words.unlink(missing_ok=True)
    move_embeddings(target, words, WORDS)
    vocabulary = target.with_name("reader_tokenizer.json")
    shutil.copyfile(tokenizer, vocabulary)
    for file in (target, words, vocabulary):
        tell(file)


def exported_model(folder: Path) -> catalogue.Model:
    """The card of what `export_reader` wrote into the folder as `reader.onnx`."""
    names = ("reader.onnx", "reader_words.bin", "reader_tokenizer.json")
    files = tuple(catalogue.ModelFile(name, hashlib.sha256((folder / name).read_bytes()).hexdigest()) for name in names)
    return catalogue.Model(
        "reader", "esoteric-reader-uint8", "`python -m training reader`", "Apache-2.0", files, max_tokens=MAX_TOKENS
    )


def evened(reader: Reader, stances: Sequence[int]) -> Reader:
    """Take the stances' frequencies in the training pairs out of the logits (Saerens et al., 2002)."""
    counts = torch.tensor([stances.count(stance) for stance in range(3)], dtype=torch.float32)
    reader.heads.bias.data[1:] -= torch.log(3 * counts / counts.sum())
    return reader


def _to_onnx(network: ExportedReader, target: Path) -> None:
    example = tuple(torch.ones(2, 16, dtype=torch.long) for _ in INPUTS)
    axes = {name: {0: "batch", 1: "tokens"} for name in INPUTS} | {"logits": {0: "batch"}}
    torch.onnx.export(
        network, example, str(target), input_names=list(INPUTS), output_names=["logits"], dynamic_axes=axes,
        opset_version=17, dynamo=False,
    )  # fmt: skip


def _fuse(file: Path, heads: int, width: int) -> None:
    """Join biases to GELUs and sums to norms, for which onnxruntime has nodes."""
    from onnxruntime.transformers.fusion_options import FusionOptions
    from onnxruntime.transformers.optimizer import optimize_model

    options = FusionOptions("bert")
    options.enable_attention = options.enable_embed_layer_norm = False
    optimized = optimize_model(
        str(file), "bert", num_heads=heads, hidden_size=width, optimization_options=options, opt_level=0
    )
    optimized.save_model_to_file(str(file))


def _quantize(source: Path, target: Path) -> None:
    """uint8 per channel: nearer to float32 than reduced int8, and it overflows on no processor (`docs/experiments.md`)."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(
        source, target, op_types_to_quantize=["MatMul", "Gemm"], per_channel=True, weight_type=QuantType.QUInt8,
        extra_options={"DefaultTensorType": TensorProto.FLOAT},
    )  # fmt: skip
