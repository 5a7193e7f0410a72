"""Declares every setting, by group. To add one, add a line here."""

from __future__ import annotations

from dataclasses import Field, dataclass, fields
from pathlib import Path
from typing import Any

from retrieval.settings.accounts import Accounts
from retrieval.settings.declaring import EVERY, QUESTIONS, setting
from retrieval.settings.language_model import LanguageModel
from retrieval.settings.limits import Limits
from retrieval.settings.web import Web


@dataclass(frozen=True)
class Server:
    """Where the application listens, where it writes, and which processes share its work."""

    data: Path = setting(
        Path("data/local"), "Folder for everything the application writes: corpus, checks, keys.", common=True
    )
    host: str = setting("127.0.0.1", "Address the web application listens on.", common=True)
    port: int = setting(8000, "Port the web application listens on.", common=True)
    trusted_hosts: str = setting(
        "",
        "Host names the web application answers to, separated by commas. Needed if other machines can reach HOST.",
    )
    trusted_proxies: str = setting(
        "", "Addresses or networks of proxies in front whose X-Forwarded-* headers are trusted, separated by commas."
    )
    threads: int = setting(0, "Threads for the models. 0: one per core.", common=True)
    workers: int = setting(
        2,
        "Checks that a process runs at the same time; the same number for all that share DATABASE. "
        "0: pages only, and `python -m app worker` runs the checks.",
        common=True,
    )
    worker_timeout: int = setting(
        15, "Seconds without a sign of life after which other workers take over a worker's checks.", rare=True
    )
    database: str = setting(
        "",
        "Database of the checks, which several processes can share: postgresql://user:password@host/name. "
        "Empty: SQLite in DATA.",
        address=True,
        common=True,
    )
    metrics: bool = setting(False, "Serve figures for operators at /metrics, in Prometheus's format.")
    log: str = setting(
        "text", "How the server logs: `text`, or `json` for one JSON object per event.", choices=("text", "json")
    )


@dataclass(frozen=True)
class Corpus:
    """What claims are checked against."""

    store: str = setting(
        "", "The corpus: a folder, or http(s)://host:port/index. Empty: `store` in DATA.", address=True, common=True
    )
    corpus_folders: str = setting(
        "",
        "Folders from which a dump may be loaded on the page Corpora, separated by commas. Empty: without accounts, any that "
        "the program can read; with accounts, none.",
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
        rare=True,
    )
    elasticsearch_shards: int = setting(1, "Shards of a newly loaded index.", rare=True)
    elasticsearch_replicas: int = setting(0, "Replicas of each shard once a load is complete.", rare=True)
    elasticsearch_segments: int = setting(
        5,
        "Segments that each shard is merged into when a load ends: less disk, faster answers. 0: no merge.",
        rare=True,
    )


@dataclass(frozen=True)
class Judging:
    """What every recipe reads, and how it reaches its verdict."""

    recipe: str = setting(
        "careful",
        "Recipe that checks a claim unless another is named; `python -m retrieval recipes` says how often each is right.",
        common=True,
    )
    top_pages: int = setting(
        10,
        "Pages whose sentences recipes `fast` and `careful` read, and every recipe if the corpus's language allows "
        "no verdict.",
        decides=(EVERY,),
        rare=True,
    )
    top_sentences: int = setting(
        40,
        "Most sentences of these pages that the cross-encoder reads, or that are listed if there is no verdict.",
        decides=(EVERY,),
        rare=True,
    )
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
    side_from: float = setting(
        0.5,
        "A local verdict for a side needs a sentence whose share for that side is at least this part of its neutral share; "
        "else it is “not enough evidence”. 1: the side must be the likeliest stance; below, such a verdict only leans. 0: off.",
        decides=(EVERY,),
        rare=True,
    )
    lean_below: float = setting(
        0.6,
        "Confidence below which a local verdict only “leans” to its side. 0: never. "
        "`python -m evaluation leaning` shows the effect of each value.",
        decides=(EVERY,),
        rare=True,
    )
    noncommercial_weights: bool = setting(
        True,
        "Over a claim's own documents, use the four-label classifier, whose training data (AVeriTeC, CC BY-NC 4.0) allow "
        "non-commercial use only. `false`: `aic`, `rag_fusion` and `contextual` judge them as they judge pages.",
        decides=QUESTIONS,
    )
    examples: Path = setting(
        Path("data/local/averitec-train.json"),
        "File of checked claims (AVeriTeC's train.json) to show a language model as examples, if it exists.",
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
        "Model that asks about parts of a claim. `rules`: grammar in `esoteric`, templates in the others. A language model "
        "set for questions is asked first.",
        decides=("esoteric", *QUESTIONS),
    )
    question_encoder: str = setting(
        "minilm-l6-int8",
        "Model for the vectors of queries, that is, of claims and questions.",
        decides=("esoteric", *QUESTIONS),
    )
    page_encoder: str = setting(
        "minilm-l6-int8",
        "Model for the vectors of the pages, chunks and sentences to find.",
        decides=("esoteric", *QUESTIONS),
    )
    page_characters: int = setting(
        400,
        "Characters of a page that its vector is made from, unless the model is DPR, which reads 512 tokens. If you change "
        "it, the corpus needs new vectors.",
        decides=("esoteric",),
        rare=True,
    )
    document_characters: int = setting(
        1200,
        "Characters of a document or chunk that its vector is made from. The default is what MiniLM reads; with mxbai or "
        "stella, set it to 2048.",
        decides=QUESTIONS,
        rare=True,
    )
    reranker: str = setting(
        "esoteric-cross-encoder-int8",
        "Model that reorders the sentences found for a question.",
        decides=("contextual",),
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
        "Languages in which RELEVANCE_MODEL and STANCE_MODEL were measured, such as `de,es`. In others there is no verdict.",
        decides=(EVERY,),
    )
    similarity_model: str = setting(
        "minilm-l6-int8",
        "Model that orders relevant sentences. The thesis uses sentence-transformers/all-mpnet-base-v2 and drops sentences "
        "below a cosine of 0.7; for that, set its `similarity_cutoff` to 0.7 too.",
        decides=("esoteric",),
    )


@dataclass(frozen=True)
class Hub:
    """Models from the Hugging Face hub, which can replace ours."""

    hub_folder: str = setting("", "Folder of the models fetched from the hub. Empty: the hub's own cache.")
    hub_device: str = setting("cpu", "Device that the hub's models compute on.", choices=("cpu", "cuda"))
    hub_download: bool = setting(False, "Fetch a model when it is first needed, not only on command.")
    hub_code: bool = setting(False, "Let models run their own code, as stella does.", rare=True)
    language_models: bool = setting(
        False, "Judge German and Spanish corpora by multilingual models; else checks only retrieve.", decides=(EVERY,)
    )


GROUPS = {
    "server": Server,
    "accounts": Accounts,
    "corpus": Corpus,
    "judging": Judging,
    "models": Models,
    "language_model": LanguageModel,
    "hub": Hub,
    "web": Web,
    "limits": Limits,
}

# Name -> field of every setting, group after group.
FIELDS: dict[str, Field[Any]] = {setting.name: setting for group in GROUPS.values() for setting in fields(group)}
