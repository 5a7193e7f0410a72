"""The best sentences read again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from retrieval.stages.reading_again import ReadAgain, weights_behind, worth_reading
from retrieval.stages.verdict import ChooseEvidence
from retrieval.text.sentences import as_read
from retrieval.types import Evidence, Page, Stance
from retrieval.verdicts.local import LIKELY
from tests.retrieval.stages.test_stages import LYON, NEUTRAL, PARIS, OneByOne, begun, last, scored


class ReaderAlone:
    """Believes the reader's relevance alone; its stance is the first pass's."""

    def evidence(
        self, claim: str, first: Sequence[Evidence], relevances: Sequence[float], stances: Sequence[Stance]
    ) -> list[float]:
        assert claim
        assert len(first) == len(relevances) == len(stances)
        return list(relevances)

    def stances(self, first: Sequence[Stance], reader: Sequence[Stance]) -> list[Stance]:
        return list(first)


def ranked(page: Page, line: int, share: float) -> Evidence:
    return replace(scored(page, line, 0.5), rank_score=share, rank_method="ranker")


def test_the_best_sentences_are_read_again_and_come_first() -> None:
    sentences = (ranked(PARIS, 0, 0.9), ranked(PARIS, 1, 0.8), ranked(LYON, 0, 0.7), ranked(LYON, 1, 0.6))
    reader = OneByOne({PARIS.sentences()[0].text: 0.1, LYON.sentences()[0].text: 0.4})
    done = last(ReadAgain(reader, ReaderAlone(), 3), replace(begun("x", PARIS, LYON), sentences=sentences))
    assert sorted(reader.read) == sorted(as_read(one) for one in sentences[:3])
    assert [(e.sentence.page_id, e.sentence.line) for e in done.sentences][:2] == [("Lyon", 0), ("Paris", 0)]
    assert done.sentences[3] == replace(sentences[3], rank_score=0.0), "what is not read comes after what is"
    assert [hit.page.id for hit in done.pages] == ["Lyon", "Paris"]


def test_a_title_that_takes_sides_is_not_read_again_either() -> None:
    reader = OneByOne({})
    one = replace(ranked(PARIS, 0, 0.9), title_read=False)
    last(ReadAgain(reader, ReaderAlone(), 3), replace(begun("x", PARIS), sentences=(one,)))
    assert reader.read == [f" : {one.sentence.text}"]


def test_nothing_is_read_again_if_nothing_was_found() -> None:
    assert last(ReadAgain(OneByOne({}), ReaderAlone(), 3), begun("x", PARIS)).sentences == ()


def test_a_page_that_the_claim_does_not_name_is_read_with_what_led_there() -> None:
    found, led = ranked(LYON, 1, 0.8), ranked(PARIS, 2, 0.9)
    found = replace(found, stance=Stance(0.1, 0.8, 0.1))
    reader = OneByOne({found.sentence.text: 0.7})
    check = replace(begun("The mayor of Paris was born on the Seine.", PARIS, LYON), sentences=(found, led))
    done = last(ReadAgain(reader, ReaderAlone(), 1), check)
    assert reader.read == [f"{as_read(found)}\n{as_read(led)}"]
    assert done.sentences[0].stance == NEUTRAL, "the first pass knows nothing of the other sentence"


def test_both_sentences_are_shown_whatever_their_order() -> None:
    found, led, other = ranked(LYON, 1, 0.8), ranked(PARIS, 2, 0.9), ranked(PARIS, 0, 0.85)
    check = begun("The mayor of Paris was born on the Seine.", PARIS, LYON)
    for sentences in ((found, led, other), (led, found, other), (found, other, led)):
        done = last(ChooseEvidence(3, with_bridges=True), replace(check, sentences=sentences))
        shown = [one.sentence for one in done.evidence]
        assert {found.sentence, led.sentence} <= set(shown)
        assert len(shown) == len(set(shown)) <= 3
    least = last(ChooseEvidence(2, with_bridges=True), replace(check, sentences=(found, other, led)))
    assert [one.sentence for one in least.evidence] == [found.sentence, led.sentence], "behind the one that needs it"
    alone = last(ChooseEvidence(2), replace(check, sentences=(found, other, led)))
    assert led.sentence not in [one.sentence for one in alone.evidence]


def test_unlikely_sentences_are_not_read_again_but_for_the_first_two() -> None:
    shares = (0.9, 0.01, 0.3, 0.04, 0.2)
    sentences = [ranked(PARIS, line % 3, share) for line, share in enumerate(shares)]
    assert worth_reading(sentences, 4, 0.05) == tuple(sentences[:3])
    assert worth_reading(sentences, 4, 0.0) == tuple(sentences[:4])
    assert worth_reading(sentences, 1, 0.0) == tuple(sentences[:1])
    assert worth_reading(sentences[1:2], 4, 0.5) == (sentences[1],)
    assert worth_reading([], 4, 0.0) == ()


def test_the_reader_begins_with_the_best_two_before_it_has_read_the_last() -> None:
    sentences = (ranked(PARIS, 0, 0.9), ranked(PARIS, 1, 0.8), ranked(LYON, 0, 0.7), ranked(LYON, 1, 0.6))
    texts = [one.sentence.text for one in sentences]
    reader = OneByOne(dict(zip(texts, (0.1, 0.5, 0.8, 0.9), strict=True)))
    last(ReadAgain(reader, ReaderAlone(), 4), replace(begun("x", PARIS, LYON), sentences=sentences))
    assert reader.expected == [[as_read(sentences[2]), as_read(sentences[1])]]
    assert reader.read[-1] == as_read(sentences[3])


def test_nothing_is_begun_for_sentences_that_are_hardly_evidence() -> None:
    sentences = (ranked(PARIS, 0, 0.9), ranked(PARIS, 1, 0.8), ranked(LYON, 0, 0.7))
    reader = OneByOne({sentences[0].sentence.text: LIKELY - 0.1, sentences[2].sentence.text: 0.9})
    last(ReadAgain(reader, ReaderAlone(), 3), replace(begun("x", PARIS, LYON), sentences=sentences))
    last(ReadAgain(reader, ReaderAlone(), 1), replace(begun("x", PARIS, LYON), sentences=sentences))
    assert reader.expected == []


def test_what_is_not_read_again_weighs_no_more_than_what_is() -> None:
    rest = [ranked(PARIS, 0, 0.3), ranked(PARIS, 1, 0.05)]
    assert weights_behind([0.6, 0.2], rest) == [0.2, 0.05]
    assert weights_behind([], rest) == [0.3, 0.05]
