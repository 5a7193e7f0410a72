"""A sentence that takes the other side is shown on its side, whether or not the verdict uses it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.checks.sides import sides
from app.checks.words import with_other_side
from retrieval.types import Claim, Evidence, FactCheck, Hit, Label, Stance, Verdict
from tests.app.fake import PAGES

CURIE, WARSAW = PAGES[:2]
FOR = Evidence(CURIE.sentences()[2], 0.9, Stance(0.9, 0.0, 0.1), "claim")
AGAINST = Evidence(WARSAW.sentences()[0], 0.3, Stance(0.1, 0.8, 0.1), "claim")
UNDECIDED = Evidence(WARSAW.sentences()[1], 0.95, Stance(0.1, 0.4, 0.5), "claim")  # outweighs it, but takes no side
CHECK = FactCheck(
    Claim("", "Marie Curie was born in Warsaw."),
    pages=(Hit(CURIE, 1.0, "text"), Hit(WARSAW, 0.5, "text")),
    sentences=(FOR, UNDECIDED, AGAINST),
    evidence=(FOR,),
    verdict=Verdict(Label.SUPPORTED, {Label.SUPPORTED: 0.64, Label.REFUTED: 0.36}, "It says so.", "m"),
)


def on_sides(check: FactCheck) -> dict[str, list[tuple[int, Evidence]]]:
    found = sides(with_other_side(check))
    return {side: [(one.number, one.evidence) for one in quotations] for side, quotations in found.items()}


def verdict(label: Label) -> FactCheck:
    assert CHECK.verdict
    return replace(CHECK, verdict=replace(CHECK.verdict, label=label))


def test_it_stands_on_its_side_and_after_the_evidence() -> None:
    assert on_sides(CHECK) == {"supports": [(1, FOR)], "refutes": [(2, AGAINST)], "neutral": []}
    assert on_sides(replace(verdict(Label.REFUTED), evidence=(AGAINST,)))["supports"] == [(2, FOR)]
    assert on_sides(replace(verdict(Label.NOT_ENOUGH_EVIDENCE), evidence=(AGAINST,)))["supports"] == [(2, FOR)]


def test_what_a_leaning_verdict_rests_on_stands_on_its_side() -> None:
    leaning = replace(verdict(Label.REFUTED), evidence=(UNDECIDED,), sentences=(UNDECIDED,))
    assert on_sides(leaning) == {"supports": [], "refutes": [(1, UNDECIDED)], "neutral": []}
    assert on_sides(replace(leaning, verdict=None))["neutral"] == [(1, UNDECIDED)]


@pytest.mark.parametrize(
    "check",
    [
        replace(CHECK, evidence=(FOR, AGAINST)),
        replace(CHECK, sentences=(FOR, UNDECIDED)),
        replace(verdict(Label.CONFLICTING), evidence=(FOR, AGAINST)),
        replace(CHECK, verdict=None),
    ],
)
def test_nothing_is_added_where_it_stands_already_or_nothing_takes_the_other_side(check: FactCheck) -> None:
    assert with_other_side(check) is check


def test_the_page_shows_it_with_its_page_and_says_that_the_verdict_does_not_use_it(
    app: Flask, client: FlaskClient
) -> None:
    checks = app.extensions["esoteric"].checks
    check_id = checks.add(CHECK.claim.text, CHECK.recipe, 100)
    record = replace(CHECK, claim=replace(CHECK.claim, id=check_id))
    assert checks.finish(check_id, checks.take_up(check_id).attempts, record, None)
    page = client.get(f"/checks/{check_id}").text
    (against,) = re.findall(r'<section class="side refutes".*?</section>', page, re.S)
    assert AGAINST.sentence.text in against
    assert "not part of the verdict’s evidence" in against
    (place,) = re.findall(r'href="#(quote-\d)"', against)
    assert f'<mark id="{place}" class="refutes"' in page, "and in its page"
    assert "without evidence" not in page, "its page has some"
    assert [one["text"] for one in client.get(f"/api/checks/{check_id}").json["evidence"]] == [FOR.sentence.text]
