"""Compares page encoders: how well they rank a claim's candidate pages, and how long they take.

For each claim the candidates are the best pages by BM25; an encoder orders them by the cosine of their vectors, as a
store holds them (bytes), with the claim's. BM25's order is shown for comparison. Claims without gold pages among the
candidates do not count.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.fever.data import GoldClaim
from evaluation.metrics import mean, resample
from retrieval.errors import CorpusError
from retrieval.protocols import Encoder, PageStore
from retrieval.stores.vectors import cosines, page_vectors, quantised
from retrieval.types import Page

CANDIDATES = 30
PAGES_OF_WIKIPEDIA = 5_416_537  # FEVER's
CORES = 2
Json = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """A claim, its candidates by BM25, and which of them are gold."""

    claim: str
    pages: tuple[Page, ...]
    gold: frozenset[str]


def find_cases(claims: Sequence[GoldClaim], store: PageStore, limit: int) -> list[Case]:
    """The first `limit` claims that can be judged. Raises CorpusError if there is none."""
    cases: list[Case] = []
    for claim in claims:
        if claim.verifiable and len(cases) < limit:
            pages = tuple(page for page, _ in store.search_text(claim.text, top_k=CANDIDATES))
            gold = frozenset(page for group in claim.evidence for page, _ in group) & {page.id for page in pages}
            if gold and len(gold) < len(pages):
                cases.append(Case(claim.text, pages, gold))
    if not cases:
        raise CorpusError("No claim's gold page was found among its candidates. Name claims of this corpus.")
    return cases


def compare_encoders(cases: Sequence[Case], encoders: Mapping[str, Callable[[], Encoder]]) -> Json:
    """{"claims", "candidates", "models": {name: {"mrr", "recall@1", "recall@5", "pages_per_s", "hours"}}}.

    pages_per_s: per second of one core's time, so that other load does not count. hours: for a whole Wikipedia on two
    cores, without reading and writing. BM25 has neither.
    """
    rows: Json = {"BM25 alone": _scores(cases, [list(range(len(case.pages))) for case in cases])}
    pages = {page.id: page for case in cases for page in case.pages}
    for name, open_encoder in encoders.items():
        encoder = open_encoder()
        began = time.process_time()
        vectors = quantised(page_vectors(encoder, list(pages.values())))
        rate = len(pages) / (time.process_time() - began)
        rows[name] = {**_scores(cases, _orders(cases, encoder, dict(zip(pages, vectors, strict=True))))}
        rows[name] |= {"pages_per_s": round(rate, 1), "hours": round(PAGES_OF_WIKIPEDIA / rate / CORES / 3600, 2)}
    return {"claims": len(cases), "candidates": CANDIDATES, "pages": len(pages), "models": rows}


def _orders(cases: Sequence[Case], encoder: Encoder, vectors: Mapping[str, Any]) -> list[list[int]]:
    queries = quantised(encoder.encode([case.claim for case in cases]))
    orders = []
    for case, query in zip(cases, queries, strict=True):
        scores = cosines(np.stack([vectors[page.id] for page in case.pages]), query[None])[:, 0]
        orders.append(np.argsort(-scores, kind="stable").tolist())
    return orders


def _scores(cases: Sequence[Case], orders: Sequence[Sequence[int]]) -> Json:
    places = [
        next(place for place, row in enumerate(order, 1) if case.pages[row].id in case.gold)
        for case, order in zip(cases, orders, strict=True)
    ]
    measures = {"mrr": mean([1 / place for place in places])}
    measures |= {f"recall@{top}": mean([float(place <= top) for place in places]) for top in (1, 5)}
    samples = resample(measures)
    scores = {name: measure.score(samples[name]) for name, measure in measures.items()}
    return {name: score.as_json() for name, score in scores.items() if score}


def encoders_table(found: Mapping[str, Any]) -> str:
    """The comparison as a Markdown table."""
    lines = [
        "| order of the candidates by | MRR | gold page first | gold page in 5 | pages a second and core | hours for 5.4 M pages, 2 cores |",
        "|---|---|---|---|---|---|",
    ]
    for name, row in found["models"].items():
        figures = [_cell(row[figure]) for figure in ("mrr", "recall@1", "recall@5")]
        speed = [f"{row['pages_per_s']:,.0f}", f"{row['hours']:,.1f}"] if "hours" in row else ["", ""]
        lines.append(f"| {' | '.join([name, *figures, *speed])} |")
    lines += ["", f"{found['claims']} claims, {found['candidates']} candidates each by BM25, {found['pages']:,} pages. "
              "In brackets: 95 % bootstrap intervals."]  # fmt: skip
    return "\n".join(lines)


def _cell(score: Mapping[str, float]) -> str:
    return f"{score['value']:.3f} [{score['low']:.3f}, {score['high']:.3f}]"
