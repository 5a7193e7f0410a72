"""What was said, and by whom, over whole texts: quotation marks of each kind, across sentences and paragraphs."""

from __future__ import annotations

import functools
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.errors import ClaimError
from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.text.extraction.finder import ClaimFinder, FoundClaim
from retrieval.text.extraction.quoting.marks import quoted_spans

CLOSED = "The old bridge in Harlow was closed in 2019."
OPENED = "The new bridge was opened in 2021."
COST = "It cost 3 million euros."
MARKS = ("“”", '""', "‘’", "''")


@functools.cache
def finder() -> ClaimFinder:
    return Resources(Settings()).claim_finder()


def said(text: str) -> list[tuple[str, str]]:
    return [(claim.text, claim.speaker) for claim in finder().find(text)]


def marked(text: str, marks: str) -> str:
    return text.replace("“", marks[0]).replace("”", marks[1])


@pytest.mark.parametrize("marks", MARKS)
@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (
            f"“{CLOSED} It cost 3 million euros,” said Ann Lee, the mayor.",
            [(CLOSED, "Ann Lee"), ("The old bridge in Harlow cost 3 million euros.", "Ann Lee")],
        ),
        (f"Ann Lee said: “{CLOSED} {COST}”", [(CLOSED, "Ann Lee"), (COST, "Ann Lee")]),
        (
            "“The old bridge in Harlow was closed in 2019,” Ann Lee said, “and the new bridge was opened in 2021.”",
            [(CLOSED, "Ann Lee"), (OPENED, "Ann Lee")],
        ),
        (
            f"“The old bridge in Harlow was closed in 2019,” Ann Lee said. “{OPENED}”",
            [(CLOSED, "Ann Lee"), (OPENED, "Ann Lee")],
        ),
        ("“The old bridge in Harlow,” Ann Lee said, “was closed in 2019.”", [(CLOSED, "Ann Lee")]),
        (
            "“The old bridge in Harlow was closed in 2019,” Ann Lee told the crowd, adding that it cost 3 million euros.",
            [(CLOSED, "Ann Lee"), (COST, "Ann Lee")],
        ),
        (
            "“The old bridge in Harlow was closed in 2019,” said Ann Lee, but the records show that it cost 3 million euros.",
            [(CLOSED, "Ann Lee"), ("The records show that it cost 3 million euros.", "")],
        ),
        (f"On Monday Ann Lee tweeted: “{CLOSED}”", [(CLOSED, "Ann Lee")]),
    ],
)
def test_what_stands_in_quotation_marks_is_said_by_whom_the_text_names(
    marks: str, text: str, claims: list[tuple[str, str]]
) -> None:
    assert said(marked(text, marks)) == claims


def test_a_name_in_a_sentence_of_its_own_speaks_before_and_behind_it() -> None:
    found = said("“The old bridge in Harlow was closed in 2019!” Ann Lee said. “It cost 3 million euros.”")
    assert found == [(CLOSED.replace(".", "!"), "Ann Lee"), ("Ann Lee said.", ""), (COST, "Ann Lee")]


def test_a_quotation_of_several_paragraphs_has_one_speaker() -> None:
    assert said(f"“{CLOSED}\n\n“It cost 3 million euros,” said Ann Lee.") == [(CLOSED, "Ann Lee"), (COST, "Ann Lee")]


@pytest.mark.parametrize(
    "verb",
    "tweeted|wrote|added|argued|told reporters|told the BBC on Monday|posted on Facebook|admitted|testified".split("|"),
)
def test_more_verbs_say_something(verb: str) -> None:
    assert said(f"Ann Lee {verb} that the old bridge in Harlow was closed in 2019.") == [(CLOSED, "Ann Lee")]


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (
            "The mayor said the old bridge in Harlow was closed in 2019 and that the new bridge was opened in 2021.",
            [(CLOSED, "The mayor"), (OPENED, "The mayor")],
        ),
        (
            "The mayor said that the old bridge in Harlow was closed in 2019, and added that it cost 3 million euros.",
            [(CLOSED, "The mayor"), (COST, "The mayor")],
        ),
        ("The mayor said that wages fell by 2% and prices rose by 4%.", [("Wages fell by 2%.", "The mayor"), ("Prices rose by 4%.", "The mayor")]),
        (
            "The mayor said the old bridge in Harlow was closed in 2019, but the town's records say that it cost 3 million euros.",
            [(CLOSED, "The mayor"), (COST, "The town's records")],
        ),
        ("In 2019, the mayor said, the old bridge was closed.", [("In 2019 the old bridge was closed.", "the mayor")]),
        ("Trump claims that taxes rose in 2019, and that wages fell.", [("Taxes rose in 2019.", "Trump"), ("Wages fell.", "Trump")]),
    ],
)  # fmt: skip
def test_each_statement_that_follows_said_is_a_claim(text: str, claims: list[tuple[str, str]]) -> None:
    assert said(text) == claims


