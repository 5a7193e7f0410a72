# mypy: disable-error-code="misc"
# (torch is not installed where the types are checked)
"""Fine-tunes MiniLM's upper layers under a linear layer, to label texts.

The lower layers are frozen: their states are computed once, which halves the time of an epoch, and the exported file
of changes holds the upper layers alone.
"""

from __future__ import annotations

import copy
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from retrieval.models import catalogue
from retrieval.models.onnx import SEPARATOR, START, batches_of_like_length, open_tokenizer, token_ids
from training.cross_encoder.export import export_changes
from training.cross_encoder.network import Encoder, mean_of_tokens
from training.cross_encoder.schedule import batch_plan, rate_at
from training.steps import heads_optimizer, set_rates

SPREAD = 20.0  # factor of the unit vectors before the linear layer, whose weights can then stay small

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Recipe:
    """The settings of a training.

    frozen: how many of the six layers do not learn. longest: tokens of a text. steady: share of itself that the
    weights' running mean keeps at each late step.
    """

    frozen: int = 3
    longest: int = 64
    epochs: int = 2
    batch_size: int = 32
    learning_rate: float = 1e-4
    warmup: float = 0.05
    weight_decay: float = 0.01
    smoothing: float = 0.05
    dropout: float = 0.1
    steady: float = 0.998
    seed: int = 0


@dataclass(frozen=True)
class Examples:
    """Examples, row by row: states of the last frozen layer (tokens, size), labels, weights in the loss."""

    states: Sequence[Tensor]
    labels: NDArray[np.int64]
    weights: NDArray[np.float64]


class UpperLayers(nn.Module):
    """The layers that learn, and a linear layer over the tokens' mean at unit length."""

    def __init__(self, encoder: Encoder, labels: int, recipe: Recipe) -> None:
        super().__init__()
        self.layers = copy.deepcopy(encoder.bert.encoder.layer[recipe.frozen :])
        for module in self.layers.modules():
            if isinstance(module, nn.Dropout):
                module.p = recipe.dropout
        self.dropout = nn.Dropout(recipe.dropout)
        self.head = nn.Linear(encoder.bert.config.hidden_size, labels)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """Logits (batch, labels). states: (batch, tokens, size); mask: 1 for a token and 0 for padding."""
        mean = mean_of_tokens(_through(self.layers, states, mask), mask)
        return self.head(self.dropout(SPREAD * nn.functional.normalize(mean, dim=1)))


def frozen_states(encoder: Encoder, tokenizer: Path, texts: Sequence[str], recipe: Recipe) -> list[Tensor]:
    """The frozen layers' states of each text: (tokens, size), in bfloat16 to save memory."""
    ids = [[START, *found[: recipe.longest - 2], SEPARATOR] for found in token_ids(open_tokenizer(tokenizer), texts)]
    encoder.eval()
    states: list[Tensor] = [torch.empty(0)] * len(ids)
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
        for rows in batches_of_like_length([len(row) for row in ids], 64):
            tokens, mask = _padded([torch.tensor(ids[row]) for row in rows])
            found = _through(encoder.bert.encoder.layer[: recipe.frozen], encoder.bert.embeddings(tokens), mask)
            for place, row in enumerate(rows):
                states[row] = found[place, : len(ids[row])].to(torch.bfloat16).clone()
    return states


def train_upper(encoder: Encoder, examples: Examples, recipe: Recipe) -> UpperLayers:
    """The running mean of the weights over training (Polyak and Juditsky, 1992)."""
    torch.manual_seed(recipe.seed)
    network = UpperLayers(encoder, int(examples.labels.max()) + 1, recipe)
    averaged = copy.deepcopy(network)
    optimizer = heads_optimizer(network.layers, network.head, recipe.learning_rate, recipe.weight_decay)
    plan = _plan(examples, recipe)
    begun = time.monotonic()
    for step, rows in enumerate(plan, 1):
        set_rates(optimizer, rate_at((step - 1) / len(plan), recipe.warmup))
        loss = _step(network, optimizer, examples, rows, recipe)
        keep = min(recipe.steady, step / (step + 20))
        with torch.no_grad():
            for mean, value in zip(averaged.parameters(), network.parameters(), strict=True):
                mean.lerp_(value, 1 - keep)
        if step % 100 == 0:
            print(f"step {step}/{len(plan)} loss {loss:.4f} {time.monotonic() - begun:.0f} s", flush=True)
    return averaged


def probabilities(network: UpperLayers, states: Sequence[Tensor]) -> NDArray[np.float64]:
    """(texts, labels), not calibrated."""
    network.eval()
    found = np.zeros((len(states), network.head.out_features))
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
        for rows in batches_of_like_length([len(row) for row in states], 64):
            found[rows] = network(*_padded([states[row].float() for row in rows])).float().softmax(dim=1).numpy()
    return found


def export_layers(base: Path, network: UpperLayers, target: Path) -> tuple[Matrix, Matrix]:
    """Write the changes to the shipped encoder; returns weights and biases of the linear layer over its vectors."""
    tuned = Encoder(base)
    layers = tuned.bert.encoder.layer
    for layer, learned in zip(layers[len(layers) - len(network.layers) :], network.layers, strict=True):
        layer.load_state_dict(learned.state_dict())
    (shipped, *_) = catalogue.load(catalogue.ENCODER)
    export_changes(tuned, shipped, target, "vectors", catalogue.ENCODER.max_tokens)
    weights, biases = (part.detach().numpy().astype(np.float64) for part in (network.head.weight, network.head.bias))
    return SPREAD * weights, biases


def _step(
    network: UpperLayers, optimizer: torch.optim.Optimizer, examples: Examples, rows: list[int], recipe: Recipe
) -> float:
    network.train()
    states, mask = _padded([examples.states[row].float() for row in rows])
    with torch.autocast("cpu", torch.bfloat16):
        logits = network(states, mask)
    gold, weights = torch.from_numpy(examples.labels[rows]), torch.from_numpy(examples.weights[rows]).float()
    losses = nn.functional.cross_entropy(logits.float(), gold, reduction="none", label_smoothing=recipe.smoothing)
    loss = (losses * weights).mean()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad()
    return float(loss.detach())


def _plan(examples: Examples, recipe: Recipe) -> list[list[int]]:
    """Indices of each batch, epoch after epoch."""
    rng, order, plan = random.Random(recipe.seed), list(range(len(examples.labels))), list[list[int]]()
    for _ in range(recipe.epochs):
        rng.shuffle(order)
        batches = batch_plan([len(examples.states[row]) for row in order], recipe.batch_size, rng)
        plan += [[order[place] for place in batch] for batch in batches]
    return plan


def _through(layers: nn.ModuleList, states: Tensor, mask: Tensor) -> Tensor:
    shut = ((1 - mask) * -1e4)[:, None, None, :]
    for layer in layers:
        found = layer(states, shut)
        states = found[0] if isinstance(found, tuple) else found
    return states


def _padded(rows: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
    """The rows with zeros behind the shorter ones, and the mask: 1 for a token and 0 for padding."""
    mask = pad_sequence([torch.ones(len(row)) for row in rows], batch_first=True)
    return pad_sequence(list(rows), batch_first=True), mask
