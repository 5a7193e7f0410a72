"""Exported weights: their catalogue entry while a training is under way, and int8 weights at the scales of earlier ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.fever.data import file_digest
from retrieval.models import catalogue
from retrieval.models.onnx import OnnxEncoder

# The largest int8 weight of onnxruntime's reduced range, which keeps CPUs without VNNI from overflowing.
LARGEST_WEIGHT = 64
DEAD_ZONE = 0.5  # steps from which a weight counts as changed; a larger value makes the file of changes smaller

Array = NDArray[Any]


def exported_model(model: catalogue.Model, folder: Path) -> catalogue.Model:
    """The catalogue entry for the model's files in a folder; its file of changes may be missing.

    The shipped files must be those of the catalogue.
    """
    if folder == catalogue.WEIGHTS:
        return model
    names = (file.name for file in model.files)
    present = [name for name in names if not name.endswith(".changes") or (folder / name).exists()]
    return replace(model, files=tuple(catalogue.ModelFile(name, file_digest(folder / name)) for name in present))


def print_entry(file: Path) -> None:
    """Print a file's entry for the catalogue."""
    print(f"{file}: {file.stat().st_size / 1e6:.2f} MB, sha256 {file_digest(file)}")


def vectors_by(changes: Path, texts: Sequence[str]) -> NDArray[np.float64]:
    """The texts' vectors, by the shipped encoder with the changes in a file."""
    return OnnxEncoder(threads=1, changes=changes).encode(texts).astype(np.float64)


def moved_steps(weight: Array, before: Array, scale: Array) -> Array:
    """The int8 weights nearest to the trained ones; weights that moved less than `DEAD_ZONE` steps stay as they were.

    weight, before: (inputs, outputs); scale: size of a step, one per output.
    """
    moved = weight / np.where(scale == 0, 1, scale) - before
    moves = np.where(np.abs(moved) < DEAD_ZONE, 0, np.sign(moved) * np.maximum(1, np.round(np.abs(moved))))
    steps: Array = np.clip(before + moves, -LARGEST_WEIGHT, LARGEST_WEIGHT).astype(np.int8)
    return steps
