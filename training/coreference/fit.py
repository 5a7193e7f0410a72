"""Fits pronoun resolution on the development part of GAP (Webster et al., TACL 2018); its validation part is for
measuring.

It combines two models that err in different places: boosted trees over features, and MiniLM's fine-tuned upper layers.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrieval.models import catalogue
from retrieval.models.fitted.coreference import Trees, answers, compared, joined
from retrieval.text.extraction.reference import FEATURES
from training.classifiers.fitting import rounded
from training.coreference.gap import GAP, WIKIPEDIA, Matrix, Pairs, first_names, read_pairs
from training.exported import vectors_by

TREES, LEAVES, RATE = 150, 12, 0.05
FOLDS = 3
NETWORK, FITTED = "coreference.changes", "coreference.json"


def fit_coreference(base: Path, data: Path, out: Path, work: Path, seed: int) -> None:
    """Fit both models, their combination and the threshold; write two files into `out`; print F1 on both parts.

    base: the folder of all-MiniLM-L6-v2. work: caches the network's answers, one file per fold.
    """
    from training.coreference.layers import answers_out_of_fold, lower_states, trained_layers

    catalogue.load(catalogue.BASE, base)
    names = first_names(data / WIKIPEDIA)
    learned, measured = (
        read_pairs(data / GAP / f"gap-{part}.jsonl.gz", names) for part in ("development", "validation")
    )
    folds = np.arange(len(learned.meant)) % FOLDS
    of_trees = _trees_out_of_fold(learned, folds)
    states = lower_states(base, learned)
    of_network = answers_out_of_fold(base, states, learned.meant, folds, work, seed)
    coefficients = stacked(of_trees, of_network, learned.meant)
    guesses = joined(coefficients, of_trees, of_network)
    from_on = max(np.arange(0.2, 0.6, 0.02), key=lambda least: f1(guesses, learned.meant, least))
    trees, layer = _trees(learned), trained_layers(base, states, learned.meant, out / NETWORK, seed)
    held_out = joined(coefficients, _chances(trees, measured), _answers(layer, out / NETWORK, measured))
    figures = {
        "cross-validation": round(f1(guesses, learned.meant, from_on), 4),
        "cross-validation, trees alone": round(_best_f1(of_trees, learned.meant), 4),
        "cross-validation, network alone": round(_best_f1(1 / (1 + np.exp(-of_network)), learned.meant), 4),
        "validation": round(f1(held_out, measured.meant, from_on), 4),
        "pronouns": [len(learned.meant), len(measured.meant)],
        "from_on": round(float(from_on), 2),
    }
    content = {
        "features": list(FEATURES),
        **trees,
        "layer": rounded(layer),
        "joined": coefficients,
        "first_names": {name: round(value, 2) for name, value in sorted(names.items())},
        "figures": figures,
    }
    (out / FITTED).write_text(json.dumps(content) + "\n", "utf-8")
    print(json.dumps(figures, indent=1))


def stacked(of_trees: Matrix, of_network: Matrix, meant: NDArray[np.bool_]) -> list[float]:
    """The coefficients of `joined`, by logistic regression. All arguments: (pronouns, 2)."""
    from sklearn.linear_model import LogisticRegression

    rows = np.column_stack([answer.ravel() for answer in answers(of_trees, of_network)])
    model = LogisticRegression(C=np.inf).fit(rows, meant.ravel())
    return [round(float(value), 4) for value in (*model.coef_[0], *model.intercept_)]


def _rows(pairs: Pairs) -> Matrix:
    """A row per name: its features, and their differences from the other name's. All first names, then
    all second ones."""
    a, b = pairs.inputs[:, 0], pairs.inputs[:, 1]
    return np.vstack([compared(a, b), compared(b, a)])


def _trees(pairs: Pairs) -> dict[str, Any]:
    from sklearn.ensemble import HistGradientBoostingClassifier

    model = HistGradientBoostingClassifier(
        max_iter=TREES, learning_rate=RATE, max_leaf_nodes=LEAVES, min_samples_leaf=20, l2_regularization=1.0
    )
    return tree_nodes(model.fit(_rows(pairs), pairs.meant.T.ravel()))


def tree_nodes(model: Any) -> dict[str, Any]:
    """A fitted HistGradientBoostingClassifier of two labels, in the form that `Trees` reads."""
    trees = [[_node(node) for node in predictor.nodes] for (predictor,) in model._predictors]
    return {"base": round(float(np.ravel(model._baseline_prediction)[0]), 5), "trees": trees}


def _node(node: Any) -> list[float]:
    """(feature, threshold, left child, right child, 0), or for a leaf (-1, 0, 0, 0, value)."""
    if node["is_leaf"]:
        return [-1, 0, 0, 0, round(float(node["value"]), 5)]
    return [int(node["feature_idx"]), float(node["num_threshold"]), int(node["left"]), int(node["right"]), 0]


def _chances(trees: dict[str, Any], pairs: Pairs) -> Matrix:
    found = Trees(trees).probabilities(_rows(pairs))
    return np.asarray(found.reshape(2, -1).T)


def _trees_out_of_fold(pairs: Pairs, folds: NDArray[np.int64]) -> Matrix:
    guesses = np.zeros(pairs.meant.shape)
    for fold in range(FOLDS):
        guesses[folds == fold] = _chances(_trees(pairs[folds != fold]), pairs[folds == fold])
    return guesses


def _answers(layer: Matrix, changes: Path, pairs: Pairs) -> Matrix:
    """Log odds (pronouns, 2) by the network exported to `changes`."""
    vectors = vectors_by(changes, list(pairs.texts.ravel()))
    return np.asarray((vectors @ layer[:-1] + layer[-1]).reshape(pairs.meant.shape))


def _best_f1(chances: Matrix, meant: NDArray[np.bool_]) -> float:
    return max(f1(chances, meant, float(least)) for least in np.arange(0.1, 0.8, 0.02))


def f1(chances: Matrix, meant: NDArray[np.bool_], from_on: float) -> float:
    """GAP's F1, taking the likelier of the two names if its probability is at least `from_on`."""
    likelier = np.column_stack([chances[:, 0] >= chances[:, 1], chances[:, 1] > chances[:, 0]])
    predicted = likelier & (chances >= from_on)
    return float(2 * (predicted & meant).sum() / max(1, predicted.sum() + meant.sum()))
