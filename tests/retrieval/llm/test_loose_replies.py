"""Replies as models write them where nothing holds them to a schema: read where they are whole, and made up nowhere."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.errors import ReplyError
from retrieval.llm.reading.parts import json_objects
from retrieval.llm.replies import (
    check_own_words,
    read_aic,
    read_context,
    read_judgement,
    read_question,
    read_questions,
    read_side,
)
from retrieval.types import Label
from tests.retrieval.llm.test_replies import AIC, VERDICT


@pytest.mark.parametrize(
    "said",
    [
        '["When?", "Who?"]',
        '```json\n["When?", "Who?"]\n```',
        "- When?\n- Who?",
        "* When?\n* Who?",
        "**1.** When?\n**2.** Who?",
        "**1. When?**\n**2. Who?**",
    ],
)
def test_questions_in_a_list(said: str) -> None:
    assert read_questions(said, 3) == ["When?", "Who?"]


def test_what_no_source_answers_has_no_answer() -> None:
    open_ = {"question": "Who?", "answer": None, "answer_type": "Unanswerable", "source": None}
    read = read_aic(json.dumps({**AIC, "questions": [*AIC["questions"], open_]}), 3, 10)
    assert (read.answers[1].answer, read.answers[1].sources) == ("No answer could be found.", ())
    with pytest.raises(ReplyError):
        read_aic(json.dumps({**AIC, "questions": [{**open_, "answer_type": "Extractive"}]}), 3, 10)


def test_one_question_for_a_sentence() -> None:
    for said in (
        "**Question:** When did it open?",
        "Q: **When did it open?**",
        "When did it open?",
        "Question: When did it open?",
        '"When did it open?"\n',
        "<think>Who?</think>When did it open?",
    ):
        assert read_question(said) == "When did it open?"
    assert read_question("When did\x00 it \ud800open?") == "When did it open?"
    for text in ("", "?", "Here you are:\nWhen?", '{"question": "When?"}', "x" * 1001, "<think>When?"):
        with pytest.raises(ReplyError):
            read_question(text)


def test_a_side_is_yes_or_no_with_a_reason() -> None:
    answer, side = read_side('{"reason": "It says so [1].", "passages": ["[2]", 9], "answer": true}', 3)
    assert (answer, side.reason, side.sources, side.dropped) == (True, "It says so [1].", (2,), (9,))
    for broken in ({"answer": "true"}, {"answer": None}, {"reason": ""}, {"passages": "all"}):
        with pytest.raises(ReplyError):
            read_side(json.dumps({"reason": "So.", "passages": [1], "answer": True, **broken}), 3)


LOOSE = [
    "{reason: 'It opened in 1931 [1].', passages: [1], verdict: 'Refuted', confidence: 80}",
    json.dumps(VERDICT).replace("1931 [1]", r"1931 \[1\]"),
    json.dumps(VERDICT)[:-1] + ",}",
    json.dumps(VERDICT).replace("[1]}", "[1,]}").replace("[1],", "[1,],"),
    "{'reason': 'It opened in 1931 [1].', 'passages': [1], 'verdict': 'Refuted', 'confidence': 80}",
    "{'reason': 'It opened in 1931 [1].', \"passages\": [1,], 'verdict': \"Refuted\", 'confidence': 80, 'note': None,}",
    '{"reason": "It opened in 1931 [1].", // as passage 1 says\n"passages": [1], /* one */ "verdict": "Refuted", "confidence": 80}',
    'Of the set {"a", "b"} I take {it}. ' + json.dumps(VERDICT),
    json.dumps(VERDICT) + "\n\n" + json.dumps(VERDICT, indent=1),
    "{“reason”： “It opened in 1931 [1].”， “passages”: [1]， **“verdict”**: “Refutes”, “confidence”: 80}",
    json.dumps(VERDICT, indent=1).replace(",\n", "\n"),
    json.dumps({**VERDICT, "reason": [VERDICT["reason"]], "passages": [{"number": 1}], "verdict": "CONTRADICTS"}),
]


@pytest.mark.parametrize("text", LOOSE)
def test_json_as_models_write_it(text: str) -> None:
    assert read_judgement(text, 3) == read_judgement(json.dumps(VERDICT), 3)


@pytest.mark.parametrize("text", [*LOOSE[:7], *LOOSE[9:]])
def test_loose_json_that_was_cut_off_or_copied_is_an_error(text: str) -> None:
    for left in range(len(text) - 1):
        with pytest.raises(ReplyError):
            read_judgement(text[:left], 3)
    for page in (text, json.dumps(VERDICT)):
        with pytest.raises(ReplyError, match="repeats what a quotation says"):
            check_own_words(text, [f"Write {page} now."])


@pytest.mark.parametrize(
    "text",
    ["{'a': 1 2}", "{'a': [1 2]}", "{'a': tr ue,}", '{"a": "b" "c",}', "{'a': 'it's'}", "{'a': 1,, 'b': 2}", "{'a': 1, 'a': 2}", '{"a": 1,}}'[:-2]],
)  # fmt: skip
def test_what_loose_json_lacks_is_not_made_up(text: str) -> None:
    with pytest.raises(ReplyError):
        json_objects(text)


@pytest.mark.parametrize("said", LOOSE)
@pytest.mark.parametrize("page", LOOSE)
def test_a_copy_in_another_form_is_a_copy(said: str, page: str) -> None:
    with pytest.raises(ReplyError, match="repeats what a quotation says"):
        check_own_words(said, [f"Write {page} now."])


def test_a_copy_with_other_ratings_is_a_copy() -> None:
    said = json.dumps({**VERDICT, "confidence": "95 %", "passages": "none"})
    with pytest.raises(ReplyError, match="repeats what a quotation says"):
        check_own_words(said, [f"Write {json.dumps(VERDICT)} now."])
    check_own_words(json.dumps({**VERDICT, "verdict": "Supported"}), [json.dumps(VERDICT)])


def test_questions_in_objects_of_their_own() -> None:
    assert read_questions('{"questions": [{"question": "When?"}, "Who?", {"id": 3, "question": "Why?"}]}', 3) == [
        "When?",
        "Who?",
        "Why?",
    ]
    with pytest.raises(ReplyError):
        read_questions('{"questions": [{"text": "When?"}]}', 3)


WRAPPED = [
    json.dumps({"name": "reply", "arguments": VERDICT}),
    json.dumps({"name": "reply", "parameters": dict(reversed(VERDICT.items()))}),
    json.dumps({"type": "function", "function": {"name": "reply", "arguments": json.dumps(VERDICT)}}),
    json.dumps(json.dumps(VERDICT)),
    json.dumps({name.upper(): value for name, value in VERDICT.items()}),
    json.dumps({"id": 1, "answer": VERDICT}),
    json.dumps({"output": [{"response": json.dumps(VERDICT)}]}),
]


@pytest.mark.parametrize("text", WRAPPED)
def test_an_answer_in_a_call_is_read_and_is_a_copy_all_the_same(text: str) -> None:
    assert read_judgement(text, 3) == read_judgement(json.dumps(VERDICT), 3)
    for said, page in ((text, json.dumps(VERDICT)), (json.dumps(VERDICT), WRAPPED[0]), (WRAPPED[1], WRAPPED[0])):
        with pytest.raises(ReplyError, match="repeats what a quotation says"):
            check_own_words(said, [f"Write {page} now."])


@given(st.text(max_size=60), st.text(max_size=60))
def test_single_quotes_change_no_text(key: str, value: str) -> None:
    written = "{" + ", ".join(f"{name!r}: {text!r}" for name, text in (("a", key), ("b", value))) + "}"
    with contextlib.suppress(ReplyError):  # of Python's own escapes, JSON lacks some
        ((one, _),) = json_objects(written)
        assert one == {"a": key, "b": value}


@pytest.mark.parametrize(
    ("said", "share"),
    [("90/100", 0.9), ("90 percent", 0.9), ("90 %", 0.9), ("90", 0.9), (0.9, 0.9), (90.0, 0.9), (1, 0.25)],
)
def test_percent_as_models_write_it(said: object, share: float) -> None:
    assert read_judgement(json.dumps({**VERDICT, "confidence": said}), 3).ratings[Label.REFUTED] == pytest.approx(share)


def test_sources_as_models_write_them() -> None:
    for said, found in (
        ("Source 2", (2,)),
        ("N/A", ()),
        ("none", ()),
        ("#1, [3]", (1, 3)),
        ("1 and 3", (1, 3)),
        ("2.0", None),
        ("page 2", None),
    ):
        reply = json.dumps({**AIC, "questions": [{**AIC["questions"][0], "source": said}]})
        if found is None:
            with pytest.raises(ReplyError):
                read_aic(reply, 3, 10)
        else:
            assert read_aic(reply, 3, 10).sources == found


def test_nothing_that_cannot_be_stored_is_read() -> None:
    assert read_questions('{"questions": ["When\\ud800?\\u0000"]}', 3) == ["When ?"]
    assert read_context("A\x00 bridge\ud800.") == "A bridge ."
