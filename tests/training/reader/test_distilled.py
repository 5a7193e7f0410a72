"""Pairs that the reader labels for the small network."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from evaluation.fever.data import GoldClaim
from evaluation.kept_apart import is_kept_apart_claim
from retrieval.models.reader import OnnxReader
from retrieval.stores import open_store, open_writer
from retrieval.types import Label
from tests.making import make_page
from training.data.pairs import NEUTRAL, SUPPORTS, UNKNOWN, Pair, stance_target
from training.reader.distilled import exchanged_evidence, found_pairs, obvious, published_claims, teach

CLAIM = GoldClaim("1", "Oslo is the capital of Norway.", Label.SUPPORTED, ())


def test_what_search_finds_has_no_label_yet(tmp_path: Path) -> None:
    store = tmp_path / "corpus"
    with open_writer(str(store), "test") as writer:
        writer.add(
            [make_page("Oslo", "Oslo is the capital of Norway.", "It lies on a fjord."), make_page("Rome", "A city.")]
        )
        writer.finish("cities")
    pairs = list(found_pairs(open_store(str(store)), [CLAIM.text, "Zzz qqq."]))
    assert [pair.sentence for pair in pairs][:1] == ["Oslo : Oslo is the capital of Norway."]
    assert {pair.claim for pair in pairs} == {CLAIM.text}, "nothing is found for the other"
    assert all((pair.relevance, pair.stance, pair.taught) == (UNKNOWN, UNKNOWN, None) for pair in pairs)


def test_published_claims_come_once_and_without_those_kept_apart(tmp_path: Path) -> None:
    claims = [f"Claim {number} is true." for number in range(40)]
    folder = tmp_path / "training" / "nli"
    folder.mkdir(parents=True)
    with gzip.open(folder / "fever-train-nli.jsonl.gz", "wt") as file:
        file.write("\n".join(json.dumps({"claim": claim}) for claim in [*claims, *claims]))
    found = published_claims(tmp_path)
    assert found == [claim for claim in claims if not is_kept_apart_claim(claim)]
    assert 0 < len(found) < len(claims)


def test_claims_meet_the_sentences_of_other_claims_about_the_same(tmp_path: Path) -> None:
    given = [("a", "one"), ("a", "two"), ("b", "two"), ("b", "three"), ("c", "four")]
    rows = [{"claim": claim, "evidence": sentence, "label": "SUPPORTS"} for claim, sentence in given]
    folder = tmp_path / "training" / "nli"
    folder.mkdir(parents=True)
    with gzip.open(folder / "vitaminc-real.jsonl.gz", "wt") as file:
        file.write("\n".join(map(json.dumps, rows)))
    exchanged = [(pair.claim, pair.sentence) for pair in exchanged_evidence(tmp_path, [])]
    assert sorted(exchanged) == [("a", "three"), ("b", "one")]


def test_the_teacher_is_the_reader() -> None:
    open_, told = teach(
        [
            Pair(CLAIM.text, "Bergen : It rains there in autumn.", UNKNOWN, UNKNOWN),
            Pair(CLAIM.text, "Oslo : It is Norway's capital.", 1, NEUTRAL),
        ],
        OnnxReader(threads=1),
    )
    for pair in (open_, told):
        assert pair.taught is not None
        assert all(0 <= share <= 1 for share in pair.taught)
        assert abs(sum(pair.taught[1:]) - 1) < 1e-3
    assert stance_target(open_)[NEUTRAL] > 0.5, "it says that the sentence leaves the claim open"
    assert stance_target(told)[SUPPORTS] > 0.3, "and that the other one supports it, whatever gold says"
    assert (told.relevance, told.stance) == (1, NEUTRAL), "gold stays as it was"


def test_what_the_teacher_is_sure_is_beside_the_point_is_obvious() -> None:
    def taught(*shares: float) -> Pair:
        return Pair(CLAIM.text, "Oslo lies on a fjord.", UNKNOWN, UNKNOWN, taught=shares)

    assert obvious(taught(0.01, 0.01, 0.01, 0.98))
    assert not obvious(taught(0.03, 0.01, 0.01, 0.98)), "it may be relevant"
    assert not obvious(taught(0.01, 0.04, 0.0, 0.96)), "it may support the claim"
