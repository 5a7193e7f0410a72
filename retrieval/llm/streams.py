"""Joins server-sent events into one completion, for servers that only stream."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

_DONE = "[DONE]"


def joined_events(body: str) -> dict[str, Any] | None:
    """The chat completion that the events make up; None if the body holds none. O(n).

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
        ]  # not splitlines, because strings may contain other line ends
        joined = bool(lines) and not lines[0].endswith(("}", _DONE))  # some servers put no blank line between events
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
