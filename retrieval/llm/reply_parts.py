"""The parts of a language model's reply, each read completely or refused."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from retrieval.errors import ReplyError
from retrieval.llm.prompts.fences import without_fence

RATINGS = {"strongly disagree": 1, "disagree": 2, "neutral": 3, "agree": 4, "strongly agree": 5}

_RATING = re.compile(r"([1-5])(?:\s*/\s*5)?(?:\s*[-–—:(]\s*([a-z ]+?)\)?)?", re.IGNORECASE)
_LISTED = re.compile(r"\[?\d{1,4}\]?")


def unreadable(why: str) -> ReplyError:
    """The error of every reader, as a sentence. why: continues "cannot be read:"."""
    return ReplyError(
        f"The reply of the language model cannot be read: {why}. Check again, or choose another LLM_MODEL."
    )


def json_object(text: str) -> dict[str, Any]:
    """The reply as one JSON object, with or without a code fence. Raises ReplyError."""
    try:
        found = json.loads(without_fence(text), object_pairs_hook=_once_each)
    except (ValueError, RecursionError):
        raise unreadable("it is not one JSON object") from None
    if not isinstance(found, dict):
        raise unreadable("it is not one JSON object")
    return found


def field(reply: Mapping[str, Any], name: str, kind: type) -> Any:
    """The value of that name. Raises ReplyError if it is missing or of another kind."""
    if not isinstance(reply.get(name), kind):
        raise unreadable(f"`{name}` is missing or malformed")
    return reply[name]


def one_line(reply: Mapping[str, Any], name: str, longest: int = 10_000) -> str:
    """A text without line breaks or invisible characters. Raises ReplyError if it is empty or too long."""
    text = field(reply, name, str)
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    if not line or len(line) > longest:
        raise unreadable(f"`{name}` is empty, or longer than {longest:,} characters")
    return line


def numbers(value: Any) -> list[int]:
    """Source numbers: a number, digits in a text, or a list of them; none is allowed. Raises ReplyError."""
    if value is None or value == "":
        return []
    if isinstance(value, list):
        if any(isinstance(one, list) for one in value):
            raise unreadable("its source numbers are lists of lists")
        return [number for one in value for number in numbers(one)]
    if isinstance(value, int) and not isinstance(value, bool):
        return [value]
    if isinstance(value, str):
        parts = [part.strip() for part in value.split(",")]
        if all(_LISTED.fullmatch(part) for part in parts):
            return [int(part.strip("[]")) for part in parts]
    raise unreadable(f"{str(value)[:40]!r} is not a source number")


def rating(value: Any) -> int:
    """1 to 5, as a number ("4", "4/5", "4 - agree") or in words. Raises ReplyError if the two disagree."""
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 5:
        return value
    if isinstance(value, str):
        words = " ".join(value.casefold().split())
        if words in RATINGS:
            return RATINGS[words]
        match = _RATING.fullmatch(words)
        if match and (not match[2] or RATINGS.get(match[2].strip()) == int(match[1])):
            return int(match[1])
    raise unreadable(f"{str(value)[:40]!r} is not a rating from 1 to 5")


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object without repeated keys. Raises ValueError."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name occurs twice")
    return found
