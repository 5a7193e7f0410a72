"""Figures of the shipped models on the sample, for their cards; a test recomputes and compares them. The data are
fixed: the sample's claims, each with its gold sentences and the five others that share most of its rare words. Neither
search nor a model chooses them, so figures change only with the weights.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from evaluation.extraction.sample import sample_figures
from evaluation.fever.data import FEVER_NAMES, GoldClaim, pointer_to, read_claims
from evaluation.metrics import Score, mean_score
from evaluation.report.blocks import heads, marks, row, write_block
from evaluation.stance.run import NEUTRAL, SUPPORTS, strongest
from retrieval.errors import CorpusError
from retrieval.models import catalogue
from retrieval.models.fitted.four_labels import FourLabels
from retrieval.models.fitted.ranker import SentenceRanker
from retrieval.models.fitted.verdict import LocalVerdict
from retrieval.models.onnx import OnnxEncoder, OnnxPairScorer
from retrieval.models.pair_scorers import judge_texts
from retrieval.protocols import Encoder, PageStore
from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.text.sentences import with_title
from retrieval.text.words import content_words
from retrieval.types import Evidence, Label, Sentence, Stance

SAMPLE = Path(__file__).resolve().parents[2] / "data" / "sample"
NEAR_SENTENCES = 5
CARD_BLOCK = "figures"
CARD_MODELS = {
    model.role: model
    for model in (
        catalogue.CROSS_ENCODER, catalogue.ENCODER, catalogue.RANKER, catalogue.VERDICT, catalogue.FOUR_LABELS,
        catalogue.CHECKWORTHY, catalogue.COREFERENCE,
    )
}  # fmt: skip
MEANINGS = {
    "relevance_order": "gold sentence above another one of its claim, share of such pairs, mean over claims",
    "evidence_first": "claims whose first sentence is gold",
    "stance_accuracy": "stance of gold and near sentences, three labels, near ones taken for neutral",
    "two_way_accuracy": "stance of gold sentences that decide alone, support against refutation",
    "gold_within_five": "claims with a gold sentence among the five of the sample with the nearest vectors",
    "reciprocal_rank": "one over the rank of the first gold sentence among all of the sample, mean",
    "label_accuracy": "right labels, gold and near sentences given",
    "right_probability": "probability given to the right label, mean",
    "f1": "sentences of the three articles, worth checking or not",
    "average_precision": "the same sentences, by their score; what a form like a question decides comes last",
    "stands_alone": "sentences worth checking that read alone exactly as a person wrote them",
}

Figures = dict[str, Score]


@dataclass(frozen=True)
class Judged:
    """A claim with its candidate sentences, and the cross-encoder's output for each and for all together."""

    claim: GoldClaim
    sentences: tuple[Sentence, ...]
    relevances: tuple[float, ...]
    stances: tuple[Stance, ...]
    together: Stance

    @cached_property
    def gold(self) -> list[bool]:
        """Whether each sentence is in a gold group."""
        return [pointer_to(sentence) in self.claim.pointers for sentence in self.sentences]

    @property
    def order(self) -> list[int]:
        """The sentences by relevance, most relevant first."""
        return sorted(range(len(self.sentences)), key=lambda row: -self.relevances[row])

    @cached_property
    def alone(self) -> list[bool]:
        """Whether each sentence is a gold group by itself."""
        return [frozenset({pointer_to(sentence)}) in self.claim.evidence for sentence in self.sentences]


def measure_cards(store: PageStore, threads: int = 0) -> dict[str, Figures]:
    """Model -> figures. store: the sample corpus. Raises CorpusError for any other."""
    claims = [claim for name in ("claims", "adversarial") for claim in read_claims(SAMPLE / f"{name}.jsonl")]
    sentences = sample_sentences(store)
    judged, encoder = judge_claims(OnnxPairScorer(threads=threads), claims, sentences), OnnxEncoder(threads=threads)
    return {
        "cross_encoder": cross_encoder_figures(judged),
        "encoder": encoder_figures(encoder, claims, sentences),
        "ranker": ranker_figures(SentenceRanker(), judged),
        "verdict": verdict_figures(LocalVerdict(), judged),
        "four_labels": four_label_figures(FourLabels(), encoder, judged),
        **sample_figures(Resources(Settings(threads=threads)).claim_finder(), SAMPLE / "texts"),
    }


