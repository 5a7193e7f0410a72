"""Every setting, in the groups that people look for them in. To add one, add a line here."""

from __future__ import annotations

from dataclasses import Field, dataclass, fields
from pathlib import Path
from typing import Any

from retrieval.settings.accounts import Accounts
from retrieval.settings.declaring import EVERY, setting
from retrieval.settings.language_model import LanguageModel
from retrieval.settings.limits import Limits
from retrieval.settings.web import Web

ESOTERIC = ("esoteric",)
FAST = ("fast", "careful")  # they find and rank sentences alike
AIC = ("aic",)
FUSION = ("rag_fusion", "contextual")
QUESTIONS = (*AIC, *FUSION)
ASKING = (*ESOTERIC, *QUESTIONS)
CONTEXTUAL = ("contextual",)

# Steps of recipe `esoteric` that can be left out, to see what each is worth.
STEPS = (
    *("title n-grams", "titles", "brackets", "text", "wh-questions", "polar question"),
    *("question ranking", "question passages", "relevance", "similarity", "reading"),
)


@dataclass(frozen=True)
class Server:
    """Where the application listens, what it writes, and who shares its work."""

    data: Path = setting(
        Path("data/local"), "Folder for everything the application writes: corpus, checks, keys.", common=True
    )
    host: str = setting("127.0.0.1", "Address the web application listens on.", common=True)
    port: int = setting(8000, "Port the web application listens on.", common=True)
    trusted_hosts: str = setting(
        "",
        "Host names the web application answers to, separated by commas. Needed where other machines can reach HOST.",
    )
    trusted_proxies: str = setting(
        "", "Addresses or networks of proxies in front, separated by commas, whose X-Forwarded-* headers are believed."
    )
    threads: int = setting(0, "Threads for the models. 0: one per core.", common=True)
    workers: int = setting(
        2,
        "Checks that a process runs at the same time; the same number for all that share DATABASE. "
        "0: pages only, and `python -m app worker` runs the checks.",
        common=True,
    )
    worker_timeout: int = setting(15, "Seconds without a sign of life after which others take over a worker's checks.")
    database: str = setting(
        "",
        "Database of the checks, which several processes can share: postgresql://user:password@host/name. "
        "Empty: SQLite in DATA.",
        address=True,
        common=True,
    )
    metrics: bool = setting(False, "Give figures for operators at /metrics, as Prometheus reads them.")
    log: str = setting(
        "text", "How the server logs: `text`, or `json` for one JSON object per event.", choices=("text", "json")
    )


@dataclass(frozen=True)
class Corpus:
    """What claims are checked against."""

    store: str = setting(
        "", "The corpus: a folder, or http(s)://host:port/index. Empty: `store` in DATA.", address=True, common=True
    )
    contact: str = setting(
        "", "Your mail address or home page, sent to servers that dumps are fetched from. Wikimedia asks for one."
    )
    elasticsearch_user: str = setting("", "User name for Elasticsearch, unless STORE contains it.")
    elasticsearch_password: str = setting("", "That user's password.", secret=True)
    elasticsearch_api_key: str = setting("", "API key for Elasticsearch, instead of user and password.", secret=True)
    elasticsearch_ca: str = setting("", "Certificate file of the authority that signed Elasticsearch's certificate.")
    elasticsearch_analyzer: str = setting(
        "whitespace",
        "Analyzer of a newly loaded index: `whitespace`; `standard` also splits scripts without spaces; `english` stems.",
        choices=("whitespace", "standard", "english"),
    )
    elasticsearch_shards: int = setting(1, "Shards of a newly loaded index.")
    elasticsearch_replicas: int = setting(0, "Replicas of each shard once a load is complete.")
    elasticsearch_segments: int = setting(
        5, "Segments a load merges each shard to when it ends: less disk, faster answers. 0: no merge."
    )


@dataclass(frozen=True)
class Judging:
    """How every recipe reaches its verdict."""

    recipe: str = setting("careful", "Recipe that checks a claim unless another is named.", common=True)
    top_evidence: int = setting(5, "Sentences that a verdict may rest on.", decides=(EVERY,))
    conflicting_from: float = setting(
        0.4,
        "Strength that the weaker side of two contradicting pages needs for the verdict “conflicting evidence”. "
        "0: no such verdict.",
        decides=(EVERY,),
    )
    abstain_below: float = setting(
        0.0, "Confidence below which a check answers “not sure”. 0: it always decides.", decides=(EVERY,), common=True
    )
    noncommercial_weights: bool = setting(
        True,
        "Use the four-label classifier, whose training data (AVeriTeC, CC BY-NC 4.0) allow non-commercial use only. `false`: "
        "recipes `aic`, `rag_fusion` and `contextual` judge by the three labels of `fast`.",
        decides=QUESTIONS,
    )


