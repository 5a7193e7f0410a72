"""Measures the latency of a store and a recipe on claims made from the corpus itself.

Each kind of query runs for every claim in turn: once right after opening the store, with the caches of system and
server dropped as far as possible (cold), and once more (warm).
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from evaluation.metrics import percentiles
from evaluation.report.results_folder import Json
from retrieval.models.encoders import open_page_encoder
from retrieval.protocols import Encoder, PageStore
from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.stages.search import NAMED_PAGES
from retrieval.stores import open_store
from retrieval.stores.locations import on_server
from retrieval.text.ranking import title_spans
from retrieval.types import Claim, Page

CLAIM_WORDS = 12  # of a claim; FEVER's have about nine
SHORTEST_PHRASE = 6
SCORED_PAGES = 1_000  # pages whose vectors are compared
WARM_UP_RUNS = 5


def claims_of(store: PageStore, count: int) -> list[str]:
    """Claims about pages chosen by their digests, so the same for the same corpus: the beginnings of first sentences."""
    claims: list[str] = []
    for page in _pages(store):
        first = next(iter(page.sentences()), None)
        words = first.text.rstrip(" .").split()[:CLAIM_WORDS] if first else []
        if len(words) >= SHORTEST_PHRASE:
            claims.append(f"{' '.join(words)}.")
        if len(claims) == count:
            break
    return claims


def _pages(store: PageStore) -> Iterator[Page]:
    for batch in store.scan():
        yield from (page for _, page in batch)


def phrases_of(claim: str) -> list[str]:
    """Pairs of adjacent words: the one that names the page, and later ones, from rare to very frequent."""
    words = claim.rstrip(".").split()
    return [" ".join(words[first : first + 2]) for first in (0, 6, 8, 10) if first + 1 < len(words)]


def store_times(store: PageStore, location: str, claims: Sequence[str], encoder: Encoder | None) -> Json:
    """{question: {"cold"|"warm": {"p50", "p95"}}}, milliseconds."""
    questions: dict[str, Callable[[str], object]] = {
        "titles": lambda claim: store.find_titles(list(title_spans(claim)), NAMED_PAGES),
        "bm25": lambda claim: store.search_text(claim, top_k=20),
        "phrases": lambda claim: store.rank_text("", phrases_of(claim), top_k=1_000),
    }
    if encoder:
        ids = [page.id for page in itertools.islice(_pages(store), SCORED_PAGES)]
        vectors = dict(zip(claims, encoder.encode(claims), strict=True))
        questions["vectors"] = lambda claim: store.score_vectors(ids, vectors[claim][None])
    found: Json = {}
    for name, ask in questions.items():
        forget_cached(location)
        found[name] = {
            state: percentiles([_milliseconds(ask, claim) for claim in claims], 2) for state in ("cold", "warm")
        }
    return found


def recipe_times(settings: Settings, recipe: str, claims: Sequence[str]) -> Json:
    """{"cold"|"warm": {"p50", "p95"}, "stages": {stage: mean}}, milliseconds."""
    resources = Resources(settings)
    pipeline = resources.pipeline(recipe)
    for claim in claims[:WARM_UP_RUNS]:
        pipeline.run(Claim("warm", claim))
    forget_cached(settings.store_location())
    found: Json = {}
    for state in ("cold", "warm"):
        times, stages = [], dict[str, float]()
        for number, claim in enumerate(claims):
            began = time.perf_counter()
            check = pipeline.run(Claim(str(number), claim))
            times.append((time.perf_counter() - began) * 1000)
            for stage, spent in check.timings.items():
                stages[stage] = stages.get(stage, 0.0) + spent / len(claims)
        found[state] = percentiles(times, 2)
        found["stages"] = {stage: round(spent, 2) for stage, spent in stages.items()}
    return found


def forget_cached(location: str) -> None:
    """Drop a folder's files from the system's cache. A server's cache is out of reach: its cold means first."""
    if on_server(location):
        return
    for file in Path(location).rglob("*"):
        with suppress(OSError):
            descriptor = os.open(file, os.O_RDONLY)
            try:
                os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            finally:
                os.close(descriptor)


def _milliseconds(ask: Callable[[str], object], claim: str) -> float:
    began = time.perf_counter()
    ask(claim)
    return (time.perf_counter() - began) * 1000


def measure_latency(location: str, count: int, recipe: str, settings: Settings) -> Json:
    """{"claims", "pages", QUESTION: the store's times, "recipe": the recipe's times}. recipe: empty for none.

    Raises EsotericError.
    """
    store = open_store(location, settings)
    claims, encoder = claims_of(store, count), None
    if model := store.info().vector_model:
        encoder = open_page_encoder(model.partition("@")[0], settings)[0]
    found = {"claims": len(claims), "pages": store.count(), **store_times(store, location, claims, encoder)}
    if recipe:
        found["recipe"] = recipe_times(replace(settings, store=location), recipe, claims)
    return found
