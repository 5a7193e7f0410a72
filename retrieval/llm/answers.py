"""Reads a server's response: a chat completion, whole or as events, or an error. Any part may be missing or malformed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from retrieval.llm.reading.thinking import spoken

CHARACTERS_SHOWN, CHARACTERS_SEARCHED = 200, 4_000  # of a server's error message
# A reply that ended for one of these reasons is incomplete. Names for a normal end are too many to list.
_CUT = ("length", "max_", "limit", "truncat", "exceed", "incomplete")
_BROKEN = (
    *("filter", "safety", "sensitive", "block", "refus", "recitation", "prohibited", "spii", "language", "other"),
    *("error", "abort", "cancel", "malformed", "timeout", "pause", "insufficient", "content", "repet"),
)
_CALLS = ("tool_call", "tool_use", "function_call")
_THINKING = ("reasoning_content", "reasoning", "thinking", "reasoning_details")
_DONE = "[DONE]"  # the last event of a stream
_TEXT_PARTS = ("text", "output_text", "")
_THOUGHT_PARTS = ("thinking", "reasoning", "redacted_thinking")
_WRAPPERS = ("data", "result")  # keys under which some gateways wrap a completion
_ERRORS = ("error", "errors", "base_resp")
_MESSAGES = ("message", "detail", "msg", "error_description", "error_message", "status_msg", "reason")
DECLINED = "declined"  # the `finish` of a reply in which the model refuses to answer


@dataclass(frozen=True, slots=True)
class Answer:
    """A server's answer without the model's thinking. finish: `stop`, `length`, or the server's own reason.

    prompt_tokens, reply_tokens: None if the server does not count them. thought: whether the model thought first.
    model: the server's name for it. price: in US dollars; None if the server gives none.
    """

    text: str
    finish: str
    prompt_tokens: int | None
    reply_tokens: int | None
    thought: bool = False
    model: str = ""
    price: float | None = None


class Fault(Exception):
    """No answer. kind: status, timeout, connect, broken or unreadable. detail: the server's words, unchecked.

    status: the HTTP status; of an error in a 200 response, the status that it names, else 200. message: the whole error
    message, for searching.
    """

    def __init__(self, kind: str, status: int = 0, retry_after: str = "", detail: str = "", message: str = "") -> None:
        super().__init__(f"{kind} {status}")
        self.kind, self.status, self.retry_after, self.detail = kind, status, retry_after, detail
        self.message = message or detail


def read_body(body: str | bytes) -> Answer:
    """The first choice of a chat completion, sent whole or as a stream of events. Raises Fault if the body is neither."""
    try:
        text = body.decode("utf-8-sig") if isinstance(body, bytes) else body.removeprefix("\ufeff")
        streamed = text.lstrip().startswith(("data:", "event:", ":", "id:", "retry:"))
        parsed = _joined_events(text) if streamed else json.loads(text)
    except (ValueError, RecursionError, AttributeError, TypeError):
        raise Fault("unreadable") from None
    return read_answer(parsed)


def read_answer(body: Any) -> Answer:
    """Like `read_body`, from parsed JSON."""
    body = _completion(body)
    try:
        if body["choices"] == [] and not body.get("error"):
            choice: Any = {"message": {"content": ""}}  # all that content filters leave
        else:
            choice = body["choices"][0]
        message = (
            choice.get("message") or choice.get("delta") or {"content": "" if choice.get("error") else choice["text"]}
        )
        content = message.get("content")
        parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
        text = _text(content)
        text = text if text.strip() else _called(message, parts)
        answer = spoken(text.encode("utf-8", "replace").decode("utf-8"))  # no database stores lone surrogates
        if choice.get("error") and not answer.text:
            raise _error_within(choice)
        prompt, reply, thinking, price = _usage(body.get("usage"))
        thought = answer.thought or thinking or any(message.get(name) for name in _THINKING)
        thought = thought or any(part.get("type") in _THOUGHT_PARTS for part in parts)
        finish = _finish(choice.get("finish_reason") or choice.get("done_reason"), bool(answer.text))
        if not answer.text and (message.get("refusal") or any(part.get("type") == "refusal" for part in parts)):
            finish = DECLINED
        return Answer(answer.text, finish, prompt, reply, bool(thought), str(body.get("model") or "")[:80], price)
    except (TypeError, KeyError, IndexError, ValueError, AttributeError):
        raise _error_within(body) from None


def _completion(body: Any) -> Any:
    """The chat completion, out of a gateway's object or Ollama's native format; any other body unchanged."""
    if not isinstance(body, dict) or "choices" in body:
        return body
    inner: Any = next((body[name] for name in _WRAPPERS if isinstance(body.get(name), dict)), {})
    if inner.get("choices"):
        return inner
    message = body.get("message")
    if not isinstance(message, dict) or "content" not in message:
        return body
    usage = {"prompt_tokens": body.get("prompt_eval_count"), "completion_tokens": body.get("eval_count")}
    return {**body, "choices": [{"message": message, "finish_reason": body.get("done_reason")}], "usage": usage}


def refusal(status: int, headers: Mapping[str, str], body: str) -> Fault:
    """The fault for an error status."""
    try:
        detail, message, _ = _error(json.loads(body))
    except (ValueError, RecursionError):
        detail, message = "", body
    return Fault("status", status, headers.get("retry-after", ""), detail, message[:CHARACTERS_SEARCHED])


def _error_within(body: Any) -> Fault:
    """The fault for a 200 response that holds no completion."""
    detail, message, status = _error(body)
    return Fault("status", status, "", detail, message[:CHARACTERS_SEARCHED]) if detail else Fault("unreadable")


def _text(content: Any) -> str:
    """The text of a message's content without thinking; a parsed object becomes JSON again. Raises TypeError for others."""
    if isinstance(content, dict):
        return _text([content]) if "type" in content or "text" in content else json.dumps(content)
    if isinstance(content, list):
        content = "".join(part if isinstance(part, str) else _part(part or {}) for part in content)
    if not isinstance(content or "", str):
        raise TypeError
    return content or ""


