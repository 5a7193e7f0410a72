"""Trains the model that recognises sentences worth checking: MiniLM's upper layers, a linear layer, a temperature.

Debates are spoken; a model trained on them alone finds written prose not worth checking. So two sets are added:
sentences of Wikipedia that people have used as evidence, labelled worth checking; and premises of MNLI that a first
model, trained on the debates, is sure state no fact (self-training; Yarowsky, ACL 1995).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evaluation.metrics import calibration_error, label_f1
from retrieval.models import catalogue
from retrieval.models.fitted.checkworthy import CHECK_WORTHY, LABELS, inputs
from training.checkworthy.debates import DEBATES, Spoken, labels_of, read_debates, split
from training.classifiers.fitting import Matrix, layer_file, log_loss, probabilities
from training.exported import vectors_by

TEMPERATURES = np.arange(0.5, 3.01, 0.05)
NETWORK, LAYER = "checkworthy.changes", "checkworthy.json"


def fit_checkworthy(base: Path, data: Path, out: Path, work: Path, seed: int) -> None:
    """Train, calibrate, write both files into `out`, print the figures.

    base: the folder of all-MiniLM-L6-v2. work: caches the trained layers, so that a second call does not train.
    """
    from training.checkworthy.layers import trained_layers
    from training.upper_layers import export_layers

    catalogue.load(catalogue.BASE, base)
    parts = split(read_debates(data / DEBATES))
    layers = trained_layers(base, parts, data, work, seed)
    weights, biases = export_layers(base, layers, out / NETWORK)
    calibrating, held_out = (
        vectors_by(out / NETWORK, [sentence.text for sentence in some]) @ weights.T + biases
        for some in (parts.calibrating, parts.held_out)
    )
    temperature = calibrated(calibrating, labels_of(parts.calibrating))
    shares = probabilities(held_out, temperature)
    figures = {
        "calibrating debates": quality(probabilities(calibrating, temperature), parts.calibrating),
        "debates kept apart": quality(shares, parts.held_out),
        "kept apart, labelled by a crowd": quality(*labelled_by(shares, parts.held_out, expert=False)),
        "kept apart, labelled by experts": quality(*labelled_by(shares, parts.held_out, expert=True)),
    }
    counts = {"learned": len(parts.learned), "calibrating": len(parts.calibrating), "temperature": temperature}
    size = weights.shape[1]
    plain = np.zeros(size), np.ones(size)  # the vectors are not standardized
    file = layer_file(LABELS, inputs(size), weights / temperature, biases / temperature, *plain)
    (out / LAYER).write_text(json.dumps({**file, **counts, "figures": figures}) + "\n", "utf-8")
    print(json.dumps({**counts, **figures}, indent=1))


def calibrated(logits: Matrix, labels: NDArray[np.int64]) -> float:
    """The temperature with the least log loss (Guo et al., On calibration of modern neural networks, ICML 2017)."""
    return round(float(min(TEMPERATURES, key=lambda temperature: log_loss(logits, labels, temperature))), 2)


def labelled_by(shares: Matrix, spoken: Sequence[Spoken], expert: bool) -> tuple[Matrix, list[Spoken]]:
    """The examples labelled by the authors of the data, or those labelled by the crowd."""
    return shares[[one.expert == expert for one in spoken]], [one for one in spoken if one.expert == expert]


def quality(guesses: Matrix, spoken: Sequence[Spoken]) -> dict[str, float]:
    """Macro F1 over three labels, and over check-worthy against the rest; average precision and calibration error
    of check-worthy."""
    from sklearn.metrics import average_precision_score

    gold = [LABELS[one.label] for one in spoken]
    worthy = [label == CHECK_WORTHY for label in gold]
    likely = [LABELS[label] for label in guesses.argmax(axis=1)]
    two = [[str(label == CHECK_WORTHY) for label in labels] for labels in (gold, likely)]
    return {
        "sentences": len(gold),
        "macro_f1": round(float(label_f1(gold, likely).figure()), 4),
        "macro_f1_two_labels": round(float(label_f1(*two).figure()), 4),
        "average_precision": round(float(average_precision_score(worthy, guesses[:, 0])), 4),
        "calibration_error": round(calibration_error(list(guesses[:, 0]), worthy), 4),
    }
