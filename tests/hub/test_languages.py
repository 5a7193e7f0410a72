"""A German corpus judged by the multilingual models that the language's profile names."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from indexing.__main__ import main as index
from retrieval.errors import ModelError
from retrieval.models.hub import networks
from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.stores import open_store
from retrieval.stores.named import read_together
from retrieval.text.languages import GERMAN, SPANISH
from retrieval.types import Claim
from tests.hub import tiny
from tests.hub.test_roles import AT, counting
from tests.making import changed

pytestmark = [pytest.mark.hub, pytest.mark.filterwarnings("default")]
NAMED = dict(GERMAN.models)
TEXT = "Die Stadt Brackwasser liegt am Meer. Die Straßenbahn zum Hafen wurde im Jahr 1987 eröffnet."
CLAIM = Claim("c", "Die Straßenbahn zum Hafen wurde im Jahr 1987 eröffnet.")


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    cache = tmp_path_factory.mktemp("cache")
    tiny.multilingual(tiny.snapshot(cache, NAMED["relevance_model"]))
    tiny.multilingual(tiny.snapshot(cache, NAMED["stance_model"]), ("entailment", "neutral", "contradiction"))
    tiny.bert_encoder(tiny.snapshot(cache, NAMED["page_encoder"]))
    (cache / "hafen.txt").write_text(TEXT, "utf-8")
    store = cache / "store"
    assert index(["documents", str(cache / "hafen.txt"), "--store", str(store), "--language", "de"]) == 0
    return changed(
        Settings(),
        store=str(store), data=cache / "data", threads=1, hub_folder=str(cache), vector_cache=0, language_models=True,
        page_cutoff=0.0, passage_cutoff=0.0, relevance_cutoff=0.0,
    )  # fmt: skip


def test_every_role_that_reads_text_has_a_model() -> None:
    assert GERMAN.models == SPANISH.models
    assert set(NAMED) == {
        "relevance_model", "stance_model", "reranker", "question_encoder", "page_encoder", "similarity_model"
    }  # fmt: skip


@pytest.mark.parametrize("recipe", ["careful", "fast", "esoteric", "aic", "contextual"])
def test_they_judge_a_german_claim(settings: Settings, monkeypatch: pytest.MonkeyPatch, recipe: str) -> None:
    related = counting(monkeypatch, networks.CrossEncoderScores, "relevance")
    judged = counting(monkeypatch, networks.StancesByInference, "stances")
    resources = Resources(settings)
    assert not resources.only_retrieves()
    check = resources.pipeline(recipe).run(CLAIM)
    assert check.verdict is not None
    assert not check.verdict.calibrated, "nothing was measured on what they say"
    assert {id for id, _ in related} == {NAMED["relevance_model"] + AT}
    assert {id for id, _ in judged} == {NAMED["stance_model"] + AT}
    models = resources.models(recipe)
    assert models["stance_model"] == NAMED["stance_model"] + AT
    assert "reader" not in models, "our larger network reads English"


def test_an_english_corpus_keeps_our_models(settings: Settings, sample_folder: Path) -> None:
    english = Resources(replace(settings, store=str(sample_folder)))
    off = Resources(replace(settings, store=str(sample_folder), language_models=False))
    assert english.models("careful") == off.models("careful")
    claim = Claim("c", "Marie Curie was born in Warsaw.")
    assert english.pipeline("careful").run(claim).verdict == off.pipeline("careful").run(claim).verdict


def test_a_german_corpus_beside_an_english_one(settings: Settings, sample_folder: Path) -> None:
    both = {"corpus": open_store(str(sample_folder)), "corpus:hafen": open_store(settings.store)}
    over = Resources(settings).over(read_together(both))
    assert not over.only_retrieves()
    assert over.models("fast")["relevance_model"] == NAMED["relevance_model"] + AT


def test_an_english_claim_over_it_has_no_verdict(settings: Settings) -> None:
    check = Resources(settings).pipeline("fast").run(Claim("c", "The tram to the harbour was opened in the year 1987."))
    assert check.verdict is None
    assert any("the corpus is in German" in note for note in check.notes)


def test_a_model_that_is_not_here(settings: Settings, tmp_path: Path) -> None:
    missing = Resources(replace(settings, hub_folder=str(tmp_path)))
    with pytest.raises(
        ModelError, match=r"not on this machine. Fetch it \(4\d\d MB\): python -m retrieval models --get"
    ):
        missing.pipeline("fast")
