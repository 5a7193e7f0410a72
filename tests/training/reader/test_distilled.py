"""Pairs that the reader labels for the small network."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

from evaluation.fever.data import GoldClaim
from retrieval.models.onnx import OnnxPairScorer
from retrieval.models.reader import OnnxReader
from retrieval.types import Label
from tests.making import make_page
from training.data.found import Found
from training.data.pairs import NEUTRAL, SUPPORTS, UNKNOWN, Pair, stance_target
from training.reader.distilled import OF_A_CLAIM, exchanged_evidence, found_pairs, teach

CLAIM = GoldClaim("1", "Oslo is the capital of Norway.", Label.SUPPORTED, ())


def test_what_search_finds_has_no_label_yet() -> None:
    sentences = tuple(make_page("Oslo", *(f"Sentence {number}." for number in range(9))).sentences())
    pairs = list(found_pairs([Found(CLAIM, (), sentences, {}), Found(CLAIM, (), (), {})], random.Random(0)))
    assert len({pair.sentence for pair in pairs}) == OF_A_CLAIM
    assert all((pair.relevance, pair.stance, pair.taught) == (UNKNOWN, UNKNOWN, None) for pair in pairs)
    assert pairs[0].sentence.startswith("Oslo : Sentence")


def test_claims_meet_the_sentences_of_other_claims_about_the_same(tmp_path: Path) -> None:
    given = [("a", "one"), ("a", "two"), ("b", "two"), ("b", "three"), ("c", "four")]
    rows = [{"claim": claim, "evidence": sentence, "label": "SUPPORTS"} for claim, sentence in given]
    folder = tmp_path / "training" / "nli"
    folder.mkdir(parents=True)
    with gzip.open(folder / "vitaminc-real.jsonl.gz", "wt") as file:
        file.write("\n".join(map(json.dumps, rows)))
    exchanged = [(pair.claim, pair.sentence) for pair in exchanged_evidence(tmp_path, [])]
    assert sorted(exchanged) == [("a", "three"), ("b", "one")]


def test_the_teacher_is_both_networks() -> None:
    open_, told = teach(
        [
            Pair(CLAIM.text, "Oslo : Oslo lies on a fjord.", UNKNOWN, UNKNOWN),
            Pair(CLAIM.text, "Oslo : It is Norway's capital.", 1, NEUTRAL),
        ],
        OnnxPairScorer(threads=1),
        OnnxReader(threads=1),
    )
    for pair in (open_, told):
        assert pair.taught is not None
        assert all(0 <= share <= 1 for share in pair.taught)
        assert abs(sum(pair.taught[1:]) - 1) < 1e-3
    assert stance_target(open_)[NEUTRAL] > 0.5, "both say that the sentence leaves the claim open"
    assert stance_target(told)[SUPPORTS] > 0.3, "and that the other one supports it, whatever gold says"
    assert (told.relevance, told.stance) == (1, NEUTRAL), "gold stays as it was"