def _part(part: Mapping[str, Any]) -> str:
    if (part.get("type") or "") not in _TEXT_PARTS or part.get("thought"):
        return ""
    text = part.get("text") or part.get("content") or ""
    return str(text["value"]) if isinstance(text, dict) else str(text)


def _called(message: Mapping[str, Any], parts: list[Any]) -> str:
    """The arguments of a tool call, if the model answers with one; several calls must be identical."""
    calls = [call.get("function") or {} for call in message.get("tool_calls") or ()]
    calls += [message.get("function_call") or {}]
    arguments = [call.get("arguments") for call in calls]
    arguments += [part.get("input") for part in parts]
    found = {json.dumps(value) if isinstance(value, dict) else str(value) for value in arguments if value}
    return found.pop() if len(found) == 1 else ""


def _finish(reason: Any, answered: bool) -> str:
    """`stop`, `length`, or the server's own reason. answered: whether there is text; a tool call is then a normal end."""
    word = str(reason or "stop").strip().lower().replace("-", "_").replace(" ", "_")
    word = word.removeprefix("finish_reason_").removeprefix("finishreason.")
    if any(part in word for part in _CUT):
        return "length"
    if any(part in word for part in _CALLS):
        return "stop" if answered else word
    return word if any(part in word for part in _BROKEN) else "stop"


def _usage(usage: Any) -> tuple[int | None, int | None, bool, float | None]:
    """The tokens of prompt and reply, whether some of them were thinking, and the price."""
    if not isinstance(usage, dict):
        return None, None, False, None
    prompt = _count(usage.get("prompt_tokens", usage.get("input_tokens")))
    reply = _count(usage.get("completion_tokens", usage.get("output_tokens")))
    details = usage.get("completion_tokens_details")
    thinking = _count(details.get("reasoning_tokens")) if isinstance(details, dict) else None
    price = usage.get("cost", usage.get("estimated_cost"))
    price = price.get("total_cost") if isinstance(price, dict) else price
    known = isinstance(price, int | float) and not isinstance(price, bool) and 0 <= price < 1e6
    return prompt, reply, bool(thinking), float(price) if known and price is not None else None


