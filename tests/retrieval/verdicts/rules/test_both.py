"""Claims on two things at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from retrieval.stages.comparing.deciding import rulings_on
from retrieval.types import Claim, Evidence, FactCheck, Hit, Stance
from retrieval.verdicts.rules.compound import each_of, either_of
from tests.making import make_page

PAGES = [
    make_page("Ilse Brandt", "Ilse Brandt was a Norwegian pilot."),
    make_page("Karl Holm", "Karl Holm is a Norwegian actor."),
    make_page("Holm (film)", "Holm is a 1992 American film."),
    make_page("Rosa Peel", "Rosa Peel is a Chilean singer."),
    make_page("Ostrel", "Ostrel is a novel by Ana Ruiz."),
    make_page("Tarn", "Tarn is a novel written by Ana Ruiz."),
]


@pytest.mark.parametrize(
    ("claim", "parts"),
    [
        ("Brandt and Holm were both Norwegian.", ("Brandt was Norwegian.", "Holm was Norwegian.")),
        ("Both Ostrel and Tarn were written by Ana Ruiz", ("Ostrel was written by Ana Ruiz", "Tarn was written by Ana Ruiz")),
        ("Brandt and Holm both won a prize.", ("Brandt won a prize.", "Holm won a prize.")),
        ("Varn and Orland both have a coast.", ("Varn has a coast.", "Orland has a coast.")),
        ("Brandt and Holm were friends.", ("Brandt and Holm were friends.",)),
        ("She was both kind and brave.", ("She was kind", "She was brave.")),
        ("Oslo is a town and lies on a fjord.", ("Oslo is a town", "Oslo lies on a fjord.")),
        ("Rosa Peel was born in Talca and died in Lima", ("Rosa Peel was born in Talca", "Rosa Peel died in Lima")),
        ("tarn is a river but the orsa is longer", ("tarn is a river", "the orsa is longer")),
        ("rosa peel sank in 1545 and was raised 437 years later", ("rosa peel sank in 1545", "rosa peel was raised in 1982")),
        ("Brandt joined it in 1923, two years before she joined the club", ("Brandt joined it in 1923", "Brandt joined the club in 1925")),
        ("Brandt was the 31st mayor and an engineer", ("Brandt was the 31st mayor", "Brandt was an engineer")),
        ("Varn borders both Orland and Sund", ("Varn borders Orland", "Varn borders Sund")),
        ("Ostrel is found in caves and in cellars.", ("Ostrel is found in caves", "Ostrel is found in cellars.")),
        ("Rosa Peel was born in Talca in 1867.", ("Rosa Peel was born in Talca", "Rosa Peel was born in 1867.")),
        ("rosa peel died in talca, on 4 May 1867", ("rosa peel died in talca", "rosa peel died on 4 May 1867")),
        ("The games were held in Talca in 1867.", ("The games were held in Talca in 1867.",)),
        ("Holm, who was born in Talca, died in Lima", ("Holm was born in Talca", "Holm died in Lima")),
        ("Ostrel was made by Holm and directed by Peel", ("Ostrel was made by Holm", "Ostrel was directed by Peel")),
        ("Rosa Peel wrote and sang the song.", ("Rosa Peel wrote and sang the song.",)),
        ("Peel is the only one who was both mayor and judge", ("Peel is the only one who was both mayor and judge",)),
        ("Peel was the first to win both the cup and the league", ("Peel was the first to win both the cup and the league",)),
        ("the man who invented it was born in Talca and died in Lima", ("the man who invented it was born in Talca and died in Lima",)),
        ("ostrel was directed by karl holm and rosa peel", ("ostrel was directed by karl holm", "ostrel was directed by rosa peel")),
        ("Ostrel was made by Holm and received acclaim", ("Ostrel was made by Holm and received acclaim",)),
        ("Rosa Peel was born and raised in Talca", ("Rosa Peel was born and raised in Talca",)),
        ("Ostrel was recorded and released by Holm", ("Ostrel was recorded and released by Holm",)),
        ("Talca is a port and has been since 1700", ("Talca is a port and has been since 1700",)),
        ("Rosa Peel was kind at chess while she was at school", ("Rosa Peel was kind at chess while she was at school",)),
        ("Rosa Peel was a singer and did not marry", ("Rosa Peel was a singer and did not marry",)),
        ("Talca is the largest and the most populous city in Varn", ("Talca is the largest and the most populous city in Varn",)),
        ("Ostrel is a mixture of cement and a filler", ("Ostrel is a mixture of cement and a filler",)),
        ("Talca is a village with two pubs and a church", ("Talca is a village with two pubs and a church",)),
        ("Ostrel is a film about love and a war", ("Ostrel is a film about love and a war",)),
        ("Ostrel was directed by Joel and Ethan Peel", ("Ostrel was directed by Joel and Ethan Peel",)),
        ("Holm is a friend of Peel and the poet Berg", ("Holm is a friend of Peel and the poet Berg",)),
        ("Two presidents were born in Talca and died in Lima", ("Two presidents were born in Talca and died in Lima",)),
        ("Three people have won both the cup and the league", ("Three people have won both the cup and the league",)),
        ("Few towns were founded in 1900 and have a castle", ("Few towns were founded in 1900 and have a castle",)),
        ("Three Kings was made in Talca and won a prize", ("Three Kings was made in Talca", "Three Kings won a prize")),
        ("Peel was a member of parliament and a lawyer", ("Peel was a member of parliament", "Peel was a lawyer")),
        ("She likes cats and walks.", ("She likes cats and walks.",)),
    ],
)  # fmt: skip
def test_the_claim_on_each(claim: str, parts: tuple[str, ...]) -> None:
    assert each_of(claim) == parts


@pytest.mark.parametrize(
    ("claim", "sides"),
    [
        ("Ilse Brandt and Karl Holm were both Norwegian.", [True, True]),
        ("Brandt and Holm were both Norwegian.", [True, True]),
        ("Ilse Brandt and Rosa Peel are both Norwegian.", [False]),
        ("Ostrel and Tarn were both written by Ana Ruiz.", [True, True]),
        ("Ilse Brandt and Somebody Else were both Norwegian.", []),
        ("Ilse Brandt or Rosa Peel is Norwegian.", [True]),  # as "Neither … nor … is Norwegian" is read
        ("Rosa Peel or Ilse Brandt was Chilean.", [True]),
        ("Rosa Peel or Ilse Brandt was German.", [False, False]),
        ("Rosa Peel or Somebody Else was German.", []),
    ],
)
def test_each_is_decided_by_its_page(claim: str, sides: list[bool]) -> None:
    check = FactCheck(Claim("", claim), "careful", pages=tuple(Hit(page, 1.0, "text") for page in PAGES))
    assert [one.holds for one in rulings_on(claim, check, None)] == sides


class SharedWords:
    """A reader: a sentence with all long words of the claim behind its subject supports it; one with only some, or with "never",
    refutes it."""

    id = "shared words"

    def score(self, claim: str, sentences: Sequence[str]) -> Iterator[tuple[list[int], list[float], list[Stance]]]:
        wanted = {word for word in claim.lower().rstrip(".").split()[2:] if len(word) > 3}
        for row, text in enumerate(sentences):
            words = set(text.lower().replace(".", " ").split())
            against = bool(wanted & words) and ("never" in words or not wanted <= words)
            stance = Stance(0.9, 0.05, 0.05) if wanted <= words and not against else Stance(0.05, 0.05, 0.9)
            yield [row], [1.0], [Stance(0.05, 0.9, 0.05) if against else stance]

    def judge_together(self, claim: str, sentences: Sequence[str]) -> Stance:
        raise AssertionError("sentences are read singly")


HOLM = make_page("Karl Holm", *(f"Holm met person {number}." for number in range(6)), "Holm was a pilot.", "Holm was the second mayor of Talca.", "He was never poor.")  # fmt: skip
NAMESAKE = make_page("Eva Holm", "Eva Holm was never a pilot.", "Eva Holm was never a mayor.")


@pytest.mark.parametrize(
    ("claim", "sides"),
    [
        ("Karl Holm was a pilot and was the second mayor of Talca", [True, True]),
        ("Karl Holm was a pilot and a mayor", [True, True]),
        ("Karl Holm was a pilot and was the first mayor of Talca", [False]),  # the second
        ("Karl Holm was a pilot and lived in Lima", []),
        ("Karl Holm was a pilot but is poor", [False]),
        ("Kurt Holm was a pilot and is poor", []),  # no page of that name
    ],
)
def test_what_no_rule_decides_is_read_half_by_half(claim: str, sides: list[bool]) -> None:
    pages = [NAMESAKE, HOLM]
    sentences = tuple(Evidence(one, 0.5, Stance(0.1, 0.1, 0.8), "") for page in pages for one in page.sentences())
    check = FactCheck(Claim("", claim), "careful", pages=tuple(Hit(page, 1.0, "text") for page in pages), sentences=sentences)  # fmt: skip
    assert [one.holds for one in rulings_on(claim, check, SharedWords())] == sides


def test_one_of_two_things_suffices() -> None:
    assert either_of("Varn or Orland is in the EU.") == ("Varn is in the EU.", "Orland is in the EU.")
    assert either_of("Varn is in the EU or Nato.") == ()
