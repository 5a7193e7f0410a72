"""The reader's training and export on a tiny MPNet, read again by the code of the product."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evaluation.fever.data import read_claims
from retrieval.models import catalogue
from retrieval.models.onnx import open_tokenizer, token_ids
from retrieval.models.patches import changed
from retrieval.models.reader import OnnxReader, join_reading, trained_on
from retrieval.types import Stance
from training.data.pairs import REFUTES, SUPPORTS, Pair
from training.reader.schedule import Round

pytestmark = [pytest.mark.hub, pytest.mark.filterwarnings("default")]

PAIRS = [
    Pair(f"Claim {number}.", f"Page : it {word} so.", 1, stance)
    for number in range(40)
    for word, stance in (("is", SUPPORTS), ("is never", REFUTES))
]
PLAN = Round("tiny", frozen=1, rates=(1.0, 0.5), learning_rate=3e-3, batch_size=8, seed=4)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An MPNet of two small layers with the vocabulary that ships."""
    import torch
    import transformers

    folder = tmp_path_factory.mktemp("mpnet")
    vocabulary = Path(os.environ["MPNET"]) / "tokenizer.json"
    (folder / "tokenizer.json").write_bytes(vocabulary.read_bytes())
    size = open_tokenizer(vocabulary).get_vocab_size()
    torch.manual_seed(1)
    config = transformers.MPNetConfig(
        vocab_size=size, hidden_size=48, intermediate_size=96, num_hidden_layers=2, num_attention_heads=4
    )
    model = transformers.MPNetModel(config, add_pooling_layer=False)
    for parameter in model.parameters():  # the exporter writes equal ones, such as biases of zero, only once
        parameter.data += 0.01 * torch.randn_like(parameter)
    model.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def checkpoint(base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a round of training left."""
    from training.reader.fine_tuning import train_round

    path = tmp_path_factory.mktemp("round") / "tiny.pt"
    train_round(base, None, PAIRS, path, PLAN)
    return path


def test_a_round_learns_what_the_pairs_say(base: Path, checkpoint: Path) -> None:
    stances = [logits(base, checkpoint, pair)[1:] for pair in PAIRS[:8]]
    assert [row.index(max(row)) for row in stances] == [pair.stance for pair in PAIRS[:8]]


@pytest.mark.parametrize("arithmetic", ["float32", "bfloat16"])
def test_frozen_layers_stay(base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arithmetic: str) -> None:
    import torch

    from training.reader import fine_tuning

    monkeypatch.setattr(fine_tuning, "faster_arithmetic", lambda *given: getattr(torch, arithmetic))
    checkpoint = tmp_path / "frozen.pt"
    fine_tuning.train_round(base, None, PAIRS, checkpoint, PLAN)
    load_reader = fine_tuning.load_reader
    before, after = load_reader(base, None).state_dict(), load_reader(base, checkpoint).state_dict()
    same = {name for name, value in before.items() if torch.equal(value, after[name])}
    assert {name for name in before if ".layer.0." in name or ".embeddings." in name} <= same
    assert not {name for name in before if ".layer.1." in name and name.endswith("dense.weight")} & same


def test_a_round_cut_short_goes_on_where_it_was(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from training.reader import fine_tuning

    path, steps = tmp_path / "cut.pt", 0
    learn = fine_tuning._learn

    def stopped(*given: object) -> float:
        nonlocal steps
        steps += 1
        if steps == 6:
            raise KeyboardInterrupt
        return learn(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(fine_tuning, "_learn", stopped)
    with pytest.raises(KeyboardInterrupt):
        fine_tuning.train_round(base, None, PAIRS, path, replace(PLAN, checkpoint_minutes=0.0))
    assert not path.exists()
    fine_tuning.train_round(base, None, PAIRS, path, replace(PLAN, checkpoint_minutes=0.0))
    assert "resumed at step 5" in capsys.readouterr().out
    assert path.exists()
    assert steps == 6 + len(PAIRS) // PLAN.batch_size - 5


def test_what_is_exported_reads_as_the_network_does(base: Path, checkpoint: Path, tmp_path: Path) -> None:
    from training.exported import exported_model
    from training.reader.export import export_reader
    from training.reader.fine_tuning import load_reader

    export_reader(load_reader(base, checkpoint), base / "tokenizer.json", tmp_path)
    for exact in (True, False):
        reader = OnnxReader(exported_model(catalogue.READER, tmp_path), 1, tmp_path, exact)
        assert [round(score, 6) for _, (score,), _ in reader.score("Claim.", ["A : b."] * 2)] == [
            round(reader_score, 6) for _, (reader_score,), _ in [*reader.score("Claim.", ["A : b."])] * 2
        ], "read one by one"
        assert_reads_like(reader, base, checkpoint)


def test_an_exported_reader_trained_on_is_exported_as_what_changed(
    base: Path, checkpoint: Path, tmp_path: Path
) -> None:
    import torch

    from training.exported import exported_model
    from training.reader.export import (
        CHANGES,
        MATRICES,
        NETWORK,
        changes_in,
        export_changes,
        export_reader,
    )
    from training.reader.fine_tuning import load_reader, train_round
    from training.reader.run import shipped_checkpoint

    before, after, again, trained = (tmp_path / name for name in ("before", "after", "again", "after.pt"))
    export_reader(load_reader(base, checkpoint), base / "tokenizer.json", before)
    start = shipped_checkpoint(base, before, tmp_path)
    known, read_back = (load_reader(base, file).state_dict() for file in (checkpoint, start))
    assert all(torch.allclose(known[name], value, atol=0.01) for name, value in read_back.items())

    train_round(base, start, [replace(pair, stance=1 - pair.stance) for pair in PAIRS], trained, PLAN)
    shutil.copytree(before, after)
    export_changes(load_reader(base, trained), before, after)
    assert (after / MATRICES).read_bytes() == (before / MATRICES).read_bytes()
    assert (after / NETWORK).read_bytes() != (before / NETWORK).read_bytes()
    assert (after / CHANGES).stat().st_size < (after / MATRICES).stat().st_size
    assert_reads_like(OnnxReader(exported_model(catalogue.READER, after), 1, after), base, trained)
    assert_reads_like(OnnxReader(exported_model(catalogue.READER, before), 1, before), base, checkpoint)

    shutil.copytree(after, again)
    export_changes(load_reader(base, trained), after, again, apart=2)
    moves = np.frombuffer(changed(bytes((again / MATRICES).stat().st_size), (again / CHANGES).read_bytes()), np.int8)
    assert moves.any(), "what the first training changed is in the file of the second"
    ends = np.isin(np.frombuffer(trained_on(again / MATRICES, changes_in(again)), np.uint8), (0, 255))
    assert not (moves % 2 & ~ends).any(), "even moves, unless a weight is at the end of its scale"
    assert_reads_like(OnnxReader(exported_model(catalogue.READER, again), 1, again), base, trained)


def assert_reads_like(reader: OnnxReader, base: Path, checkpoint: Path) -> None:
    """The exported reader says what the network says."""
    for pair in PAIRS[:6]:
        ((_, (relevance,), (stance,)),) = reader.score(pair.claim, [pair.sentence])
        wanted = logits(base, checkpoint, pair)
        assert relevance == pytest.approx(1 / (1 + 2.718281828 ** -wanted[0]), abs=0.05)
        assert parts(stance) == pytest.approx(softmax(wanted[1:]), abs=0.1)


@pytest.mark.parametrize("exact", [None, False], ids=["the graph chosen here", "the graph for any processor"])
def test_the_shipped_reader_reads_as_its_weights_do_in_float32(exact: bool | None) -> None:
    """With one scale for all activations of a pair, one label in four was another, and logits were .55 apart.

    The faster graph is right only where the processor adds exactly, so it is read only where it is chosen.
    """
    import torch

    from training.reader.shipped import load_shipped

    base = Path(os.environ["MPNET"])
    network, reader = load_shipped(base, catalogue.WEIGHTS).eval(), OnnxReader(exact=exact)
    tokenizer = open_tokenizer(base / "tokenizer.json")
    distances = []
    for claim in read_claims(Path("data/sample/claims.jsonl"))[:40]:
        opposite = (
            f"{claim.text.split()[0]} : Nothing of the kind; {claim.text[:1].lower()}{claim.text[1:]} It never was."
        )
        ids = join_reading(*token_ids(tokenizer, [claim.text, opposite]), 112)
        with torch.no_grad():
            wanted = network(torch.tensor([ids]), torch.ones(1, len(ids), dtype=torch.long))[0]
        distances.append(abs(torch.tensor(reader._logits(ids)[0]) - wanted).mean().item())
    assert sum(distances) / len(distances) < 0.1


def logits(base: Path, checkpoint: Path, pair: Pair) -> list[float]:
    """The network's, in float32."""
    import torch

    from training.reader.fine_tuning import load_reader

    claim, sentence = token_ids(open_tokenizer(base / "tokenizer.json"), [pair.claim, pair.sentence])
    ids = torch.tensor([join_reading(claim, sentence, 112)])
    with torch.no_grad():
        found: list[float] = load_reader(base, checkpoint).eval()(ids, torch.ones_like(ids))[0].tolist()
    return found


def softmax(scores: list[float]) -> list[float]:
    shares = [2.718281828**score for score in scores]
    return [share / sum(shares) for share in shares]


def parts(stance: Stance) -> list[float]:
    return [stance.supports, stance.refutes, stance.neutral]
