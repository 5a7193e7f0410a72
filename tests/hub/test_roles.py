"""Setting a role makes that model compute, in every recipe that has the role."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from retrieval.models.hub import networks
from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.types import Claim, FactCheck
from tests.hub import tiny
from tests.hub.test_hub import FAR, MPNET, NEAR, NER, QUESTIONS, RELEVANCE, RERANKER, STANCE
from tests.hub.tiny import CLAIM, VERSION
from tests.making import changed

pytestmark = [pytest.mark.hub, pytest.mark.filterwarnings("default")]
MXBAI, STELLA = "mixedbread-ai/mxbai-embed-large-v1", "dunzhang/stella_en_400M_v5"
AT = f"@{VERSION[:8]}"
ASKED = {"aic", "rag_fusion", "contextual"}
ALL = ASKED | {"careful", "fast", "esoteric"}


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory, sample_folder: Path) -> Settings:
    cache = tmp_path_factory.mktemp("cache")
    tiny.name_finder(tiny.snapshot(cache, NER))
    lessons = {"Marie Curie": "Who?", "Warsaw": "Where?"}
    written = {f"answer: {answer} context: {CLAIM}": f"question: {asked}" for answer, asked in lessons.items()}
    tiny.writer(tiny.snapshot(cache, QUESTIONS), written)
    tiny.bert_encoder(tiny.snapshot(cache, MXBAI))
    tiny.mpnet(tiny.snapshot(cache, STELLA))
    tiny.mpnet(tiny.snapshot(cache, MPNET))
    tiny.relevance(tiny.snapshot(cache, RELEVANCE), {(CLAIM, NEAR): 1, (CLAIM, FAR): 0})
    tiny.cross_encoder(tiny.snapshot(cache, RERANKER))
    tiny.inference(tiny.snapshot(cache, STANCE))
    return changed(
        Settings(), store=str(sample_folder), data=cache / "data", threads=1, hub_folder=str(cache), vector_cache=0, hub_code=True,
        page_cutoff=0.0, passage_cutoff=0.0, relevance_cutoff=0.0, pages=5, pruned=10, encoded_pages=10,
    )  # fmt: skip


def counting(monkeypatch: pytest.MonkeyPatch, kind: type, method: str) -> list[Any]:
    """What the real network is asked from here on."""
    asked: list[Any] = []
    real: Callable[..., Any] = getattr(kind, method)

    def noted(self: Any, *given: Any) -> Any:
        asked.append((self.id, given))
        return real(self, *given)

    monkeypatch.setattr(kind, method, noted)
    return asked


def checked(settings: Settings, recipe: str) -> tuple[FactCheck, dict[str, str]]:
    resources = Resources(settings)
    return resources.pipeline(recipe).run(Claim("c", CLAIM)), resources.models(recipe)


ROLES = [
    ("span_models", NER, networks.NameSpans, "extract", ALL - {"contextual"}),
    ("question_model", QUESTIONS, networks.AnswerQuestions, "ask", ASKED | {"esoteric"}),
    ("question_encoder", MXBAI, networks.SentenceEncoder, "encode", {"aic", "esoteric"}),
    ("page_encoder", MXBAI, networks.SentenceEncoder, "encode", {"aic", "esoteric"}),
    ("question_encoder", STELLA, networks.SentenceEncoder, "encode", {"rag_fusion"}),
    ("page_encoder", STELLA, networks.SentenceEncoder, "encode", {"rag_fusion"}),
    ("similarity_model", MPNET, networks.SentenceEncoder, "encode", {"esoteric"}),
    ("relevance_model", RELEVANCE, networks.PairClassifier, "relevance", ALL),
    ("relevance_model", RERANKER, networks.CrossEncoderScores, "relevance", {"fast"}),
    ("stance_model", STANCE, networks.StancesByInference, "stances", ALL),
    ("reranker", RERANKER, networks.CrossEncoderScores, "relevance", {"contextual"}),
]


@pytest.mark.parametrize(
    ("role", "name", "kind", "method", "recipe"),
    [(*role, recipe) for *role, recipes in ROLES for recipe in sorted(recipes)],
)
def test_the_model_that_a_role_names_computes(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, role: str, name: str, kind: type, method: str, recipe: str
) -> None:
    other = {"question_encoder": "page_encoder", "page_encoder": "question_encoder"}.get(role, role)
    asked = counting(monkeypatch, kind, method)
    check, models = checked(replace(settings, **{role: name, other: name}), recipe)
    assert check.verdict is not None
    assert asked
    assert {id for id, _ in asked} == {name + AT}
    assert models[role] == name + AT


def test_questions_of_the_model_are_those_answered(settings: Settings) -> None:
    check, _ = checked(replace(settings, span_models=NER, question_model=QUESTIONS), "rag_fusion")
    assert {pair.question for pair in check.questions} == {"Was Marie Curie born in Warsaw?", "Who?", "Where?"}


def test_stances_of_the_model_are_those_recorded(settings: Settings) -> None:
    ours, _ = checked(settings, "fast")
    theirs, _ = checked(replace(settings, stance_model=STANCE), "fast")
    scored = {e.sentence: (e.relevance, e.stance) for e in ours.sentences}
    both = [e for e in theirs.sentences if e.sentence in scored]
    assert both
    assert all(scored[e.sentence][0] == pytest.approx(e.relevance, abs=0.01) for e in both)
    assert any(scored[e.sentence][1] != e.stance for e in both)


def test_the_prompt_for_like_claims_is_put_before_the_claim(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    row = {"claim": "Curtiz was born in Paris.", "questions": [], "label": "Refuted"}
    (tmp_path / "train.json").write_text(json.dumps([row]), "utf-8")
    asked = Resources(
        replace(
            settings, question_encoder=STELLA, page_encoder=STELLA, examples=tmp_path / "train.json",
            llm_model="m", llm_url="http://127.0.0.1:9/v1",
        )
    )  # fmt: skip
    examples = next(stage for stage in asked.pipeline("rag_fusion").stages if stage.name == "questions")
    read: list[str] = []
    model = asked.chosen().claim_encoder()
    real = model._model.encode  # type: ignore[attr-defined]
    monkeypatch.setattr(
        model._model,
        "encode",
        lambda texts, **options: read.extend(texts) or real(texts, **options),  # type: ignore[attr-defined]
    )
    assert examples.examples.nearest(CLAIM, 1)[0].label == "Refuted"
    assert read == ["Instruct: Retrieve semantically similar text.\nQuery: " + CLAIM]
    asked.close()
