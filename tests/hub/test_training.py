"""The thesis' relevance classifier, trained on a tiny scale and read again by the code that reads the author's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from retrieval.models.hub import opening as hub
from retrieval.settings import Settings
from retrieval.stores.embedded.store import EmbeddedStore
from tests.training.classifiers.test_relevance import CLAIMS
from training.classifiers.relevance import Plan, train_relevance

pytestmark = [pytest.mark.hub, pytest.mark.filterwarnings("default")]


def test_a_tiny_training(sample_store: EmbeddedStore, tmp_path: Path) -> None:
    import transformers

    data, base = tmp_path / "data", tmp_path / "base"
    (data / "fever").mkdir(parents=True)
    (data / "fever" / "claims-train.jsonl").write_bytes(CLAIMS.read_bytes())
    make_base(transformers, base)
    plan = Plan(claims=30, epochs=1, evaluate_every=3)
    card = train_relevance(base, sample_store, data, tmp_path / "out", plan)
    assert card["losses"]
    assert all(row["validation"] > 0 for row in card["losses"])
    assert json.loads((tmp_path / "out" / "training.json").read_text())["plan"]["batch_size"] == 24
    loaded = transformers.AutoModelForSequenceClassification.from_pretrained(tmp_path / "out")
    assert loaded.config.id2label == {0: "irrelevant", 1: "relevant"}
    assert (tmp_path / "out" / "loss.svg").read_text("utf-8").startswith("<svg")
    classifier = hub.relevance_classifier(str(tmp_path / "out"), Settings(threads=1))
    assert all(0 < share < 1 for share in classifier.relevance("A claim.", ["A sentence.", "Another."]))


def make_base(transformers: object, folder: Path) -> None:
    """A DistilBERT of two small layers with the word pieces of ours."""
    from tokenizers import Tokenizer

    from retrieval.models.catalogue import WEIGHTS

    tokenizer = transformers.PreTrainedTokenizerFast(  # type: ignore[attr-defined]
        tokenizer_object=Tokenizer.from_file(str(WEIGHTS / "tokenizer.json")),
        cls_token="[CLS]", sep_token="[SEP]", pad_token="[PAD]", unk_token="[UNK]", mask_token="[MASK]",
    )  # fmt: skip
    config = transformers.DistilBertConfig(  # type: ignore[attr-defined]
        vocab_size=len(tokenizer), dim=16, hidden_dim=32, n_layers=2, n_heads=2
    )
    transformers.DistilBertForSequenceClassification(config).save_pretrained(folder)  # type: ignore[attr-defined]
    tokenizer.save_pretrained(folder)
