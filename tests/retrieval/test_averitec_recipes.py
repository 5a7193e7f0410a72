"""The recipes over a claim's own documents: without a language model, and with one whose replies were recorded."""

from __future__ import annotations

import itertools
import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.errors import SettingError
from retrieval.llm.budget import Budget
from retrieval.llm.examples import Example, Examples, read_examples
from retrieval.models.disk_cache import CachedEncoder
from retrieval.models.fitted.four_labels import LABELS, FourLabels, answer_features, combine_two
from retrieval.models.fitted.logistic import softmax
from retrieval.output.record import dump_check, load_check
from retrieval.protocols import Matrix
from retrieval.resources import Resources
from retrieval.stages.averitec.contexts import Contexts, surroundings
from retrieval.stages.averitec.questions import template_questions
from retrieval.stores.knowledge import KnowledgeStore
from retrieval.text.chunks import chunks, neighbours
from retrieval.text.ranking import maximal_marginal_relevance, reciprocal_rank_fusion
from retrieval.types import Claim, FactCheck, Label, Limits, LLMCall, Reply, Stance
from tests.making import make_page

CLAIM = Claim("7", "The Anchor Bridge was opened in 1932.")
PAGES = (
    make_page("Anchor Bridge", "The Anchor Bridge was opened in March 1931.", "It is a steel bridge over the Lowe.", source="https://bridge.example/"),
    make_page("Lowe", "The Lowe is a river of 80 km.", "Two bridges cross the Lowe at its mouth."),
    make_page("Opening day", "Thousands came when the mayor opened the Anchor Bridge.", "The opening was on 12 March 1931."),
    make_page("Tea", "Tea is a drink made of leaves that are dried.", "It is drunk hot or with ice."),
)  # fmt: skip


class Recorded:
    """Implements `LLM`: gives recorded replies in turn and keeps what it was sent."""

    id = "recorded"

    def __init__(self, *replies: object) -> None:
        self._replies = [reply if isinstance(reply, str) else json.dumps(reply) for reply in replies]
        self.sent: list[tuple[str, str]] = []

    def complete(
        self,
        instructions: str,
        content: str,
        schema: Mapping[str, object] | None = None,
        *,
        limits: Limits | None = None,
    ) -> Reply:
        self.sent.append((instructions, content))
        return Reply(self._replies[len(self.sent) - 1], 100, 10)


class Answering(Recorded):
    """Gives whatever is asked for: questions, a context, a verdict."""

    def complete(
        self,
        instructions: str,
        content: str,
        schema: Mapping[str, Any] | None = None,
        *,
        limits: Limits | None = None,
    ) -> Reply:
        asked = schema["properties"] if schema else {}
        self._replies.append(json.dumps(QUESTIONS if "questions" in asked else VERDICT) if asked else "A bridge.")
        return super().complete(instructions, content, schema, limits=limits)


class WithModel(Resources):
    model: Recorded | None = None

    def llm(self) -> Recorded | None:
        return self.model


def check(resources: Resources, recipe: str, llm: Recorded | None = None, **settings: Any) -> FactCheck:
    ours = WithModel(replace(resources.settings, **settings))
    ours._loaded, ours.model = resources._loaded, llm
    return ours.over(KnowledgeStore(PAGES, "bridge")).pipeline(recipe).run(CLAIM)


AIC = {
    "questions": [
        {
            "question": "When was the bridge opened?",
            "answer": "In March 1931.",
            "answer_type": "Extractive",
            "source": 1,
        },
        {"question": "Who paid?", "answer": "Nobody knows.", "answer_type": "Unanswerable", "source": 99},
    ],
    "veracity": {"Supported": 1, "Refuted": 5, "Not Enough Evidence": 1, "Conflicting Evidence/Cherrypicking": 1},
}
QUESTIONS = {"questions": ["When was the Anchor Bridge opened?", "What is the Lowe?"]}
VERDICT = {"reason": "It was opened in 1931 [1].", "passages": [1], "verdict": "Refuted", "confidence": 90}


@pytest.mark.parametrize("recipe", ["aic", "rag_fusion", "contextual"])
def test_without_a_language_model(resources: Resources, recipe: str) -> None:
    done = check(resources, recipe)
    assert done.verdict is not None
    assert sum(done.verdict.probabilities.values()) == pytest.approx(1)
    assert set(done.verdict.probabilities) == set(LABELS)
    assert 1 <= len(done.evidence) <= 10
    texts = {hit.page.id: hit.page.text for hit in done.pages}
    for evidence in done.evidence:
        sentence = evidence.sentence
        assert evidence.verified
        assert texts[sentence.page_id][sentence.start : sentence.end] == sentence.text
    assert any("March 1931" in evidence.sentence.text for evidence in done.evidence[:3])
    assert all(pair.sources and pair.answer for pair in done.questions)
    assert load_check(dump_check(done)) == done


