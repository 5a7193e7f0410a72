"""Pairs about kinship, roles and two pages compared."""

from __future__ import annotations

import random

from tests.making import make_page
from training.data.made.compared import compared_pairs
from training.data.made.relations import kin_pairs, role_pairs
from training.data.pairs import REFUTES, SUPPORTS, UNKNOWN, Pair


def claims(pairs: list[Pair], stance: int) -> set[str]:
    return {pair.claim for pair in pairs if pair.stance == stance}


def test_a_daughter_is_no_mother_and_no_sister() -> None:
    page = make_page("Orna Varn", "Orna Varn was the youngest daughter of King Pell Varn, a sailor.")
    pairs = list(kin_pairs(page.sentences(), random.Random(1)))
    assert claims(pairs, SUPPORTS) <= {
        "Orna Varn was Pell Varn's daughter.",
        "Orna Varn was the daughter of Pell Varn.",
        "Pell Varn was Orna Varn's parent.",
        "Pell Varn was the parent of Orna Varn.",
    }
    refuted = claims(pairs, REFUTES)
    assert any(claim.startswith("Pell Varn") and "daughter" in claim for claim in refuted)
    assert any(kin in claim for claim in refuted for kin in ("sister", "mother", "wife", "aunt"))
    assert all(pair.sentence.startswith("Orna Varn : ") and pair.relevance == 1 for pair in pairs)


def test_who_was_taught_did_not_teach() -> None:
    page = make_page("Orna Varn", "She was a student of Ilse Brandt.")
    pairs = list(kin_pairs(page.sentences(), random.Random(1)))
    assert "Orna Varn was taught by Ilse Brandt." in claims(pairs, SUPPORTS)
    assert "Ilse Brandt was taught by Orna Varn." in claims(pairs, REFUTES)


def test_sentences_about_others_make_no_pairs() -> None:
    page = make_page(
        "Amber Bridge", "Its builder was the son of Pell Varn.", "It is named after the president of Norland."
    )
    assert not list(kin_pairs(page.sentences(), random.Random(1)))
    assert not list(role_pairs(page.sentences(), random.Random(1)))


def test_one_role_in_a_band_excludes_another() -> None:
    page = make_page("Orna Varn", "She is best known as the lead vocalist of the rock band Blue Otters.")
    supported, refuted = (
        claims(list(role_pairs(page.sentences(), random.Random(2))), side) for side in (SUPPORTS, REFUTES)
    )
    assert len(supported) == len(refuted) == 1
    assert "vocalist" in next(iter(supported))
    assert "Blue Otters" in next(iter(refuted))
    assert not {"vocalist", "singer"} & set(next(iter(refuted)).rstrip(".").split()), "a vocalist is a singer"


def test_one_office_of_a_place_excludes_another() -> None:
    page = make_page("Orna Varn", "Orna Varn served as the fourth president of Norland.")
    pairs = list(role_pairs(page.sentences(), random.Random(2)))
    assert claims(pairs, SUPPORTS) == {"Orna Varn was president of Norland."}
    assert "president of" not in next(iter(claims(pairs, REFUTES))).replace("vice president", "")


def test_two_pages_are_compared_by_what_their_first_sentences_say() -> None:
    pages = [
        make_page("Orna Varn", "Orna Varn (born 4 May 1901) is a Danish painter."),
        make_page("Pell Ask", "Pell Ask (born 9 June 1950) is a Swedish painter."),
        make_page("Blue Otters", "Blue Otters is a 1960 comedy film directed by Ilse Brandt."),
        make_page("Red Herons", "Red Herons is a 1990 drama film directed by Tom Arve."),
        make_page("Varn Works", "Varn Works is a company founded in 1930."),
        make_page("Ask Works", "Ask Works is a company founded in 1890."),
    ]
    found = [pair for seed in range(60) for pair in compared_pairs(pages, 50, random.Random(seed))]
    assert all(pair.relevance == UNKNOWN and pair.sentence.count("\n") == 1 for pair in found)
    supported, refuted = claims(found, SUPPORTS), claims(found, REFUTES)
    assert not supported & refuted
    assert {"Orna Varn was born before Pell Ask.", "Ask Works was founded before Varn Works."} <= supported
    assert {"Pell Ask was born before Orna Varn.", "Varn Works is older than Ask Works."} <= refuted
    assert "Blue Otters and Red Herons had the same director." in refuted
