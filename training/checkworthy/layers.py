# mypy: disable-error-code="misc"
# (torch is not installed where the types are checked)
"""Trains the layers on the debates: choice of examples, training, checkpoint."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from retrieval.models.fitted.checkworthy import CHECK_WORTHY, LABELS, NO_FACT
from training.checkworthy.debates import Parts, labels_of, other_prose
from training.classifiers.fitting import classifier
from training.cross_encoder.network import Encoder
from training.steps import save_checkpoint
from training.upper_layers import Examples, Recipe, UpperLayers, frozen_states, train_upper

LAYERS = "checkworthy.pt"  # in the folder of the training
FIRST_STRENGTH = 0.003  # sklearn's C of the first model, which reads the frozen layers' mean states
SURE_NO_FACT = 0.9  # the first model's probability of "no fact" from which it counts as sure
EXPERTS_WEIGHT = 2.0  # in the loss, of a label by the authors of the data; a crowd worker's label has 1
KEPT_OF_SURE = 3  # of the debates' sentences that the first model is sure state no fact, one in three is used


def trained_layers(base: Path, parts: Parts, data: Path, work: Path, seed: int) -> UpperLayers:
    """The upper layers, read from `work` or trained now. base: the folder of all-MiniLM-L6-v2."""
    encoder, checkpoint, recipe = Encoder(base), work / LAYERS, Recipe(seed=seed)
    if checkpoint.exists():
        network = UpperLayers(encoder, len(LABELS), recipe)
        network.load_state_dict(torch.load(checkpoint, weights_only=True))
        return network
    spoken, (prose, mixed) = parts.learned, other_prose(data, seed)
    texts = [*(one.text for one in spoken), *prose, *mixed]
    states = frozen_states(encoder, base / "tokenizer.json", texts, recipe)
    ends = len(spoken), len(spoken) + len(prose)
    experts = np.array([one.expert for one in spoken])
    examples = chosen(states[: ends[0]], labels_of(spoken), experts, states[ends[0] : ends[1]], states[ends[1] :])
    print(len(examples.labels), "training sentences", flush=True)
    network = train_upper(encoder, examples, recipe)
    save_checkpoint(checkpoint, network.state_dict())
    return network


def chosen(
    spoken: Sequence[Tensor],
    labels: NDArray[np.int64],
    experts: NDArray[np.bool_],
    prose: Sequence[Tensor],
    mixed: Sequence[Tensor],
) -> Examples:
    """The examples: the debates without most of the sure "no fact" sentences; `prose`, as worth checking; of `mixed`,
    those that surely state no fact."""
    first = classifier(FIRST_STRENGTH).fit(_means(spoken), labels)
    none = LABELS.index(NO_FACT)
    sure = (first.predict_proba(_means(spoken))[:, none] >= SURE_NO_FACT) & (labels == none)
    sure[np.flatnonzero(sure)[::KEPT_OF_SURE]] = False
    nothing = [
        mixed[row] for row in np.flatnonzero(first.predict_proba(_means(mixed))[:, none] >= SURE_NO_FACT).tolist()
    ]
    rows = np.flatnonzero(~sure).tolist()
    counts = [len(prose), len(nothing)]
    return Examples(
        [*(spoken[row] for row in rows), *prose, *nothing],
        np.concatenate([labels[rows], np.repeat([LABELS.index(CHECK_WORTHY), none], counts)]),
        np.concatenate([np.where(experts[rows], EXPERTS_WEIGHT, 1.0), np.ones(sum(counts))]),
    )


def _means(states: Sequence[Tensor]) -> NDArray[np.float64]:
    return np.array([rows.float().mean(dim=0).numpy() for rows in states], dtype=np.float64)