@pytest.mark.parametrize(("order", "kind"), [("before", "two"), ("after", "four")])
def test_contexts_stand_in_front_and_evidence_stays_as_it_was(resources: Resources, order: str, kind: str) -> None:
    done = check(resources, "contextual", context_order=order, fusion_verdict=kind)
    for pair in done.questions:
        sentence = done.evidence[pair.sources[0] - 1].sentence
        assert pair.answer.endswith(sentence.text)
        assert pair.answer.startswith(f"[{sentence.title}")
    assert done.verdict is not None
    assert ("two classifiers" in done.verdict.method) == (kind == "two")


@pytest.mark.parametrize("order", ["before", "after"])
@pytest.mark.parametrize("asked", [False, True], ids=["local", "model"])
def test_nothing_found_is_no_fault(resources: Resources, order: str, asked: bool) -> None:
    nothing = [make_page("Tea", "Dried leaves.")]  # too short to answer anything
    ours = WithModel(replace(resources.settings, context_order=order))
    ours._loaded, ours.model = resources._loaded, Recorded(QUESTIONS, {**VERDICT, "passages": []}) if asked else None
    done = ours.over(KnowledgeStore(nothing, "tea")).pipeline("contextual").run(CLAIM)
    assert done.evidence == ()
    assert done.verdict is not None


def test_aic_with_recorded_replies(resources: Resources) -> None:
    llm = Recorded(AIC)
    done = check(resources, "aic", llm)
    assert done.verdict is not None
    assert done.verdict.label is Label.REFUTED
    assert [pair.sources for pair in done.questions] == [(1,), ()]
    assert len(done.evidence) == 1
    assert done.evidence[0].verified
    assert "99" in done.notes[0]
    ((instructions, content),) = llm.sent
    assert "up to 10" in instructions
    assert CLAIM.text not in instructions
    assert "Anchor Bridge" not in instructions
    assert "[1] " in content
    assert "The claim to check: The Anchor Bridge" in content


def test_rag_fusion_with_recorded_replies(resources: Resources) -> None:
    llm = Recorded(QUESTIONS, VERDICT)
    done = check(resources, "rag_fusion", llm)
    assert done.verdict is not None
    assert done.verdict.label is Label.REFUTED
    assert done.verdict.confidence == pytest.approx(0.9)
    assert list(dict.fromkeys(pair.question for pair in done.questions)) == QUESTIONS["questions"]
    assert len({evidence.sentence for evidence in done.evidence}) == len(done.evidence)  # No sentence answers twice.
    assert "[1] " in llm.sent[1][1]


def test_evidence_that_does_not_suffice(resources: Resources) -> None:
    done = check(resources, "rag_fusion", Recorded(QUESTIONS, {"enough": False}), fusion_sufficiency=True)
    assert done.verdict is not None
    assert done.verdict.label is Label.NOT_ENOUGH_EVIDENCE
    done = check(resources, "rag_fusion", Recorded(QUESTIONS, {"enough": True}, VERDICT), fusion_sufficiency=True)
    assert done.verdict is not None
    assert done.verdict.label is Label.REFUTED


@pytest.mark.parametrize(
    ("recipe", "replies"),
    [
        ("aic", ["no JSON"]),
        ("rag_fusion", ["no list", VERDICT]),
        ("rag_fusion", [QUESTIONS, "no JSON"]),
        ("contextual", [QUESTIONS, "", *["A bridge."] * 5, VERDICT]),
    ],
)
def test_a_reply_is_recorded_before_it_is_read(resources: Resources, recipe: str, replies: list[object]) -> None:
    ours = WithModel(resources.settings)
    ours._loaded, ours.model = resources._loaded, Recorded(*replies)
    steps = [progress.check for progress in ours.over(KnowledgeStore(PAGES, "bridge")).pipeline(recipe).steps(CLAIM)]
    (blamed,) = {call.purpose for call in steps[-1].calls if call.error}
    assert blamed in {call.purpose for step in steps for call in step.calls if not call.error}, "handed on unread"


def test_every_call_stands_in_the_record(resources: Resources) -> None:
    done = check(resources, "contextual", Answering())
    contexts = [f"context {number}" for number in range(1, len(done.questions) + 1)]
    assert [call.purpose for call in done.calls] == ["questions", *contexts, "judgement"]
    assert load_check(dump_check(done)) == done


