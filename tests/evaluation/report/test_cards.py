"""The cards of the models say what the files that ship score."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from evaluation.__main__ import main
from evaluation.metrics import Score
from evaluation.report.blocks import marks
from evaluation.report.cards import (
    CARD_BLOCK,
    CARD_MODELS,
    Figures,
    card_block,
    measure_cards,
    rarity,
    read_card,
    sample_sentences,
    write_cards,
)
from retrieval.errors import CorpusError, SettingError
from retrieval.models import catalogue
from retrieval.stores.embedded.store import EmbeddedStore
from retrieval.types import Page

CARDS = Path(__file__).resolve().parents[3] / "docs" / "models"
HALF_A_POINT = 0.005


@pytest.fixture(scope="module")
def measured(sample_store: EmbeddedStore) -> dict[str, Figures]:
    return measure_cards(sample_store)


@pytest.mark.slow
@pytest.mark.parametrize("name", CARD_MODELS)
def test_the_weights_score_what_their_card_says(name: str, measured: dict[str, Figures]) -> None:
    card = (CARDS / f"{name}.md").read_text("utf-8")
    said = read_card(card)
    assert said.keys() == measured[name].keys(), "run `make cards`"
    for figure, score in measured[name].items():
        assert score.value == pytest.approx(said[figure], abs=HALF_A_POINT), f"{figure}: run `make cards`"
    assert f"`{CARD_MODELS[name].id}`" in card, "other weights than the card's: run `make cards`"
    assert all(file.sha256 in card for file in CARD_MODELS[name].files)


@pytest.mark.parametrize(
    "model", [catalogue.READER, catalogue.READING, catalogue.CAREFUL_VERDICT], ids=lambda m: m.role
)
def test_the_readers_card_names_what_ships(model: catalogue.Model) -> None:
    card = (CARDS / "reader.md").read_text("utf-8")
    assert f"`{model.id}`" in card
    assert all(file.sha256 in card for file in model.files)


def test_the_figures_are_better_than_guessing(measured: dict[str, Figures]) -> None:
    assert measured["cross_encoder"]["relevance_order"].low > 0.8
    assert measured["cross_encoder"]["two_way_accuracy"].low > 0.5
    assert measured["encoder"]["gold_within_five"].low > 0.9
    assert measured["verdict"]["label_accuracy"].low > 0.4


def test_a_card_is_written_and_read_again(tmp_path: Path) -> None:
    figures = {"label_accuracy": Score(0.54321, 0.5, 0.6, 1234)}
    page, (begin, end) = tmp_path / "verdict.md", marks(CARD_BLOCK)
    page.write_text(f"# Verdict\nProse.\n{begin}\nold\n{end}\nMore.\n", "utf-8")
    for _ in range(2):
        write_cards(tmp_path, {"verdict": figures})
        text = page.read_text("utf-8")
        assert text == f"# Verdict\nProse.\n{begin}\n{card_block(CARD_MODELS['verdict'], figures)}\n{end}\nMore.\n"
    assert "| `label_accuracy` | .5432 [.5000, .6000] | 1,234 |" in text
    assert read_card(text) == {"label_accuracy": 0.5432}
    assert read_card("no block") == {}


def test_cards_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "verdict.md").write_text("No place.", "utf-8")
    with pytest.raises(SettingError, match="has no place"):
        write_cards(tmp_path, {"verdict": {}})
    with pytest.raises(SettingError, match="cannot be read"):
        write_cards(tmp_path, {"encoder": {}})


class EmptyCorpus:
    """All that is asked of a corpus here."""

    def get(self, page_ids: Sequence[str]) -> dict[str, Page]:
        return {}


def test_another_corpus_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CorpusError, match="not the sample"):
        sample_sentences(EmptyCorpus())  # type: ignore[arg-type]
    assert main(["cards", "--store", str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_rare_words_weigh_more() -> None:
    weights = rarity([frozenset({"river", "long"}), frozenset({"river"})])
    assert weights["river"] == 0
    assert weights["long"] == pytest.approx(0.6931, abs=1e-4)
