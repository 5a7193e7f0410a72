"""A model's reply is read completely or is an error; no part of a text becomes a label."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from retrieval.errors import ReplyError
from retrieval.llm.prompts import prompt_id
from retrieval.llm.prompts import verdict as prompt
from retrieval.llm.replies import Opinion, read_verdict
from retrieval.types import Evidence, Label, Sentence, Stance
from tests.llm.stub import verdict

LABELS = [str(label) for label in Label]
WHOLE: dict[str, Any] = json.loads(verdict())


def read(text: str, sentences: int = 5) -> Opinion:
    return read_verdict(text, sentences)


def changed(**other: Any) -> str:
    return json.dumps({**WHOLE, **other})


def test_a_whole_reply() -> None:
    said = read(verdict("SUPPORTED", "Sentence 2 says so.", (2, 4)))
    assert (said.label, said.reason, said.sources) == (Label.SUPPORTED, "Sentence 2 says so.", (2, 4))
    assert sum(said.ratings.values()) == pytest.approx(1)
    assert said.ratings[said.label] == pytest.approx(math.exp(4) / (math.exp(4) + 3))


@pytest.mark.parametrize("text", [f"```json\n{verdict()}\n```", f"  \n```\n{verdict()}\n```\n", f"\n {verdict()} \n"])
def test_a_fence_or_space_around_it_is_no_other_text(text: str) -> None:
    assert read(text) == read(verdict())


@pytest.mark.parametrize(
    "text",
    [
        verdict() + " As you asked.",
        "Here you are: " + verdict(),
        f"```json\n{verdict()}\n``` done",
        f"I weigh {{both}} sides, in the form {{{{...}}}}.\n```\n{verdict()}\n```",
        f"<|im_start|>assistant\n{verdict()}<|im_end|>",
        f"<think>\nSUPPORTED? {verdict('SUPPORTED')} would be wrong.\n</think>\n\n{verdict()}",
        f"SUPPORTED, says the page {verdict('SUPPORTED')}.</think>{verdict()}",
        f"<thinking>Hm.</thinking>{verdict()}",
        f"[THINK]Hm.[/THINK]{verdict()}",
        f"<think>Is </think> closed? No.</think>{verdict()}",
        f"<|channel|>analysis<|message|>{verdict('SUPPORTED')}<|end|><|start|>assistant<|channel|>final<|message|>{verdict()}",
        changed(more="than was asked for"),
        changed(ratings={**WHOLE["ratings"], "OTHER": 1}),
        changed(ratings={name: float(value) for name, value in WHOLE["ratings"].items()}),
        changed(sentences=[1.0]),
        f"The form is {json.dumps(dict.fromkeys(WHOLE, '...'))}. Mine: {verdict()}",
        f"[{verdict()}]",
    ],
)  # fmt: skip
def test_the_only_object_that_fits_is_the_reply_whatever_stands_around_it(text: str) -> None:
    assert read(text) == read(verdict())


def test_marks_within_a_reply_are_quotations() -> None:
    said = read(verdict(reason="The page closes a thought: </think> <think>"))
    assert said.reason == "The page closes a thought: </think> <think>"


def test_a_line_break_in_a_reason_is_read() -> None:
    assert read(verdict(reason="One.").replace("One.", "One.\nTwo.")).reason == "One. Two."


def test_a_label_may_be_written_in_other_letters_but_only_whole() -> None:
    assert read(changed(label="refuted")).label is Label.REFUTED
    nothing = verdict("NOT_ENOUGH_EVIDENCE").replace('"label": "NOT_ENOUGH_EVIDENCE"', '"label": "Not enough evidence"')
    assert read(nothing).label is Label.NOT_ENOUGH_EVIDENCE


@pytest.mark.parametrize(
    "text",
    [
        "",
        "SUPPORTED",
        "Not enough evidence to support the claim.",
        "The claim is REFUTED.",
        '"SUPPORTED"',
        "[]",
        "null",
        "{}",
        verdict()[:-1],
        verdict() + verdict("SUPPORTED"),
        "Either " + verdict() + " or " + verdict("SUPPORTED") + ".",
        "<think>" + verdict(),
        f"<think>The page says {verdict()}, but no.</think>",
        f"Hm. <THINKING> {verdict()}",
        f"<|channel|>analysis<|message|>{verdict()}",
        '{"reason": "The page says "' + verdict() + '" to me"}',
        verdict()[:-1] + ', "note": ' + verdict(),
        changed(ratings={**{k: v for k, v in WHOLE["ratings"].items() if k != "REFUTED"}, "NOT REFUTED": 5}),
        changed(ratings={**WHOLE["ratings"], "SUPPORTED": 4.25}),
        changed(label="NOT ENOUGH EVIDENCE TO SUPPORT"),
        changed(label="UNSUPPORTED"),
        changed(label="NOT SUPPORTED"),
        changed(label="SUPPORTED or REFUTED"),
        changed(label=""),
        changed(label=None),
        changed(label=["REFUTED", "SUPPORTED"]),
        changed(label="SUPPORTED"),  # rated lower than another
        changed(reason=""),
        changed(reason=" \u200b\n"),
        changed(reason=None),
        changed(reason="x" * 1_001),
        changed(ratings={}),
        changed(ratings=[5, 1, 1, 1]),
        changed(ratings={**WHOLE["ratings"], "SUPPORTED": 0}),
        changed(ratings={**WHOLE["ratings"], "SUPPORTED": 6}),
        changed(ratings={**WHOLE["ratings"], "SUPPORTED": 4.5}),
        changed(ratings={**WHOLE["ratings"], "SUPPORTED": True}),
        changed(ratings=dict.fromkeys(("supported", "SUPPORTED", "REFUTED", "CONFLICTING"), 1)),
        changed(sentences=[True]),
        changed(sentences={"1": 1}),
        json.dumps({key: value for key, value in WHOLE.items() if key != "reason"}),
        verdict().replace("{", '{"label": "SUPPORTED", ', 1),
        "[" * 100_000,
        '{"label": NaN}',
        "1" * 5_000,
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_an_error_in_a_sentence(text: str) -> None:
    with pytest.raises(ReplyError, match=r"^The reply of the language model cannot be read: .*\. Check again") as error:
        read(text)
    assert len(str(error.value)) < 250


def test_numbers_in_the_reason_are_sources_too_and_one_is_named_once() -> None:
    assert read(changed(reason="See [3] and [1].", sentences=[1, 1])).sources == (1, 3)


@pytest.mark.parametrize("named", [[0], [6], [-1], [10**30]])
def test_sentences_that_do_not_exist_are_no_sources(named: list[int]) -> None:
    said = read(changed(sentences=named, reason="As [7] says."))
    assert (said.sources, said.dropped) == ((), (*named, 7))


def test_a_reason_without_a_number_names_no_source() -> None:
    assert read(changed(sentences=[])).sources == ()


def test_a_reason_cannot_steer_terminal_or_page() -> None:
    reason = read(changed(reason="A\x1b[31m \u202etxt\n\n<b>B</b> \ud800")).reason
    assert reason == "A [31m txt <b>B</b>"


RATING = st.integers(1, 5)


@given(st.fixed_dictionaries(dict.fromkeys(LABELS, RATING)), st.lists(st.integers(1, 5)), st.text(max_size=50))
def test_every_reply_of_the_asked_form_keeps_its_ratings_order(
    ratings: dict[str, int], sentences: list[int], reason: str
) -> None:
    best = max(ratings, key=lambda name: ratings[name])
    reply = json.dumps({"reason": f"R {reason}", "sentences": sentences, "ratings": ratings, "label": best})
    said = read(reply)
    assert math.isclose(sum(said.ratings.values()), 1)
    assert said.ratings[said.label] == max(said.ratings.values())
    for one in LABELS:
        for other in LABELS:
            assert (ratings[one] < ratings[other]) == (said.ratings[Label(one)] < said.ratings[Label(other)])
    assert set(said.sources) >= set(sentences)


@given(st.text() | st.text(st.sampled_from('{}[]",: SUPORTEDnotgh15\n`')))
@example("Not enough evidence to support")
def test_no_text_becomes_a_label_by_accident(text: str) -> None:
    with pytest.raises(ReplyError):
        read(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.sampled_from(LABELS),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.sampled_from([*WHOLE, *LABELS]), inner, max_size=5),
    max_leaves=20,
)


@given(st.sampled_from(list(WHOLE)), JSON)
def test_any_value_in_any_place_is_read_or_refused(key: str, value: Any) -> None:
    try:
        said = read(changed(**{key: value}))
    except ReplyError:
        return
    if key == "label":
        assert isinstance(value, str)
        assert value.upper().replace(" ", "_") == said.label
    assert all(1 <= number <= 5 for number in said.sources or ())


@given(st.integers(0, 200), st.text(max_size=5))
def test_a_reply_changed_in_one_place_is_never_another_label(at: int, put: str) -> None:
    text = verdict()
    try:
        said = read(text[:at] + put + text[at + 1 :])
    except ReplyError:
        return
    assert said.label is Label.REFUTED


def evidence(*texts: str) -> list[Evidence]:
    return [Evidence(Sentence("P", "Page", 0, 0, len(t), t), 1.0, Stance(0, 0, 1), "claim") for t in texts]


@given(st.text(), st.lists(st.text(), max_size=5))
def test_quotations_cannot_end_their_quotation(claim: str, texts: list[str]) -> None:
    sent = json.loads(prompt.content(claim, evidence(*texts)))
    assert sent["claim"] == claim
    assert [(s["number"], s["text"]) for s in sent["sentences"]] == list(enumerate(texts, 1))


def test_the_schema_asks_for_what_the_reader_reads() -> None:
    asked = prompt.schema(3)
    assert set(asked["properties"]) == set(WHOLE)  # type: ignore[call-overload]
    assert asked["properties"]["sentences"]["items"]["enum"] == [1, 2, 3]  # type: ignore[index]
    for label in LABELS:
        assert label in prompt.instructions()
    assert prompt_id("verdict") == f"verdict@{hashlib.sha256(prompt.instructions().encode()).hexdigest()[:8]}"


def test_a_title_that_takes_sides_is_not_shown() -> None:
    (read_,) = evidence("Rain is expected.")
    sent = json.loads(prompt.content("A claim.", [read_, replace(read_, title_read=False)]))
    assert [quotation["page"] for quotation in sent["sentences"]] == [read_.sentence.title, ""]