def test_a_reply_that_the_record_holds_is_not_paid_for_again(resources: Resources) -> None:
    done = check(resources, "contextual", Answering())
    kept = tuple(replace(call, reply=Reply("Kept.")) for call in done.calls if call.purpose == "context 1")
    llm = Recorded(*["New."] * 10)
    answered = replace(done, calls=kept, questions=tuple(replace(q, answer="") for q in done.questions))
    *_, last = Contexts(llm, resources.pair_scorer()).run(answered)
    assert len(llm.sent) == len(done.questions) - 1
    assert last.check.questions[0].answer.startswith("Kept. ")
    assert all(pair.answer.startswith("New. ") for pair in last.check.questions[1:])
    failed = replace(done, calls=(LLMCall("context 1", Reply(""), "It was not there."),))
    again = Recorded(*["New."] * 10)
    assert list(Contexts(again, resources.pair_scorer()).run(failed))
    assert len(again.sent) == len(done.questions)


def test_a_claim_that_costs_too_much_is_told_so(resources: Resources) -> None:
    done = check(resources, "rag_fusion", Recorded(QUESTIONS, VERDICT), llm_tokens=110)
    assert "budget of this claim is spent" in done.notes[0]
    assert done.verdict
    assert done.verdict.method.endswith("in place of recorded")
    assert Budget(111, 60).left((), 700).reply_tokens == 111


def test_contexts_with_recorded_replies(resources: Resources) -> None:
    llm = Recorded(QUESTIONS, *[f"Context {number}." for number in range(6)], VERDICT)
    done = check(resources, "contextual", llm)
    assert done.questions[0].answer.startswith("Context 0. ")
    assert "<page>" in llm.sent[1][1]
    assert "Context 0." in llm.sent[-1][1]


@pytest.mark.parametrize("reply", ["Supported", "{", {"verdict": "Not enough evidence to support"}])
def test_questions_that_cannot_be_read_are_made_by_rule(resources: Resources, reply: object) -> None:
    done = check(resources, "rag_fusion", Recorded(reply, VERDICT))
    assert done.notes[0].endswith("The questions were made by rule.")
    assert done.questions[0].question.startswith("Is it true that")
    assert done.verdict
    assert done.verdict.method == "recorded"


def test_a_context_that_cannot_be_read_is_the_sentence_before(resources: Resources) -> None:
    done = check(resources, "contextual", Recorded(QUESTIONS, "", *["A bridge."] * 5, VERDICT))
    assert done.questions[0].answer.startswith(f"[{done.evidence[0].sentence.title}")
    assert all(pair.answer.startswith("A bridge. ") for pair in done.questions[1:])
    assert done.notes[0].endswith("the page's title and the sentence before.")


@pytest.mark.parametrize("settings", [{"fusion_verdict": "best"}, {"context_order": "never"}])
def test_settings_that_make_no_sense(resources: Resources, settings: dict[str, str]) -> None:
    with pytest.raises(SettingError, match="Set it to"):
        check(resources, "contextual", **settings)


@pytest.mark.parametrize("recipe", ["aic", "rag_fusion", "contextual"])
def test_over_a_corpus_of_pages(resources: Resources, recipe: str) -> None:
    done = resources.pipeline(recipe).run(Claim("1", "Marie Curie won two Nobel Prizes."))
    assert done.verdict is not None
    assert done.evidence


def test_no_document_at_all(resources: Resources) -> None:
    done = resources.over(KnowledgeStore([])).pipeline("aic").run(CLAIM)
    assert done.verdict is not None
    assert done.evidence == ()


# Parts


@given(st.lists(st.text("ab. \n", min_size=1, max_size=60).filter(str.strip), max_size=12), st.integers(5, 80))
def test_chunks_are_the_page_in_pieces(sentences: list[str], length: int) -> None:
    page = make_page("P", *sentences)
    pieces = chunks(page, length)
    assert all(piece.text == page.text[piece.start : piece.end] and 0 < len(piece.text) <= length for piece in pieces)
    assert all(one.end <= other.start for one, other in itertools.pairwise(pieces))
    assert "".join("".join(piece.text for piece in pieces).split()) == "".join(page.text.split())


def test_neighbours_end_at_words() -> None:
    text = "One two three. Four five six. Seven eight nine."
    assert neighbours(text, 15, 29, 9) == ("three.", "Seven")
    assert neighbours(text, 0, 14, 100) == ("", "Four five six. Seven eight nine.")