@dataclass(frozen=True)
class Models:
    """Which model plays which role, in every recipe that has the role. `python -m retrieval models` lists them."""

    span_models: str = setting(
        "en_core_web_sm", "Models that find names and phrases in a claim, separated by commas.", decides=(EVERY,)
    )
    question_model: str = setting(
        "rules",
        "Model that asks about parts of a claim. `rules`: grammar in `esoteric`, templates in the others. Where a language "
        "model asks, it comes first.",
        decides=ASKING,
    )
    question_encoder: str = setting(
        "minilm-l6-int8", "Model for the vectors of claims and questions, which are searched with.", decides=ASKING
    )
    page_encoder: str = setting(
        "minilm-l6-int8", "Model for the vectors of pages, chunks and sentences, which are found.", decides=ASKING
    )
    page_characters: int = setting(
        400,
        "Characters of a page that its vector is made of, unless the model is DPR, which reads 512 tokens. Change it, and "
        "the corpus needs new vectors.",
        decides=ESOTERIC,
    )
    document_characters: int = setting(
        1200,
        "Characters of a document or chunk that its vector is made of. The default is what MiniLM reads; with mxbai or "
        "stella, set it to 2048.",
        decides=QUESTIONS,
    )
    reranker: str = setting(
        "esoteric-cross-encoder-int8", "Model that reorders the sentences found for a question.", decides=CONTEXTUAL
    )
    relevance_model: str = setting(
        "esoteric-cross-encoder-int8", "Model that tells how relevant a sentence is to a claim.", decides=(EVERY,)
    )
    stance_model: str = setting(
        "esoteric-cross-encoder-int8",
        "Model that tells whether a sentence supports or contradicts a claim.",
        decides=(EVERY,),
    )
    reader_languages: str = setting(
        "en",
        "Languages, as `de,es`, that RELEVANCE_MODEL and STANCE_MODEL were measured in. In others there is no verdict.",
        decides=(EVERY,),
    )
    similarity_model: str = setting(
        "minilm-l6-int8",
        "Model that orders relevant sentences. The thesis uses sentence-transformers/all-mpnet-base-v2 and drops sentences "
        "below a cosine of 0.7; for that, set SIMILARITY_CUTOFF to 0.7 too.",
        decides=ESOTERIC,
    )


@dataclass(frozen=True)
class Fast:
    """Recipes `fast` and `careful`."""

    top_pages: int = setting(
        10,
        "Pages whose sentences are read; in every recipe where the corpus' language allows no verdict.",
        decides=(EVERY,),
    )
    top_sentences: int = setting(
        40, "Most sentences that the cross-encoder reads, or that are listed if there is no verdict.", decides=(EVERY,)
    )
    read_sentences: int = setting(
        5, "Best sentences that the larger network reads again.", decides=("careful", "esoteric")
    )
    read_from: float = setting(
        0.0,
        "Least probability of being evidence, by the first pass, for the larger network to read the third and each further "
        "sentence. 0: it reads all.",
        decides=("careful",),
    )


@dataclass(frozen=True)
class Esoteric:
    """Recipe `esoteric`: the limits and cut-offs of its steps."""

    title_matches: int = setting(
        500, "Pages found by their titles, before the brackets are compared.", decides=ESOTERIC
    )
    most_questions: int = setting(
        24, "Questions asked about a claim; each is compared with every page found.", decides=ESOTERIC
    )
    bracket_cutoff: float = setting(
        0.0, "Least similarity between the claim and the bracket of a page's title.", decides=ESOTERIC
    )
    bracket_limit: int = setting(20, "Pages kept whose title matches except for its bracket.", decides=ESOTERIC)
    text_matches: int = setting(1000, "Pages found by phrases in their text.", decides=ESOTERIC)
    encoded_pages: int = setting(
        40, "Of these, pages to encode where the corpus holds no vectors; encoding takes time.", decides=ESOTERIC
    )
    question_pages: int = setting(10, "Pages that each question may bring.", decides=ESOTERIC)
    page_cutoff: float = setting(0.65, "Least score of a page for its best question.", decides=ESOTERIC)
    encoded_sentences: int = setting(
        60, "Sentences of the pages kept that are compared with the questions.", decides=ESOTERIC
    )
    question_passages: int = setting(
        30, "Sentences that the questions pass on to the relevance model.", decides=ESOTERIC
    )
    passage_cutoff: float = setting(0.7, "Least score of a sentence for its best question.", decides=ESOTERIC)
    relevance_cutoff: float = setting(0.5, "Least probability of a relevant sentence.", decides=ESOTERIC)
    similarity_cutoff: float = setting(
        0.0,
        "Least cosine between a relevant sentence and the claim. 0: none. The thesis, with mpnet: 0.7.",
        decides=ESOTERIC,
    )
    without: str = setting(
        "", "Steps to leave out, separated by commas; for measurements.", decides=ESOTERIC, choices=STEPS, several=True
    )


