"""Claims with a detail that the sentence leaves out."""

from __future__ import annotations

import random

from retrieval.types import Sentence
from training.data.made.details import detail_pairs, without_detail
from training.data.made.twins import Named
from training.data.pairs import NEUTRAL, REFUTES, SUPPORTS, UNKNOWN


def named(text: str, *names: tuple[str, str]) -> Named:
    spans = tuple((text.index(name), text.index(name) + len(name), kind) for name, kind in names)
    return Named(Sentence("p", "Mira Holt", 0, 0, len(text), text), spans)


FULL = named("She opened her first workshop in Varna, and sold it later.", ("Varna", "GPE"))
OTHER = named("He was a painter of small harbours from Odense.", ("Odense", "GPE"))


def test_a_detail_goes_with_the_word_that_leads_to_it() -> None:
    found = without_detail(FULL, random.Random(0))
    assert found
    assert found[0] == "She opened her first workshop, and sold it later."


def test_a_name_without_such_a_word_or_of_the_page_itself_or_that_leaves_too_little_stays() -> None:
    assert without_detail(named("Varna is a city on the Black Sea.", ("Varna", "GPE")), random.Random(0)) is None
    assert without_detail(named("A street was named for Mira Holt.", ("Mira Holt", "PERSON")), random.Random(0)) is None
    assert without_detail(named("He died in Varna.", ("Varna", "GPE")), random.Random(0)) is None


def test_the_longer_claim_is_open_beside_the_shorter_sentence_and_decided_beside_its_own() -> None:
    pairs = list(detail_pairs([FULL, OTHER], random.Random(1)))
    beside_full = {p.claim: p.stance for p in pairs if "Varna" in p.sentence}
    beside_short = {p.claim: p for p in pairs if p.sentence.endswith("workshop, and sold it later.")}
    long, short = (
        "Mira Holt opened her first workshop in Varna, and sold it later.",
        "Mira Holt opened her first workshop",
    )
    assert beside_full[long] == SUPPORTS
    assert (beside_short[long].stance, beside_short[long].relevance) == (NEUTRAL, UNKNOWN)
    assert beside_full[f"{short}, and sold it later."] == SUPPORTS
    changed = {claim for claim in beside_full if claim.startswith(f"{short} in Odense")}
    for claim in changed:
        assert (beside_full[claim], beside_short[claim].stance) == (REFUTES, NEUTRAL)
    assert {pair.stance for pair in pairs} >= {SUPPORTS, NEUTRAL}