@pytest.mark.parametrize(
    "sentence",
    [
        "The mayor said that the bridge was closed in 2019, citing a report by the council.",
        "Ann Lee called the report “a disgrace,” and the council closed the bridge in 2019.",
        "The company announced it had sold 3 million cars in 2019, while unions said it had sold 2 million.",
        "Although prices fell by 2%, the mayor said that wages rose by 4%.",
        "The so-called “peace bridge” was closed in 2019.",
        "The mayor posted a picture of the bridge that was closed in 2019.",
    ],
)
def test_a_sentence_that_says_more_than_a_quotation_stays_whole(sentence: str) -> None:
    assert said(sentence) == [(sentence, "")]


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("Ann Lee is the mayor of Harlow. “The bridge was closed,” she said.", "Ann Lee"),
        ("Ann Lee opened the fair, and she said that the bridge was closed in 2019.", "Ann Lee"),
        ("The mayor said the bridge was old. She added that it was closed in 2019.", "The mayor"),
        ("“It was old,” said Ann Lee. “The bridge was closed,” she added.", "Ann Lee"),
        ("The chairman said the bridge was old. She added that it was closed in 2019.", "someone unnamed"),
        ("Ann Lee spoke to the council. He said that the bridge was closed in 2019.", "someone unnamed"),
        ("The mayor of Harlow, Ann Lee, tweeted: “The bridge was closed in 2019.”", "The mayor of Harlow, Ann Lee"),
    ],
)
def test_the_speaker_is_named_where_the_text_names_them_just_before(text: str, speaker: str) -> None:
    assert said(text)[-1][1] == speaker


def test_a_mark_without_its_other_one_is_left_out() -> None:
    assert said("The council met in Harlow. “The bridge was closed in 2019.")[-1][0] == "The bridge was closed in 2019."


STATEMENTS = (
    "The tower was built in 1889",
    "Marie Curie won 2 prizes",
    "Wages rose by 4%",
    "The dogs' home has 37 rooms",
)
FORMS = (
    "“{0}. {1},” said {who}.",
    "{who} said: “{0}. {1}.”",
    "“{0},” {who} said, “and {1}.”",
    "“{0},” {who} said. “{1}.”",
    "{who} told reporters that {0}. “{1},” {who} wrote.",
    "“{0},” said {who}, adding that {1}.",
    "{who} said: “{0}.” {1}.",
    "{0}, {who} said, but {1}.",
    "{who} said {0} and that {1}.",
    "{0}, and “{1},” {who} said on Monday.",
    "“{0},” said {who} after {1}.",
    "{0}, but {who} said: “{1}.”",
    "“{0}.\n\n“{1},” said {who}.",
)


@given(
    st.lists(st.sampled_from(FORMS), min_size=1, max_size=3),
    st.permutations(STATEMENTS),
    st.sampled_from(("Ann Lee", "the mayor of Harlow", "Bob Green", "she")),
    st.sampled_from(MARKS),
)
def test_no_statement_vanishes_in_any_form(forms: list[str], statements: list[str], who: str, marks: str) -> None:
    text = "\n\n".join(marked(form, marks).format(*statements, who=who) for form in forms)
    claims = finder().find(text)
    assert all(text[claim.start : claim.end] == claim.original for claim in claims)
    place = 0
    for form in text.split("\n\n"):
        place = text.index(form, place)
        of_form = [claim for claim in claims if place <= claim.start < place + len(form)]
        kept = words(" ".join(claim.text for claim in of_form))
        told = [one for one in statements if one in form]
        assert all(words(one) <= kept for one in told), (form, of_form)


