"""The steps of recipe `esoteric`, each over pages and models made by hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from retrieval.models.encoders import LengthKept
from retrieval.models.pair_scorers import Readers
from retrieval.protocols import Encoder, Matrix, Stage
from retrieval.stages.claim import ClaimSpans, MergedSpans, TitleNgrams
from retrieval.stages.esoteric.pages import TextMatch, TitleMatch, likely_pages
from retrieval.stages.esoteric.passages import Passages, english_sentences, with_lines
from retrieval.stages.esoteric.question_ranking import QuestionRanking
from retrieval.stages.esoteric.questions import ClaimQuestions
from retrieval.stages.esoteric.relevance import Relevance, SimilarityOrder
from retrieval.stores.vectors import cosines, page_text, quantised
from retrieval.types import Claim, CorpusInfo, Evidence, FactCheck, Hit, Page, QuestionAnswer, Span, Stance
from tests.making import make_page

TOPICS = ("film", "band", "city", "river", "king")


@dataclass
class TopicEncoder:
    """Vectors that count a few words, of unit length."""

    dimension: int = len(TOPICS) + 1
    read: list[str] = field(default_factory=list)
    length: float = 1.0

    def encode(self, texts: Sequence[str]) -> Matrix:
        self.read += texts
        rows = np.array([[text.lower().count(topic) for topic in TOPICS] + [0.1] for text in texts], dtype=np.float32)
        return self.length * rows.reshape(-1, self.dimension) / np.linalg.norm(rows, axis=1, keepdims=True)


@dataclass
class ShelfStore:
    """Pages found by title, and by any phrase of their text, all of them equally well."""

    pages: tuple[Page, ...]
    asked: list[str] = field(default_factory=list, kw_only=True)

    def find_titles(self, spans: Sequence[str], top_k: int = 100) -> list[tuple[Page, bool]]:
        from retrieval.text.titles import fold, without_bracket

        keys = set(map(fold, spans))
        found = [
            (p, fold(p.title) in keys) for p in self.pages if {fold(p.title), fold(without_bracket(p.title))} & keys
        ]
        return found[:top_k]

    def search_text(self, query: str, phrases: Sequence[str] = (), top_k: int = 10) -> list[tuple[Page, float]]:
        assert query == ""
        hits = [(page, 2.0) for page in self.pages if any(phrase.lower() in page.text.lower() for phrase in phrases)]
        return hits[:top_k]

    def rank_text(self, query: str, phrases: Sequence[str] = (), top_k: int = 10) -> list[tuple[str, float]]:
        return [(page.id, score) for page, score in self.search_text(query, phrases, top_k)]

    def get(self, page_ids: Sequence[str]) -> dict[str, Page]:
        self.asked += page_ids
        return {page.id: page for page in self.pages if page.id in page_ids}

    def info(self) -> CorpusInfo:
        return CorpusInfo(len(self.pages), "", "", 1)


@dataclass
class VectorShelf(ShelfStore):
    """Holds vectors of some of its pages, as the stores do: cosines alone, -1 where there is none."""

    encoder: Encoder
    held: tuple[Page, ...]
    model: str = "topics"

    def info(self) -> CorpusInfo:
        return CorpusInfo(len(self.pages), "", "", 1, vectors=len(self.held), vector_model=self.model)

    def score_vectors(self, page_ids: Sequence[str], query_vectors: Matrix) -> Matrix:
        vectors = {page.id: quantised(self.encoder.encode([page_text(page)])) for page in self.held}
        missing = np.full((1, len(query_vectors)), -1, np.float32)
        rows = [cosines(vectors[id], quantised(query_vectors)) if id in vectors else missing for id in page_ids]
        return np.concatenate(rows)


FILM = make_page("Savages (2012 film)", "Savages is a film.", "It was shot in a city.")
BAND = make_page("Savages (band)", "Savages are a band.", "They play in a city.")
SAVAGES = make_page("Savages", "Savages may mean many things.")
PARIS = make_page("Paris", "Paris is a city on a river.", "A king lived in Paris.")
STREAM = make_page("Seine", "The Seine is a river.", "It flows through Paris.")
STORE = ShelfStore((SAVAGES, FILM, BAND, PARIS, STREAM))


def begun(text: str, *kinds: str, **fields: object) -> FactCheck:
    spans = tuple(Span(part, text.index(part), text.index(part) + len(part), "TITLE") for part in kinds)
    return replace(FactCheck(Claim("c", text), spans=spans), **fields)


def last(stage: Stage, check: FactCheck) -> FactCheck:
    steps = list(stage.run(check))
    assert all(step.stage == stage.name and 0 <= step.done <= step.total and step.total >= 1 for step in steps)
    after = steps[-1].check
    changed = {name for name in FactCheck.__slots__ if getattr(after, name) != getattr(check, name)}
    assert changed <= set(stage.writes), changed
    assert after.details[stage.name].endswith("."), "each stage says what it used"
    return after


# 1 spans


class Finds:
    def __init__(self, *found: tuple[int, int, str]) -> None:
        self.found = list(found)

    def extract(self, claim: str) -> list[tuple[int, int, str]]:
        return self.found


def test_runs_of_words_and_quotations_are_titles() -> None:
    claim = 'Savages was shot in Paris by the band "Two or Three".'
    found = [claim[start:end] for start, end, _ in TitleNgrams(STORE).extract(claim)]  # type: ignore[arg-type]
    assert found == ["Savages", "Paris", "Two or Three"]


def test_spans_are_merged_in_a_stable_order_with_their_offsets() -> None:
    claim = "The Seine flows through Paris #."
    first = Finds((0, 9, "LOC"), (4, 9, "NOUN_PHRASE"), (24, 29, "GPE"), (30, 31, "MISC"))
    second = Finds((24, 29, "TITLE"), (4, 9, "TITLE"), (10, 15, "NOUN_PHRASE"))
    merged = MergedSpans([first, second]).extract(claim)
    assert merged == [(0, 9, "LOC"), (4, 9, "TITLE"), (10, 15, "NOUN_PHRASE"), (24, 29, "GPE")]
    assert MergedSpans([first, second]).extract(claim) == merged
    check = last(ClaimSpans(MergedSpans([first, second]), "two models"), begun(claim))
    assert all(claim[span.start : span.end] == span.text for span in check.spans)
    assert check.details["spans"] == "4 parts of the claim by two models."


def test_phrases_inside_a_name_or_with_an_article_only_are_left_out() -> None:
    claim = "Some Like It Hot is the film."
    spans = Finds((0, 16, "TITLE"), (5, 16, "NOUN_PHRASE"), (20, 28, "WORK"), (24, 28, "NOUN_PHRASE"))
    assert [span[:2] for span in MergedSpans([spans]).extract(claim)] == [(0, 16), (20, 28)]


# 2 titles


def test_the_disambiguation_rule_of_the_thesis() -> None:
    stage = TitleMatch(STORE, TopicEncoder(), 0.0, 20, "topics")  # type: ignore[arg-type]
    check = last(stage, begun("Savages was exclusively a German film.", "Savages"))
    assert [(hit.page.title, hit.method) for hit in check.pages] == [
        ("Savages", "title"),
        ("Savages (2012 film)", "bracket"),
        ("Savages (band)", "bracket"),
    ]
    assert check.pages[0].score == 1.0
    assert check.pages[1].score > 0.9 > check.pages[2].score


@pytest.mark.parametrize(("cutoff", "limit", "kept"), [(0.5, 20, 1), (0.0, 1, 1), (0.0, 0, 0), (1.0, 20, 0)])
def test_bracketed_titles_have_a_cutoff_and_a_limit(cutoff: float, limit: int, kept: int) -> None:
    stage = TitleMatch(STORE, TopicEncoder(), cutoff, limit)  # type: ignore[arg-type]
    check = last(stage, begun("Savages was exclusively a German film.", "Savages"))
    assert sum(hit.method == "bracket" for hit in check.pages) == kept


# 3 text


def test_pages_that_hold_a_phrase_follow_the_titles() -> None:
    check = begun("The Seine flows through Paris.", "Paris", pages=(Hit(PARIS, 1.0, "title"),))
    found = last(TextMatch(STORE, 1000), check)  # type: ignore[arg-type]
    assert [(hit.page.title, hit.method) for hit in found.pages] == [("Paris", "title"), ("Seine", "text")]
    assert last(TextMatch(STORE, 1000), begun("Nothing.")).pages == ()  # type: ignore[arg-type]


# 4 questions


class Echo:
    id = "echo"

    def ask(self, claim: str, answers: Sequence[tuple[int, int, str]]) -> list[str]:
        return [f"What is {claim[a:b]}?" if kind != "NONE" else "" for a, b, kind in answers]

    def polar(self, claim: str, answers: Sequence[tuple[int, int, str]]) -> str:
        return f"Is it so that {claim}?"


def test_a_question_for_each_part_and_one_for_yes_or_no() -> None:
    spans = (
        Span("Paris", 0, 5, "GPE"),
        Span("city", 11, 15, "TITLE"),
        Span("Paris", 0, 5, "X"),
        Span("is", 6, 8, "NONE"),
    )
    check = replace(begun("Paris is a city."), spans=spans)
    asked = last(ClaimQuestions(Echo(), Echo()), check).questions
    about_paris = QuestionAnswer("What is Paris?", claimed="Paris")
    assert asked == (QuestionAnswer("Is it so that Paris is a city.?"), about_paris)
    assert last(ClaimQuestions(None, Echo()), check).questions == asked[:1]
    assert last(ClaimQuestions(Echo(), None), check).questions == asked[1:]
    denial = replace(check, claim=replace(check.claim, turned=True))
    assert last(ClaimQuestions(Echo(), None), denial).questions == (replace(about_paris, claimed=""),)
    many = replace(
        check,
        spans=tuple(Span("", n, n + 1, "X") for n in range(16)) + tuple(Span("", 0, n, "X") for n in range(2, 16)),
    )
    assert len(last(ClaimQuestions(Echo(), Echo()), many).questions) == 24


# 5 question ranking

ASKED = (QuestionAnswer("Is it a film?"), QuestionAnswer("Which river?"))


def ranking(store: ShelfStore, encoder: TopicEncoder, **settings: object) -> QuestionRanking:
    chosen = {"encoded": 40, "per_question": 10, "cutoff": 0.65, **settings}
    return QuestionRanking(store, encoder, encoder, **chosen)  # type: ignore[arg-type]


def hits(*pages: Page, method: str = "text") -> tuple[Hit, ...]:
    return tuple(Hit(page, 0.5, method) for page in pages)


def test_the_best_question_scores_a_page_and_exact_titles_stay_first() -> None:
    check = begun("x", pages=(*hits(PARIS, method="title"), *hits(BAND, STREAM, FILM)), questions=ASKED)
    kept = last(ranking(STORE, TopicEncoder()), check).pages
    assert kept[0].page.title == "Paris"
    assert {hit.page.title for hit in kept[1:]} == {"Seine", "Savages (2012 film)"}
    assert kept[1].score >= kept[2].score
    assert all(0.65 <= hit.score <= 1 for hit in kept[1:])


def test_each_question_brings_so_many_pages() -> None:
    check = begun("x", pages=hits(STREAM, PARIS, FILM), questions=ASKED[1:])
    assert [hit.page.title for hit in last(ranking(STORE, TopicEncoder(), per_question=1), check).pages] == ["Seine"]


def test_only_so_many_pages_are_encoded_the_bracketed_first() -> None:
    encoder = TopicEncoder()
    pages = (*hits(STREAM, PARIS), *hits(FILM, method="bracket"))
    steps = list(ranking(STORE, encoder, encoded=2).run(begun("A river in Paris", pages=pages, questions=ASKED)))
    assert [text.split(" :")[0] for text in encoder.read[2:]] == ["Savages (2012 film)", "Paris"]
    assert "2 of 3 others encoded" in steps[-1].check.details["question ranking"]
    assert likely_pages("A river", hits(PARIS, FILM), 1)[0].page == PARIS


@pytest.mark.parametrize("length", [1.0, 8.0])
def test_vectors_are_compared_where_the_store_has_them(length: float) -> None:
    encoder = TopicEncoder(length=length)
    inner = TopicEncoder(length=length)
    store = VectorShelf(STORE.pages, inner if length == 1 else LengthKept(inner), (BAND, STREAM))
    check = begun("x", pages=hits(BAND, STREAM, FILM), questions=ASKED)
    kept = last(ranking(store, encoder, model="topics", cutoff=0.5), check)
    assert encoder.read == ["Is it a film?", "Which river?", f"{FILM.title} : {FILM.text}"]
    assert "2 pages compared in the store, 1 of 1 others encoded" in kept.details["question ranking"]
    fresh = last(ranking(STORE, TopicEncoder(length=length), cutoff=0.5), check)
    assert [hit.page for hit in kept.pages] == [hit.page for hit in fresh.pages]
    assert [hit.score for hit in kept.pages] == pytest.approx([hit.score for hit in fresh.pages], abs=0.01)


def test_vectors_of_another_model_are_left_alone() -> None:
    store = VectorShelf(STORE.pages, TopicEncoder(), STORE.pages, "another")
    done = last(ranking(store, TopicEncoder(), model="topics"), begun("x", pages=hits(FILM), questions=ASKED))
    assert "0 pages compared in the store, 1 of 1" in done.details["question ranking"]


def test_products_of_dpr_are_on_the_scale_of_the_thesis() -> None:
    check = begun("x", pages=hits(FILM), questions=ASKED)
    cosine = 2 * last(ranking(STORE, TopicEncoder()), check).pages[0].score - 1
    kept = last(ranking(STORE, TopicEncoder(length=8.0), cutoff=0.6), check).pages
    assert kept[0].score == pytest.approx(1 / (1 + np.exp(-64 * cosine / 100)))


def test_without_questions_the_claim_itself_is_asked() -> None:
    encoder = TopicEncoder()
    last(ranking(STORE, encoder), begun("Any river", pages=hits(STREAM)))
    assert encoder.read[0] == "Any river"


# 6 sentences


def passages(encoder: TopicEncoder | None, **settings: object) -> Passages:
    chosen = {"encoded": 60, "top_k": 30, "cutoff": 0.7, **settings}
    return Passages(encoder, encoder, lambda text: [(0, len(text))], **chosen)  # type: ignore[arg-type]


def test_sentences_that_answer_a_question_are_kept_with_their_offsets() -> None:
    check = begun("A river", pages=hits(STREAM, PARIS, BAND), questions=ASKED)
    kept = last(passages(TopicEncoder()), check).sentences
    assert {e.sentence.text for e in kept} == {"The Seine is a river.", "Paris is a city on a river."}
    assert all(e.method == e.rank_method == "question" and 0.7 <= (e.rank_score or 0) <= 1 for e in kept)
    texts = {page.id: page.text for page in STORE.pages}
    assert all(texts[e.sentence.page_id][e.sentence.start : e.sentence.end] == e.sentence.text for e in kept)


def test_so_many_sentences_are_compared_and_kept() -> None:
    encoder = TopicEncoder()
    check = begun("A river", pages=hits(STREAM, PARIS), questions=ASKED)
    assert len(last(passages(encoder, encoded=3, top_k=1, cutoff=0.0), check).sentences) == 1
    assert len(encoder.read) == len(ASKED) + 3
    unasked = last(passages(None, top_k=2), check).sentences
    assert [e.method for e in unasked] == ["words", "words"]
    assert last(passages(encoder), begun("x")).sentences == ()


def test_overlapping_pieces_are_merged_and_missing_lines_are_found() -> None:
    page = replace(PARIS, lines=((0, 0, 10), (1, 5, 27), (2, 28, 50)))
    assert with_lines(page, english_sentences).lines == ((0, 0, 27), (2, 28, 50))
    bare = replace(PARIS, lines=())  # the first use of spaCy's model loads it
    assert [PARIS.text[a:b] for _, a, b in with_lines(bare, english_sentences).lines] == [
        "Paris is a city on a river.",
        "A king lived in Paris.",
    ]
    assert with_lines(PARIS, english_sentences) is PARIS


# 7 relevance, 8 similarity


class Scorer:
    """Relevance by a word; batches of one."""

    def score(self, claim: str, sentences: Sequence[str]) -> Iterator[tuple[list[int], list[float], list[Stance]]]:
        for row, sentence in enumerate(sentences):
            yield [row], [0.9 if "river" in sentence else 0.2], [Stance(0.7, 0.2, 0.1)]


class Classifier:
    id = "kings"

    def relevance(self, claim: str, sentences: Sequence[str]) -> list[float]:
        assert not any(" : " in sentence for sentence in sentences), "the thesis' model reads the sentence alone"
        return [0.8 if "king" in sentence else 0.1 for sentence in sentences]


def evidence(page: Page, line: int, score: float = 0.75) -> Evidence:
    return Evidence(page.sentences()[line], score, Stance(0, 0, 1), "question")


def test_relevance_and_stance_of_the_passages() -> None:
    check = begun(
        "x", pages=hits(STREAM, PARIS), sentences=(evidence(PARIS, 1), evidence(PARIS, 0), evidence(STREAM, 0))
    )
    done = last(Relevance(Scorer(), 0.5, used="scorer"), check)
    assert [e.relevance for e in done.sentences] == [0.9, 0.9, 0.2]
    assert {e.method for e in done.sentences} == {"question"}
    assert done.details["relevance"] == "2 of 3 sentences relevant by scorer, cutoff 0.5."


def test_a_classifier_judges_relevance_and_the_scorer_stance() -> None:
    check = begun("x", pages=hits(STREAM, PARIS), sentences=(evidence(PARIS, 1), evidence(STREAM, 0)))
    done = last(Relevance(Readers(Scorer(), Classifier(), None), 0.5, "kings"), check)
    assert [(e.relevance, e.stance.supports) for e in done.sentences] == [(0.8, 0.7), (0.1, 0.7)]
    assert [hit.page.title for hit in done.pages] == ["Paris", "Seine"]


def test_relevant_sentences_come_in_the_order_of_similarity() -> None:
    sentences = (evidence(PARIS, 1, 0.9), evidence(STREAM, 0, 0.8), evidence(FILM, 0, 0.3), evidence(BAND, 0, 0.1))
    done = last(SimilarityOrder(TopicEncoder(), 0.5, "topics"), begun("A river and a film", sentences=sentences))
    assert [e.sentence.page_id for e in done.sentences] == [STREAM.id, PARIS.id, FILM.id, BAND.id]
    assert [e.relevance for e in done.sentences] == [0.8, 0.9, 0.3, 0.1], "relevance stays what it was"


@pytest.mark.parametrize(("similar", "ordered"), [(0.0, 2), (0.001, 2), (1.0, 0)])
def test_relevant_sentences_that_are_too_little_alike_are_left_out(similar: float, ordered: int) -> None:
    sentences = (evidence(PARIS, 1, 0.9), evidence(STREAM, 0, 0.8), evidence(FILM, 0, 0.3))
    stage = SimilarityOrder(TopicEncoder(), 0.5, "topics", similar=similar)
    done = last(stage, begun("A river and a film", sentences=sentences))
    assert done.details["similarity"].startswith(f"{ordered} of 2 relevant sentences")
    assert len(done.sentences) == ordered + 1
    assert done.sentences[-1].sentence.page_id == FILM.id
