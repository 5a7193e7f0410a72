"""Models of the hub's own classes, loaded by the product's code from a hub's cache, with the hub switched off."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from retrieval.errors import ModelError, SettingError
from retrieval.models.hub import opening as hub
from retrieval.models.hub.catalogue import HUB_MODELS
from retrieval.models.listing import LLM_ROLES, list_models
from retrieval.protocols import PairEncoder
from retrieval.roles import ROLES
from retrieval.settings import Settings
from tests.hub import tiny
from tests.hub.tiny import CLAIM, OTHER, VERSION

pytestmark = [pytest.mark.hub, pytest.mark.filterwarnings("default")]

NER, ANSWERS = "Babelscape/wikineural-multilingual-ner", "vabatista/t5-small-answer-extraction-en"
QUESTIONS = "mrm8488/t5-base-finetuned-question-generation-ap"
DPR_QUESTION, DPR_PAGE = "facebook/dpr-question_encoder-single-nq-base", "facebook/dpr-ctx_encoder-single-nq-base"
MPNET, RELEVANCE = "sentence-transformers/all-mpnet-base-v2", "theobaur/relevancy_classification_FEVER"
RERANKER, STANCE = "cross-encoder/ms-marco-MiniLM-L-12-v2", "cross-encoder/nli-MiniLM2-L6-H768"
NEAR, FAR = "The physicist lived in Paris.", OTHER


@pytest.fixture(autouse=True)
def offline() -> None:
    assert os.environ.get("HF_HUB_OFFLINE") == "1", "run `make test-hub`, which switches the hub off"
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(1)


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return Settings(hub_folder=str(tmp_path_factory.mktemp("cache")), threads=1)


@pytest.fixture(scope="module")
def cache(settings: Settings) -> Path:
    return Path(settings.hub_folder)


def test_names_by_token_classification(settings: Settings, cache: Path) -> None:
    tiny.name_finder(tiny.snapshot(cache, NER))
    extractor = hub.span_extractor(NER, settings)
    spans = extractor.extract(CLAIM)
    assert [(CLAIM[start:end], kind) for start, end, kind in spans] == [("Marie Curie", "PER"), ("Warsaw", "LOC")]
    assert extractor.extract(OTHER) == []
    assert extractor.extract("") == []
    assert getattr(extractor, "id", "") == f"{NER}@{VERSION[:8]}"


@pytest.mark.parametrize("kept", [(), ("<sep>", "<ha>")], ids=["as text", "as tokens of their own"])
def test_answers_that_a_t5_lists(tmp_path: Path, kept: tuple[str, ...]) -> None:
    cache = tmp_path / "cache"
    lesson = {f"extract answers: <ha> {CLAIM} <ha>": "Marie Curie<sep> Warsaw<sep> London<sep>"}
    tiny.writer(tiny.snapshot(cache, ANSWERS), lesson, kept)
    spans = hub.span_extractor(ANSWERS, Settings(hub_folder=str(cache))).extract(CLAIM)
    assert [(CLAIM[start:end], kind) for start, end, kind in spans] == [("Marie Curie", "ANSWER"), ("Warsaw", "ANSWER")]


def test_questions_that_a_t5_writes(settings: Settings, cache: Path) -> None:
    who, where, whether = "Who?", "Where?", "Whether?"
    lessons = {
        f"answer: {answer} context: {CLAIM}": f"question: {question}"
        for answer, question in (("Marie Curie", who), ("Warsaw", where), ("No", whether))
    }
    tiny.writer(tiny.snapshot(cache, QUESTIONS), lessons)
    generator = hub.question_generator(QUESTIONS, settings)
    assert generator.ask(CLAIM, [(24, 30, "LOC"), (0, 11, "PER"), (0, 0, "No")]) == [where, who, whether]
    assert generator.ask(CLAIM, []) == []
    assert generator.id == f"{QUESTIONS}@{VERSION[:8]}"


def test_both_halves_of_dpr(settings: Settings, cache: Path) -> None:
    import torch
    from transformers import AutoTokenizer, DPRQuestionEncoder

    tiny.dpr_half(tiny.snapshot(cache, DPR_QUESTION), question=True)
    tiny.dpr_half(tiny.snapshot(cache, DPR_PAGE), question=False)
    question, page = hub.encoder(DPR_QUESTION, "question", settings), hub.encoder(DPR_PAGE, "context", settings)
    texts = [CLAIM, OTHER, "Warsaw " * 400] * 10
    vectors = question.encode(texts)
    assert (vectors.shape, vectors.dtype, question.dimension) == ((30, 32), np.float32, 32)
    assert page.encode([]).shape == (0, page.dimension)
    folder = hub.find(DPR_QUESTION, settings).folder
    tokens = AutoTokenizer.from_pretrained(folder)([CLAIM], return_tensors="pt")
    with torch.inference_mode():
        alone = DPRQuestionEncoder.from_pretrained(folder).eval()(**tokens).pooler_output.numpy()
    np.testing.assert_allclose(vectors[0], alone[0], atol=1e-5)
    np.testing.assert_allclose(vectors[0], vectors[27], atol=1e-5)
    with pytest.raises(ModelError, match="a DPRContextEncoder is needed here"):
        hub.encoder(DPR_QUESTION, "context", settings)


def test_dpr_reads_title_and_whole_text_as_a_pair(settings: Settings, cache: Path) -> None:
    import torch
    from transformers import AutoTokenizer, DPRContextEncoder

    name = "own/passages"
    tiny.dpr_half(tiny.snapshot(cache, name), question=False)
    encoder = hub.encoder(name, "context", settings)
    assert isinstance(encoder, PairEncoder)
    title, long = "Marie Curie", "Warsaw " * 60 + "Paris " * 600
    vectors = encoder.encode_pairs([(title, OTHER), (title, long), ("", "")])
    folder = hub.find(name, settings).folder
    model, tokenizer = DPRContextEncoder.from_pretrained(folder).eval(), AutoTokenizer.from_pretrained(folder)
    for row, text in enumerate((OTHER, long)):
        tokens = tokenizer(title, text, return_tensors="pt", truncation=True, max_length=512)
        assert tokens["token_type_ids"].sum() > 0
        with torch.inference_mode():
            alone = model(**tokens).pooler_output.numpy()
        np.testing.assert_allclose(vectors[row], alone[0], atol=1e-5)
    assert tokens["input_ids"].shape[1] == 512
    assert not np.allclose(vectors[0], encoder.encode([f"{title} : {OTHER}"])[0])
    assert encoder.encode_pairs([]).shape == (0, 32)


def test_relevance_by_a_bert_that_knows_token_types(tmp_path: Path) -> None:
    tiny.relevance_by_types(tmp_path / "own")
    shares = hub.relevance_classifier(str(tmp_path / "own"), Settings(threads=1)).relevance(CLAIM, [OTHER])
    assert shares[0] > 0.7


def test_stances_by_a_model_of_inference(settings: Settings, cache: Path, tmp_path: Path) -> None:
    tiny.inference(tiny.snapshot(cache, STANCE))
    reader = hub.stance_reader(STANCE, settings)
    (supports,), (refutes,) = reader.stances(OTHER, [CLAIM]), reader.stances(CLAIM, [OTHER])
    assert supports.supports > 0.7
    assert refutes.refutes > 0.7
    assert reader.stances(CLAIM, []) == []
    tiny.inference(tmp_path / "own", ("LABEL_0", "LABEL_1", "LABEL_2"))
    with pytest.raises(ModelError, match="labels are not entailment, contradiction and neutral"):
        hub.stance_reader(str(tmp_path / "own"), settings)


def test_both_prompts_of_stella(tmp_path: Path) -> None:
    """Its own class runs code that is not here; the prompts are those of its card, whatever the class."""
    name = "dunzhang/stella_en_400M_v5"
    tiny.mpnet(tiny.snapshot(tmp_path, name))
    settings = Settings(hub_folder=str(tmp_path), hub_code=True)
    passages, similar, plain = (hub.encoder(name, role, settings) for role in ("question", "similar", "context"))
    s2p = "Instruct: Given a web search query, retrieve relevant passages that answer the query.\nQuery: "
    s2s = "Instruct: Retrieve semantically similar text.\nQuery: "
    np.testing.assert_allclose(passages.encode([CLAIM]), plain.encode([s2p + CLAIM]), atol=1e-6)
    np.testing.assert_allclose(similar.encode([CLAIM]), plain.encode([s2s + CLAIM]), atol=1e-6)


def test_relevance_of_sentences(settings: Settings, cache: Path, tmp_path: Path) -> None:
    pairs = {(CLAIM, NEAR): 1, (CLAIM, FAR): 0}
    tiny.relevance(tiny.snapshot(cache, RELEVANCE), pairs)
    classifier = hub.relevance_classifier(RELEVANCE, settings)
    near, far = classifier.relevance(CLAIM, [NEAR, FAR])
    assert 0 <= far < 0.3 < 0.7 < near <= 1
    assert classifier.relevance(CLAIM, []) == []
    other = tmp_path / "own"
    tiny.relevance(other, {key: 1 - value for key, value in pairs.items()}, {0: "relevant", 1: "irrelevant"})
    near, far = hub.relevance_classifier(str(other), settings).relevance(CLAIM, [NEAR, FAR])
    assert far < 0.3 < 0.7 < near, "a folder of one's own, whose labels are the other way round"


def test_vectors_of_mpnet(settings: Settings, cache: Path) -> None:
    tiny.mpnet(tiny.snapshot(cache, MPNET))
    encoder = hub.encoder(MPNET, "similarity", settings)
    vectors = encoder.encode([CLAIM, OTHER, CLAIM])
    assert (vectors.shape, vectors.dtype, encoder.dimension) == ((3, 32), np.float32, 32)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    np.testing.assert_allclose(vectors[0], vectors[2], atol=1e-6)
    assert encoder.encode([]).shape == (0, 32)


def test_a_prompt_goes_before_questions_only(tmp_path: Path) -> None:
    name = "mixedbread-ai/mxbai-embed-large-v1"
    tiny.mpnet(tiny.snapshot(tmp_path, name))
    settings = Settings(hub_folder=str(tmp_path))
    question, page = hub.encoder(name, "question", settings), hub.encoder(name, "context", settings)
    prompt = "Represent this sentence for searching relevant passages: "
    np.testing.assert_allclose(question.encode([CLAIM]), page.encode([prompt + CLAIM]), atol=1e-6)
    assert not np.allclose(question.encode([CLAIM]), page.encode([CLAIM]))


def test_a_reranker(settings: Settings, cache: Path) -> None:
    tiny.cross_encoder(tiny.snapshot(cache, RERANKER))
    scores = hub.reranker(RERANKER, settings)
    shares = scores.relevance(CLAIM, [NEAR, FAR, NEAR])
    assert all(0 <= share <= 1 for share in shares)
    assert shares[0] == pytest.approx(shares[2])
    assert scores.relevance(CLAIM, []) == []


# What is not there


@pytest.mark.parametrize("name", ["nobody/nothing", "../etc", "no such name", "", MPNET])
def test_a_model_that_is_not_here_says_how_to_get_it(tmp_path: Path, name: str) -> None:
    with pytest.raises(
        ModelError, match=r"not on this machine\. Fetch it.*python -m retrieval models --get .*; or use"
    ):
        hub.span_extractor(name, Settings(hub_folder=str(tmp_path)))


def test_fetching_where_there_is_no_hub(tmp_path: Path) -> None:
    for settings in (Settings(hub_folder=str(tmp_path), hub_download=True), Settings(hub_download=True)):
        with pytest.raises(ModelError, match="cannot be fetched"):
            hub.find("nobody/nothing", settings)


def test_a_damaged_model_is_told(settings: Settings, cache: Path, tmp_path: Path) -> None:
    tiny.dpr_half(tiny.snapshot(tmp_path, "own/good"), question=True)
    here = Settings(hub_folder=str(tmp_path))
    folder = hub.find("own/good", here).folder
    (folder / "model.safetensors").write_bytes(b"cut")
    with pytest.raises(ModelError, match="cannot be loaded"):
        hub.encoder("own/good", "question", here)
    shutil.rmtree(folder)
    with pytest.raises(ModelError, match="not on this machine"):
        hub.encoder("own/good", "question", here)


def test_a_gpu_that_is_not_there(settings: Settings, cache: Path) -> None:
    import torch

    if torch.cuda.is_available():
        pytest.skip("there is a GPU here")
    tiny.dpr_half(tiny.snapshot(cache, "own/gpu"), question=True)
    with pytest.raises(ModelError, match="HUB_DEVICE"):
        hub.encoder("own/gpu", "question", Settings(hub_folder=str(cache), hub_device="cuda"))
    with pytest.raises(SettingError, match="`cpu`, `cuda`"):
        Settings(hub_folder=str(cache), hub_device="tpu")


def test_code_of_others_runs_only_where_it_is_allowed(tmp_path: Path) -> None:
    name = "dunzhang/stella_en_400M_v5"
    tiny.mpnet(tiny.snapshot(tmp_path, name))
    with pytest.raises(ModelError, match="HUB_CODE"):
        hub.encoder(name, "question", Settings(hub_folder=str(tmp_path)))


def test_the_list_says_what_is_here(tmp_path: Path) -> None:
    tiny.dpr_half(tiny.snapshot(tmp_path, DPR_QUESTION), question=True)
    roles = {setting: (name, kinds, ["fast"]) for setting, (name, kinds) in ROLES.items()}
    lines = list(
        list_models(Settings(hub_folder=str(tmp_path)), roles, dict.fromkeys(LLM_ROLES, ("fast",)), ["careful"])
    )
    state = {model.name: next(line for line in lines if f" {model.name} " in line) for model in HUB_MODELS}
    assert " here " in state[DPR_QUESTION]
    assert " not here " not in state[DPR_QUESTION]
    assert all(" not here " in line for name, line in state.items() if name != DPR_QUESTION)