def _count(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e9:
        return None
    return int(value)


def _error(body: Any) -> tuple[str, str, int]:
    """A server's error message: its beginning to show, all of it to search, and the status that it names, else 200."""
    body = body[0] if isinstance(body, list) and body else body
    inner = next((body[name] for name in _ERRORS if body.get(name)), body) if isinstance(body, dict) else None
    inner = inner[0] if isinstance(inner, list) else inner
    inner = {"message": inner} if isinstance(inner, str) else body if isinstance(inner, bool | int) else inner
    if not isinstance(inner, dict):
        return "", "", 200
    message = next((inner[name] for name in _MESSAGES if inner.get(name)), "")
    if isinstance(message, dict):
        message = message.get("message") or message.get("detail") or json.dumps(message)
    if isinstance(message, list):  # FastAPI's list of wrong fields; its items repeat the input, which is left out here
        parts = (f"{row.get('loc', '')} {row.get('msg', '')}" if isinstance(row, dict) else row for row in message)
        message = "; ".join(map(str, parts))
    shown = " ".join(str(message).split())
    codes = [str(part.get(name)) for part in (inner, body) for name in ("code", "status") if isinstance(part, dict)]
    status = next((int(code) for code in codes if len(code) == 3 and code.isdecimal() and code[0] in "45"), 200)
    return shown[:CHARACTERS_SHOWN], f"{shown} '{inner.get('param') or ''}' {' '.join(codes)}", status


def _joined_events(body: str) -> dict[str, Any] | None:
    """The chat completion that a stream's events make up; None without events. O(n).

    If an event is an error, it is returned instead. A stream that gives no reason for its end counts as cut off. Raises
    ValueError or RecursionError if an event cannot be read.
    """
    texts: list[str] = []
    thoughts: list[str] = []
    called: dict[int, list[str]] = {}
    whole: dict[str, Any] = {}
    finish = None
    for event in _events(body):
        if event.get("error"):
            return event
        whole |= {name: event[name] for name in ("model", "usage") if event.get(name)}
        for choice in (event.get("choices") or [])[:1]:
            delta = choice.get("delta") or choice.get("message") or {"content": choice.get("text")}
            texts += _texts(delta.get("content"))
            for call in delta.get("tool_calls") or ():
                pieces = called.setdefault(call.get("index") or 0, [])
                pieces.append((call.get("function") or {}).get("arguments") or "")
            thoughts += [delta[name] for name in ("reasoning_content", "reasoning") if isinstance(delta.get(name), str)]
            finish = choice.get("finish_reason") or finish
        whole["choices"] = []
    if "choices" not in whole:
        return None
    calls = [{"function": {"arguments": "".join(pieces)}} for pieces in called.values()]
    message = {"content": "".join(texts), "reasoning_content": "".join(thoughts), "tool_calls": calls}
    finish = finish or ("stop" if _DONE in body[-40:] else "length")
    return {**whole, "choices": [{"index": 0, "finish_reason": finish, "message": message}]}


def _events(body: str) -> Iterator[dict[str, Any]]:
    for block in body.replace("\r\n", "\n").replace("\r", "\n").split("\n\n"):
        # Not splitlines, because strings may contain other line ends.
        lines = [line[5:].strip() for line in block.split("\n") if line.startswith("data:")]
        joined = bool(lines) and not lines[0].endswith(("}", _DONE))  # some servers put no blank line between events
        for data in ["\n".join(lines)] if joined else lines:
            event = json.loads(data) if data and data != _DONE else None
            if isinstance(event, dict):
                yield event


def _texts(content: Any) -> list[str]:
    """The text of a message chunk, without thinking."""
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else []
    return [part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str)]
