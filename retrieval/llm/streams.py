"""Joins answers that come as server-sent events, from servers that know no other form, to one completion."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

_DONE = "[DONE]"


def joined_events(body: str) -> dict[str, Any] | None:
    """The chat completion of which the events are parts; None if the body holds none. O(n).

    An error among the events is the whole answer. A stream without a reason for its end was cut off. Raises ValueError or RecursionError if an event cannot be read.
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
            texts += _parts(delta.get("content"))
            for call in delta.get("tool_calls") or ():
                called.setdefault(call.get("index") or 0, []).append(
                    (call.get("function") or {}).get("arguments") or ""
                )
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
        lines = [
            line[5:].strip() for line in block.split("\n") if line.startswith("data:")
        ]  # strings may contain other line ends
        joined = bool(lines) and not lines[0].endswith(("}", _DONE))  # some servers put no empty line between events
        for data in ["\n".join(lines)] if joined else lines:
            event = json.loads(data) if data and data != _DONE else None
            if isinstance(event, dict):
                yield event


def _parts(content: Any) -> list[str]:
    """The text of a message chunk, without thinking."""
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else []
    return [part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str)]
