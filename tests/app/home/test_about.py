"""What the About page says follows the settings in force."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app import create_app
from retrieval.settings import Settings
from tests.app.conftest import close_engine
from tests.app.fake import FakeResources
from tests.making import changed

About = Callable[..., str]
NOTHING = "Nothing leaves this computer, and nothing is fetched from the web."
LLM = "http://127.0.0.1:9/v1"


@pytest.fixture
def about(tmp_path: Path) -> About:
    def read(**settings: Any) -> str:
        """The page's text without its tags, under these settings."""
        app = create_app(changed(Settings(data=tmp_path), **settings), FakeResources())
        shown = app.test_client().get("/about").text
        close_engine(app.extensions["esoteric"].checks.engine)
        return " ".join(re.sub(r"<[^>]+>", "", shown).split())

    return read


def test_nothing_leaves_where_nothing_is_set(about: About) -> None:
    shown = about()
    assert NOTHING in shown
    assert "language model's server" not in shown


def test_what_a_language_model_does_is_told_whether_or_not_verdicts_lean(about: About) -> None:
    for lean_below in (0.6, 0.0):
        shown = about(lean_below=lean_below)
        assert ("Below 60%, such a verdict only “leans” to its side." in shown) == bool(lean_below)
        assert "A language model's verdict names its sentences" in shown


def test_with_the_open_web_the_page_says_what_is_sent_and_fetched(about: About) -> None:
    shown = about(web="searxng", web_url="https://search.example")
    assert "To search.example, by checks that read the open web: the questions of the check, or its claim." in shown
    assert "The pages found are fetched from their servers" in shown
    assert "Nothing else leaves this computer." in shown
    assert "nothing is fetched" not in shown
    assert "language model's server" not in shown
    both = about(web="searxng", web_url="https://search.example", llm_model="m-1", llm_url=LLM)
    assert "nothing is fetched" not in both
    assert "for a verdict by m-1" in both


def test_where_only_typed_addresses_are_fetched_the_page_says_so(about: About) -> None:
    shown = about(web="pages")
    assert "To the servers of pages whose address you enter: that address. Checks do not search the web." in shown
    assert "by checks that read the open web" not in shown
    assert "Nothing else leaves this computer." in shown
    assert "nothing is fetched" not in shown


@pytest.mark.parametrize(
    ("settings", "sent"),
    [
        ({"llm_questions": "q-1"}, "the claim, for questions by q-1."),
        ({"llm_questions": "q-1", "query": "claim"}, "the sentences found, for questions by q-1."),
        ({"llm_contexts": "c-1"}, "parts of the pages around the sentences found, for contexts by c-1."),
    ],
)
def test_a_language_model_for_one_part_alone_is_told_of(about: About, settings: dict[str, str], sent: str) -> None:
    shown = about(**settings, llm_url=LLM)
    assert sent in shown
    assert shown.count("To the language model's server") == 1
    assert "Nothing else leaves this computer, and nothing is fetched from the web." in shown
    assert NOTHING not in shown
    assert "for a verdict" not in shown
    assert "then gives the verdict" not in shown


def test_parts_that_no_language_model_has_are_not_told_of(about: About) -> None:
    shown = about(llm_model="m-1", llm_questions="none", llm_contexts="none", llm_url=LLM, verdict="four")
    assert "for a verdict by m-1" in shown
    assert "where a classifier gives it" in shown
    assert shown.count("To the language model's server") == 1
    whole = about(llm_model="m-1", llm_url=LLM)
    assert whole.count("To the language model's server") == 3
    assert "where a classifier gives it" not in whole


def test_servers_of_the_corpus_and_hub_are_told_of(about: About) -> None:
    shown = about(store="http://user:secret@elastic.example:9200/index", hub_download=True)
    assert "To the server that STORE names" in shown
    assert "To the Hugging Face hub" in shown
    assert "nothing is fetched" not in shown
    assert "secret" not in shown


def test_what_is_not_reached_is_a_share_of_any_kind(about: About) -> None:
    assert "stays below 70%, whether that is a probability, an estimate or a language model's rating" in about(
        abstain_below=0.7
    )
    assert "the answer is “not sure”" not in about()


def test_the_limits_are_those_in_force(about: About) -> None:
    shown = about()
    assert "It gives verdicts in English only." in shown
    assert "A claim has at most 500 characters. In a longer text, it finds the claims first" in shown
    assert "one claim at a time" not in shown
    other = about(relevance_model="own/reader", stance_model="own/reader", reader_languages="de,en")
    assert "It gives verdicts in English and German only." in other


def test_the_page_says_which_sentences_are_read_and_where_the_licences_are(about: About) -> None:
    shown = about()
    assert "The sentences that share most words with the claim are read" in shown
    assert "A larger network reads the best sentences again, in every recipe but fast" in shown
    assert "a larger network reads the first 5 again" in shown
    assert "README.md names the third-party work at its end" in shown


def test_the_thesis_is_told_of_whichever_recipe_checks(about: About) -> None:
    for told in (about(), about(recipe="esoteric")):
        assert all(heading in told for heading in ("Purpose", "Instructions", "Dataset", "Amber_Bridge"))
        assert "As in the thesis” Purpose" in told


def test_the_language_models_server_is_described_and_its_rest_is_told(tmp_path: Path) -> None:
    resources = FakeResources()
    resources.server, resources.rests = (
        [("Thinking", "none <b>"), ("Left out", "`seed`")],
        "m-1 is left out until 12:00:00 UTC.",
    )
    app = create_app(Settings(data=tmp_path), resources)
    client = app.test_client()
    assert "<dt>Thinking</dt><dd>none &lt;b&gt;</dd>" in client.get("/about").text
    assert "<dt>Left out</dt><dd><code>seed</code></dd>" in client.get("/about").text
    told = "m-1 is left out until 12:00:00 UTC. Until then, checks get the local verdict."
    assert told in client.get("/").text
    resources.rests = ""
    assert "left out" not in client.get("/").text
    close_engine(app.extensions["esoteric"].checks.engine)
