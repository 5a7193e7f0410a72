"""Declares every setting, by group. To add one, add a line here."""

from __future__ import annotations

from dataclasses import Field, dataclass, fields
from pathlib import Path
from typing import Any

from retrieval.settings.declaring import EVERY, FUSION, QUESTIONS, setting


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
class Accounts:
    """Who may use the application, and how people sign in."""

    accounts: bool = setting(
        False, "Make people sign in; checks and uploads belong to them. `python -m app user add NAME` adds one."
    )
    account_header: str = setting(
        "", "Header in which a proxy of TRUSTED_PROXIES names the person who signed in there, such as X-Remote-User."
    )
    account_role: str = setting(
        "checker", "Role of people who first sign in by that proxy or OpenID.", choices=("reader", "checker", "admin")
    )
    oidc_issuer: str = setting("", "Address of an OpenID Connect provider that people sign in with.", address=True)
    oidc_client: str = setting("", "Id of this application at that provider.")
    oidc_secret: str = setting("", "This application's secret at that provider.", secret=True)
    session_idle_minutes: int = setting(
        720, "Minutes without a request after which people must sign in again.", rare=True
    )
    session_hours: int = setting(168, "Hours after which people must sign in again in any case.", rare=True)
    login_limit: int = setting(
        10, "Attempts to sign in per minute, for each name and for each address. 0: no limit.", rare=True
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
class LanguageModel:
    """The language model that judges the evidence, its server, and what a claim may cost."""

    llm_model: str = setting(
        "",
        "Language model that judges the evidence, as its server names it. Empty: none.",
        decides=(EVERY,),
        common=True,
    )
    llm_questions: str = setting(
        "",
        "Language model that writes questions, on the same server as LLM_MODEL. Empty: LLM_MODEL. `none`: none.",
        decides=FUSION,
    )
    llm_contexts: str = setting(
        "",
        "Language model that writes contexts, such as a cheaper one. Empty: LLM_MODEL. `none`: none.",
        decides=("contextual",),
    )
    llm_kind: str = setting(
        "openai",
        "API protocol: `openai` (any compatible server) or `mistral`.",
        decides=(EVERY,),
        choices=("openai", "mistral"),
    )
    llm_url: str = setting(
        "",
        "Address of its server, such as http://127.0.0.1:11434/v1. Empty: Mistral's own, if LLM_KIND is `mistral`.",
        decides=(EVERY,),
        address=True,
        common=True,
    )
    llm_key: str = setting(
        "", "API key for that server. It is never logged, shown or exported.", secret=True, common=True
    )
    llm_seed: int = setting(1, "Seed of its replies; their temperature is 0.", decides=(EVERY,), rare=True)
    llm_reply_tokens: int = setting(
        0,
        "Tokens that one reply may take, thinking included. 0: as suits the prompt, and 4,000 more for a model that thinks.",
        decides=(EVERY,),
        rare=True,
    )
    llm_thinking: str = setting(
        "",
        "How long it thinks before it replies, if its server supports that (`reasoning_effort`). Empty: the server's default.",
        decides=(EVERY,),
        choices=("", "none", "minimal", "low", "medium", "high"),
    )
    llm_timeout: int = setting(60, "Seconds that one reply may take.", rare=True)
    llm_seconds: int = setting(180, "Seconds that all replies to one claim may take, waiting included.", rare=True)
    llm_tokens: int = setting(30_000, "Tokens, read and written, that all replies to one claim may take.")
    llm_tokens_a_day: int = setting(0, "Tokens that all replies of a day (UTC) may take. 0: no limit.")
    llm_tokens_a_person: int = setting(
        0, "Tokens that all replies of a day to one person, or one address, may take. 0: no limit."
    )
    llm_grounding: bool = setting(
        False,
        "Test its verdict by asking again, within the same limits, without the sentences that it rests on.",
        decides=(EVERY,),
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


@dataclass(frozen=True)
class Web:
    """The open web, beside the corpus or in its place. What a check searches for there leaves this machine."""

    web: str = setting(
        "off",
        "Search engine with which checks read the open web too: `searxng` (yours, at WEB_URL) or `brave` (with WEB_KEY). "
        "`pages`, or `1`: checks search nothing, but a page whose address somebody types is fetched. `off`: nothing is fetched.",
        choices=("off", "pages", "searxng", "brave"),
        alias=("1", "pages"),
    )
    web_url: str = setting("", "Address of SearXNG, which must allow the format `json`.", address=True)
    web_key: str = setting("", "API key for Brave's search.", secret=True)
    web_questions: int = setting(
        4, "Questions about a claim to search the web with; the claim itself if there are none.", rare=True
    )
    web_pages: int = setting(8, "Most pages to fetch for a claim.", rare=True)
    web_private: str = setting(
        "", "Private addresses or networks that pages may be fetched from, separated by commas. Empty: none.", rare=True
    )
    web_fact_checkers: bool = setting(True, "Read the pages of fact-checking sites too.", rare=True)
    web_leave_out: str = setting(
        "", "Sites never to read, separated by commas: a host, or host/path. Their subdomains count."
    )
    web_before: str = setting(
        "",
        "Read only pages published before this date, such as 2020-10-31; those without a date are left out. Empty: all.",
        rare=True,
    )

    @property
    def searches_web(self) -> bool:
        """Whether checks search the open web with an engine; without one, only typed addresses are fetched."""
        return self.web not in ("off", "pages")

    @property
    def fetches_pages(self) -> bool:
        """Whether pages whose address somebody types are fetched."""
        return self.web != "off"


@dataclass(frozen=True)
class Limits:
    """How much the application accepts, and how long it keeps it."""

    claim_length: int = setting(500, "Longest claim, in characters.")
    queue_limit: int = setting(100, "Checks that may wait before new ones are refused with 503.")
    rate_limit: int = setting(600, "Checks that one address may start per minute. 0: no limit.")
    upload_megabytes: int = setting(
        20, "Most megabytes of documents that a person may upload at once to check claims against. 0: no uploads."
    )
    upload_seconds: int = setting(
        30, "Seconds of processor time that reading one uploaded document may take.", rare=True
    )
    upload_memory: int = setting(800, "Megabytes of memory that reading one uploaded document may take.", rare=True)
    keep_days: int = setting(0, "Days to keep checks after they have ended. 0: until somebody deletes them.")
    keep_uploads_days: int = setting(
        90, "Days for which uploads, and the checks that quote them, are kept. 0: until somebody deletes them."
    )
    vector_cache: int = setting(
        500, "Most megabytes of text vectors kept in DATA, so that no text is embedded twice. 0: none.", rare=True
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
