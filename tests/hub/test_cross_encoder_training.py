"""The cross-encoder's training and export on a tiny BERT: it learns, resumes, and exports what changed."""

from __future__ import annotations

from dataclasses import astuple
from pathlib import Path

import pytest

from retrieval.models import catalogue
from retrieval.models.onnx import OnnxPairScorer, open_tokenizer
from retrieval.models.pair_scorers import judge_texts
from training.data.pairs import NEUTRAL, REFUTES, SUPPORTS, Pair

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


def stances(folder: Path) -> list[int]:
    """What the exported network says of the first pairs."""
    from training.exported import exported_model

    scorer = OnnxPairScorer(exported_model(catalogue.CROSS_ENCODER, folder), 1, folder)
    found = [judge_texts(scorer, pair.claim, [pair.sentence])[1][0] for pair in PAIRS[:8]]
    return [max(range(3), key=lambda place, one=stance: astuple(one)[place]) for stance in found]


def test_it_learns_and_a_later_training_is_exported_as_what_changed(
    base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from training.cross_encoder.export import export_changes, export_network
    from training.cross_encoder.fine_tuning import Recipe, evened_network, held_back, train
    from training.cross_encoder.shipped import load_shipped

    checkpoint, later, exported = (tmp_path / name for name in ("first.pt", "later.pt", "cross_encoder.onnx"))
    train(base, PAIRS, checkpoint, Recipe(3e-3))
    export_network(evened_network(base, [checkpoint], PAIRS), base / "tokenizer.json", exported, "logits", 256)
    assert stances(tmp_path) == [pair.stance for pair in PAIRS[:8]]
    train(base, PAIRS, checkpoint, Recipe(3e-3))
    assert f"resumed at step {len(PAIRS) // 32 + 1}" in capsys.readouterr().out

    opposite = [Pair(pair.claim, pair.sentence, 1, (1, 0, 2)[pair.stance]) for pair in PAIRS]
    train(base, opposite, later, Recipe(3e-3, after=exported))
    network = held_back(evened_network(base, [later], opposite), load_shipped(base, exported), 0.0)
    export_changes(network, exported, exported.with_suffix(".changes"), "logits", 256)
    assert stances(tmp_path) == [pair.stance for pair in opposite[:8]]
