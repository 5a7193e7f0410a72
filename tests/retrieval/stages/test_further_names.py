"""A page that the claim names by one of its further titles, from the search to the verdict's rules."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.models.fitted.ranker import FEATURES, features
from retrieval.output.record import dump_check, load_check
from retrieval.stages.bridges import bridge_to
from retrieval.stages.claim import TitleNgrams
from retrieval.stages.search import PageSearch
from retrieval.stages.sentences import UNREAD
from retrieval.stores import open_store
from retrieval.stores.embedded.store import EmbeddedStore
from retrieval.stores.embedded.writer import open_writer
from retrieval.stores.knowledge_file import Faults, read_pages
from retrieval.text.chunks import chunks
from retrieval.text.titles import fold, without_bracket
from retrieval.text.witnesses import copied_pages
from retrieval.types import Claim, Evidence, FactCheck, Page, Span, Stance
from retrieval.verdicts.conflict import names_page, speaks_of_another
from retrieval.verdicts.namesakes import heard
from tests.making import make_page

CLAIM = "The capital of the US is Washington."
STATES = "The country has fifty states.", "It lies between two oceans.", "Its seat of government is on the Potomac."
UNITED_STATES = replace(make_page("United States", *STATES), names=("US", "USA", "United States of America"), prior=9)
NAMELESS = replace(UNITED_STATES, names=())
CITY = make_page("Washington, D.C.", "Washington is the capital of the country.")
WEAK = [make_page(f"Province {n}", f"Its capital is Town {n}.") for n in range(30)]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedStore]:
    folder: Path = tmp_path_factory.mktemp("names") / "store"
    with open_writer(folder, "test") as writer:
        writer.add([UNITED_STATES, CITY, *WEAK])
        writer.finish("test")
    opened = open_store(str(folder))
    assert isinstance(opened, EmbeddedStore)
    yield opened
    opened.close()


def searched(store: EmbeddedStore, text: str) -> FactCheck:
    """The check after the stage `pages` of the recipes `fast` and `careful`."""
    return list(PageSearch(store, 10).run(FactCheck(Claim("c", text))))[-1].check


@pytest.mark.parametrize("name", ["US", "U.S.", "USA", "usa", "United States of America", "United States"])
def test_the_page_is_among_the_ten_by_whichever_name(store: EmbeddedStore, name: str) -> None:
    check = searched(store, f"The capital of the {name} is Washington.")
    assert len(check.pages) == 10
    assert WEAK[0] in [hit.page for hit in check.pages], "the others are found too"
    (hit,) = [hit for hit in check.pages if hit.page == UNITED_STATES]
    assert hit.score > 0
    start = len("The capital of the ")
    assert Span(name, start, start + len(name), "TITLE") in check.spans


def read(page: Page, line: int = 0, supports: float = 0.0, refutes: float = 0.0, weight: float = 0.9) -> Evidence:
    return Evidence(page.sentences()[line], weight, Stance(supports, refutes, 1 - supports - refutes), "claim")


def test_a_sentence_knows_its_pages_names_and_is_the_same_without() -> None:
    known, other = UNITED_STATES.sentences()[0], NAMELESS.sentences()[0]
    assert known.names == chunks(UNITED_STATES)[0].names == UNITED_STATES.names
    assert (known, hash(known), repr(known)) == (other, hash(other), repr(other))


def test_the_ranker_is_told_that_the_claim_names_the_page() -> None:
    column = FEATURES.index("claim names its page")
    sentences = [read(UNITED_STATES), read(NAMELESS), read(WEAK[0])]
    assert features(CLAIM, sentences, [UNITED_STATES.id])[:, column].tolist() == [1, 0, 0]
    unread = replace(read(UNITED_STATES), title_read=False)
    assert features(CLAIM, [unread], [UNITED_STATES.id])[0, column] == 0


def test_the_page_named_is_heard_before_a_planted_one() -> None:
    planted = make_page("Morning News", "The capital of the US is Washington.")
    loud, quiet = read(planted, supports=0.98), read(UNITED_STATES, 2, refutes=0.55, weight=0.2)
    assert heard(CLAIM, [loud, quiet]) == [quiet]
    assert heard(CLAIM, [loud, read(NAMELESS, 2, refutes=0.55, weight=0.2)])[0] == loud, "without names nobody is"
    assert not names_page(CLAIM, replace(quiet, title_read=False)), "as a title that is not read names nothing"


def test_it_is_the_subject_of_the_claim() -> None:
    assert not speaks_of_another(CLAIM, UNITED_STATES.sentences()[1])
    assert speaks_of_another(CLAIM, NAMELESS.sentences()[1])
    actor = replace(make_page("Michael B. Jordan", "He was born in 1987."), names=("Michael Jordan (actor)",))
    assert speaks_of_another("Michael Jordan was born in 1963.", actor.sentences()[0]), "a bracket is part of a name"


def test_a_page_that_took_the_name_as_its_title_is_the_copy() -> None:
    copy = make_page("US", *STATES[:2], "Its seat of government is on the Rhine.")
    for pages in ([UNITED_STATES, copy], [copy, UNITED_STATES]):
        assert copied_pages(CLAIM, pages) == {copy.id}
    assert copied_pages(CLAIM, [NAMELESS, copy]) == {NAMELESS.id}, "as it was without names"


def test_its_sentences_are_read_alone_and_lead_to_others() -> None:
    washington = make_page("George Washington", "He was a general.")
    led = replace(make_page("United States", "Its first president was George Washington."), names=("US",))
    claim = "The first president of the US was a general."
    assert bridge_to(claim, washington.sentences()[0], led.sentences()) == led.sentences()[0]
    assert bridge_to(claim, washington.sentences()[0], replace(led, names=()).sentences()) is None
    mention = make_page("First president", "The United States had one.").sentences()
    assert bridge_to(claim, led.sentences()[0], mention) is None
    assert bridge_to(claim, replace(led, names=()).sentences()[0], mention) == mention[0]


def test_a_stored_check_keeps_the_names_once(store: EmbeddedStore) -> None:
    check = replace(searched(store, CLAIM), sentences=(read(UNITED_STATES),), evidence=(read(UNITED_STATES),))
    stored = json.loads(json.dumps(dump_check(check)))
    assert "names" not in stored["sentences"][0]["sentence"]
    again = load_check(stored)
    assert again == check
    assert again.sentences[0].sentence.names == again.evidence[0].sentence.names == UNITED_STATES.names


def test_an_uploaded_document_cannot_give_itself_names() -> None:
    names = {"names": ["US"], "redirect": [{"namespace": 0, "title": "US"}], "prior": 10**9}
    row = {"url": "https://site.example/us", "url2text": ["(meta data) TITLE: News", *STATES], **names}
    (page,) = read_pages(json.dumps(row).encode(), Faults())
    assert (page.names, page.prior) == ((), 0)


WORDS = st.lists(
    st.sampled_from(["Us", "the", "US", "Paris", "(film)", "(2012", "film)", "é", "It", "-", "!"]), max_size=6
)
TEXTS = WORDS.map(" ".join) | st.text(max_size=30)


@given(TEXTS.filter(fold), TEXTS.filter(fold))
def test_pages_without_names_are_named_as_before(claim: str, title: str) -> None:
    """What the rules said before they knew of further names; FEVER's pages have none."""
    (sentence,) = make_page(title, "It is old.").sentences()
    evidence, page = Evidence(sentence, 0.5, UNREAD, "claim"), make_page(title, "It is old.")
    before = f" {fold(without_bracket(title))} " in f" {fold(claim)} "
    assert names_page(claim, evidence) is before
    assert features(claim, [evidence], [page.id])[0, FEATURES.index("claim names its page")] == before


def test_recipe_esoteric_takes_a_further_title_for_a_title(store: EmbeddedStore) -> None:
    assert "US" in [CLAIM[start:end] for start, end, _ in TitleNgrams(store).extract(CLAIM)]
