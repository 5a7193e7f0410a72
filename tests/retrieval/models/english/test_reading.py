"""What is read of a claim as people type it: statements, questions as statements, denials turned, what is no statement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.fever.data import read_claims
from retrieval.models.english.denials import positive_of
from retrieval.models.english.inflection import past, third_person
from retrieval.models.english.parser import english
from retrieval.models.english.reading import QUOTATION_NOTE, EnglishReading, PlainReading
from retrieval.models.english.statements import statement_of
from retrieval.types import Claim, NoVerdict, ReadClaim
from tests.conftest import SAMPLE


def read(text: str) -> ReadClaim:
    return EnglishReading(english()).read(Claim("c", text))


@pytest.mark.parametrize(
    ("asked", "statement"),
    [
        ("Was Ada Lovelace born in London?", "Ada Lovelace was born in London."),
        ("Did the Second World War end in 1945?", "The Second World War ended in 1945."),
        ("Does the Danube flow through Vienna?", "The Danube flows through Vienna."),
        ("is lisbon the capital of portugal?", "Lisbon is the capital of portugal."),
        ("Is the Sargasso Sea in the Atlantic?", "The Sargasso Sea is in the Atlantic."),
        ("Are dolphins mammals?", "Dolphins are mammals."),
        ("Isn't Oslo the capital of Norway?", "Oslo is the capital of Norway."),
        ("Is there ice on the Moon?", "There is ice on the Moon."),
        ("Is Kenya larger than Sweden?", "Kenya is larger than Sweden."),
        ("Did Marie Curie ever win a Nobel Prize?", "Marie Curie won a Nobel Prize."),
        ("Is the mayor of Rome a woman?", "The mayor of Rome is a woman."),
        ("Was the tunnel under the river built in 1906?", "The tunnel under the river was built in 1906."),
    ],
)
def test_a_question_becomes_its_statement(asked: str, statement: str) -> None:
    found = read(asked)
    assert (found.claim.text, found.claim.statement, found.no_verdict) == (asked, statement, None)
    assert statement in found.notes[0]


@pytest.mark.parametrize("asked", ["Is Oslo or Bergen the capital?", "Are you sure?", "Can we go?"])
def test_what_cannot_be_turned_stays_a_question(asked: str) -> None:
    assert statement_of(english(), asked) == ""
    assert read(asked).no_verdict is NoVerdict.QUESTION


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("When was Ada Lovelace born?", NoVerdict.QUESTION),
        ("who painted guernica", NoVerdict.QUESTION),
        ("In which year did the war end?", NoVerdict.QUESTION),
        ("Ada Lovelace", NoVerdict.PHRASE),
        ("Oslo", NoVerdict.PHRASE),
        ("Brandenburger Tor Berlin", NoVerdict.PHRASE),
        ("The Old Harbour Fire Department Museum", NoVerdict.PHRASE),
        ("A Song of Salt and Rain", NoVerdict.PHRASE),
        ("The Girl Who Was Left Behind", NoVerdict.PHRASE),
        ("Hello", NoVerdict.GREETING),
        ("hi there!", NoVerdict.GREETING),
        ("Chocolate is delicious.", NoVerdict.OPINION),
        ("Maple syrup is too sweet", NoVerdict.OPINION),
        ("Rome has too many tourists.", NoVerdict.OPINION),
        ("Rome is the most beautiful city in Europe.", NoVerdict.OPINION),
        ("Tea tastes better than coffee", NoVerdict.OPINION),
        ("Is chess boring?", NoVerdict.OPINION),
        ("I think that Ada Lovelace is overrated.", NoVerdict.OPINION),
        ("Best soup in town", NoVerdict.PHRASE),
        ("Petrol should be cheaper.", NoVerdict.OPINION),
        ("I hope that it snows.", NoVerdict.REQUEST),
        ("Compare the two towers.", NoVerdict.REQUEST),
        ("The tower will be sold to Denmark in 2093.", NoVerdict.PREDICTION),
        ("Ajax will win the cup next year", NoVerdict.PREDICTION),
        ("The tower might be in Denmark.", NoVerdict.HYPOTHESIS),
        ("If the tower were in Denmark, it would be cold.", NoVerdict.HYPOTHESIS),
    ],
)
def test_what_is_no_statement(typed: str, why: NoVerdict) -> None:
    found = read(typed)
    assert found.no_verdict is why
    assert found.claim.text == typed
    assert len(found.notes) == 1


@pytest.mark.parametrize(
    "claim",
    [
        "I Want to Know What Love Is is a single.",
        "What Women Want is a film.",
        "Imagine is a song by John Lennon.",
        "Do the Right Thing is a film.",
        "The film will be released by Pixar.",
        "The 2036 Games will be held in summer.",
        "Penicillin may cause a rash.",
        "The Fame is the seventh best-selling album.",
        "She was voted the best actress of 1990.",
        "The Chicago Bulls play in Chicago.",
        "fleas cant fly",
        "Venus is too hot for water to be liquid.",
        "Pluto was too small to be a planet",
        "The Titanic had too few boats for all to be saved.",
        "COVID vaccines cause autism",
        "Beautiful Boy is a film.",
        "Ada Lovelace was overrated by critics of 1850.",
        "Best friends since 1990 met in Oslo.",
        "Kill Bill was directed by Quentin Tarantino.",
        "Mayor Closes Every Library In Town",
        "Goalkeeper Has Left The National Team Over Pay.",
        "All Ballots Posted After Sunday Will Be Thrown Away",
        "Drinking Cold Water With Lemon Will Cure A Headache",
    ],
)
def test_a_statement_is_checked(claim: str) -> None:
    found = read(claim)
    assert (found.no_verdict, found.claim.turned, found.notes) == (None, False, ())


def test_the_claims_of_the_sample_are_statements() -> None:
    claims = [claim.text for claim in read_claims(SAMPLE / "claims.jsonl")]
    assert not [claim for claim in claims if read(claim).no_verdict]


@pytest.mark.parametrize(
    ("denial", "positive"),
    [
        ("Switzerland is not a member of the European Union.", "Switzerland is a member of the European Union."),
        ("Whales aren't fish.", "Whales are fish."),
        ("Edison did not invent the telephone.", "Edison invented the telephone."),
        ("Spiders don't have six legs.", "Spiders have six legs."),
        ("Penguins can't fly.", "Penguins can fly."),
        ("He has never won an Oscar.", "He has won an Oscar."),
        ("Iceland has no army.", "Iceland has an army."),
        ("Nina Jacobson has no experience in film.", "Nina Jacobson has experience in film."),
        ("There are no snakes in Ireland.", "There are snakes in Ireland."),
        ("Not all swans are white.", "All swans are white."),
        ("Neither Mars nor Venus has an ocean.", "Mars or Venus has an ocean."),
        ("It is false that bats are blind.", "Bats are blind."),
    ],
)
def test_a_denial_is_read_as_its_positive_sentence(denial: str, positive: str) -> None:
    found = read(denial)
    assert (found.claim.statement, found.claim.turned) == (positive, True)
    assert found.notes[0] == f"This is a denial: “{positive}” is checked, and its verdict is reversed.", (
        "said before the check too"
    )


@pytest.mark.parametrize(
    "claim",
    [
        "He is no longer the mayor.",
        "Oslo is not only a city.",
        "Oslo is not the only capital.",
        "The tomato is not a vegetable but a fruit.",
        "No Country for Old Men is a film.",
        "He starred in I'm Not There.",
        "The drug may not be safe.",
        "He did not come because it rained.",
        "No bird swims without wings.",
        "peanuts are legumes not nuts",
        "Mozart was Austrian not German",
        "The film is not non-fiction.",
    ],
)
def test_other_negations_are_left_as_they_are(claim: str) -> None:
    assert positive_of(english(), claim) is None
    assert not read(claim).claim.turned


def test_a_denied_denial_is_no_denial() -> None:
    found = read("It is false that Norway is not a kingdom.")
    assert (found.claim.statement, found.claim.turned) == ("Norway is a kingdom.", False)


@pytest.mark.parametrize(
    "typed",
    [
        "The mayor said that the Anchor Bridge is closed.",
        "According to the mayor, the Anchor Bridge is closed.",
        "‘The Anchor Bridge is closed’, he said",
    ],
)
def test_what_is_said_is_checked_and_the_result_says_so(typed: str) -> None:
    found = read(typed)
    assert found.claim.statement.rstrip(".") == "The Anchor Bridge is closed"
    assert found.notes == (QUOTATION_NOTE,)


def test_without_turning_a_denial_is_read_as_it_stands() -> None:
    as_it_stands = EnglishReading(english(), turns=False)
    for text in ("Whales are not fish.", "It is false that whales are fish."):
        found = as_it_stands.read(Claim("c", text)).claim
        assert (found.statement, found.turned) == (text, False)


def test_other_languages_lose_only_what_surrounds_them() -> None:
    assert (
        read("🚨 Der Eiffelturm steht in Berlin und ist sehr hoch.").claim.statement
        == "Der Eiffelturm steht in Berlin und ist sehr hoch."
    )
    assert PlainReading().read(Claim("c", "➡ Wo steht der Turm?")).claim.statement == "Wo steht der Turm?"


@given(st.text(min_size=1, max_size=120))
def test_anything_can_be_read(text: str) -> None:
    found = read(" ".join(text.split()) or "a")
    assert found.claim.statement
    assert bool(found.no_verdict) <= bool(found.notes)


def test_verbs() -> None:
    assert [
        past(verb) for verb in ("win", "carry", "play", "stop", "live", "end")
    ] == "won carried played stopped lived ended".split()
    assert [
        third_person(verb) for verb in ("win", "carry", "pass", "go", "have")
    ] == "wins carries passes goes has".split()


def test_names_are_not_looked_for_and_would_change_nothing() -> None:
    """They take half of the time of a parse."""
    language, left_out = english(), set()

    def with_names(text: str, disable: Sequence[str] = ()) -> Any:
        left_out.add(disable)
        return language(text)

    for claim in read_claims(SAMPLE / "claims.jsonl"):
        assert EnglishReading(with_names).read(Claim("c", claim.text)) == read(claim.text)
    assert left_out == {("ner",), ()}, "a quotation asks for them"
