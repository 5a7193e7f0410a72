"""The fit of AVeriTeC's four labels: which sentences it sees, and that the program reads what was fitted."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from retrieval.models import catalogue
from retrieval.models.fitted.four_labels import FourLabels
from retrieval.models.fitted.logistic import softmax
from training.classifiers.four_labels import (
    FOUND_ONE_IN,
    VECTORS,
    Labelled,
    classifier,
    fit,
    found_rows,
    out_of_fold,
    sentences,
    weights,
)


def test_each_question_finds_three_sentences_that_no_earlier_one_found() -> None:
    sentences_ = np.array([[1, 0], [0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.1, 0.9], [0.2, 0.8], [0.3, 0.7]])
    assert found_rows(sentences_, np.array([[1.0, 0.0]])) == [0, 1, 2]
    assert found_rows(sentences_, np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])) == [0, 1, 2, 3, 6, 5, 4]
    assert found_rows(sentences_[:1], np.array([[1.0, 0.0], [0.0, 1.0]])) == [0]


def test_answers_are_cut_into_sentences_of_pages() -> None:
    said = "Yes. The bridge opened in the year 1931. It is open. It was painted red again in 1990."
    claim = Labelled("c", 0, (("q", said), ("q", "No answer could be found.")), ("the page", "none"))
    assert list(sentences(claim)) == [
        ("The bridge opened in the year 1931.", "the page"),
        ("It was painted red again in 1990.", "the page"),
    ]


def test_a_claim_is_judged_without_those_of_its_time() -> None:
    """Claims of one time have one vector and one label of their own, so whoever knows none of them cannot guess it."""
    chance = np.random.default_rng(0)
    count, labels = 2 * catalogue.ENCODER.dimension + 1, np.repeat([0, 1, 0, 1, 0], 20)
    inputs = np.zeros((100, count))
    inputs[:, 1:] = np.repeat(chance.normal(size=(5, count - 1)), 20, axis=0)
    right = out_of_fold(inputs, labels == 1, np.arange(100), 1.0).argmax(axis=1) == labels
    assert right.mean() < 0.75
    assert (classifier(1.0).fit(inputs, labels).predict(inputs) == labels).all()


def test_the_program_reads_what_was_fitted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = np.random.default_rng(1)
    labels = np.arange(120) % 4
    count = 36 + 2 * catalogue.ENCODER.dimension
    answered = chance.normal(size=(120, count))
    answered[:, 0] += labels
    few = answered[::FOUND_ONE_IN]
    fitted = fit(answered, few + 0.1, few - 0.1, labels)
    (tmp_path / "four_labels.json").write_text(json.dumps(fitted), "utf-8")
    monkeypatch.setattr(catalogue, "load", lambda model: (tmp_path / "four_labels.json",))
    again = classifier(fitted["strength"]).fit(
        np.vstack([answered, few + 0.1, few - 0.1]),
        np.concatenate([labels, labels[::FOUND_ONE_IN], labels[::FOUND_ONE_IN]]),
    )
    scores = again.decision_function(answered[:5]) / fitted["temperature"]
    read = np.array([FourLabels().from_features(row) for row in answered[:5]])
    assert np.abs(read - np.array([softmax(row) for row in scores])).max() < 1e-3


def test_vectors_weigh_less_than_what_was_read() -> None:
    found = weights(36 + 2 * catalogue.ENCODER.dimension)
    assert (found[:36] == 1).all()
    assert (found[36:] == VECTORS).all()
