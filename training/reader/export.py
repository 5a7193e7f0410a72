"""torch -> int8 ONNX for the reader: word embeddings in a separate file, so that no file exceeds 90 MB."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from pathlib import Path

from onnx import TensorProto

from retrieval.models import catalogue
from training.cross_encoder.export import fuse, move_embeddings, tell, to_onnx
from training.reader.network import ExportedReader, Reader

WORDS = "words.rows"
INPUTS = ("input_ids", "attention_mask")
MAX_TOKENS = 112


def export_reader(reader: Reader, tokenizer: Path, target: Path) -> None:
    """Write the reader as int8 ONNX with its word embeddings and tokenizer; print their entries for the catalogue.

    The network cannot be used afterwards.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        exported = Path(folder) / "exported.onnx"
        to_onnx(ExportedReader(reader).eval(), exported, INPUTS, "logits")
        shape = reader.mpnet.config
        fuse(exported, exported, num_heads=shape.num_attention_heads, hidden_size=shape.hidden_size, opt_level=0)
        _quantize(exported, target)
    words = target.with_name("reader_words.bin")
    words.unlink(missing_ok=True)
    move_embeddings(target, words, WORDS)
    vocabulary = target.with_name("reader_tokenizer.json")
    shutil.copyfile(tokenizer, vocabulary)
    for file in (target, words, vocabulary):
        tell(file)


def exported_model(folder: Path) -> catalogue.Model:
    """The catalogue entry for the `reader.onnx` that `export_reader` wrote into the folder."""
    names = ("reader.onnx", "reader_words.bin", "reader_tokenizer.json")
    files = tuple(catalogue.ModelFile(name, hashlib.sha256((folder / name).read_bytes()).hexdigest()) for name in names)
    return catalogue.Model(
        "reader", "esoteric-reader-uint8", "`python -m training reader`", "Apache-2.0", files, max_tokens=MAX_TOKENS
    )


def _quantize(source: Path, target: Path) -> None:
    """uint8 per channel: closer to float32 than int8 of reduced range, and no processor overflows (`docs/experiments.md`)."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(
        source, target, op_types_to_quantize=["MatMul", "Gemm"], per_channel=True, weight_type=QuantType.QUInt8,
        extra_options={"DefaultTensorType": TensorProto.FLOAT},
    )  # fmt: skip
