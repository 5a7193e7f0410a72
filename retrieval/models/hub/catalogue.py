"""The models that can be fetched from the Hugging Face hub: purpose, size, licence."""

from __future__ import annotations

from dataclasses import dataclass

SEE_CARD = "see its card"


@dataclass(frozen=True, slots=True)
class HubModel:
    """name: on the hub. megabytes: approximate download. default: the model to use if this one is missing.

    query, similar: the prompts that its card puts before a question to search passages with, and before a sentence to
    find similar ones with. own_code: whether it runs code from its repository. role: its kind, see `roles.KINDS`.
    """

    name: str
    role: str
    licence: str
    megabytes: int
    default: str
    query: str = ""
    similar: str = ""
    own_code: bool = False


SPANS, QUESTIONS, ENCODER = "en_core_web_sm", "rules", "minilm-l6-int8"
RELEVANCE = "esoteric-cross-encoder-int8"

HUB_MODELS = (
    HubModel("Babelscape/wikineural-multilingual-ner", "spans", "CC-BY-NC-SA-4.0", 709, SPANS),
    HubModel("vabatista/t5-small-answer-extraction-en", "spans", SEE_CARD, 242, SPANS),
    HubModel("mrm8488/t5-base-finetuned-question-generation-ap", "questions", "Apache-2.0", 892, QUESTIONS),
    HubModel("facebook/dpr-question_encoder-single-nq-base", "encoder", "CC-BY-NC-4.0", 438, ENCODER),
    HubModel("facebook/dpr-ctx_encoder-single-nq-base", "encoder", "CC-BY-NC-4.0", 438, ENCODER),
    HubModel("sentence-transformers/all-mpnet-base-v2", "encoder", "Apache-2.0", 438, ENCODER),
    HubModel(
        "mixedbread-ai/mxbai-embed-large-v1",
        "encoder",
        "Apache-2.0",
        670,
        ENCODER,
        query="Represent this sentence for searching relevant passages: ",
    ),
    HubModel(
        "dunzhang/stella_en_400M_v5",
        "encoder",
        "MIT",
        1740,
        ENCODER,
        query="Instruct: Given a web search query, retrieve relevant passages that answer the query.\nQuery: ",
        similar="Instruct: Retrieve semantically similar text.\nQuery: ",
        own_code=True,
    ),
    HubModel("theobaur/relevancy_classification_FEVER", "relevance", SEE_CARD, 268, RELEVANCE),
    HubModel("cross-encoder/ms-marco-MiniLM-L-12-v2", "reranker", "Apache-2.0", 134, RELEVANCE),
    HubModel("cross-encoder/nli-MiniLM2-L6-H768", "stance", "Apache-2.0", 329, RELEVANCE),
    HubModel("sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2", "encoder", "Apache-2.0", 471, ENCODER),
    HubModel("cross-encoder/mmarco-mMiniLMv2-L12-H384-v1", "reranker", "Apache-2.0", 471, RELEVANCE),
    HubModel("MoritzLaurer/multilingual-MiniLMv2-L6-mnli-xnli", "stance", "MIT", 428, RELEVANCE),
)


def find_hub_model(name: str) -> HubModel | None:
    """The entry with this name; None for a model that is not listed, such as your own."""
    return next((model for model in HUB_MODELS if model.name == name), None)
