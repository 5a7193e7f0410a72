"""The sentences of recipe `esoteric` in the thesis's ways, what is evidence, and what the evidence answers."""

from __future__ import annotations

from dataclasses import replace

from retrieval.stages.esoteric.evidence import FoundAnswers, RelevantEvidence
from retrieval.stages.esoteric.passages import DualPassages, english_sentences, with_lines
from retrieval.stages.esoteric.relevance import SimilarityOrder
from retrieval.types import QuestionAnswer
from tests.making import make_page
from tests.retrieval.stages.test_esoteric import (
    ASKED,
    BAND,
    FILM,
    PARIS,
    STREAM,
    TopicEncoder,
    begun,
    evidence,
    hits,
    last,
    passages,
)


def test_titles_can_be_left_out_of_the_comparison() -> None:
    encoder = TopicEncoder()
    check = begun(
        "A river", pages=hits(FILM), questions=ASKED, sentences=(evidence(FILM, 1, 0.9), evidence(PARIS, 0, 0.9))
    )
    last(passages(encoder, titles=False), check)
    last(SimilarityOrder(encoder, 0.5, titles=False), check)
    assert FILM.sentences()[1].text in encoder.read
    assert not any(" : " in text for text in encoder.read)


def test_pages_can_be_cut_afresh_and_keep_the_numbers_of_their_lines() -> None:
    page = replace(PARIS, lines=((3, 0, 15), (4, 16, 27), (7, 28, 50)))
    cut = with_lines(page, english_sentences, afresh=True)
    assert [(number, page.text[a:b]) for number, a, b in cut.lines] == [
        (3, "Paris is a city on a river."),
        (7, "A king lived in Paris."),
    ]


# 9 evidence and answers


def test_every_relevant_sentence_is_evidence() -> None:
    many = make_page("Seine", *(f"The Seine is river number {n}." for n in range(9)))
    sentences = (*(evidence(many, n, 0.9 - n / 100) for n in range(8)), evidence(PARIS, 0, 0.2))
    check = begun("x", pages=hits(many, PARIS), sentences=sentences)
    shown = last(RelevantEvidence(0.5, 5), check).evidence
    assert [one.sentence for one in shown] == [one.sentence for one in sentences[:8]]
    assert all(one.verified for one in shown)
    assert len(last(RelevantEvidence(0.875, 5), check).evidence) == 5, (
        "less relevant ones fill up what a verdict may rest on"
    )
    assert last(RelevantEvidence(0.95, 5), check).evidence, "the nearest are shown where nothing is relevant"


def test_the_evidence_answers_the_questions_and_the_claim_does_not() -> None:
    asked = (QuestionAnswer("Which river?"), QuestionAnswer("Which band?"))
    check = begun("x", pages=hits(STREAM, PARIS), questions=asked, evidence=(evidence(PARIS, 1), evidence(STREAM, 0)))
    river, band = last(FoundAnswers(TopicEncoder(), TopicEncoder(), 0.7), check).questions
    assert (river.answer, river.sources) == ("The Seine is a river.", (2,))
    assert (band.answer, band.sources) == ("", ())
    assert last(FoundAnswers(TopicEncoder(), TopicEncoder(), 0.7), replace(check, evidence=())).questions == asked


def test_the_dual_pipeline_takes_sentences_by_words_and_by_questions() -> None:
    check = begun("A king lived in Paris", pages=hits(STREAM, PARIS, BAND), questions=ASKED[1:])
    encoder = TopicEncoder()
    stage = DualPassages(encoder, encoder, english_sentences, encoded=60, by_words=1, cutoff=0.7)
    kept = last(stage, check).sentences
    assert [(one.sentence.text, one.method) for one in kept] == [
        ("A king lived in Paris.", "words"),
        ("The Seine is a river.", "question"),
    ]
    assert last(stage, begun("x")).sentences == ()
