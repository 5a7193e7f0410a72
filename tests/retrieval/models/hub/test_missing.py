"""Models of the hub where their packages or their files are missing: one sentence, the command, the default."""

from __future__ import annotations

from pathlib import Path

import pytest

from retrieval.__main__ import main
from retrieval.errors import ModelError
from retrieval.models import catalogue
from retrieval.models.hub import opening as hub
from retrieval.models.hub.catalogue import HUB_MODELS
from retrieval.models.hub.networks import join_names, locate, relevant_label
from retrieval.settings import Settings

NAME = "Babelscape/wikineural-multilingual-ner"


@pytest.mark.parametrize(
    "made", [hub.span_extractor, hub.question_generator, hub.relevance_classifier, hub.reranker], ids=lambda f: f.__name__
)  # fmt: skip
def test_missing_packages_are_named_with_the_command(monkeypatch: pytest.MonkeyPatch, made: object) -> None:
    monkeypatch.setattr(hub, "missing_packages", lambda: ["torch"])
    with pytest.raises(ModelError) as error:
        made(NAME, Settings())  # type: ignore[operator]
    assert str(error.value) == (
        f"{NAME} needs packages that are not installed (torch). Install them: "
        ".venv/bin/python -m pip install -r requirements-hub.txt; or use the default, en_core_web_sm, which is here."
    )


def test_a_model_that_was_not_fetched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(hub, "missing_packages", list)
    monkeypatch.setattr(hub, "fetch", lambda *_: pytest.fail("fetched without being asked"))
    with pytest.raises(ModelError, match=rf"Fetch it \(709 MB\): python -m retrieval models --get {NAME}; or use the"):
        hub.span_extractor(NAME, Settings(hub_folder=str(tmp_path)))


def test_the_command_lists_every_model(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HUB_FOLDER", str(tmp_path))
    monkeypatch.setenv("LLM_MODEL", "mistral-small")
    assert main(["models"]) == 0
    listed = capsys.readouterr().out
    for model in (*catalogue.MODELS, *HUB_MODELS):
        (line,) = [line for line in listed.splitlines() if f" {model.name} " in line and " MB " in line]
        assert model.role in line
        assert model.licence in line
        assert "here" in line
    assert "LLM for the verdict  LLM_MODEL          mistral-small " in listed
    (reranker,) = [line for line in listed.splitlines() if line.startswith("reranker ") and "RERANKER" in line]
    assert reranker.split()[-1] == "contextual"
    (encoder,) = [line for line in listed.splitlines() if line.startswith("question encoder")]
    assert encoder.endswith("esoteric, aic, rag_fusion, contextual")
    assert "for QUESTION_ENCODER, PAGE_ENCODER, SIMILARITY_MODEL; in place of minilm-l6-int8" in listed
    assert "requirements-hub.txt" in listed or "--get" in listed


def test_fetching_without_the_packages(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "missing_packages", lambda: ["huggingface_hub"])
    assert main(["models", "--get", NAME]) == 2
    assert "requirements-hub.txt" in capsys.readouterr().err


def test_every_default_is_a_model_of_ours() -> None:
    ours = {model.name for model in catalogue.MODELS} | {"rules"}
    assert {model.default for model in HUB_MODELS} <= ours


def test_answers_are_looked_for_as_whole_words() -> None:
    claim = "Art, the art of art: O'Neil met Art Garfunkel."
    found = locate(claim, ["art", " Art Garfunkel ", "O' Neil", "", "Rome", "eil met", "art"])
    assert [claim[start:end] for start, end, _ in found] == ["art", "O'Neil", "Art Garfunkel"]
    assert [claim[start:end] for start, end, _ in locate(claim, ["NEIL"])] == ["Neil"]


def test_words_of_one_name_are_joined() -> None:
    words = [(0, 5, "B-PER"), (6, 11, "I-PER"), (12, 14, "O"), (15, 21, "I-LOC"), (22, 25, "B-LOC"), (26, 29, "I-PER")]
    assert join_names(words) == [(0, 11, "PER"), (15, 21, "LOC"), (22, 25, "LOC"), (26, 29, "PER")]
    assert join_names([]) == []


def test_which_output_means_relevant() -> None:
    assert relevant_label({0: "LABEL_0", 1: "LABEL_1"}) == 1
    assert relevant_label({0: "RELEVANT", 1: "IRRELEVANT"}) == 0
