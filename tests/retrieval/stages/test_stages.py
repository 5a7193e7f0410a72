"""Each stage, over small corpora and scorers made by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import pytest

from retrieval.output.record import dump_check, load_check
from retrieval.protocols import PageStore, Stage
from retrieval.stages.claim import ClaimSpans
from retrieval.stages.search import PageSearch
from retrieval.stages.sentences import (
    RankSentences,
    SecondHop,
    SentenceScores,
    best_first,
    by_best_sentence,
    likely_sentences,
)
from retrieval.stages.verdict import ChooseEvidence, LocalVerdict
from retrieval.stores.embedded.store import EmbeddedStore
from retrieval.types import Claim, Evidence, FactCheck, Hit, Label, Page, Progress, Span, Stance
from retrieval.verdicts.local import BestSentences
from retrieval.verdicts.policy import Policy, choose
from tests.making import make_page

NEUTRAL = Stance(0.0, 0.0, 1.0)


@dataclass
class WordScorer:
    """Relevance by the first word of the list that a sentence holds; batches of two, in reverse."""

    relevances: Mapping[str, float]
    read: list[str] = field(default_factory=list)
    together: list[list[str]] = field(default_factory=list)
    expected: list[list[str]] = field(default_factory=list)

    def score(self, claim: str, sentences: Sequence[str]) -> Iterator[tuple[list[int], list[float], list[Stance]]]:
        for first in range(0, len(sentences), 2):
            indices = list(range(first, min(first + 2, len(sentences))))[::-1]
            self.read += [sentences[index] for index in indices]
            scores = [next((s for word, s in self.relevances.items() if word in sentences[i]), 0.0) for i in indices]
            yield indices, scores, [NEUTRAL] * len(indices)

    def judge_together(self, claim: str, sentences: Sequence[str]) -> Stance:
        self.together.append(list(sentences))
        return NEUTRAL

    def begin_together(self, claim: str, sentences: Sequence[str]) -> None:
        assert len(self.read) > 1, "the others were read before"
        self.expected.append(list(sentences))


class OneByOne(WordScorer):
    """The same, each by itself and in order, as a `Reader` does."""

    def score(self, claim: str, sentences: Sequence[str]) -> Iterator[tuple[list[int], list[float], list[Stance]]]:
        for index, sentence in enumerate(sentences):
            for _, scores, stances in super().score(claim, [sentence]):
                yield [index], scores, stances


def begun(text: str, *pages: Page) -> FactCheck:
    hits = tuple(Hit(page, 1.0 - place / 10, "text") for place, page in enumerate(pages))
    return FactCheck(Claim("c", text), pages=hits)


def last(stage: Stage, check: FactCheck) -> FactCheck:
    return list(stage.run(check))[-1].check


def scored(page: Page, line: int, score: float, stance: Stance = NEUTRAL) -> Evidence:
    return Evidence(page.sentences()[line], score, stance, "claim")


# claim


class TwoSpans:
    def extract(self, claim: str) -> list[tuple[int, int, str]]:
        return [(0, 5, "GPE"), (9, 15, "NOUN_PHRASE")]


def test_spans_quote_the_claim() -> None:
    check = last(ClaimSpans(TwoSpans()), begun("Paris is a city."))
    assert check.spans == (Span("Paris", 0, 5, "GPE"), Span("a city", 9, 15, "NOUN_PHRASE"))


# search


def test_pages_are_found_by_title_and_text(sample_store: EmbeddedStore) -> None:
    check = last(PageSearch(sample_store, 5), begun("The director of Casablanca was born in Budapest."))
    found = {hit.page.id: hit.method for hit in check.pages}
    assert len(check.pages) == 5
    assert found["Casablanca_-LRB-film-RRB-"] == "title and text"
    assert [hit.score for hit in check.pages] == sorted((hit.score for hit in check.pages), reverse=True)
    assert check.corpus == sample_store.info()
    spans = {span.text for span in check.spans if span.type == "TITLE"}
    assert "Casablanca" in spans
    assert all(check.claim.text[span.start : span.end] == span.text for span in check.spans)


def test_the_context_of_a_claim_brings_pages_that_it_does_not_name(sample_store: EmbeddedStore) -> None:
    claim = begun("He was born in Budapest.")
    told = replace(claim, claim=replace(claim.claim, context="The director of Casablanca"))
    alone, found = (last(PageSearch(sample_store, 10), check) for check in (claim, told))
    assert "Casablanca_-LRB-film-RRB-" not in {hit.page.id for hit in alone.pages}
    assert {hit.page.id: hit.method for hit in found.pages}["Casablanca_-LRB-film-RRB-"] == "context"
    assert len(found.pages) == 10
    assert found.pages[:7] == alone.pages[:7], "the claim's own come first"
    assert [hit.score for hit in found.pages] == sorted((hit.score for hit in found.pages), reverse=True)
    assert found.spans == alone.spans, "no span lies in the context"


def test_spans_of_the_stage_before_are_kept(sample_store: EmbeddedStore) -> None:
    before = Span("born", 0, 4, "X")
    check = last(PageSearch(sample_store, 3), replace(begun("born in Budapest"), spans=(before,)))
    assert check.spans[0] == before


def test_a_misspelt_name_is_read_as_the_one_that_was_meant(sample_store: EmbeddedStore) -> None:
    claim = "Wuthering Hights was written by Emilly Bronte."
    check = last(PageSearch(sample_store, 5), begun(claim))
    assert (check.claim.text, check.claim.reading) == (claim, "Wuthering Heights was written by Emily Bronte.")
    assert {"Wuthering Heights", "Emily Brontë"} <= {hit.page.title for hit in check.pages if "title" in hit.method}
    assert {span.text for span in check.spans} >= {"Wuthering Hights", "Emilly Bronte"}, "as the claim writes them"
    assert check.notes[0].endswith("read as “Wuthering Heights was written by Emily Bronte”.")
    assert load_check(dump_check(check)) == check


def test_a_word_that_is_known_is_not_put_right(sample_store: EmbeddedStore) -> None:
    check = last(PageSearch(sample_store, 5, {"hights"}), begun("The hights were written by Emilly Bronte."))
    assert check.claim.reading == "The hights were written by Emily Bronte."
    plain = last(PageSearch(sample_store, 5), begun("The director of Casablanca was born in Budapest."))
    assert (plain.claim.respelt, plain.notes) == ("", ())


def test_words_of_another_language_are_not_put_right(sample_store: EmbeddedStore) -> None:
    check = last(PageSearch(sample_store, 5), begun("Der Mann ist nicht mit der Frau in die Stadt gegangen."))
    assert (check.claim.respelt, check.notes) == ("", ())


@pytest.mark.parametrize("text", ["Xyzzy plugh frotz.", "7", "東京", "<script>", "a"])
def test_a_claim_about_nothing_in_the_corpus(sample_store: EmbeddedStore, text: str) -> None:
    check = last(PageSearch(sample_store, 10), begun(text))
    assert check.corpus is not None
    assert len(check.pages) <= 10


# sentences

PARIS = make_page(
    "Paris", "Paris is a city.", "It has a tower.", "Its mayor was born in Lyon.", links=("Lyon", "Mayor")
)
LYON = make_page("Lyon", "Lyon is a city in France.", "It lies on the Rhône.")


def test_models_read_sentences_with_their_title() -> None:
    scorer = WordScorer({})
    last(SentenceScores(scorer, 10), begun("Paris has a tower", PARIS))
    assert "Paris : It has a tower." in scorer.read


def test_sentences_are_scored_and_pages_follow_their_best_one() -> None:
    scorer = WordScorer({"Rhône": 0.9, "tower": 0.5, "city": 0.1})
    steps = list(SentenceScores(scorer, 10).run(begun("Paris has a tower", PARIS, LYON)))
    check = steps[-1].check
    assert [evidence.sentence.text for evidence in check.sentences[:2]] == ["It lies on the Rhône.", "It has a tower."]
    assert [hit.page.id for hit in check.pages] == ["Lyon", "Paris"]
    assert [(step.done, step.total) for step in steps] == [(0, 5), (2, 5), (4, 5), (5, 5), (5, 5)]
    assert all(evidence.method == "claim" for evidence in check.sentences)


def test_only_so_many_sentences_are_read() -> None:
    scorer = WordScorer({})
    check = last(SentenceScores(scorer, 2), begun("Paris has a tower", PARIS, LYON))
    assert len(check.sentences) == len(scorer.read) == 2


@pytest.mark.parametrize(("relevance", "read"), [(0.1, 20), (0.09, 30)])
def test_the_less_likely_half_is_read_where_the_others_are_worth_nothing(relevance: float, read: int) -> None:
    scorer = WordScorer({"tower": relevance})
    page = make_page("Paris", "Paris has a tower.", *[f"Line {number}." for number in range(29)])
    check = last(SentenceScores(scorer, 40), begun("Paris has a tower", page))
    assert len(check.sentences) == len(scorer.read) == read


@pytest.mark.parametrize("pages", [(), (make_page("Empty"),)])
def test_nothing_to_read(pages: tuple[Page, ...]) -> None:
    steps = list(SentenceScores(WordScorer({}), 10).run(begun("Paris", *pages)))
    assert [(step.done, step.total) for step in steps] == [(0, 1), (1, 1)]
    assert steps[-1].check.sentences == ()


def test_ceasing_to_iterate_saves_the_batches_not_yet_read() -> None:
    scorer = WordScorer({})
    steps = SentenceScores(scorer, 10).run(begun("Paris", PARIS, LYON))
    next(steps)
    next(steps)
    del steps
    assert len(scorer.read) == 2


def test_likely_sentences_may_share_a_date_and_no_word() -> None:
    pages = (
        make_page("Otto Tam", "Otto Tam (5 May 1756 – 1 June 1791) made songs."),
        make_page("Leo Tam", "Leo Tam saw a century end."),
    )
    likely = likely_sentences("Tam was born in the 17th century.", [Hit(page, 0.5, "text") for page in pages], 1)
    assert [sentence.title for sentence in likely] == ["Otto Tam"]


def test_likely_sentences_share_words_with_the_claim() -> None:
    hits = begun("The mayor of Paris was born in Lyon", PARIS, LYON).pages
    likely = likely_sentences("The mayor of Paris was born in Lyon", hits, 2)
    assert likely[0].text == "Its mayor was born in Lyon."
    assert len(likely) == 2
    assert likely_sentences("x", hits, 0) == likely_sentences("x", (), 5) == []


def test_best_first_breaks_ties_by_page_and_line() -> None:
    order = best_first([scored(PARIS, 1, 0.5), scored(LYON, 1, 0.5), scored(PARIS, 0, 0.5), scored(LYON, 0, 0.9)])
    assert [(e.sentence.page_id, e.sentence.line) for e in order] == [
        ("Lyon", 0),
        ("Lyon", 1),
        ("Paris", 0),
        ("Paris", 1),
    ]


def test_unread_pages_stay_behind_in_their_order() -> None:
    hits = begun("x", make_page("A"), PARIS, make_page("B"), LYON).pages
    order = by_best_sentence(hits, [scored(LYON, 0, 0.0), scored(PARIS, 0, 0.4), scored(PARIS, 1, 0.2)])
    assert [hit.page.id for hit in order] == ["Paris", "Lyon", "A", "B"]


# second hop


class Titles:
    """A store that only knows titles."""

    def __init__(self, *pages: Page) -> None:
        self.pages, self.asked = pages, list[str]()

    def find_titles(self, spans: Sequence[str], top_k: int = 100) -> list[tuple[Page, bool]]:
        self.asked += spans
        return [(page, True) for page in self.pages if page.title in spans]


def hop(store: object, scorer: WordScorer, check: FactCheck) -> list[Progress]:
    return list(SecondHop(store, scorer).run(check))  # type: ignore[arg-type]


def test_the_second_hop_reads_pages_named_in_the_best_sentences() -> None:
    store, scorer = Titles(PARIS, LYON), WordScorer({"France": 0.95})
    check = replace(begun("The mayor of Paris was born in France", PARIS), sentences=(scored(PARIS, 2, 0.8),))
    steps = hop(store, scorer, check)
    done = steps[-1].check
    assert [hit.page.id for hit in done.pages] == ["Lyon", "Paris"]
    assert (done.sentences[0].sentence.text, done.sentences[0].method) == ("Lyon is a city in France.", "second hop")
    assert len(done.sentences) == 3
    assert "Mayor" not in store.asked, "a link counts where the sentence names it"


def test_sentences_that_hardly_matter_lead_nowhere() -> None:
    store = Titles(LYON)
    check = replace(begun("x", PARIS), sentences=(scored(PARIS, 2, 0.04),))
    done = hop(store, WordScorer({}), check)[-1].check
    assert store.asked == []
    assert (done.pages, done.sentences) == (check.pages, check.sentences)


def test_pages_known_already_are_not_read_again() -> None:
    scorer = WordScorer({})
    check = replace(begun("x", PARIS, LYON), sentences=(scored(PARIS, 2, 0.9),))
    assert len(hop(Titles(PARIS, LYON), scorer, check)[-1].check.pages) == 2
    assert scorer.read == []


# ranking


class Backwards:
    """Ranks a sentence the higher the later it came."""

    def probabilities(self, claim: str, sentences: Sequence[Evidence], pages: Sequence[str]) -> list[float]:
        assert list(pages) == ["Paris", "Lyon"]
        return [place / 10 for place in range(len(sentences))]


def test_sentences_and_pages_follow_the_ranker() -> None:
    check = replace(
        begun("x", PARIS, LYON), sentences=(scored(PARIS, 0, 0.9), scored(PARIS, 1, 0.5), scored(LYON, 0, 0.2))
    )
    done = last(RankSentences(Backwards()), check)
    assert [(e.sentence.page_id, e.sentence.line, e.rank_score) for e in done.sentences] == [
        ("Lyon", 0, 0.2),
        ("Paris", 1, 0.1),
        ("Paris", 0, 0.0),
    ]
    assert [hit.page.id for hit in done.pages] == ["Lyon", "Paris"]


def test_no_sentence_is_a_case_like_any_other() -> None:
    class Nothing:
        def probabilities(self, claim: str, sentences: Sequence[Evidence], pages: Sequence[str]) -> list[float]:
            return []

    assert last(RankSentences(Nothing()), begun("x", PARIS)).sentences == ()


# evidence and verdict


def test_evidence_is_what_is_worth_showing() -> None:
    best = [scored(PARIS, 0, 0.9), scored(PARIS, 1, 0.6), scored(LYON, 0, 0.5), scored(LYON, 1, 0.01)]
    assert choose(best, 5) == best[:2]
    assert choose(best, 1) == best[:1]
    assert choose([], 5) == choose([scored(PARIS, 0, 0.01)], 5) == []


def test_evidence_is_verified_against_its_page() -> None:
    good = scored(PARIS, 0, 0.9)
    moved = replace(good, sentence=replace(good.sentence, start=1, end=17))
    unknown = replace(good, sentence=replace(good.sentence, page_id="Rome"))
    empty = replace(good, sentence=replace(good.sentence, text="", end=0))
    check = replace(begun("x", PARIS), sentences=(good, moved, unknown, empty))
    done = last(ChooseEvidence(5), check)
    assert [evidence.verified for evidence in done.evidence] == [True, False, False, False]
    assert len(done.evidence) == 4, "what cannot be verified is marked, never dropped"


class FixedVerdict:
    id = "fixed"
    calibration_error: float | None = None

    def __init__(self, label: Label) -> None:
        self.given: list[list[float]] = []
        self.shares = MappingProxyType({other: 0.7 if other is label else 0.1 for other in Label})

    def probabilities(
        self, relevances: Sequence[float], stances: Sequence[Stance], together: Stance, exact: Sequence[int] = ()
    ) -> Mapping[Label, float]:
        assert together == NEUTRAL
        assert len(relevances) == len(stances) == len(exact)
        self.given.append(list(relevances))
        return self.shares


def test_the_verdict_reads_the_best_sentences_whether_shown_or_not() -> None:
    model, scorer = FixedVerdict(Label.REFUTED), WordScorer({})
    page = make_page("Seven", *(f"Sentence {number}." for number in range(7)))
    sentences = tuple(scored(page, number, 0.9 - number / 10) for number in range(7))
    check = last(
        LocalVerdict(Policy(BestSentences(model, scorer, 5), 5, side_from=0.0)),
        replace(begun("x"), sentences=sentences, evidence=sentences[:1]),
    )
    assert check.verdict is not None
    assert (check.verdict.label, check.verdict.confidence, check.verdict.method) == (Label.REFUTED, 0.7, "fixed")
    assert model.given[0] == pytest.approx([0.9, 0.8, 0.7, 0.6, 0.5])
    assert model.given[1] == pytest.approx([0.8, 0.7, 0.6, 0.5, 0.4]), "without the sentence that it cites"
    texts = [f"Seven : Sentence {number}." for number in range(7)]
    assert scorer.together == [texts[:5], texts[1:6]]


def test_no_evidence_is_a_case_like_any_other() -> None:
    check = last(
        LocalVerdict(Policy(BestSentences(FixedVerdict(Label.NOT_ENOUGH_EVIDENCE), WordScorer({}), 5), 5)), begun("x")
    )
    assert check.verdict is not None
    assert check.verdict.reason == "No sentence of the corpus bears on this claim."


def test_stages_say_what_they_write(sample_store: PageStore) -> None:
    scorer, store = WordScorer({}), sample_store
    stages: list[Stage] = [
        ClaimSpans(TwoSpans()),
        PageSearch(store, 5),
        SentenceScores(scorer, 5),
        SecondHop(store, scorer),
        ChooseEvidence(5),
        LocalVerdict(Policy(BestSentences(FixedVerdict(Label.SUPPORTED), scorer, 5), 5)),
    ]
    check = begun("Paris is a city.")
    for stage in stages:
        steps = list(stage.run(check))
        assert steps, f"{stage.name} yields at least once"
        assert all(step.stage == stage.name and 0 <= step.done <= step.total for step in steps)
        after = steps[-1].check
        changed = {name for name in FactCheck.__slots__ if getattr(after, name) != getattr(check, name)}
        assert changed <= set(stage.writes), stage.name
        check = after
