"""How worth checking sentences are, by the network and the regression that ship."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from retrieval.errors import ModelError
from retrieval.models import catalogue
from retrieval.models.fitted.checkworthy import CheckWorthiness

FACTS = ("Unemployment fell from 8 percent to 5 percent in 2014.", "She voted against the treaty twice.")
TALK = ("Thank you all very much for being here tonight.", "I love this wonderful town and its people.")


@pytest.fixture(scope="module")
def worthiness() -> CheckWorthiness:
    return CheckWorthiness(threads=1)


def test_facts_are_worth_more_than_talk(worthiness: CheckWorthiness) -> None:
    texts = [*FACTS, *TALK]
    shares = worthiness.probabilities(texts)
    assert shares.shape == (4, 3)
    assert np.allclose(shares.sum(axis=1), 1)
    assert shares[:2, 0].min() > 0.5 > 0.1 > shares[2:, 0].max()


def test_its_network_is_not_the_encoder_that_search_uses(worthiness: CheckWorthiness) -> None:
    from retrieval.models.onnx import OnnxEncoder

    ours, plain = worthiness._encoder.encode(FACTS), OnnxEncoder(threads=1).encode(FACTS)
    assert ours.shape == plain.shape
    assert (ours * plain).sum(axis=1).max() < 0.95


def test_missing_changes_are_told(tmp_path: Path) -> None:
    for file in catalogue.CHECKWORTHY.files:
        if not file.name.endswith(".changes"):
            shutil.copy(catalogue.WEIGHTS / file.name, tmp_path / file.name)
    with pytest.raises(ModelError, match=r"checkworthy\.changes cannot be read"):
        CheckWorthiness(threads=1, weights=tmp_path)
