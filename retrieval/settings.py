"""Every setting once: name, default, help. The README's table is generated from `SETTINGS`.

Settings come from environment variables, read when `Settings.from_environment` is called and never at import.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from retrieval.errors import SettingError


def _setting(default: Any, help: str, *, secret: bool = False) -> Any:
    return field(default=default, metadata={"help": help}, repr=not secret)


@dataclass(frozen=True)
class Settings:
    """One field a setting; its environment variable is the field's name in capitals."""

    data: Path = _setting(Path("data/local"), "Folder for everything the application writes: corpus, checks, keys.")
    store: str = _setting(
        "", "The corpus: a folder, or http(s)://host:port/index. Empty: `store` inside DATA.", secret=True
    )
    host: str = _setting("127.0.0.1", "Address the web application listens on.")
    port: int = _setting(8000, "Port the web application listens on.")
    recipe: str = _setting("fast", "Pipeline that checks a claim unless another is named.")
    threads: int = _setting(0, "Threads for the models. 0: one a core.")
    database: str = _setting(
        "",
        "Database of the checks: postgresql://user:password@host/name, which several processes may share. Empty: SQLite inside DATA.",
    )
    queue_limit: int = _setting(100, "Checks that may wait before new ones are refused with 503.")
    workers: int = _setting(
        2,
        "Checks that run at the same time in a process, the same number for all that share DATABASE. 0: pages only; `python -m app worker` runs the checks.",
    )
    worker_timeout: int = _setting(15, "Seconds without a sign of life after which others take over a worker's checks.")
    claim_length: int = _setting(500, "Longest claim, in characters.")
    top_pages: int = _setting(10, "Pages whose sentences are read, by recipe `fast`.")
    top_sentences: int = _setting(40, "Sentences that the cross-encoder reads, by recipe `fast`.")
    top_evidence: int = _setting(5, "Sentences that a verdict may rest on.")
    examples: Path = _setting(
        Path("data/local/averitec-train.json"),
        "Checked claims (AVeriTeC's train.json) shown to an LLM as examples, if there.",
    )
    vector_cache: int = _setting(
        500, "Most megabytes of text vectors kept in DATA, so that no text is embedded twice. 0: none."
    )
    chunk_length: int = _setting(2048, "Characters of a chunk, by recipe `aic`.")
    aic_pruned: int = _setting(6000, "Chunks that BM25 leaves to be embedded, by recipe `aic`.")
    aic_fetched: int = _setting(
        40, "Chunks nearest to the claim, from which the kept ones are chosen, by recipe `aic`."
    )
    aic_kept: int = _setting(10, "Chunks that are read for the verdict, by recipe `aic`.")
    aic_relevance: float = _setting(
        0.75, "Weight of relevance against novelty of a chunk (lambda of MMR), by recipe `aic`."
    )
    aic_neighbours: int = _setting(
        256, "Characters of the chunks before and after that an LLM is shown, by recipe `aic`."
    )
    aic_questions: int = _setting(10, "Questions that an LLM may ask and answer, by recipe `aic`.")
    aic_examples: int = _setting(10, "Checked claims shown to an LLM, by recipe `aic`.")
    fusion_pages: int = _setting(50, "Pages whose sentences are searched, by `rag_fusion` and `contextual`.")
    fusion_questions: int = _setting(3, "Questions asked about a claim, by `rag_fusion` and `contextual`.")
    fusion_answers: int = _setting(3, "Sentences kept for each question, by `rag_fusion` and `contextual`.")
    fusion_pairs: int = _setting(
        10, "Most question-answer pairs that a verdict rests on, by `rag_fusion` and `contextual`."
    )
    fusion_rank: int = _setting(60, "Constant of reciprocal rank fusion, by `rag_fusion` and `contextual`.")
    fusion_sufficiency: int = _setting(
        0, "1: ask first whether the evidence is enough, by `rag_fusion` and `contextual`."
    )
    fusion_verdict: str = _setting(
        "llm",
        "`llm` where one is set, `four` (one classifier of four labels) or `two` (supported or not, refuted or not).",
    )
    context_sentences: int = _setting(10, "Sentences a question that the reranker reads, by recipe `contextual`.")
    context_tokens: int = _setting(
        768, "Tokens of page text from which a sentence's context is written, by `contextual`."
    )
    context_order: str = _setting("after", "Contexts are written `after` or `before` the reranking, by `contextual`.")
    span_models: str = _setting(
        "en_core_web_sm", "Finds names and phrases of a claim, by recipe `esoteric`; several with commas between."
    )
    question_model: str = _setting("rules", "Asks for parts of a claim, by recipe `esoteric`.")
    question_encoder: str = _setting("minilm-l6-int8", "Vectors of questions, by recipe `esoteric`.")
    page_encoder: str = _setting("minilm-l6-int8", "Vectors of pages and passages, by recipe `esoteric`.")
    relevance_model: str = _setting(
        "esoteric-cross-encoder-int8", "Tells which sentences are relevant, by recipe `esoteric`."
    )
    similarity_model: str = _setting("minilm-l6-int8", "Orders relevant sentences, by recipe `esoteric`.")
    bracket_cutoff: float = _setting(
        0.0, "Least similarity of a title's bracket with the claim, 0 to 1, by recipe `esoteric`."
    )
    bracket_limit: int = _setting(20, "Pages kept whose title matches but for its bracket, by recipe `esoteric`.")
    text_matches: int = _setting(1000, "Pages found by the phrases in their text, by recipe `esoteric`.")
    encoded_pages: int = _setting(
        40, "Of these, those that get a vector where the corpus holds none: encoding takes time."
    )
    question_pages: int = _setting(10, "Pages that each question may bring, by recipe `esoteric`.")
    page_cutoff: float = _setting(0.65, "Least score of a page against its best question, 0 to 1.")
    encoded_sentences: int = _setting(60, "Sentences of the pages kept that are compared with the questions.")
    question_passages: int = _setting(30, "Sentences that the questions leave to the relevance model.")
    passage_cutoff: float = _setting(0.7, "Least score of a sentence against its best question, 0 to 1.")
    relevance_cutoff: float = _setting(0.5, "Least probability with which a sentence counts as relevant, 0 to 1.")
    similarity_cutoff: float = _setting(
        0.0, "Least cosine of a relevant sentence with the claim, 0 to 1. 0: none. The thesis, with mpnet: 0.7."
    )
    without: str = _setting("", "Steps that recipe `esoteric` leaves out, with commas between; for measurements.")
    conflicting_from: float = _setting(
        0.4,
        "How strong, 0 to 1, the weaker of a support and a refutation from different pages must be for a verdict of "
        "conflicting evidence. 0: there is no such verdict.",
    )
    abstain_below: float = _setting(
        0.0, "Confidence, 0 to 1, below which a check says that it is not sure. 0: it always decides."
    )
    upload_megabytes: int = _setting(
        20, "Most megabytes of documents that a person may upload at once to check claims against. 0: no uploads."
    )
    rate_limit: int = _setting(600, "Checks that one address may start in a minute. 0: as many as it likes.")
    llm_model: str = _setting("", "Language model that judges the evidence, as its server names it. Empty: none does.")
    llm_kind: str = _setting("openai", "How it is spoken to: `openai` (any server that is compatible) or `mistral`.")
    llm_url: str = _setting(
        "", "Address of its server, as http://127.0.0.1:11434/v1. Empty: Mistral's own, where LLM_KIND is `mistral`."
    )
    llm_key: str = _setting("", "Key that its server asks for. It is never logged, shown or exported.", secret=True)
    llm_seed: int = _setting(1, "Seed of its replies; their temperature is 0.")
    llm_timeout: int = _setting(60, "Seconds that one of its replies may take.")
    llm_seconds: int = _setting(180, "Seconds that all its replies to one claim may take, waiting included.")
    llm_tokens: int = _setting(30_000, "Tokens, read and written, that all its replies to one claim may take.")
    hub_folder: str = _setting("", "Folder of the models fetched from the hub. Empty: the hub's own cache.")
    hub_device: str = _setting("cpu", "What models from the hub compute on: `cpu` or `cuda`.")
    hub_download: int = _setting(0, "1: models from the hub are fetched when first needed, not by command alone.")
    hub_code: int = _setting(0, "1: models from the hub may run code of their own, as stella does.")
    trusted_hosts: str = _setting("", "Further host names, separated by commas, that the web application answers to.")
    elasticsearch_user: str = _setting(
        "", "Who logs in to Elasticsearch, where STORE names a server without saying it."
    )
    elasticsearch_password: str = _setting("", "The user's password.", secret=True)
    elasticsearch_api_key: str = _setting("", "API key for Elasticsearch, in place of user and password.", secret=True)
    elasticsearch_ca: str = _setting("", "File with the authority's certificate that Elasticsearch's was signed by.")
    elasticsearch_analyzer: str = _setting(
        "standard", "How a load makes words of text: `standard`, or `english` for stems."
    )
    elasticsearch_shards: int = _setting(1, "Parts that a load cuts the index into.")
    elasticsearch_replicas: int = _setting(0, "Copies of each shard once a load is complete.")
    elasticsearch_segments: int = _setting(
        5, "A load merges each shard to this many segments at its end: less disk, quicker answers. 0: it does not."
    )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """Read all settings. Raises SettingError, naming the variable, where a value does not fit."""
        values = {}
        for setting in fields(cls):
            raw = environment.get(setting.name.upper(), "")
            if raw != "":
                values[setting.name] = _read(setting.name.upper(), raw, type(setting.default))
        return cls(**values)

    def store_location(self) -> str:
        """Where the corpus is: STORE, or its place inside DATA."""
        return self.store or str(self.data / "store")


def _read(name: str, raw: str, kind: type) -> Any:
    if kind is int:
        if not re.fullmatch(r"[0-9]{1,9}", raw):
            raise SettingError(f"{name} is {raw[:40]!r}, which is not a whole number. Set it to a number of 0 or more.")
        return int(raw)
    if kind is float:
        if not re.fullmatch(r"[01]|1\.0{1,9}|0?\.[0-9]{1,9}", raw):
            raise SettingError(f"{name} is {raw[:40]!r}, which is no share. Set it to a number from 0 to 1, as 0.5.")
        return float(raw)
    return Path(raw) if issubclass(kind, Path) else raw


def settings_table() -> str:
    """All settings as a Markdown table; README holds it and a test compares."""
    rows = [
        f"| `{setting.name.upper()}` | {f'`{setting.default}`' if str(setting.default) else 'empty'} | {setting.metadata['help']} |"
        for setting in fields(Settings)
    ]
    return "\n".join(["| variable | default | what it is |", "|---|---|---|", *rows])
