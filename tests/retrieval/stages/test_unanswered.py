"""Sentences that do not speak of what the claim asks."""

from __future__ import annotations

import pytest

from retrieval.stages.comparing.silencing import RULED_WEIGHT
from retrieval.stages.comparing.unanswered import unless_unanswered
from retrieval.types import RANKER, Claim, Evidence, FactCheck, Stance
from tests.making import make_page

FOR, AGAINST = Stance(0.8, 0.1, 0.1), Stance(0.1, 0.8, 0.1)


@pytest.mark.parametrize(
    ("claim", "sentence", "stance", "counts"),
    [
        ("Ada Holm died in Norway.", "Ada Holm (1870 – 1931) was a Norwegian-born chemist.", FOR, False),
        ("Ada Holm died in Norway.", "Until her death, she lived in Oslo.", FOR, True),
        ("Ada Holm died in Norway.", "She was raised in Orland.", AGAINST, False),
        ("Ada Holm died on Orn.", "Ada Holm was the owner of all land.", AGAINST, False),
        ("Ada Holm died of old age.", "Ada Holm (1870 – 1931) was a chemist.", FOR, False),
        ("Ada Holm died of old age.", "She was executed in Oslo.", AGAINST, True),
        ("Ada Holm was born in what is now Varn.", "Ada Holm was an Orlish chemist.", AGAINST, False),
        ("Ada Holm was born in what is now Varn.", "She was born in Orland.", AGAINST, True),
        ("Ada Holm died in 1931.", "Ada Holm (1870 – 1931) was a chemist.", FOR, True),
        ("Ada Holm died in May.", "Ada Holm (2 June 1870 – 5 May 1931) was a chemist.", FOR, True),
        ("Ada Holm is dead.", "Ada Holm was a chemist.", AGAINST, False),
        ("Ada Holm is dead.", "Ada Holm (2 June 1870 – 5 May 1931) was a chemist.", FOR, True),
        ("Ada Holm is dead.", "Holm died in Oslo.", FOR, True),
        ("All of the band are dead.", "Ada Holm sings.", AGAINST, True),
        ("The Old Mill is in Texas.", "The Old Mill is a house in the United States.", AGAINST, False),
        ("The Old Mill is in Texas.", "The Old Mill is a house in Ohio, United States.", AGAINST, True),
        ("The Old Mill is in Texas.", "The Old Mill is a house in France.", AGAINST, True),
        ("Varn is bigger than Orland.", "Its small border with Orland is the longest of all.", AGAINST, False),
        ("Varn is bigger than Orland.", "Varn is the largest of the three lands.", FOR, True),
        ("Varn is bigger than Orland.", "Varn covers 300 km2.", FOR, True),
        ("Orna is higher than Pell.", "Orna is the second-highest peak of Varn.", FOR, True),
        ("Varn is a land.", "Its border is long.", FOR, True),
        ("An orn is bigger than a pell.", "It is slightly larger than a dall.", AGAINST, False),
        ("An orn is bigger than a pell.", "It is slightly larger than an orn.", AGAINST, True),
        ("Orns grow in Norway.", "It was first domesticated in the Andes.", AGAINST, False),
        ("Orns grow in Norway.", "It grows in the Andes alone.", AGAINST, True),
        ("The Orn flows through Pell.", "The Orn is a river in Varn.", AGAINST, False),
        ("The Orn flows through Pell.", "The Orn flows through Varn.", AGAINST, True),
        ("The gopak comes from Norway.", "It is popular in Norway and is performed by many.", FOR, False),
        ("The gopak comes from Norway.", "Popular today, it originated in Norway.", FOR, True),
        ("Odra won nine medals.", "Nominated for nine medals, it won one.", FOR, False),
        ("Odra won nine medals.", "It was nominated for ten medals and won nine.", FOR, True),
        ("Odra was nominated for nine medals.", "Nominated for nine medals, it won one.", FOR, True),
        ("The currency of Norway is the orn.", "The most common currency is the orn.", FOR, False),
        ("Orns eat almost only grass.", "Orns will occasionally eat mice.", AGAINST, False),
        ("Orns eat almost only grass.", "Orns never eat grass.", AGAINST, True),
        ("Ada Holm was brought up by her aunt.", "Her aunt was the poet Ane Holm.", FOR, False),
        ("Ada Holm was brought up by her aunt.", "She was raised by her aunt.", FOR, True),
        ("Orns eat only grass.", "Orns will occasionally eat mice.", AGAINST, True),
        ("Norway's currency is the orn.", "The orn is the currency of Norway.", FOR, True),
    ],
)
def test_it_takes_no_side(claim: str, sentence: str, stance: Stance, counts: bool) -> None:
    (said,) = make_page("A page", sentence).sentences()
    known = Evidence(said, 0.9, stance, "claim", rank_score=0.9, rank_method=RANKER)
    (found,) = unless_unanswered(FactCheck(Claim("1", claim), "careful", sentences=(known,))).sentences
    assert found == known if counts else found.stance.neutral == RULED_WEIGHT


@pytest.mark.parametrize(
    ("claim", "counts"),
    [("Gulls are birds.", False), ("gulls can swim", False), ("Gulls are films.", True), ("Gulls was a hit.", True)],
)
def test_a_film_says_nothing_of_what_it_is_called_after(claim: str, counts: bool) -> None:
    (said,) = make_page("Gulls (1992 film)", "Gulls is a comedy.").sentences()
    known = Evidence(said, 0.9, AGAINST, "claim", rank_score=0.9, rank_method=RANKER)
    (found,) = unless_unanswered(FactCheck(Claim("1", claim), "careful", sentences=(known,))).sentences
    assert (found == known) is counts


def test_a_sentence_about_a_third_thing_may_begin_with_an_article() -> None:
    (sentence,) = make_page("Viola", "The viola is slightly larger than a violin.").sentences()
    known = Evidence(sentence, 0.9, FOR, "claim", rank_score=0.9, rank_method=RANKER)
    check = FactCheck(Claim("1", "A cello is bigger than a violin."), "careful", sentences=(known,))
    assert unless_unanswered(check).sentences[0].stance.neutral == RULED_WEIGHT
