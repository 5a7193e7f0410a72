"""What a reader sees of a check: cuts, shares, limits."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import pytest
from flask import Flask, render_template_string
from hypothesis import given
from hypothesis import strategies as st

from app.checks.sides import answers
from app.checks.words import (
    beside,
    both_sides,
    code,
    cut_at_spans,
    init_app,
    marked_claim,
    pages_with_evidence,
    percent,
    spent,
)
from app.errors import Busy, TurnedOff, Unusable
from app.http.problems import Problem, as_problem
from app.http.security import RateLimit
from retrieval.types import Claim, Difference, Evidence, FactCheck, Hit, Label, QuestionAnswer, Span, Stance, Verdict
from tests.app.fake import page
from tests.app.process import ROOT

PAGE = page("Marie Curie", "Marie Curie was a physicist.", "She won two Nobel Prizes.", "She was born in Warsaw.")
STANCE = Stance(0.7, 0.2, 0.1)


@given(st.text(max_size=40), st.lists(st.tuples(st.integers(-3, 45), st.integers(-3, 45)), max_size=8))
def test_the_claim_is_whole_however_its_spans_lie(claim: str, places: list[tuple[int, int]]) -> None:
    parts = cut_at_spans(claim, [Span("", start, end, "X") for start, end in places])
    assert "".join(text for text, _ in parts) == claim


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 80), st.integers(0, 80)), max_size=6))
def test_the_page_is_whole_however_its_quotations_lie(places: list[tuple[int, int, int]]) -> None:
    sentence = PAGE.sentences()[0]
    evidence = [
        Evidence(replace(sentence, line=line, start=start, end=end, text=PAGE.text[start:end]), 0.5, STANCE, "claim")
        for line, start, end in places
    ]
    check = FactCheck(Claim("1", "x"), pages=(Hit(PAGE, 1.0, "title"),), evidence=tuple(evidence))
    for read in pages_with_evidence(check):
        assert "".join(part.text for part in read.parts) == PAGE.text


def test_parts_are_marked_where_the_claim_as_typed_has_them() -> None:
    """The spans are those of the claim as it is read, without "actually"."""
    claim = Claim("c", "It is actually Oslo, not Bergen.", read="It is Oslo.")
    parts = marked_claim(FactCheck(claim, spans=(Span("Oslo", 6, 10, "GPE"),)))
    assert [text for text, span in parts if span] == ["Oslo"]
    assert "".join(text for text, _ in parts) == claim.text


def test_a_quotation_that_is_not_there_is_marked_and_not_dropped() -> None:
    good, other, third = (Evidence(s, 0.5, STANCE, "claim") for s in PAGE.sentences())
    moved = replace(other, sentence=replace(other.sentence, start=0, end=5))
    doubted = replace(third, verified=False)
    lost = replace(good, sentence=replace(good.sentence, page_id="Elsewhere"))
    check = FactCheck(Claim("1", "x"), pages=(Hit(PAGE, 1.0, "title"),), evidence=(good, moved, doubted, lost))
    first, second = pages_with_evidence(check)
    assert [(q.number, q.verified) for q in first.quotations] == [(1, True), (2, False), (3, False)]
    assert [(q.number, q.verified) for q in second.quotations] == [(4, False)]
    assert second.parts == ()


def test_a_quotation_stands_within_what_is_beside_it_in_its_page() -> None:
    first, second, third = PAGE.sentences()
    assert beside(PAGE, second) == (first.text, third.text)
    assert beside(PAGE, first) == ("", second.text)
    assert beside(PAGE, third) == (second.text, "")
    long = page("Long", " ".join(f"before{number}" for number in range(40)), "She won.", "後" * 200)
    before, after = beside(long, long.sentences()[1])
    assert before.startswith("… before2")
    assert before.endswith(" before39")
    assert after == "後" * 140 + " …", "where no word ends"


def test_both_sides_hold_the_deciding_pair_and_what_takes_a_side() -> None:
    other = page("Pierre Curie", "Marie was a chemist.", "He was French.")
    stances = [Stance(0.5, 0.1, 0.4), Stance(0.3, 0.2, 0.5), Stance(0.1, 0.2, 0.7), Stance(0.1, 0.9, 0.0)]
    sentences = [*PAGE.sentences(), *other.sentences()]
    evidence = tuple(Evidence(s, 0.9, stance, "claim") for s, stance in zip(sentences, stances, strict=False))
    shares = MappingProxyType({Label.CONFLICTING: 1.0})
    pages = (Hit(PAGE, 1.0, "title"), Hit(other, 0.9, "title"))
    check = FactCheck(
        Claim("1", "Marie and Pierre Curie"),
        pages=pages,
        evidence=evidence,
        verdict=Verdict(Label.CONFLICTING, shares, "", "m"),
    )
    sides = both_sides(check)
    assert [[q.number for q in quotations] for quotations in sides.values()] == [[1], [4]]
    weak = replace(check, evidence=(evidence[1], evidence[2], evidence[3]))
    assert [[q.number for q in side] for side in both_sides(weak).values()] == [[1], [3]], "weak, but it decides"
    assert both_sides(replace(check, evidence=evidence[:3])) == {}
    assert both_sides(replace(check, verdict=None)) == {}


def test_words() -> None:
    assert [percent(share) for share in (0, 0.001, 0.5, 0.997, 1)] == ["0%", "<1%", "50%", ">99%", "100%"]
    assert [spent(ms) for ms in (0.2, 81.3, 2410)] == ["< 1 ms", "81 ms", "2.4 s"]


def test_errors_from_below_get_their_status_here() -> None:
    told = [as_problem(error) for error in (Unusable("Shorten it."), TurnedOff("Set it."), Busy("Wait.", 30))]
    assert [(one.status, one.detail) for one in told] == [(422, "Shorten it."), (403, "Set it."), (503, "Wait.")]
    assert [one.headers.get("Retry-After") for one in told] == [None, None, "30"]


def test_rate_limit_by_address() -> None:
    limit = RateLimit(2, remembered=2)
    for _ in range(2):
        limit.take("a")
    with pytest.raises(Problem) as refused:
        limit.take("a")
    assert refused.value.status == 429
    assert int(refused.value.headers["Retry-After"]) > 0
    limit.take("b")
    for _ in range(1000):
        RateLimit(0).take("a")


def test_commands_in_a_sentence_are_code() -> None:
    assert code("Run `make <x>` or `y`. 1 < 2") == "Run <code>make &lt;x&gt;</code> or <code>y</code>. 1 &lt; 2"


def test_what_answers_a_question_is_shown_without_the_rest_of_its_sentence() -> None:
    """Where it is known: from what differs, or where the sentence says the same; else the sentence stands."""
    sentence = PAGE.sentences()[2]  # "She was born in Warsaw."
    at = sentence.text.index("Warsaw")

    def said(claim: str, claimed: str, stance: Stance, differs: Difference | None = None) -> str:
        evidence = Evidence(sentence, 0.9, stance, "claim", differs=differs)
        asked = QuestionAnswer("Where was she born?", sentence.text, (1,), claimed=claimed)
        ((_, _, (pair,)),) = answers(FactCheck(Claim("1", claim), questions=(asked,), evidence=(evidence,)))
        return pair.answer

    against = Stance(0.1, 0.8, 0.1)
    differs = Difference((16, 22), (at, at + 6))
    assert said("She was born in Berlin.", "Berlin", against, differs) == "Warsaw"
    assert said("She was born in Berlin.", "She", against, differs) == sentence.text, "another part differs"
    assert said("She was born in warsaw.", "warsaw", STANCE) == "Warsaw"
    assert said("She lived in Warsaw.", "Warsaw", against) == sentence.text
    assert said("She was born in Berlin.", "in Berlin", against, differs) == "Warsaw"
    of_many = Difference((17, 23), (at, at + 6))
    assert said("She was born in, Berlin in old Prussia.", "Berlin in old Prussia", against, of_many) == sentence.text


def test_the_sentence_that_contradicts_a_part_answers_the_question_about_it() -> None:
    """Though the vectors chose another one."""
    first, other = PAGE.sentences()[2], PAGE.sentences()[0]
    at = first.text.index("Warsaw")
    against = Stance(0.1, 0.8, 0.1)
    evidence = (
        Evidence(first, 0.9, against, "claim", differs=Difference((16, 22), (at, at + 6))),
        Evidence(other, 0.9, against, "claim"),
    )
    asked = (
        QuestionAnswer("Where was she born?", other.text, (2,), claimed="Berlin"),
        QuestionAnswer("Who was born in Berlin?", other.text, (2,), claimed="She"),
        QuestionAnswer("In what city?", claimed="Berlin"),
    )
    found = answers(FactCheck(Claim("1", "She was born in Berlin."), questions=asked, evidence=evidence))
    assert [[(one.answer, one.sources) for one in given] for _, _, given in found] == [
        [("Warsaw", (1,))],
        [(other.text, (2,))],
        [],
    ]


def test_quotation_marks_inside_a_quotation_are_single() -> None:
    """As long as before, so that what differs is marked where it stands."""
    text = "He called it “the tower of Berlin” twice."
    start = text.index("Berlin")
    differs = Difference((0, 5), (start, start + 6))
    for found, shown in ((None, "Berlin"), (differs, '<mark class="differs">Berlin</mark>')):
        evidence = Evidence(replace(PAGE.sentences()[0], text=text), 0.9, STANCE, "claim", differs=found)
        app = Flask("shown", template_folder=str(ROOT / "templates"))
        init_app(app)
        with app.app_context():
            drawn = render_template_string(
                '{% import "parts/icons.html" as icons %}{{ icons.quotation(one) }}', one=evidence
            )
        assert drawn.strip() == f'<q dir="auto">He called it ‘the tower of {shown}’ twice.</q>'
