"""Upper layers fine-tuned on a tiny BERT: they learn, and what is frozen stays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from retrieval.models.catalogue import WEIGHTS
from retrieval.models.onnx import open_tokenizer

pytestmark = [pytest.mark.hub, pytest.mark.filterwarnings("default")]

TEXTS = [f"{name} {word} in the town ." for name in ("Ada", "Bea", "Cleo", "Dora") for word in ("lives", "never lives")]
LABELS = np.array([0, 1] * 4)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of three small layers with the word pieces that ship."""
    import torch
    import transformers

    folder = tmp_path_factory.mktemp("bert")
    (folder / "tokenizer.json").write_bytes((WEIGHTS / "tokenizer.json").read_bytes())
    torch.manual_seed(2)
    config = transformers.BertConfig(
        vocab_size=open_tokenizer(folder / "tokenizer.json").get_vocab_size(),
        hidden_size=32, num_hidden_layers=3, num_attention_heads=2, intermediate_size=64,
    )  # fmt: skip
    transformers.BertModel(config, add_pooling_layer=False).save_pretrained(folder)
    return folder


def test_they_learn_over_layers_that_stay(base: Path) -> None:
    import torch

    from training.cross_encoder.network import Encoder
    from training.upper_layers import Examples, Recipe, frozen_states, probabilities, train_upper

    recipe = Recipe(frozen=1, longest=12, epochs=20, batch_size=8, learning_rate=3e-3, dropout=0.0, steady=0.9)
    encoder = Encoder(base)
    before = {name: value.clone() for name, value in encoder.state_dict().items()}
    states = frozen_states(encoder, base / "tokenizer.json", TEXTS * 4, recipe)
    assert max(map(len, states)) <= recipe.longest
    examples = Examples(states, np.tile(LABELS, 4), np.ones(len(states)))
    network = train_upper(encoder, examples, recipe)
    shares = probabilities(network, states[: len(TEXTS)])
    assert (shares.argmax(1) == LABELS).all()
    assert shares.max(1).min() > 0.9
    assert all(torch.equal(value, before[name]) for name, value in encoder.state_dict().items())
