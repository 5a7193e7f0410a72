"""The stage that compares two things."""

from __future__ import annotations

from dataclasses import replace

from retrieval.stages.ranking import SURE, CompareThings
from retrieval.types import RANKER, Claim, Evidence, FactCheck, Hit, Stance
from tests.making import make_page

PELL = make_page("Pell", "Pell is a peak.", "It is 6,096 m high.")
ORNA = make_page("Orna", "Orna is a peak in Varn.", "It rises 4,810 m above the sea.")


def check(claim: str) -> FactCheck:
    neutral = Stance(0.1, 0.1, 0.8)
    sentences = tuple(
        Evidence(page.sentences()[line], 0.5, neutral, "claim", rank_score=score, rank_method=RANKER)
        for page, line, score in ((ORNA, 0, 0.7), (PELL, 1, 0.2))
    )
    begun = FactCheck(claim=Claim("1", claim), recipe="careful")
    return replace(
        begun, pages=(Hit(PELL, 1.0, "text"), Hit(ORNA, 0.9, "text")), sentences=sentences, notes=("before",)
    )


def run(claim: str) -> FactCheck:
    return list(CompareThings().run(check(claim)))[-1].check


def test_both_sentences_come_first_on_their_side() -> None:
    done = run("Orna is higher than Pell.")
    assert [(e.sentence.title, e.sentence.line) for e in done.sentences] == [("Orna", 1), ("Pell", 1), ("Orna", 0)]
    assert all(e.weight == SURE and e.stance.refutes == SURE for e in done.sentences[:2])
    assert done.sentences[0].method == "comparison"
    assert done.sentences[1].method == "claim"
    assert done.notes == ("before", "Compared: Orna: 4,810 m; Pell: 6,096 m.")


def test_any_other_claim_passes_as_it_is() -> None:
    assert run("Orna is a peak.") == check("Orna is a peak.")
