"""The thesis's further figures: how the right pages were found, and size and position of the evidence shown."""

from __future__ import annotations

from collections import Counter
from statistics import fmean
from typing import Any

from evaluation.fever.scores import THESIS_PAGES, Pairs

Json = dict[str, Any]


def evidence_set_figures(pairs: Pairs) -> Json:
    """For verifiable claims; unknown figures are left out.

    hits_by_method: shares of the gold pages among the first 17, by how each was found; they sum to 1. page_position,
    passage_position: mean rank of gold pages among those 17, and of gold sentences among those shown.
    evidence_set_size: mean number of sentences shown, over claims with any.
    """
    methods: Counter[str] = Counter()
    page_places: list[int] = []
    passage_places: list[int] = []
    sizes: list[int] = []
    for claim, answer in pairs:
        if not claim.verifiable:
            continue
        pages = {page for page, _ in claim.pointers}
        right = [place for place, page in enumerate(answer.pages[:THESIS_PAGES]) if page in pages]
        page_places += [place + 1 for place in right]
        methods.update(answer.methods[place] for place in right if place < len(answer.methods))
        passage_places += [place for place, pointer in enumerate(answer.evidence, 1) if pointer in claim.pointers]
        sizes += [len(answer.evidence)] if answer.evidence else []
    total = sum(methods.values())
    figures: Json = {
        "hits_by_method": {name: round(count / total, 4) for name, count in methods.most_common()},
        "page_position": _mean(page_places),
        "passage_position": _mean(passage_places),
        "evidence_set_size": _mean(sizes),
    }
    return {name: value for name, value in figures.items() if value}


def _mean(values: list[int]) -> float | None:
    return round(fmean(values), 3) if values else None
