"""Recipe `esoteric` with a hub's model in every step, over the sample corpus, and with DPR's vectors in the store."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from indexing.__main__ import main
from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.types import Claim, FactCheck
from tests.hub import tiny
from tests.hub.test_hub import ANSWERS, DPR_PAGE, DPR_QUESTION, FAR, MPNET, NEAR, NER, QUESTIONS, RELEVANCE
from tests.hub.tiny import CLAIM, VERSION
from tests.making import changed

pytestmark = [pytest.mark.hub, pytest.mark.filterwarnings("default")]
DIFFICULT = "To be born in Warsaw."


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory, sample_folder: Path) -> Settings:
    """Every step's model from the hub. No cutoffs, as the models know one lesson each."""
    cache, store = tmp_path_factory.mktemp("cache"), tmp_path_factory.mktemp("corpus") / "store"
    shutil.copytree(sample_folder, store)
    tiny.name_finder(tiny.snapshot(cache, NER))
    tiny.writer(tiny.snapshot(cache, ANSWERS), {f"extract answers: <ha> {CLAIM} <ha>": "Warsaw<sep>"})
    lessons = {"Marie Curie": "Who?", "Warsaw": "Where?"}
    written = {f"answer: {answer} context: {CLAIM}": f"question: {asked}" for answer, asked in lessons.items()}
    written |= {f"answer: No context: {DIFFICULT}": "question: Whether?"}
    tiny.writer(tiny.snapshot(cache, QUESTIONS), written)
    tiny.dpr_half(tiny.snapshot(cache, DPR_QUESTION), question=True)
    tiny.dpr_half(tiny.snapshot(cache, DPR_PAGE), question=False)
    tiny.relevance(tiny.snapshot(cache, RELEVANCE), {(CLAIM, NEAR): 1, (CLAIM, FAR): 0})
    tiny.mpnet(tiny.snapshot(cache, MPNET))
    return changed(
        Settings(),
        store=str(store),
        data=cache / "data",
        threads=1,
        hub_folder=str(cache),
        span_models=f"{NER}, {ANSWERS}",
        question_model=QUESTIONS,
        question_encoder="dpr",
        page_encoder="dpr",
        relevance_model=RELEVANCE,
        similarity_model=MPNET,
        page_cutoff=0.0,
        passage_cutoff=0.0,
        relevance_cutoff=0.0,
    )


def checked(settings: Settings, claim: str = CLAIM) -> tuple[FactCheck, Resources]:
    resources = Resources(settings)
    return resources.pipeline("esoteric").run(Claim("c", claim)), resources


def test_every_step_by_a_model_of_the_hub(settings: Settings) -> None:
    check, resources = checked(settings)
    assert {("Marie Curie", "PER"), ("Warsaw", "LOC")} <= {(span.text, span.type) for span in check.spans}
    assert {"Was Marie Curie born in Warsaw?", "Who?", "Where?"} <= {question.question for question in check.questions}
    assert check.verdict is not None
    used = {
        "spans": (NER, ANSWERS),
        "titles": (MPNET,),
        "questions": (QUESTIONS,),
        "question ranking": ("dpr",),
        "sentences": ("dpr",),
        "relevance": (RELEVANCE,),
        "similarity": (MPNET,),
    }
    for stage, names in used.items():
        assert all(name in check.details[stage] for name in names), check.details[stage]
    models = resources.models("esoteric")
    at = f"@{VERSION[:8]}"
    assert models["span_models"] == f"{NER}{at}, {ANSWERS}{at}"
    assert (models["question_encoder"], models["page_encoder"]) == (DPR_QUESTION + at, DPR_PAGE + at)


def test_a_claim_without_a_verb_that_moves_is_asked_about_by_the_model(settings: Settings) -> None:
    check, _ = checked(settings, DIFFICULT)
    assert check.questions[0].question == "Whether?"


def test_pages_keep_their_score_when_their_vectors_lie_in_the_store(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = changed(settings, encoded_pages=1000)
    before, _ = checked(wide)
    monkeypatch.setenv("HUB_FOLDER", settings.hub_folder)
    monkeypatch.setenv("DATA", str(settings.data))
    assert main(["vectors", "--store", settings.store, "--model", "dpr"]) == 0
    after, resources = checked(wide)
    assert resources.corpus().vector_model == f"{DPR_PAGE}@{VERSION[:8]}+pairs"
    assert "0 of 0 others encoded" in after.details["question ranking"]
    assert "0 pages compared" not in after.details["question ranking"]
    scores = {hit.page.id: hit.score for hit in before.pages}
    both = [hit for hit in after.pages if hit.page.id in scores]
    assert len(both) >= 3
    for hit in both:
        assert hit.score == pytest.approx(scores[hit.page.id], abs=0.005)