def sample_sentences(store: PageStore) -> list[Sentence]:
    """All sentences of the sample, in the order of its pages."""
    with open(SAMPLE / "wiki-001.jsonl", encoding="utf-8") as lines:
        ids = [id for id in (json.loads(line)["id"] for line in lines) if id]
    pages = store.get(ids)
    if len(pages) < len(ids):
        raise CorpusError("The corpus is not the sample. Load data/sample/wiki-001.jsonl and name it with `--store`.")
    return [sentence for id in ids for sentence in pages[id].sentences()]


def judge_claims(scorer: OnnxPairScorer, claims: Sequence[GoldClaim], sentences: Sequence[Sentence]) -> list[Judged]:
    """Every claim with its gold sentences and the `NEAR_SENTENCES` others that share most of its rare words."""
    words = [content_words(with_title(sentence)) for sentence in sentences]
    weights = rarity(words)
    judged = []
    for claim in claims:
        claim_words = content_words(claim.text)
        shared = [sum(sorted(weights[word] for word in claim_words & found)) for found in words]
        order = sorted(range(len(sentences)), key=lambda row: (-shared[row], row))
        near = [row for row in order if pointer_to(sentences[row]) not in claim.pointers][:NEAR_SENTENCES]
        rows = [row for row, sentence in enumerate(sentences) if pointer_to(sentence) in claim.pointers] + near
        judged.append(_judge(scorer, claim, tuple(sentences[row] for row in rows)))
    return judged


def rarity(texts: Sequence[frozenset[str]]) -> dict[str, float]:
    """Each word's weight: log of the inverse share of texts that contain it (Sparck Jones 1972)."""
    counts = Counter(word for words in texts for word in words)
    return {word: math.log(len(texts) / count) for word, count in counts.items()}


def _judge(scorer: OnnxPairScorer, claim: GoldClaim, sentences: tuple[Sentence, ...]) -> Judged:
    texts = [with_title(s) for s in sentences]
    relevance, stance = judge_texts(scorer, claim.text, texts)
    best = sorted(range(len(texts)), key=lambda row: -relevance[row])
    together = scorer.judge_together(claim.text, [texts[row] for row in best])
    return Judged(claim, sentences, tuple(relevance), tuple(stance), together)


def cross_encoder_figures(judged: Sequence[Judged]) -> Figures:
    """relevance_order, stance_accuracy and two_way_accuracy, as `MEANINGS` defines them."""
    orders, three, two = [], [], []
    for one in judged:
        gold = [score for score, is_gold in zip(one.relevances, one.gold, strict=True) if is_gold]
        other = [score for score, is_gold in zip(one.relevances, one.gold, strict=True) if not is_gold]
        if gold:
            orders.append(float(np.mean(np.greater.outer(gold, other))))
        label = FEVER_NAMES[one.claim.label]
        for stance, is_gold, alone in zip(one.stances, one.gold, one.alone, strict=True):
            if alone:
                two.append(float((stance.supports > stance.refutes) == (label == SUPPORTS)))
            if alone or not is_gold:  # a part of a gold group has no known stance
                three.append(float(strongest(stance) == (label if alone else NEUTRAL)))
    named = {"relevance_order": orders, "stance_accuracy": three, "two_way_accuracy": two}
    return {name: mean_score(values) for name, values in named.items()}


def ranker_figures(model: SentenceRanker, judged: Sequence[Judged]) -> Figures:
    """relevance_order and evidence_first; pages in the order of their most relevant sentence, no second hop."""
    orders, firsts = [], []
    for one in judged:
        if not any(one.gold):
            continue
        rows = one.order
        scored = [Evidence(one.sentences[row], one.relevances[row], one.stances[row], "claim") for row in rows]
        pages = list(dict.fromkeys(evidence.sentence.page_id for evidence in scored))
        shares = np.array(model.probabilities(one.claim.text, scored, pages))
        gold = np.array([one.gold[row] for row in rows])
        orders.append(float(np.mean(np.greater.outer(shares[gold], shares[~gold]))))
        firsts.append(float(gold[shares.argmax()]))
    return {"relevance_order": mean_score(orders), "evidence_first": mean_score(firsts)}


