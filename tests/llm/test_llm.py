"""One call of a language model against a server that fails in every way; both clients behave alike."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from retrieval.errors import LLMError, ReplyError, SettingError
from retrieval.llm.client import ChatModel, open_llm
from retrieval.llm.waiting import BUSY_ATTEMPTS
from retrieval.settings import Settings
from retrieval.types import Limits
from tests.llm import stub
from tests.llm.stub import Stub, cut, no_schema, raw, refuses, says, serving, silent, trickles

KEY = "sk-Geheimnis-0123456789"
OPENED: list[ChatModel] = []
SCHEMA = {"type": "object", "properties": {}, "additionalProperties": False}


def model(server: Stub | str, kind: str = "openai", key: str = KEY, timeout: int = 20, seconds: int = 60) -> ChatModel:
    url = server if isinstance(server, str) else server.url
    found = open_llm(
        Settings(llm_model="m-1", llm_kind=kind, llm_url=url, llm_key=key, llm_timeout=timeout, llm_seconds=seconds)
    )
    assert found
    found._pause = 0.02
    OPENED.append(found)
    return found


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    while OPENED:
        OPENED.pop().close()


@pytest.fixture(params=["openai", "mistral"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_what_is_sent_and_what_comes_back(kind: str) -> None:
    with serving(says("Yes.", tokens=(12, 3))) as server:
        reply = model(server, kind).complete("Be brief.", "Is it?", SCHEMA)
    assert (reply.text, reply.prompt_tokens, reply.reply_tokens) == ("Yes.", 12, 3)
    assert 0 < reply.seconds < 60
    (request,) = server.requests
    assert request["path"] == "/v1/chat/completions"
    assert request["headers"].get("Authorization", request["headers"].get("authorization")) == f"Bearer {KEY}"
    body = request["body"]
    assert body["messages"] == [
        {"role": "system", "content": "Be brief."}, {"role": "user", "content": "Is it?"},
    ]  # fmt: skip
    assert (body["model"], body["temperature"]) == ("m-1", 0)
    assert body["random_seed" if kind == "mistral" else "seed"] == 1
    form = body["response_format"]
    assert form["type"] == "json_schema"
    assert form["json_schema"]["schema"] == SCHEMA
    assert form["json_schema"]["strict"] is True


def test_without_a_schema_none_is_asked_for(kind: str) -> None:
    with serving(says("Yes.")) as server:
        model(server, kind).complete("", "?")
    assert not server.requests[0]["body"].get("response_format")


@pytest.mark.parametrize("status", [400, 422])
def test_a_server_that_knows_no_schema_is_asked_once_more_and_remembered(kind: str, status: int) -> None:
    with serving(no_schema(says("Yes."), status)) as server:
        one = model(server, kind)
        assert one.complete("", "?", SCHEMA).text == "Yes."
        assert one.complete("", "?", SCHEMA).text == "Yes."
    assert [bool(request["body"].get("response_format")) for request in server.requests] == [True, False, False]


def test_another_refusal_is_not_taken_for_one_of_the_schema() -> None:
    """A question that is too long beside the reply is asked again with the same schema and no limit of tokens."""
    with serving(refuses(400, "too long"), says("Yes."), says("Yes.")) as server:
        one = model(server)
        assert [one.complete("", "?", SCHEMA).text for _ in range(2)] == ["Yes.", "Yes."]
    assert [request["body"]["response_format"]["type"] for request in server.requests] == ["json_schema"] * 3


def test_a_busy_server_is_given_the_time_it_asks_for(kind: str) -> None:
    with serving(refuses(429, Retry_After="1"), says("Yes.")) as server:
        began = time.monotonic()
        assert model(server, kind).complete("", "?").text == "Yes."
    assert time.monotonic() - began >= 1
    assert len(server.requests) == 2


def test_a_moment_to_come_back_at_is_understood() -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=1.5), usegmt=True)
    with serving(refuses(429, Retry_After=later), says("Yes.")) as server:
        assert model(server).complete("", "?").text == "Yes."


def test_a_server_that_asks_for_too_much_time_is_not_waited_for(kind: str) -> None:
    with serving(refuses(429, Retry_After="3600"), says("Yes.")) as server:
        began = time.monotonic()
        with pytest.raises(LLMError, match="429"):
            model(server, kind).complete("", "?")
    assert time.monotonic() - began < 20
    assert len(server.requests) == 1


def test_waiting_is_bounded_in_number_too(kind: str) -> None:
    with serving(refuses(429, Retry_After="0")) as server:
        asked = model(server, kind)
        asked._pause = 0.0
        with pytest.raises(LLMError, match="busy"):
            asked.complete("", "?")
    assert len(server.requests) == BUSY_ATTEMPTS


@pytest.mark.parametrize("status", [500, 502, 503, 529])
def test_a_failing_server_is_asked_again(kind: str, status: int) -> None:
    with serving(refuses(status), refuses(status), says("Yes.")) as server:
        assert model(server, kind).complete("", "?").text == "Yes."
    assert len(server.requests) == 3


FAULTS = [
    (refuses(401), "does not accept the key", 1),
    (refuses(403), "does not accept the key", 1),
    (refuses(404, "no such model"), "404: no such model", 1),
    (refuses(500), "failed", 4),
    (raw(200, "<html>Hello</html>", "text/html"), "not send a chat completion", 1),
    (raw(200, "{"), "not send a chat completion", 1),
    (raw(200, "[]"), "not send a chat completion", 1),
    (raw(200, '{"choices": []}'), "empty reply", 1),
    (raw(200, '{"choices": [{"message": null}], "usage": 3}'), "not send a chat completion", 1),
    (raw(302, "", Location="http://127.0.0.1:9/v1"), "302", 1),
    (cut, "cut off", 1),
    (says(""), "empty reply", 1),
    (says("{", finish="length"), "cut off after 20 tokens", 1),
    (says("{", finish="content_filter"), "ended its reply early", 1),
]


@pytest.mark.parametrize(("answer", "says_", "requests"), FAULTS)
def test_every_fault_is_a_sentence_and_what_may_be_paid_is_not_asked_twice(
    kind: str, answer: stub.Answer, says_: str, requests: int
) -> None:
    with serving(answer) as server, pytest.raises(LLMError, match=says_) as error:
        model(server, kind).complete("", "?")
    assert len(server.requests) == requests
    assert error.value.cost
    assert error.value.cost.seconds >= 0
    assert error.value.__cause__ is None
    assert KEY[:6] not in str(error.value)


def test_tokens_of_a_reply_that_was_cut_off_are_counted() -> None:
    with serving(says("{", finish="length", tokens=(7, 9))) as server, pytest.raises(ReplyError) as error:
        model(server).complete("", "?")
    cost = error.value.cost
    assert cost
    assert (cost.prompt_tokens, cost.reply_tokens) == (7, 9)


@pytest.mark.parametrize("answer", [silent(30), trickles], ids=["silent", "trickling"])
def test_silence_ends_with_the_time_allowed(kind: str, answer: stub.Answer) -> None:
    with serving(answer) as server:
        began = time.monotonic()
        with pytest.raises(LLMError, match="did not reply in time"):
            model(server, kind, timeout=1).complete("", "?")
    assert time.monotonic() - began < 20
    assert len(server.requests) == 1


def test_the_seconds_of_a_claim_bound_all_attempts_together() -> None:
    with serving(silent(30)) as server:
        began = time.monotonic()
        with pytest.raises(LLMError, match="did not reply in time"):
            model(server, timeout=60).complete("", "?", limits=Limits(1_000, 100, 0.5))
    assert time.monotonic() - began < 20


def test_a_question_longer_than_the_budget_is_not_sent() -> None:
    with serving(says("Yes.")) as server, pytest.raises(LLMError, match="LLM_TOKENS"):
        model(server).complete("", "word " * 1_000, limits=Limits(1_000, 100, 60))
    assert not server.requests


def test_the_reply_is_given_no_more_tokens_than_are_left(kind: str) -> None:
    with serving(says("Yes.")) as server:
        model(server, kind).complete("", "x" * 300, limits=Limits(150, 100, 60))
    assert server.requests[0]["body"]["max_tokens"] == 50


def test_nobody_there(kind: str) -> None:
    with pytest.raises(LLMError, match="No server answers"):
        model("http://127.0.0.1:9/v1", kind).complete("", "?")


def test_thinking_aloud_is_no_part_of_the_reply(kind: str) -> None:
    parts = [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}, {"type": "text", "text": "Yes."}]
    with serving(says(parts)) as server:
        assert model(server, kind).complete("", "?").text == "Yes."


# The key


def test_a_key_that_the_server_repeats_is_not_passed_on(kind: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    for message in (f"Incorrect API key provided: {KEY}", f"key {KEY[:8]}***", "fine"):
        for status in (400, 401, 404, 500):
            with serving(refuses(status, message)) as server, pytest.raises(LLMError) as error:
                model(server, kind).complete("", "?")
            assert KEY[:6] not in str(error.value)
            assert error.value.__suppress_context__
    assert KEY not in caplog.text
    assert KEY not in repr(Settings(llm_key=KEY))


@pytest.mark.parametrize("key", ["sk-ü-Geheimnis", "sk Geheimnis", "sk-\nGeheimnis", "sk-\0Geheimnis"])
def test_a_key_that_no_header_can_hold_is_refused_unseen(key: str) -> None:
    with pytest.raises(SettingError) as error:
        model("http://127.0.0.1:9/v1", key=key)
    assert "Geheimnis" not in str(error.value)
    assert "LLM_KEY" in str(error.value)


def test_keys_meant_for_others_stay_at_home(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_ADMIN_KEY", "MISTRAL_API_KEY"):
        monkeypatch.setenv(name, "foreign-secret")
    with serving(says("Yes.")) as server:
        model(server, kind, key="").complete("", "?")
    assert "foreign-secret" not in str(server.requests)


# Settings


def test_no_model_no_llm() -> None:
    assert open_llm(Settings()) is None


@pytest.mark.parametrize(
    "url", ["", "127.0.0.1:80/v1", "ftp://host/v1", "http://", "http://me:secret@host/v1", "http://h/v1?key=secret", "http://[1/"]
)  # fmt: skip
def test_an_address_that_makes_no_sense(url: str) -> None:
    with pytest.raises(SettingError, match="LLM_URL") as error:
        open_llm(Settings(llm_model="m", llm_url=url))
    assert "secret" not in str(error.value)


def test_an_unknown_kind() -> None:
    with pytest.raises(SettingError, match="`openai`, `mistral`"):
        open_llm(Settings(llm_model="m", llm_kind="claude", llm_url="http://h/v1"))


def test_mistral_needs_no_address_but_a_key() -> None:
    assert open_llm(Settings(llm_model="m", llm_kind="mistral", llm_key="k"))
    with pytest.raises(SettingError, match="LLM_KEY"):
        open_llm(Settings(llm_model="m", llm_kind="mistral"))
