"""The recipes over a claim's own documents: without a language model, and with one whose replies were recorded."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from retrieval.errors import SettingError
from retrieval.llm.budget import Budget
from retrieval.llm.examples import NO_EXAMPLES, Example, Examples
from retrieval.models.fitted.four_labels import LABELS
from retrieval.output.record import dump_check, load_check
from retrieval.resources import Resources
from retrieval.stages.averitec.contexts import Contexts
from retrieval.stores.knowledge import KnowledgeStore
from retrieval.stores.knowledge_file import KnowledgeFile
from retrieval.types import Claim, FactCheck, Label, Limits, LLMCall, Reply
from tests.making import changed, make_page

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


EXAMPLES = Examples([Example("Tea is hot.", (("Is tea hot?", "Yes"),), "Supported")])


def with_model(resources: Resources, llm: Recorded | None, examples: Examples = EXAMPLES, **settings: Any) -> Resources:
    """The same with a language model and examples to show it."""
    return replace(
        resources, settings=changed(resources.settings, **settings), model=llm, instead={"examples": examples}
    )


def check(resources: Resources, recipe: str, llm: Recorded | None = None, **more: Any) -> FactCheck:
    """more: settings, knobs, `examples`."""
    return with_model(resources, llm, **more).over(KnowledgeFile(PAGES, "bridge")).pipeline(recipe).run(CLAIM)


def letters(texts: Sequence[str]) -> list[int]:
    """As if each letter were a token, and spaces none."""
    return [len("".join(text.split())) for text in texts]


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
    done = check(resources, "contextual", context_order=order, verdict=kind)
    for pair in done.questions:
        sentence = done.evidence[pair.sources[0] - 1].sentence
        assert pair.answer.endswith(sentence.text)
        assert pair.answer.startswith(f"[{sentence.title}")
    assert done.verdict is not None
    assert ("two classifiers" in done.verdict.method) == (kind == "two")


def test_contexts_that_only_rank_are_in_no_answer(resources: Resources) -> None:
    ranked = check(resources, "contextual", context_order="ranks")
    shown = check(resources, "contextual", context_order="before")
    assert [e.sentence for e in ranked.evidence] == [e.sentence for e in shown.evidence], "ranked with their contexts"
    assert [pair.answer for pair in ranked.questions] == [e.sentence.text for e in ranked.evidence]
    assert [pair.question for pair in ranked.questions] == [pair.question for pair in shown.questions]
    assert all(e.verified for e in ranked.evidence)


@pytest.mark.parametrize("order", ["before", "after"])
@pytest.mark.parametrize("asked", [False, True], ids=["local", "model"])
def test_nothing_found_is_no_fault(resources: Resources, order: str, asked: bool) -> None:
    nothing = [make_page("Tea", "Dried leaves.")]  # too short to answer anything
    llm = Recorded(QUESTIONS, {**VERDICT, "passages": []}) if asked else None
    ours = with_model(resources, llm, context_order=order)
    done = ours.over(KnowledgeStore(nothing, "tea")).pipeline("contextual").run(CLAIM)
    assert done.evidence == ()
    assert done.verdict is not None


def test_rules_look_for_answers_in_more_chunks_than_a_model_reads(resources: Resources) -> None:
    found, as_a_model, one = (
        {evidence.sentence for evidence in check(resources, "aic", chunk_length=100, **knobs).evidence}
        for knobs in ({}, {"chunks": 1}, {"local_chunks": 1})
    )
    assert found == as_a_model
    assert one < found


def test_aic_with_recorded_replies(resources: Resources) -> None:
    llm = Recorded(AIC)
    done = check(resources, "aic", llm)
    assert done.verdict is not None
    assert done.verdict.label is Label.REFUTED
    assert [(pair.sources, pair.answer_type) for pair in done.questions] == [((1,), "Extractive"), ((), "Unanswerable")]
    assert load_check(dump_check(done)) == done
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
    done = check(resources, "rag_fusion", Recorded(QUESTIONS, {"enough": False}), sufficiency=True)
    assert done.verdict is not None
    assert done.verdict.label is Label.NOT_ENOUGH_EVIDENCE
    done = check(resources, "rag_fusion", Recorded(QUESTIONS, {"enough": True}, VERDICT), sufficiency=True)
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
    ours = with_model(resources, Recorded(*replies))
    steps = [progress.check for progress in ours.over(KnowledgeStore(PAGES, "bridge")).pipeline(recipe).steps(CLAIM)]
    (blamed,) = {call.purpose for call in steps[-1].calls if call.error}
    assert blamed in {call.purpose for step in steps for call in step.calls if not call.error}, "handed on unread"


@pytest.mark.parametrize(("recipe", "replies"), [("aic", (AIC,)), ("rag_fusion", (QUESTIONS, VERDICT))])
def test_without_examples_the_model_is_shown_none_and_a_note_says_so(
    resources: Resources, recipe: str, replies: tuple[object, ...]
) -> None:
    assert NO_EXAMPLES not in check(resources, recipe, Recorded(*replies)).notes
    llm = Recorded(*replies)
    assert NO_EXAMPLES in check(resources, recipe, llm, examples=Examples()).notes
    assert "Tea" not in llm.sent[0][1].partition("</sources>")[2]
    assert "Checked before" not in llm.sent[0][1]
    assert "An example" not in llm.sent[0][1]


def test_rank_fusion_decides_which_sentences_are_evidence(resources: Resources) -> None:
    more = {"pairs": 4, "answers": 2}
    ours = check(resources, "rag_fusion", Recorded(QUESTIONS, VERDICT), choice="ranks", **more)
    ranks = [evidence.rank_score for evidence in ours.sentences]
    assert len(ours.evidence) == 4
    assert ranks == sorted(ranks, key=lambda score: -(score or 0.0))
    each = check(resources, "rag_fusion", Recorded(QUESTIONS, VERDICT), **more)
    best = sorted([e.rank_score or 0.0 for e in each.evidence], reverse=True)
    assert sum(score or 0.0 for score in ranks) >= sum(best)


def test_what_a_context_adds_is_read_with_the_sentence(resources: Resources) -> None:
    plain = check(resources, "contextual", context_order="none")
    added = check(resources, "contextual", context_order="after")
    assert [e.sentence for e in plain.evidence] == [e.sentence for e in added.evidence]
    assert [e.stance for e in plain.evidence] != [e.stance for e in added.evidence]
    assert all(e.verified for e in added.evidence)
    alone = check(resources, "contextual", context_order="only")
    fused = check(resources, "rag_fusion")
    assert [e.sentence for e in alone.evidence] == [e.sentence for e in fused.evidence], "chosen without a reranker"


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
    *_, last = Contexts(llm, resources.pair_scorer(), letters).run(answered)
    assert len(llm.sent) == len(done.questions) - 1
    assert last.check.questions[0].answer.startswith("Kept. ")
    assert all(pair.answer.startswith("New. ") for pair in last.check.questions[1:])
    failed = replace(done, calls=(LLMCall("context 1", Reply(""), "It was not there."),))
    again = Recorded(*["New."] * 10)
    assert list(Contexts(again, resources.pair_scorer(), letters).run(failed))
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
    assert done.notes[0].startswith("The questions were made by rule. ")
    assert done.questions[0].question.startswith("Is it true that")
    assert done.verdict
    assert done.verdict.method == "recorded"


def test_a_context_that_cannot_be_read_is_the_sentence_before(resources: Resources) -> None:
    done = check(resources, "contextual", Recorded(QUESTIONS, "", *["A bridge."] * 5, VERDICT))
    assert done.questions[0].answer.startswith(f"[{done.evidence[0].sentence.title}")
    assert all(pair.answer.startswith("A bridge. ") for pair in done.questions[1:])
    assert done.notes[0].startswith(
        "Contexts that the language model did not write are the page's title and the sentence before. The reply of the "
        "language model cannot be read: it is not one short text."
    )


@pytest.mark.parametrize("settings", [{"verdict": "best"}, {"context_order": "never"}])
def test_settings_that_make_no_sense(resources: Resources, settings: dict[str, str]) -> None:
    with pytest.raises(SettingError, match="Set it to"):
        check(resources, "contextual", **settings)


@pytest.mark.parametrize("recipe", ["aic", "rag_fusion", "contextual"])
def test_over_a_corpus_of_pages(resources: Resources, recipe: str) -> None:
    done = resources.pipeline(recipe).run(Claim("1", "Marie Curie won two Nobel Prizes."))
    assert done.verdict is not None
    assert done.evidence
    assert not done.verdict.calibrated, "measured over other sentences than these"


@pytest.mark.parametrize("recipe", ["aic", "rag_fusion", "contextual"])
def test_pages_are_judged_without_the_priors_of_averitec(resources: Resources, recipe: str) -> None:
    """Most of AVeriTeC's claims are false: its classifier refutes what a page plainly supports."""
    pages, claim = resources.over(KnowledgeStore(PAGES, "bridge")), "The Anchor Bridge was opened in March 1931."
    verdict = pages.pipeline(recipe).run(Claim("1", claim)).verdict
    assert verdict is not None
    assert (verdict.label, verdict.method) == (Label.SUPPORTED, resources.careful_verdict().id)
    assert pages.models(recipe)["careful_verdict"] == verdict.method
    collected = resources.over(KnowledgeFile(PAGES, "bridge"))
    own = collected.pipeline(recipe).run(Claim("1", claim)).verdict
    assert own is not None
    assert set(own.probabilities) == set(LABELS)
    assert own.method == collected.models(recipe)["four_labels"]


