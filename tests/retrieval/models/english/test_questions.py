"""Claims and the questions that a person would make of them, written by hand."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.models.english.asking.questions import RuleQuestions
from retrieval.models.english.asking.whole_answers import whole_answers
from retrieval.models.english.grammar import protected
from retrieval.models.english.parser import english

POLAR = """
# copula
The Moon is a satellite of the Earth. | Is the Moon a satellite of the Earth?
Savages was exclusively a German film. | Was Savages exclusively a German film?
The brothers were famous painters. | Were the brothers famous painters?
There is a capital called Mogadishu. | Is there a capital called Mogadishu?
There are two moons around Mars. | Are there two moons around Mars?
# do-support
Marie Curie won two Nobel Prizes. | Did Marie Curie win two Nobel Prizes?
The river lies in Bavaria. | Does the river lie in Bavaria?
Paris has twenty districts. | Does Paris have twenty districts?
The twins live in Oslo. | Do the twins live in Oslo?
Scientists discovered the particle in 2012. | Did scientists discover the particle in 2012?
She went to school in Leeds. | Did she go to school in Leeds?
A triangle has four sides. | Does a triangle have four sides?
It rains often in Bergen. | Does it rain often in Bergen?
Water boils at a hundred degrees. | Does water boil at a hundred degrees?
Prague Castle attracts over a million visitors annually. | Does Prague Castle attract over a million visitors annually?
# passives
Gone Girl was directed by David Fincher. | Was Gone Girl directed by David Fincher?
The song was written by Dolly Parton. | Was the song written by Dolly Parton?
The cathedral is visited by many pilgrims. | Is the cathedral visited by many pilgrims?
The bridge was being repaired in 1990. | Was the bridge being repaired in 1990?
The director of Casablanca was born in Budapest. | Was the director of Casablanca born in Budapest?
The treaty had been signed by both kings. | Had the treaty been signed by both kings?
# perfect
Anna has lived in Vienna since 1999. | Has Anna lived in Vienna since 1999?
The rivers have been polluted. | Have the rivers been polluted?
The king had died before the war. | Had the king died before the war?
Telemundo has been established as a television network. | Has Telemundo been established as a television network?
# modals
Penguins can fly. | Can penguins fly?
The film will be released in 2030. | Will the film be released in 2030?
The law must be signed by the president. | Must the law be signed by the president?
The comet may return in 2061. | May the comet return in 2061?
The team would have won the cup. | Would the team have won the cup?
# negation
Barack Obama did not win the election. | Did Barack Obama not win the election?
Paris isn't the capital of Spain. | Is Paris not the capital of Spain?
Rome wasn't built in a day. | Was Rome not built in a day?
The band could not have played at Woodstock. | Could the band not have played at Woodstock?
The Great Wall of China cannot be seen from the Moon. | Can the Great Wall of China not be seen from the Moon?
Ludwig van Beethoven never visited London. | Did Ludwig van Beethoven never visit London?
There are not two moons around Mars. | Are there not two moons around Mars?
Bonobos don't live in Africa. | Do bonobos not live in Africa?
# contractions
He's been married twice. | Has he been married twice?
She's an engineer. | Is she an engineer?
They've sold the house. | Have they sold the house?
# conjunction
Shakespeare wrote Hamlet and was born in Stratford. | Did Shakespeare write Hamlet and was Shakespeare born in Stratford?
The Beatles broke up in 1970 and sold millions of records. | Did the Beatles break up in 1970 and sell millions of records?
The novel was written in 1925 and became a success. | Was the novel written in 1925 and did the novel become a success?
The house was designed and built by Wright. | Was the house designed and built by Wright?
Tom Hanks and Meg Ryan starred in the film. | Did Tom Hanks and Meg Ryan star in the film?
It has been raining and the river has risen. | Has it been raining and has the river risen?
# what stands before the subject goes to the end
In 1998, Titanic won eleven Oscars. | Did Titanic win eleven Oscars in 1998?
During the war, she worked as a nurse. | Did she work as a nurse during the war?
Although it was cheap, the car sold badly. | Did the car sell badly, although it was cheap?
# clauses inside
Emma Watson acted in a film that was directed by Sofia Coppola. | Did Emma Watson act in a film that was directed by Sofia Coppola?
The novel, which was published in 1925, sold poorly. | Did the novel, which was published in 1925, sell poorly?
Nobody knows who wrote the song. | Does nobody know who wrote the song?
Charles I's wife gave birth to his two immediate successors. | Did Charles I's wife give birth to his two immediate successors?
# titles that hold verbs
"Gone with the Wind" won ten Oscars. | Did "Gone with the Wind" win ten Oscars?
“Let It Be” was recorded by the Beatles. | Was “Let It Be” recorded by the Beatles?
Some Like It Hot was released in 1959. | Was Some Like It Hot released in 1959?
Some Like It Hot stars Marilyn Monroe. | Does Some Like It Hot star Marilyn Monroe?
Catch Me If You Can is a film. | Is Catch Me If You Can a film?
Kill Bill was made by Quentin Tarantino. | Was Kill Bill made by Quentin Tarantino?
Peggy Sue Got Married is an American film. | Is Peggy Sue Got Married an American film?
What We Do in the Shadows was shot in Wellington. | Was What We Do in the Shadows shot in Wellington?
Tom Hanks starred in You've Got Mail. | Did Tom Hanks star in You've Got Mail?
"Who Framed Roger Rabbit" has not been banned. | Has "Who Framed Roger Rabbit" not been banned?
# no verb to move: the claim itself is asked about
To be or not to be. | Is it true that to be or not to be?
"""

WHOLE = """
Marie Curie won two Nobel Prizes. | Marie Curie | PERSON | Who won two Nobel Prizes?
Marie Curie won two Nobel Prizes. | two | CARDINAL | How many Nobel Prizes did Marie Curie win?
Marie Curie won two Nobel Prizes. | two Nobel Prizes | NOUN_PHRASE | What did Marie Curie win?
Gone Girl was directed by David Fincher. | David Fincher | PERSON | Who was Gone Girl directed by?
Some Like It Hot was released in 1959. | 1959 | DATE | When was Some Like It Hot released?
The director of Casablanca was born in Budapest. | Budapest | GPE | Where was the director of Casablanca born?
The director of Casablanca was born in Budapest. | Casablanca | WORK_OF_ART | The director of which work was born in Budapest?
Paris is the capital of France. | France | GPE | Which place is Paris the capital of?
Savages was a German film. | German | NORP | What kind of film was Savages?
She lived there for ten years. | ten years | DATE | How long did she live there?
In 1998, Titanic won eleven Oscars. | 1998 | DATE | When did Titanic win eleven Oscars?
During the war, she worked as a nurse. | nurse | NOUN_PHRASE | As what did she work during the war?
Shakespeare wrote Hamlet and was born in Stratford. | Stratford | GPE | Where was Shakespeare born?
Shakespeare wrote Hamlet and was born in Stratford. | Hamlet | WORK_OF_ART | Which work did Shakespeare write?
The Beatles broke up in 1970 and sold millions of records. | 1970 | DATE | When did the Beatles break up?
Charles I's wife gave birth to two sons. | Charles I | PERSON | Whose wife gave birth to two sons?
"Gone with the Wind" won ten Oscars. | Gone with the Wind | WORK_OF_ART | Which work won ten Oscars?
The band could not have played at Woodstock. | Woodstock | GPE | Where could the band not have played?
The film will be released in 2030. | film | NOUN_PHRASE | What will be released in 2030?
Emma acted in a film that was directed by Sofia Coppola. | Sofia Coppola | PERSON | Emma acted in a film that was directed by whom?
Tom Hanks and Meg Ryan starred in the film. | Meg Ryan | PERSON | Tom Hanks and who starred in the film?
The company paid ten dollars for it. | ten dollars | MONEY | How much did the company pay for it?
Telemundo is an English-language network. | English | LANGUAGE | What language is Telemundo?
Maria writes German-language novels. | German | NORP | In what language does Maria write novels?
Arvo is a Tartu-based choir. | Tartu | GPE | Where is Arvo based?
# a name is asked for whole, and once; possessives are asked for with "whose"
Anna Lind's brother is a judge. | Anna Lind's | PERSON | Whose brother is a judge?
The Vale Hill Charter was signed in 1920. | Vale Hill | GPE | What was signed in 1920?
Meadow (2011 film) was shown in Oslo. | Meadow (2011 film | TITLE | What was shown in Oslo?
Meadow (2011 film) was shown in Oslo. | 2011 | DATE | What was shown in Oslo?
# the word fits what is said
The Long Meadow was directed by Ana Ruiz. | The Long Meadow | PERSON | What was directed by Ana Ruiz?
Ana Ruiz is an actress. | Ana Ruiz | ORG | Who is an actress?
Ana Ruiz is a Spanish actress. | Spanish | NORP | What nationality is Ana Ruiz?
Ana Ruiz is Catholic. | Catholic | NORP | What religion is Ana Ruiz?
The Long Meadow is a 2004 film. | 2004 | DATE | What year is the Long Meadow from?
The journal is printed monthly. | monthly | DATE | How often is the journal printed?
The series had ten seasons. | ten seasons | DATE | What did the series have?
Tom Reed starred in Meadow. | Meadow | GPE | What did Tom Reed star in?
Her birth name was Little Lark. | Little Lark | PERSON | What was her birth name?
Meadow is only a television film. | Meadow | TITLE | What is the name of the television film?
Rockvale Nine was a British band. | Rockvale Nine | ORG | What was the name of the British band?
Rockvale Nine was a band of five brothers. | Rockvale Nine | ORG | What was a band of five brothers?
The speech was given by Emperor Karl. | Emperor Karl | GPE | Who was the speech given by?
Meadow was sold by the Vale Trust. | the Vale Trust | ORG | Who was Meadow sold by?
Tom Reed is a Dane. | Dane | GPE | What is Tom Reed?
Anna Lind died on May 4, 1990. | May 4, 1990 | DATE | When did Anna Lind die?
Anna Lind married when she was 65 years old. | 65 years old | DATE | Anna Lind married when she was how old?
# the noun takes along what belongs to it
Rome is the result of a long siege. | result | NOUN_PHRASE | What is Rome?
Rockvale Nine is a British band that was formed in Leeds. | British band | NOUN_PHRASE | What is Rockvale Nine?
The song was exclusively a Dutch hit. | Dutch | NORP | What kind of hit was the song?
The album was released after 2005. | 2005 | DATE | When was the album released?
The choir has at least one member. | one | CARDINAL | How many members does the choir have?
Less than half of the staff stayed. | Less than half | CARDINAL | How much of the staff stayed?
# nothing is asked where no question is a sentence
The first season ended in May. | first | ORDINAL |
The treaty took place in May. | place | NOUN_PHRASE |
Tom Reed, with his Vale Office, ran the news. | Vale Office | ORG |
There are rumours that the king fled. | rumours | NOUN_PHRASE |
The comet returned around 300 BC. | 300 | CARDINAL |
"""


def cases(text: str) -> list[tuple[str, ...]]:
    lines = [line for line in text.strip().splitlines() if not line.startswith("#")]
    return [tuple(part.strip() for part in line.split("|")) for line in lines]


@pytest.fixture(scope="module")
def rules() -> RuleQuestions:
    return RuleQuestions()


def test_there_are_sixty_cases_and_more() -> None:
    assert len(cases(POLAR)) >= 60


@pytest.mark.parametrize(("claim", "question"), cases(POLAR))
def test_yes_or_no(rules: RuleQuestions, claim: str, question: str) -> None:
    assert rules.polar(claim) == question


@pytest.mark.parametrize(("claim", "answer", "kind", "question"), cases(WHOLE))
def test_a_question_for_an_answer(rules: RuleQuestions, claim: str, answer: str, kind: str, question: str) -> None:
    start = claim.index(answer)
    assert rules.ask(claim, [(start, start + len(answer), kind)]) == [question]


def test_the_same_name_is_asked_for_once(rules: RuleQuestions) -> None:
    claim = "The Vale Hill Charter was signed in 1920."
    spans = [(0, 21, "ORG"), (4, 21, "TITLE"), (4, 13, "GPE"), (36, 40, "DATE")]
    assert rules.ask(claim, spans) == ["What was signed in 1920?", "", "", "When was the Vale Hill Charter signed?"]


@given(
    st.text(alphabet="abcAB '’s()-0,“”\"", max_size=60),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=6),
)
def test_whole_answers_are_parts_of_the_claim(claim: str, ends: list[tuple[int, int]]) -> None:
    answers = [
        (min(a, b), min(max(a, b), len(claim)), "TITLE") for a, b in ends if min(a, b) < min(max(a, b), len(claim))
    ]
    found = whole_answers(claim, answers)
    assert len(found) == len(answers)
    kept = [answer for answer in found if answer]
    assert all(0 <= start < end <= len(claim) for start, end, _ in kept)
    assert len({span[:2] for span in kept}) == len(kept)


def test_one_question_an_answer_in_order(rules: RuleQuestions) -> None:
    claim = "Anna was born in Vienna in 1999."
    spans = [(0, 4, "PERSON"), (17, 23, "GPE"), (27, 31, "DATE"), (0, len(claim), "NOUN_PHRASE")]
    asked = rules.ask(claim, spans)
    assert [question.split()[0] for question in asked[:3]] == ["Who", "Where", "When"]
    assert asked[3] == "", "what is the whole claim cannot be asked for"


@pytest.mark.parametrize(
    "claim",
    [
        "",
        " ",
        "...",
        "?",
        "Paris",
        "the of it",
        "😀 😀",
        "مرحبا بالعالم",
        "a" * 500,
        "\x00",
        'He said "',
        "東京は都市です。",
    ],
)
def test_any_text_is_survived(rules: RuleQuestions, claim: str) -> None:
    polar = rules.polar(claim)
    assert polar == "" or polar.endswith("?")
    assert len(rules.ask(claim, [(0, len(claim), "PERSON")])) == 1


def test_a_subject_of_an_inner_clause(rules: RuleQuestions) -> None:
    claim = "Joan of Arc died before Columbus was born."
    assert rules.ask(claim, [(24, 32, "GPE")]) == ["Joan of Arc died before who was born?"]


@pytest.mark.parametrize("kind", ["GPE", "PERSON", "ORG", "DATE", "WORK_OF_ART", "CARDINAL", "NORP", "NOUN_PHRASE"])
def test_any_word_of_a_claim_can_be_asked_for(rules: RuleQuestions, kind: str) -> None:
    for claim, _ in cases(POLAR)[::3]:
        words = [(match.start(), match.end(), kind) for match in re.finditer(r"\w+", claim)]
        assert all(len(rules.ask(claim, [word])) == 1 for word in words)


def test_names_that_are_known_are_kept_whole() -> None:
    claim = "Everyone Says I Love You was filmed in Venice."
    assert protected(claim, [(0, 24)]) == [(0, 24)]
    assert RuleQuestions().polar(claim, [(0, 24, "WORK_OF_ART")]) == "Was Everyone Says I Love You filmed in Venice?"


def test_a_title_that_begins_with_an_article_keeps_its_capital(rules: RuleQuestions) -> None:
    claim = "A Long Way Home was filmed in Venice."
    spans = [(0, 15, "TITLE"), (30, 36, "GPE")]
    assert rules.polar(claim, spans) == "Was A Long Way Home filmed in Venice?"
    assert rules.ask(claim, spans) == ["What was filmed in Venice?", "Where was A Long Way Home filmed?"]


def test_offsets_survive_the_stand_in(rules: RuleQuestions) -> None:
    from retrieval.models.english.grammar import parse

    claim = 'In "Gone with the Wind" Vivien Leigh plays Scarlett O\'Hara.'
    parsed = parse(english(), claim)
    words = [parsed.text(i) for i in range(len(parsed.tokens))]
    assert '"Gone with the Wind"' in words
    assert "Vivien Leigh" in words
    assert all(word in claim for word in words)
