"""Everyday claims, each with a sentence of the corpus that says the same as its explanation.

CREAK's claims come with an annotator's explanation, which seldom reads like an encyclopedia. A sentence that search
finds and that supports the explanation is closer to the evidence that the program reads: pages decide in passing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple
from itertools import islice
from pathlib import Path
from typing import Any

from evaluation.fever.data import LABELS, GoldClaim, pointer_to
from evaluation.held_out import is_held_out_claim
from retrieval.models.pair_scorers import judge_texts
from retrieval.protocols import PageStore, PairScorer
from retrieval.text.sentences import with_title
from retrieval.text.titles import fold
from retrieval.text.words import content_words
from retrieval.types import Sentence
from training.data.found import first_hits
from training.data.pairs import STANCES, json_rows

FILES = ("creak-explanations", "truthfulqa-misconceptions", "strategyqa-facts")
READ_SENTENCES = 3  # sentences of a claim
SAYS_FROM = 0.7  # least support of the explanation by the sentence
LABEL_FROM = 0.1  # least probability of the claim's label given the sentence; below, it mostly says something else


def placed_everyday(store: PageStore, scorer: PairScorer, data: Path) -> list[GoldClaim]:
    """The held-out claims, each with the sentence that was found for it."""
    return [
        GoldClaim(
            f"everyday-{number}",
            row["claim"],
            LABELS[row["label"]],
            (frozenset({pointer_to(sentence)}),),
            natural=False,
        )
        for number, (row, sentence) in enumerate(_placed(store, scorer, data))
    ]


def _placed(store: PageStore, scorer: PairScorer, data: Path) -> Iterator[tuple[dict[str, Any], Sentence]]:
    for name in FILES:
        path = data / "training" / "everyday-pairs" / f"{name}.jsonl.gz"
        for row in json_rows(path):
            if is_held_out_claim(row["claim"]) and (sentence := _deciding(store, scorer, row)):
                yield row, sentence


def _deciding(store: PageStore, scorer: PairScorer, row: dict[str, Any]) -> Sentence | None:
    likely = list(islice(_likely(store, row), READ_SENTENCES))
    if not likely:
        return None
    _, stances = judge_texts(scorer, row["evidence"], [with_title(sentence) for sentence in likely])
    best, stance = max(zip(likely, stances, strict=True), key=lambda one: one[1].supports)
    if stance.supports < SAYS_FROM:
        return None
    _, (read,) = judge_texts(scorer, row["claim"], [with_title(best)])
    return best if astuple(read)[STANCES[row["label"]]] >= LABEL_FROM else None


def _likely(store: PageStore, row: dict[str, Any]) -> Iterator[Sentence]:
    """Sentences that share words with the explanation but not with the claim, those with most such words first."""
    title, claim = row.get("title") or "", content_words(row["claim"])
    explained = content_words(row["evidence"]) - claim - content_words(title)
    found: list[tuple[int, int, Sentence]] = []
    for hit in first_hits(store, row["claim"]):
        about = fold(hit.page.title) == fold(title)
        for sentence in hit.page.sentences():
            words = content_words(sentence.text)
            shared = len(explained & words)
            if shared > (not about) and claim & (words | content_words(sentence.title)):
                found.append((shared + about, -len(found), sentence))
    return (sentence for *_, sentence in sorted(found, key=lambda one: one[:2], reverse=True))