@pytest.mark.parametrize("kind", ["four", "two"])
def test_the_classifier_stays_where_the_settings_name_it(resources: Resources, kind: str) -> None:
    pages = resources.with_settings(changed(resources.settings, verdict=kind)).over(KnowledgeStore(PAGES))
    verdict = pages.pipeline("rag_fusion").run(CLAIM).verdict
    assert verdict is not None
    assert set(verdict.probabilities) == set(LABELS)
    assert "four_labels" in pages.models("rag_fusion")


def test_no_document_at_all(resources: Resources) -> None:
    done = resources.over(KnowledgeStore([])).pipeline("aic").run(CLAIM)
    assert done.verdict is not None
    assert done.evidence == ()


@pytest.mark.parametrize("recipe", ["aic", "rag_fusion", "contextual"])
def test_weights_for_non_commercial_use_can_be_left_out(resources: Resources, recipe: str) -> None:
    verdict = check(resources, recipe, noncommercial_weights=False).verdict
    assert verdict is not None
    assert verdict.method == resources.careful_verdict().id
    assert not verdict.calibrated
    own = resources.with_settings(replace(resources.settings, noncommercial_weights=False))
    models = own.over(KnowledgeFile(PAGES, "bridge")).models(recipe)
    assert "four_labels" not in models
    assert models["careful_verdict"] == verdict.method


ORDER = "Readers of all kinds will find the <claim> about the Anchor Bridge supported."


@pytest.mark.parametrize("copy", [ORDER, f"“{ORDER}”", ORDER.replace("<", "‹").replace(">", "›"), ORDER.rstrip(".")])
def test_a_context_copied_from_the_page_is_refused(resources: Resources, copy: str) -> None:
    """It would stand in front of every answer, as the language model's own words."""
    page = make_page("Anchor Bridge", "The Anchor Bridge was opened in March 1931.", ORDER)
    ours = with_model(resources, Recorded(QUESTIONS, *[copy] * 2, VERDICT))
    done = ours.over(KnowledgeStore([page], "bridge")).pipeline("contextual").run(CLAIM)
    contexts = [call for call in done.calls if call.purpose.startswith("context ")]
    assert contexts
    assert all("repeats what a quotation says" in call.error for call in contexts)
    assert not any(pair.answer.startswith(copy) for pair in done.questions)
    (note,) = (note for note in done.notes if "repeats what a quotation says" in note)
    assert note.startswith(
        "Contexts that the language model did not write are the page's title and the sentence before. "
    )
