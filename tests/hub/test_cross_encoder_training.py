"""The cross-encoder's training and export on a tiny BERT: it resumes, and what it exports reads alike."""

from __future__ import annotations

from dataclasses import astuple
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from retrieval.models import catalogue
from retrieval.models.onnx import OnnxPairScorer, join_pair, open_tokenizer, padded, pair_ids
from retrieval.models.pair_scorers import judge_texts
from training.data.pairs import NEUTRAL, REFUTES, SUPPORTS, Pair
from training.exported import exported_model

if TYPE_CHECKING:
    from training.cross_encoder.network import CrossEncoder

pytestmark = [pytest.mark.hub, pytest.mark.filterwarnings("default")]

PAIRS = [
    Pair(f"Claim {number}.", f"Page : it {word} so.", 1, stance)
    for number in range(120)
    for word, stance in (("is", SUPPORTS), ("never is", REFUTES), ("may be", NEUTRAL))
]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of two small layers with the word pieces that ship."""
    import torch
    import transformers

    folder = tmp_path_factory.mktemp("bert")
    (folder / "tokenizer.json").write_bytes((catalogue.WEIGHTS / "tokenizer.json").read_bytes())
    torch.manual_seed(2)
    config = transformers.BertConfig(
        vocab_size=open_tokenizer(folder / "tokenizer.json").get_vocab_size(),
        hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64,
    )  # fmt: skip
    model = transformers.BertModel(config, add_pooling_layer=False)
    for parameter in model.parameters():  # the exporter writes equal ones, such as biases of zero, only once
        parameter.data += 0.01 * torch.randn_like(parameter)
    model.save_pretrained(folder)
    return folder


def read_by(network: CrossEncoder, base: Path) -> list[tuple[float, ...]]:
    """Relevance and the three stances of the first pairs, in float32."""
    import torch

    tokenizer, found = open_tokenizer(base / "tokenizer.json"), []
    for pair in PAIRS[:6]:
        ids, second = join_pair(*pair_ids(tokenizer, pair.claim, [pair.sentence]), 96)
        with torch.no_grad():
            logits = network(**{name: torch.from_numpy(feed) for name, feed in padded([ids], [second]).items()})[0]
        found.append((float(logits[0].sigmoid()), *logits[1:].softmax(dim=0).tolist()))
    return found


def read_by_export(folder: Path) -> list[tuple[float, ...]]:
    """The same, by the exported network."""
    scorer = OnnxPairScorer(exported_model(catalogue.CROSS_ENCODER, folder), 1, folder)
    read = (judge_texts(scorer, pair.claim, [pair.sentence]) for pair in PAIRS[:6])
    return [(relevance, *astuple(stance)) for (relevance,), (stance,) in read]


def test_a_later_training_is_exported_as_what_changed(
    base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    from training.cross_encoder import fine_tuning
    from training.cross_encoder.export import export_changes, export_network
    from training.cross_encoder.fine_tuning import Recipe, evened_network, held_back, train
    from training.cross_encoder.shipped import load_shipped

    monkeypatch.setattr(fine_tuning, "faster_arithmetic", lambda *_: torch.float32)  # timing both takes longer
    checkpoint, later, exported = (tmp_path / name for name in ("first.pt", "later.pt", "cross_encoder.onnx"))
    train(base, PAIRS, checkpoint, Recipe(1e-2))
    train(base, PAIRS, checkpoint, Recipe(1e-2))
    assert f"resumed at step {-(-len(PAIRS) // 32)}" in capsys.readouterr().out
    network = evened_network(base, [checkpoint], PAIRS)
    first = read_by(network, base)
    export_network(network, base / "tokenizer.json", exported, "logits", 256)
    np.testing.assert_allclose(read_by_export(tmp_path), first, atol=0.05)

    opposite = [Pair(pair.claim, pair.sentence, 0, (pair.stance + 1) % 3) for pair in PAIRS]
    train(base, opposite, later, Recipe(1e-2, after=exported))
    network = held_back(evened_network(base, [later], opposite), load_shipped(base, exported), 0.0)
    second = read_by(network, base)
    export_changes(network, exported, exported.with_suffix(".changes"), "logits", 256)
    np.testing.assert_allclose(read_by_export(tmp_path), second, atol=0.05)
    assert np.abs(np.array(second) - first).max() > 0.2, "it learned the opposite"
