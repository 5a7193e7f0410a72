"""What the result page and the exports say of scores, and of answers with their types."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.checks.words import page_score, sentence_score
from retrieval.types import RANKER, Claim, Evidence, FactCheck, Hit, Label, QuestionAnswer, Stance, Verdict
from tests.app.fake import PAGES

CURIE, WARSAW = PAGES[:2]
QUOTED = Evidence(CURIE.sentences()[2], 0.934, Stance(0.7, 0.2, 0.1), "question", rank_score=0.8125, rank_method="similarity")  # fmt: skip
CHECK = FactCheck(
    Claim("", "Marie Curie was born in Warsaw."),
    "esoteric",
    pages=(Hit(CURIE, 0.8249, "bracket"), Hit(WARSAW, 0.5, "text")),
    sentences=(QUOTED, replace(QUOTED, sentence=CURIE.sentences()[0], relevance=0.2, rank_score=None, rank_method="")),
    evidence=(QUOTED,),
    questions=(
        QuestionAnswer("Where was she born?", "In =Warsaw.", (1,), "Extractive"),
        QuestionAnswer("Where was she born?", "In <i>Poland</i>.", (1,), "Abstractive"),
        QuestionAnswer("Who paid?", "Nobody knows.", (), "Unanswerable"),
        QuestionAnswer("When was she born?", claimed="In <b>1867</b>"),
    ),
    verdict=Verdict(Label.SUPPORTED, {Label.SUPPORTED: 1.0}, "It says so.", "m"),
)


@pytest.fixture(scope="module")
def address(app: Flask) -> str:
    return finished(app, CHECK)


def finished(app: Flask, check: FactCheck) -> str:
    """The address of a finished check with this record."""
    checks = app.extensions["esoteric"].checks
    check_id = checks.add(check.claim.text, check.recipe, 100)
    record = replace(check, claim=replace(check.claim, id=check_id))
    assert checks.finish(check_id, checks.take_up(check_id).attempts, record, None)
    return f"/checks/{check_id}"


def words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>|&#8288;", " ", html).split())


def test_the_result_page_shows_the_scores_of_pages_and_passages(client: FlaskClient, address: str) -> None:
    shown = words(client.get(address).text)
    assert "Page score 0.82, found by its title, with a bracket" in shown
    assert "relevance 93%, similarity to the claim 0.81" in shown
    assert "Warsaw no evidence Page score 0.50, found by its text" in shown
    assert "relevance 20%" in shown


def test_as_in_the_thesis_passages_stand_before_the_text_which_is_behind_a_button(
    app: Flask, client: FlaskClient, address: str
) -> None:
    section = client.get(address).text.partition('class="in-context"')[2].partition("</section>")[0]
    assert '<details class="text">' in section
    before, _, behind = section.partition("<summary>Text of the page</summary>")
    quoted = QUOTED.sentence.text
    assert quoted in before, "the passage"
    assert "relevance 93%" in words(before)
    assert f'tabindex="-1">{quoted}' in behind, "marked in the text"
    other = finished(app, replace(CHECK, recipe="careful"))
    section = client.get(other).text.partition('class="in-context"')[2].partition("</section>")[0]
    assert '<details class="text" open>' in section
    assert "Why this sentence Page score 0.82" in words(section)


def test_the_result_page_shows_the_type_of_each_answer(client: FlaskClient, address: str) -> None:
    shown = words(client.get(address).text)
    assert "In =Warsaw. 1 Extractive: quoted from the source" in shown
    assert "Nobody knows. Unanswerable: no source answers it" in shown
    assert "The evidence says: In =Warsaw." in shown
    assert "The evidence says: Nobody knows." not in shown
    assert "When was she born? The claim says: In &lt;b&gt;1867&lt;/b&gt; No answer was found." in shown


def test_json_and_exports_keep_the_types(client: FlaskClient, address: str) -> None:
    types = ["Extractive", "Abstractive", "Unanswerable", None]
    for told in (client.get(f"/api{address}").json, client.get(f"{address}.json").json):
        assert [question["answer_type"] for question in told["questions"]] == types
        assert [question["claimed"] for question in told["questions"]] == [None, None, None, "In <b>1867</b>"]
    (row,) = csv.DictReader(io.StringIO(client.get(f"{address}.csv").text.removeprefix("\ufeff")))
    assert row["question"].splitlines() == ["Where was she born?"] * 2
    assert row["answer"].splitlines() == ["In =Warsaw.", "In <i>Poland</i>."]
    assert row["answer_type"].splitlines() == ["Extractive", "Abstractive"]
    assert (row["score"], row["rank_score"], row["rank_method"]) == ("0.934", "0.8125", "similarity")
    markdown = client.get(f"{address}.md").text
    assert "- The evidence says: In =Warsaw. (Extractive: quoted from the source, evidence 1)" in markdown
    assert "In &lt;i&gt;Poland&lt;/i&gt;. (Abstractive: in the model's words, evidence 1)" in markdown
    assert "**When was she born?**\n\n- The claim says: In &lt;b&gt;1867&lt;/b&gt;\n\nNo answer was found." in markdown


def test_scores_in_words() -> None:
    assert sentence_score(replace(QUOTED, rank_score=0.971, rank_method=RANKER)).endswith("being evidence 97%")
    assert sentence_score(replace(QUOTED, rank_score=0.5, rank_method="new")) == "relevance 93%, new 0.50"
    assert page_score(Hit(CURIE, 1.0, "second hop")) == "Page score 1.00, found by a name in another page"