@dataclass(frozen=True)
class Aic:
    """Recipe `aic`: chunks, and one call to a language model."""

    chunk_length: int = setting(2048, "Characters of a chunk.", decides=AIC)
    aic_pruned: int = setting(6000, "Chunks that BM25 leaves for embedding.", decides=AIC)
    aic_fetched: int = setting(40, "Chunks nearest to the claim, from which MMR chooses.", decides=AIC)
    aic_kept: int = setting(10, "Chunks that are read for the verdict.", decides=AIC)
    aic_relevance: float = setting(
        0.75, "Weight of a chunk's relevance against its novelty (lambda of MMR).", decides=AIC
    )
    aic_neighbours: int = setting(
        256, "Characters of the chunks before and after that a language model is shown.", decides=AIC
    )
    aic_questions: int = setting(10, "Questions that a language model may ask and answer.", decides=AIC)
    aic_examples: int = setting(10, "Checked claims that a language model is shown.", decides=AIC)


@dataclass(frozen=True)
class RagFusion:
    """Recipes `rag_fusion` and `contextual`; without a language model, `aic` asks and answers by them too."""

    examples: Path = setting(
        Path("data/local/averitec-train.json"),
        "Checked claims (AVeriTeC's train.json) that a language model is shown as examples, if the file is there.",
        decides=QUESTIONS,
    )
    document_matches: int = setting(
        200,
        "Pages of a corpus that BM25 leaves for embedding, at least FUSION_PAGES where these are searched. Of a claim's own "
        "documents, all are embedded.",
        decides=QUESTIONS,
    )
    fusion_pages: int = setting(50, "Pages whose sentences are searched.", decides=FUSION)
    fusion_questions: int = setting(3, "Questions asked about a claim.", decides=QUESTIONS)
    fusion_answers: int = setting(3, "Sentences kept for each question.", decides=QUESTIONS)
    fusion_pairs: int = setting(10, "Most question-answer pairs that a verdict rests on.", decides=QUESTIONS)
    fusion_choice: str = setting(
        "questions",
        "Which sentences are kept: the best of each of the `questions`, as in the paper, or the best in all their "
        "`ranks` together, by reciprocal rank fusion.",
        decides=FUSION,
        choices=("questions", "ranks"),
    )
    fusion_rank: int = setting(60, "Constant k of reciprocal rank fusion.", decides=QUESTIONS)
    fusion_query: str = setting(
        "questions",
        "What sentences are searched with: `questions`, or the `claim`, in which case a question is asked for each "
        "sentence found.",
        decides=FUSION,
        choices=("questions", "claim"),
    )
    fusion_example: str = setting(
        "embedding",
        "How the checked claim nearest to a claim is found: by `embedding`, as in the paper, or by `bm25`.",
        decides=FUSION,
        choices=("embedding", "bm25"),
    )
    fusion_sufficiency: bool = setting(
        False, "Ask the language model first whether the evidence is enough.", decides=FUSION
    )
    fusion_verdict: str = setting(
        "llm",
        "Who gives the verdict: `llm` (where one is set), `four` (one classifier of four labels) or "
        "`two` (supported or not, refuted or not).",
        decides=FUSION,
        choices=("llm", "four", "two"),
    )


@dataclass(frozen=True)
class Contextual:
    """Recipe `contextual`: a reranker, and a context for each sentence."""

    context_sentences: int = setting(10, "Sentences per question that the reranker reads.", decides=CONTEXTUAL)
    context_tokens: int = setting(
        768, "Tokens of page text from which a sentence's context is written.", decides=CONTEXTUAL
    )
    context_order: str = setting(
        "after",
        "When contexts are written: `after` or `before` reranking. `none`: reranking alone. `only`: contexts alone.",
        decides=CONTEXTUAL,
        choices=("after", "before", "none", "only"),
    )


@dataclass(frozen=True)
class Hub:
    """Models from the Hugging Face hub, which can take the place of ours."""

    hub_folder: str = setting("", "Folder of the models fetched from the hub. Empty: the hub's own cache.")
    hub_device: str = setting("cpu", "Device that the hub's models compute on.", choices=("cpu", "cuda"))
    hub_download: bool = setting(False, "Fetch a model when it is first needed, not by command alone.")
    hub_code: bool = setting(False, "Let models run code of their own, as stella does.")
    language_models: bool = setting(
        False, "Judge German and Spanish corpora by multilingual models; else checks only retrieve.", decides=(EVERY,)
    )


GROUPS = {
    "server": Server,
    "accounts": Accounts,
    "corpus": Corpus,
    "judging": Judging,
    "models": Models,
    "fast": Fast,
    "esoteric": Esoteric,
    "aic": Aic,
    "rag_fusion": RagFusion,
    "contextual": Contextual,
    "language_model": LanguageModel,
    "hub": Hub,
    "web": Web,
    "limits": Limits,
}

# Name to field of every setting, group after group.
FIELDS: dict[str, Field[Any]] = {setting.name: setting for group in GROUPS.values() for setting in fields(group)}
