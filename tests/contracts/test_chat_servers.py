"""One client for every server and model that people have: what is refused is left out, what is thought is not an answer.

Each case is a real server on this machine; both clients behave alike.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from retrieval.errors import LLMError
from retrieval.llm.client import ChatModel, open_llm
from retrieval.llm.prompts import verdict as prompt
from retrieval.llm.replies import Opinion, read_verdict
from retrieval.settings import Settings
from retrieval.types import Label, Limits
from tests.contracts.chat_servers import NO_ANSWERS, REPLIES, SERVERS, VERDICT, choice, has, refusing
from tests.llm.stub import Answer, Stub, raw, refuses, says, serving, silent

LIMITS = Limits(20_000, 700, 60)


@pytest.fixture(params=["openai", "mistral"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@contextmanager
def opened(kind: str, *script: Answer, path: str = "", **settings: object) -> Iterator[tuple[ChatModel, Stub]]:
    with serving(*script) as server:
        given = {
            "llm_model": "m-1",
            "llm_kind": kind,
            "llm_url": server.url + path,
            "llm_key": "sk-Geheimnis",
            **settings,
        }
        model = open_llm(Settings(**given))  # type: ignore[arg-type]
        assert model
        model._pause = 0.01
        yield model, server
        model.close()


def ask(model: ChatModel, limits: Limits = LIMITS) -> Opinion:
    reply = model.complete(prompt.instructions(), "The claim.", prompt.schema(2), limits=limits)
    assert reply.prompt_tokens > 0
    assert reply.reply_tokens > 0
    return read_verdict(reply.text, 2)


@pytest.mark.parametrize("name", REPLIES)
def test_a_reply_is_read_however_it_is_wrapped(kind: str, name: str) -> None:
    with opened(kind, REPLIES[name]) as (model, server):
        said = ask(model)
    assert (said.label, said.sources) == (Label.REFUTED, (1,))
    assert len(server.requests) == 1


@pytest.mark.parametrize("name", SERVERS)
def test_what_a_server_refuses_is_left_out_and_remembered(
    kind: str, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    with opened(kind, SERVERS[name], llm_thinking="low") as (model, server):
        assert ask(model).label is Label.REFUTED
        first = len(server.requests)
        assert ask(model).label is Label.REFUTED
        assert len(server.requests) == first + 1, "asked in the form that it takes, at once"
    assert first > 1
    told = [record.getMessage() for record in caplog.records if record.name == "retrieval.llm.client"]
    assert len(told) == 1
    assert "Requests leave that out from now on." in told[0]


@pytest.mark.parametrize("name", NO_ANSWERS)
def test_what_is_no_answer_is_a_sentence(kind: str, name: str) -> None:
    answer, why = NO_ANSWERS[name]
    with opened(kind, answer) as (model, _), pytest.raises(LLMError, match=why) as error:
        ask(model)
    assert "Set LLM_URL" not in str(error.value) or "not send" in why or "address" in why
    assert "Geheimnis" not in str(error.value)


def test_the_other_name_of_the_limit_is_used() -> None:
    with opened("openai", refusing(has("max_tokens"), 400, {"error": {"message": "max_tokens"}})) as (model, server):
        ask(model)
    assert server.requests[-1]["body"]["max_completion_tokens"] == 700
    assert "max_tokens" not in server.requests[-1]["body"]


def test_without_a_system_role_the_instructions_come_first(kind: str) -> None:
    with opened(kind, SERVERS["no system role"]) as (model, server):
        ask(model)
    (message,) = server.requests[-1]["body"]["messages"]
    assert message["role"] == "user"
    assert message["content"].startswith(prompt.instructions())
    assert message["content"].endswith("The claim.")


def test_only_what_was_refused_is_left_out(kind: str) -> None:
    with opened(kind, SERVERS["untold temperature"]) as (model, server):
        ask(model)
    body = server.requests[-1]["body"]
    assert body["response_format"]["type"] == "json_schema"
    assert body["max_tokens"] == 700
    assert body["messages"][0]["role"] == "system"


def test_a_server_that_failed_once_keeps_the_schema(kind: str) -> None:
    with opened(kind, refuses(500), says(VERDICT)) as (model, server):
        ask(model)
        ask(model)
    assert all(request["body"]["response_format"]["type"] == "json_schema" for request in server.requests)


def test_tokens_that_nobody_counts_are_estimated_and_said_to_be(kind: str) -> None:
    with opened(kind, choice({"content": VERDICT})) as (model, _):
        reply = model.complete(prompt.instructions(), "x" * 3_000, limits=LIMITS)
    assert reply.estimated
    assert reply.prompt_tokens > 1_000
    assert reply.reply_tokens == len(VERDICT) // 3


def test_a_model_that_thinks_is_given_room_from_then_on(kind: str) -> None:
    with opened(kind, says(f"<think>Hm.</think>{VERDICT}")) as (model, server):
        ask(model)
        ask(model)
        ask(model, Limits(3_000, 700, 60))
    asked = [request["body"]["max_tokens"] for request in server.requests]
    assert asked[:2] == [700, 4_700]
    assert asked[2] < 3_000


def test_reply_tokens_and_effort_are_sent_where_they_are_set(kind: str) -> None:
    with opened(kind, says(VERDICT), llm_reply_tokens=2_000, llm_thinking="high") as (model, server):
        ask(model)
    body = server.requests[0]["body"]
    assert (body["max_tokens"], body["reasoning_effort"]) == (2_000, "high")
    with opened(kind, says(VERDICT)) as (model, server):
        ask(model)
    assert "reasoning_effort" not in server.requests[0]["body"]


def test_a_busy_server_is_asked_again_with_growing_waits_while_there_is_time(kind: str) -> None:
    with opened(kind, *[refuses(429)] * 7, says(VERDICT)) as (model, server):
        assert ask(model).label is Label.REFUTED
        assert len(server.requests) == 8
    with opened(kind, refuses(429)) as (model, server), pytest.raises(LLMError, match=r"busy|in time"):
        ask(model, Limits(20_000, 700, 4))
    assert 3 <= len(server.requests) < 12


@pytest.mark.parametrize(
    "busy",
    [refuses(429, Retry_After="0"), refuses(503, Retry_After="0"), refuses(429, Retry_After="Thu, 01 Jan 1970 00:00:00 GMT"), refuses(498)],
)  # fmt: skip
def test_a_server_that_is_busy_for_longer_than_it_says_is_asked_again_while_there_is_time(
    kind: str, busy: Answer
) -> None:
    with opened(kind, *[busy] * 6, says(VERDICT)) as (model, server):
        assert ask(model).label is Label.REFUTED
    assert len(server.requests) == 7


@pytest.mark.parametrize("status", [408, 409, 425])
def test_what_a_server_did_not_begin_is_asked_again(kind: str, status: int) -> None:
    with opened(kind, refuses(status), says(VERDICT)) as (model, _):
        assert ask(model).label is Label.REFUTED


def test_the_whole_address_of_the_chat_completions_is_taken_too(kind: str) -> None:
    with opened(kind, says(VERDICT), path="/chat/completions/") as (model, server):
        assert ask(model).label is Label.REFUTED
    assert server.requests[0]["path"] == "/v1/chat/completions"


def test_two_failures_in_a_row_and_it_is_left_out_for_a_minute(kind: str) -> None:
    with opened(kind, refuses(401)) as (model, server):
        for expected in (
            r"\(401\)\. Set LLM_KEY to one that it accepts\.$",
            "it is left out until",
            "^m-1 is left out until .* UTC",
        ):
            with pytest.raises(LLMError, match=expected):
                ask(model)
        assert len(server.requests) == 2
        model._rest._until = 0.0  # the minute is over
        server.script = [says(VERDICT)]
        ask(model)
        server.script = [refuses(401)]
        with pytest.raises(LLMError, match=r"accepts\.$"):
            ask(model)


def test_a_server_that_never_answers_is_left_out_too(kind: str) -> None:
    with opened(kind, silent(5)) as (model, _):
        for _ in range(2):
            with pytest.raises(LLMError):
                ask(model, Limits(20_000, 700, 0.5))
        began = time.monotonic()
        with pytest.raises(LLMError, match=r"^m-1 is left out until .* UTC"):
            ask(model, Limits(20_000, 700, 0.5))
        assert time.monotonic() - began < 0.2, "it was waited for all the same"


def test_replies_that_cannot_be_read_are_no_failures_of_the_server(kind: str) -> None:
    with opened(kind, says("", finish="length")) as (model, server):
        for _ in range(3):
            with pytest.raises(LLMError, match="cut off"):
                ask(model)
        assert len(server.requests) == 3


def test_a_server_that_loads_its_model_is_waited_for(kind: str) -> None:
    loading = raw(503, '{"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}}')
    with opened(kind, *[loading] * 7, says(VERDICT)) as (model, server):
        assert ask(model).label is Label.REFUTED
        assert len(server.requests) == 8
    with opened(kind, raw(503, "{}")) as (model, server), pytest.raises(LLMError, match="failed"):
        ask(model)
    assert len(server.requests) == 4


@pytest.mark.parametrize("after", ["0.01", "0.01s"])
def test_a_wait_of_less_than_a_second_is_followed(kind: str, after: str) -> None:
    with opened(kind, refuses(429, Retry_After=after), says(VERDICT)) as (model, _):
        began = time.monotonic()
        model._pause = 60
        ask(model)
    assert time.monotonic() - began < 30


def test_what_does_not_fit_a_context_is_asked_with_what_is_left(kind: str) -> None:
    """The prompt fits, the prompt and all tokens of a reply do not; the next prompt may be shorter, so nothing is remembered."""
    long = {
        "error": {"message": "maximum context length is 1024 tokens, you requested 1,100 (400 prompt, 700 max_tokens)"}
    }
    with opened(kind, refusing(has("max_tokens"), 400, long)) as (model, server):
        assert ask(model).label is Label.REFUTED
        assert ask(model).label is Label.REFUTED
    assert ["max_tokens" in request["body"] for request in server.requests] == [True, False, True, False]


def test_a_reply_and_a_prompt_too_long_together_change_nothing_for_later(kind: str) -> None:
    long = {
        "error": "`inputs` tokens + `max_new_tokens` must be <= 1024. Given: 500 `inputs` tokens and 700 `max_new_tokens`"
    }
    with opened(kind, refusing(has("max_tokens"), 422, long)) as (model, _):
        assert ask(model).label is Label.REFUTED
        assert model.form.refused() == []


def test_two_untold_parts_cost_no_others(kind: str) -> None:
    with opened(kind, SERVERS["two untold parts"]) as (model, server):
        ask(model)
    body = server.requests[-1]["body"]
    assert body["response_format"]["type"] == "json_schema"
    assert body["messages"][0]["role"] == "system"


@pytest.mark.parametrize(
    ("usage", "price"),
    [({"cost": {"input_tokens_cost": 0.1, "total_cost": 0.25}}, 0.25), ({"estimated_cost": 0.5}, 0.5)],
)
def test_a_price_is_read_however_a_server_tells_it(kind: str, usage: dict[str, object], price: float) -> None:
    with opened(kind, choice({"content": VERDICT}, usage={"prompt_tokens": 9, "completion_tokens": 9, **usage})) as (
        model,
        _,
    ):
        ask(model)
    assert model.last
    assert model.last[1].price == price


def test_there_are_enough_forms() -> None:
    assert len(REPLIES) + len(SERVERS) + len(NO_ANSWERS) >= 40