@given(st.text("ab. \n", min_size=1, max_size=300), st.data())
def test_surroundings_hold_the_sentence(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    assert text[start:end].strip() in surroundings(text, start, end, 50)


def test_rank_fusion_by_hand() -> None:
    # 1/61 + 1/63 for 0, 1/62 + 1/61 for 1, 1/63 + 1/62 for 2.
    assert reciprocal_rank_fusion([[0, 1, 2], [1, 2, 0]]) == [1, 0, 2]
    assert reciprocal_rank_fusion([]) == []


def test_marginal_relevance_by_hand() -> None:
    query = np.array([1.0, 0.0], dtype=np.float32)
    rows = np.array([[0.9, 0.436], [0.9, 0.436], [0.6, -0.8]], dtype=np.float32)
    assert maximal_marginal_relevance(query, rows, 3, 1.0) == [0, 1, 2]
    assert maximal_marginal_relevance(query, rows, 2, 0.5) == [0, 2]  # Its twin says nothing new.
    assert maximal_marginal_relevance(query, rows[:0], 2, 0.5) == []
    with pytest.raises(ValueError, match="not between"):
        maximal_marginal_relevance(query, rows, 2, 1.5)


class Counting:
    """An encoder that counts what it embeds."""

    dimension = 4

    def __init__(self) -> None:
        self.texts: list[str] = []

    def encode(self, texts: Sequence[str]) -> Matrix:
        self.texts += texts
        rows = np.array([[len(text), text.count("a"), 1, hash(text) % 7] for text in texts], dtype=np.float32)
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def test_no_text_is_embedded_twice(tmp_path: Path) -> None:
    real = Counting()
    first = CachedEncoder(real, "m", tmp_path / "v.sqlite", 1)
    texts = ["a", "b", "a", "\ud800"]
    vectors = first.encode(texts)
    assert np.allclose(vectors, Counting().encode(texts), atol=2e-3)
    assert real.texts == ["a", "b", "\ud800"]
    again = CachedEncoder(real, "m", tmp_path / "v.sqlite", 1)
    assert np.array_equal(again.encode(texts), vectors)
    assert len(real.texts) == 3
    CachedEncoder(real, "another model", tmp_path / "v.sqlite", 1).encode(["a"])
    assert len(real.texts) == 4
    assert first.encode([]).shape == (0, 4)


def test_a_cache_that_cannot_be_used_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "v.sqlite").write_text("no database at all, " * 100, "utf-8")
    assert CachedEncoder(Counting(), "m", tmp_path / "v.sqlite", 1).encode(["a"]).shape == (1, 4)
    assert CachedEncoder(Counting(), "m", tmp_path / "v.sqlite" / "below", 1).encode(["a"]).shape == (1, 4)


def test_the_oldest_vectors_go(tmp_path: Path) -> None:
    encoder = CachedEncoder(Counting(), "m", tmp_path / "v.sqlite", 1)
    encoder._most = 10
    for number in range(8):
        encoder.encode([f"{number} {part}" for part in range(5)])
    with sqlite3.connect(tmp_path / "v.sqlite") as file:
        assert file.execute("SELECT count(*) FROM vectors").fetchone() == (10,)


def test_questions_by_rule() -> None:
    spans = [(0, 17, "NOUN_PHRASE"), (32, 36, "DATE")]
    assert template_questions("The Anchor Bridge was opened in 1932.", spans, 3) == [
        "Is it true that the Anchor Bridge was opened in 1932?",
        "What is the figure for The Anchor Bridge, is it 1932?",
        "What is known about The Anchor Bridge?",
    ]
    assert template_questions("Ada lives.", [(0, 3, "PERSON")], 1) == ["Is it true that Ada lives?"]
    assert template_questions("it rains", [], 3) == ["Is it true that it rains?"]


def test_examples(tmp_path: Path) -> None:
    examples = Examples(
        (Example("Tea is hot.", (), "Supported"), Example("The bridge is red.", (("Is it?", "No"),), "Refuted"))
    )
    assert [example.label for example in examples.nearest("A red bridge", 1)] == ["Refuted"]
    assert [example.label for example in examples.nearest("The bridge is red.", 5)] == ["Supported"]  # Never itself.
    assert read_examples(tmp_path / "none.json").nearest("A tram line", 3)
    (tmp_path / "bad.json").write_text("[1]", "utf-8")
    with pytest.raises(SettingError, match="EXAMPLES"):
        read_examples(tmp_path / "bad.json")


def test_four_labels_of_odd_evidence(resources: Resources) -> None:
    model = FourLabels()
    encoder = resources.encoder()
    for pairs in ([], [("", "x" * 5_000)], [("Is it?", "No answer could be found.")] * 12):
        relevances, stances = [0.0] * len(pairs), [Stance(0.0, 0.0, 1.0)] * len(pairs)
        found = model.probabilities("A claim.", pairs, relevances, stances, encoder)
        assert sum(found.values()) == pytest.approx(1)
        assert min(found.values()) >= 0
    assert list(answer_features([("q", "Yes. So"), ("q", "No"), ("q", "No answer could be found.")])[:3]) == [1, 1, 1]


def test_two_classifiers_give_four_labels() -> None:
    for scores, label in (((4, -4), 0), ((-4, 4), 1), ((-4, -4), 2), ((4, 4), 3)):
        shares = combine_two(np.array(scores, dtype=float))
        assert shares.sum() == pytest.approx(1)
        assert shares.argmax() == label
    assert softmax(np.array([1000.0, 0.0]))[0] == pytest.approx(1)
