# mypy: disable-error-code="misc"
# (torch is not installed where the types are checked)
"""MiniLM's upper layers, fine-tuned to decide whether a marked pronoun means a marked name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.coreference.gap import Matrix, Pairs
from training.cross_encoder.network import Encoder
from training.upper_layers import (
    Examples,
    Recipe,
    UpperLayers,
    export_layers,
    frozen_states,
    probabilities,
    train_upper,
)

RECIPE = Recipe(frozen=2, longest=112, epochs=4, learning_rate=2e-4, smoothing=0.02, steady=0.99)


def lower_states(base: Path, pairs: Pairs) -> list[Tensor]:
    """The frozen layers' states of both texts of each pronoun, in order."""
    return frozen_states(Encoder(base), base / "tokenizer.json", list(pairs.texts.ravel()), RECIPE)


def answers_out_of_fold(
    base: Path, states: list[Tensor], meant: NDArray[np.bool_], folds: NDArray[np.int64], work: Path, seed: int
) -> Matrix:
    """Log odds (pronouns, 2) that a name is meant, by networks not trained on that pronoun; cached in `work`."""
    found = np.zeros(meant.shape)
    for fold in range(int(folds.max()) + 1):
        cached, held_out = work / f"coreference-{seed}-{fold}.npy", folds == fold
        if not cached.exists():
            work.mkdir(parents=True, exist_ok=True)
            network = _trained(base, states, meant, ~held_out, seed)
            shares = probabilities(network, [states[row] for row in _rows(held_out)])
            np.save(cached, np.log(shares[:, 1] / shares[:, 0]).reshape(-1, 2))
            print(f"fold {fold} is read", flush=True)
        found[held_out] = np.load(cached)
    return found


def trained_layers(base: Path, states: list[Tensor], meant: NDArray[np.bool_], target: Path, seed: int) -> Matrix:
    """Train on all pairs, write the network's changes to `target`, return the linear layer: weights and one constant."""
    network = _trained(base, states, meant, np.ones(len(meant), dtype=np.bool_), seed)
    weights, biases = export_layers(base, network, target)
    return np.append(weights[1] - weights[0], biases[1] - biases[0])


def _trained(
    base: Path, states: list[Tensor], meant: NDArray[np.bool_], of: NDArray[np.bool_], seed: int
) -> UpperLayers:
    rows = _rows(of)
    examples = Examples([states[row] for row in rows], meant.ravel()[rows].astype(np.int64), np.ones(len(rows)))
    torch.set_num_threads(1)
    return train_upper(Encoder(base), examples, replace(RECIPE, seed=seed))


def _rows(pronouns: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Indices of both names of the chosen pronouns."""
    return np.flatnonzero(np.repeat(pronouns, 2))