FRAGMENTS = st.sampled_from(
    [
        "“", "”", '"', " '", "' ", "‘", "’ ", ",” said Ann Lee.", " Ann Lee said that", " Bob Green told reporters:", ", Ann Lee said,",
        " and that", " but", ", adding that", "\n", "\n\n", ". ", ", ", " The tower was built in 1889", " wages rose by 4%",
        " she tweeted", " according to the mayor", "! ", "? ", " while prices fell in 2001", " She left",
    ]
)  # fmt: skip


@given(st.lists(FRAGMENTS, min_size=1, max_size=14).map("".join))
def test_nothing_that_is_stated_vanishes_from_any_text(text: str) -> None:
    try:
        claims = finder().find(text)
    except ClaimError:
        return
    assert all(text[claim.start : claim.end] == claim.original for claim in claims)
    originals = {(claim.start, claim.end): claim.original for claim in claims}
    for place, original in originals.items():
        kept = words(" ".join(claim.text for claim in of(claims, place)))
        stated = {word for word in words(original) if word[0].isdigit() or word in ("tower", "wages", "prices")}
        assert stated <= kept, (text, claims)


def of(claims: list[FoundClaim], place: tuple[int, int]) -> list[FoundClaim]:
    return [claim for claim in claims if (claim.start, claim.end) == place]


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+%?", text.casefold()))


def test_apostrophes_are_no_quotation_marks() -> None:
    assert quoted_spans("The dogs' home isn't old. We've closed the '90s bar, rock 'n' roll and Ann's shop.") == []
    text = "'It wasn't safe,' said Ann."
    (found,) = quoted_spans(text)
    assert text[found.start : found.end] == "'It wasn't safe,'"


@given(st.text(alphabet="“”«»\"'‘’ab,. \n", max_size=60))
def test_quotations_lie_in_order_and_do_not_overlap(text: str) -> None:
    found = quoted_spans(text)
    assert all(one.end <= two.start for one, two in pairwise(found))
    assert all(0 <= one.start < one.end <= len(text) for one in found)


@pytest.mark.parametrize(
    "who", ["Nobody", "No expert", "Not one witness", "Hardly any expert", "Neither Ann Lee nor Bob Green"]
)
def test_what_nobody_said_is_no_statement(who: str) -> None:
    sentence = f"{who} said that the old bridge in Harlow was closed in 2019."
    assert said(sentence) == [(sentence, "")]


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("“That is 40 more than in 2019,” said Ann Lee.", [("That is 40 more than in 2019.", "Ann Lee")]),
        ("Ann Lee said that that bridge was closed in 2019.", [("That bridge was closed in 2019.", "Ann Lee")]),
        ("“The bridge did not,” said Ann Lee, “close in 2019.”", [("The bridge did not close in 2019.", "Ann Lee")]),
        ("“The bridge is not,” said Ann Lee, “503 m long.”", [("The bridge is not 503 m long.", "Ann Lee")]),
        ("Ann Lee said the old bridge in Harlow was closed in 2019, adding: “The new bridge was opened in 2021.”",
         [(CLOSED, "Ann Lee"), (OPENED, "Ann Lee")]),
        ("Ann Lee told the board that the old bridge in Harlow was closed in 2019, insisting: “The new bridge was opened in 2021.”",
         [(CLOSED, "Ann Lee"), (OPENED, "Ann Lee")]),
    ],
)  # fmt: skip
def test_words_and_speakers_are_kept_where_a_quotation_is_interrupted_or_added(
    text: str, claims: list[tuple[str, str]]
) -> None:
    assert said(text) == claims


@pytest.mark.parametrize("signed", [" – Ann Lee", "\n— Ann Lee, architect, 1999", "\n-- Ann Lee (1999)"])
def test_a_quotation_is_said_by_whom_a_dash_names(signed: str) -> None:
    text = f"“It cost 40 million euros.”{signed}\n\nThe mill is old and was sold in 1990."
    assert [claim.speaker for claim in finder().find(text) if claim.chosen] == ["Ann Lee", "", ""]
    listed = "“It cost 40 million euros.”\n- The mill was sold in 1990.\n- Bread costs 5 euros."
    assert not any(claim.speaker for claim in finder().find(listed))
