"""The real all-mpnet-base-v2, from the packages that carry it, ranks as its card leads one to expect."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from retrieval.models.hub import opening as hub
from retrieval.settings import Settings

pytestmark = [pytest.mark.hub, pytest.mark.filterwarnings("default")]


@pytest.fixture(scope="module")
def folder() -> Path:
    path = Path(os.environ.get("MPNET", ""))
    assert (path / "model.safetensors").is_file(), (
        "all-mpnet-base-v2 is not here: run `make test-hub`, which fetches it"
    )
    return path


def test_sentences_of_one_meaning_are_near(folder: Path) -> None:
    encoder = hub.encoder(str(folder), "similarity", Settings())
    claim = "The baker sells bread on Sundays."
    sentences = [
        "On Sunday mornings you can buy loaves at the bakery.",
        "Loaves of rye and wheat lie in the shop's window.",
        "The town's library was built of red brick.",
    ]
    vectors = encoder.encode([claim, *sentences])
    assert (vectors.shape, encoder.dimension) == ((4, 768), 768)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    near = vectors[1:] @ vectors[0]
    assert near[0] > near[1] > near[2]
    assert near[0] > 0.5
    assert near[2] < 0.3
