"""The catalogue says what lies in `weights/`, and nothing else lies there."""

from __future__ import annotations

from pathlib import Path

import pytest

from retrieval.errors import ModelError
from retrieval.models import catalogue

SHIPPED = [model for model in catalogue.MODELS if model.files and model is not catalogue.BASE]
OF_THE_READER = (catalogue.READER, catalogue.READING, catalogue.CAREFUL_VERDICT)  # have one card together


@pytest.mark.parametrize("model", SHIPPED, ids=lambda model: model.name)
def test_shipped_files_are_those_published(model: catalogue.Model) -> None:
    assert [path.name for path in catalogue.load(model)] == [file.name for file in model.files]


def test_nothing_else_is_shipped() -> None:
    known = {file.name for model in SHIPPED for file in model.files}
    assert {path.name for path in catalogue.WEIGHTS.iterdir()} == known
    assert sum(path.stat().st_size for path in catalogue.WEIGHTS.iterdir()) < 190e6


def test_the_reader_ships_the_vocabulary_of_the_network_it_starts_from() -> None:
    base = next(file.sha256 for file in catalogue.READER_BASE.files if file.name == "tokenizer.json")
    assert base == next(file.sha256 for file in catalogue.READER.files if file.name == "reader_tokenizer.json")


def test_sizes_are_those_of_the_files() -> None:
    for model in (catalogue.ENCODER, catalogue.CROSS_ENCODER, catalogue.READER):
        files = [catalogue.WEIGHTS / file.name for file in model.files if file is not catalogue.TOKENIZER]
        assert model.megabytes == pytest.approx(sum(path.stat().st_size for path in files) / 1e6, abs=0.1)


def test_every_shipped_model_has_its_card() -> None:
    cards = Path(__file__).resolve().parents[3] / "docs" / "models"
    for model in (catalogue.SPANS, *SHIPPED):
        card = cards / f"{'reader' if model in OF_THE_READER else model.role}.md"
        assert model.name in card.read_text(encoding="utf-8")


def test_find_names_what_there_is() -> None:
    assert catalogue.find("encoder") is catalogue.ENCODER
    assert catalogue.find("verdict").id.startswith("esoteric-verdict@")
    with pytest.raises(ModelError, match=r"no model for 'questions'\. Roles: spans, base, encoder"):
        catalogue.find("questions")


def test_every_model_says_where_it_comes_from() -> None:
    for model in catalogue.MODELS:
        assert model.role
        assert model.name
        assert model.source
        assert model.licence