def encoder_figures(encoder: OnnxEncoder, claims: Sequence[GoldClaim], sentences: Sequence[Sentence]) -> Figures:
    """gold_within_five and reciprocal_rank over the claims that have gold."""
    verifiable = [claim for claim in claims if claim.verifiable]
    texts = encoder.encode([with_title(sentence) for sentence in sentences])
    order = np.argsort(-(encoder.encode([claim.text for claim in verifiable]) @ texts.T), axis=1, kind="stable")
    ranks = [
        next(rank for rank, row in enumerate(rows, 1) if pointer_to(sentences[row]) in claim.pointers)
        for claim, rows in zip(verifiable, order, strict=True)
    ]
    return {
        "gold_within_five": mean_score([float(rank <= NEAR_SENTENCES) for rank in ranks]),
        "reciprocal_rank": mean_score([1 / rank for rank in ranks]),
    }


def verdict_figures(model: LocalVerdict, judged: Sequence[Judged]) -> Figures:
    """label_accuracy and right_probability, the sentences in order of relevance."""
    found = []
    for one in judged:
        relevances, stances = zip(*((one.relevances[row], one.stances[row]) for row in one.order), strict=True)
        found.append(model.probabilities(relevances, stances, one.together))
    return _label_figures(judged, found)


def four_label_figures(model: FourLabels, encoder: Encoder, judged: Sequence[Judged]) -> Figures:
    """label_accuracy and right_probability, each sentence an answer without a question."""
    found = []
    for one in judged:
        pairs = [("", sentence.text) for sentence in one.sentences]
        found.append(model.probabilities(one.claim.text, pairs, one.relevances, one.stances, encoder))
    return _label_figures(judged, found)


def _label_figures(judged: Sequence[Judged], found: Sequence[Mapping[Label, float]]) -> Figures:
    """found: the probabilities of each claim's labels."""
    gold = [one.claim.label for one in judged]
    right = [float(max(shares, key=shares.__getitem__) == label) for shares, label in zip(found, gold, strict=True)]
    of_gold = [shares[label] for shares, label in zip(found, gold, strict=True)]
    return {"label_accuracy": mean_score(right), "right_probability": mean_score(of_gold)}


def card_block(model: catalogue.Model, figures: Mapping[str, Score]) -> str:
    """The generated block of a model's card."""
    lines = heads("on the sample's claims", "value", "n", "what it is")
    for name, score in figures.items():
        interval = f"[{_share(score.low)}, {_share(score.high)}]"
        lines.append(row(f"`{name}`", f"{_share(score.value)} {interval}", f"{score.n:,}", MEANINGS[name]))
    files = "; ".join(f"`{file.name}` `{file.sha256}`" for file in model.files)
    size = f", {model.megabytes:g} MB" if model.megabytes else ""
    lines += ["", f"`{model.id}`{size}. sha256: {files}. Measured by `make cards`."]
    return "\n".join(lines)


def _share(value: float) -> str:
    return f"{value:.4f}".removeprefix("0")


def read_card(text: str) -> dict[str, float]:
    """The figures of a card, by name; empty if it has none."""
    block = text.partition(marks(CARD_BLOCK)[0])[2].partition(marks(CARD_BLOCK)[1])[0]
    return {name: float(value) for name, value in re.findall(r"^\| `(\w+)` \| (\d?\.\d+) \[", block, re.MULTILINE)}


def write_cards(folder: Path, measured: Mapping[str, Figures]) -> None:
    """Write the figures into the cards of `folder`. Raises SettingError if a card or its marks are missing."""
    for name, figures in measured.items():
        write_block(folder / f"{name}.md", CARD_BLOCK, card_block(CARD_MODELS[name], figures))
