"""Reads what language models reply: completely, or not at all. A reply never becomes a label by accident.

Every function raises ReplyError, which the user sees, where a part that the prompt asked for is missing or is something
else than was asked for. Labels are compared whole: "Not enough evidence to support" is no label.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from retrieval.errors import ReplyError
from retrieval.llm.prompts.fences import without_fence
from retrieval.types import Label

LABELS = {
    "Supported": Label.SUPPORTED,
    "Refuted": Label.REFUTED,
    "Not Enough Evidence": Label.NOT_ENOUGH_EVIDENCE,
    "Conflicting Evidence/Cherrypicking": Label.CONFLICTING,
}
CAUTIOUS = (Label.NOT_ENOUGH_EVIDENCE, Label.CONFLICTING, Label.REFUTED, Label.SUPPORTED)  # which of two alike is taken
RATINGS = {"strongly disagree": 1, "disagree": 2, "neutral": 3, "agree": 4, "strongly agree": 5}
LONGEST_CONTEXT = 1_000  # characters

_RATING = re.compile(r"([1-5])(?:\s*/\s*5)?(?:\s*[-–—:(]\s*([a-z ]+?)\)?)?", re.IGNORECASE)
_NUMBERED = re.compile(r"\d{1,2}[.)]\s+(\S.*)")  # of a stripped line


@dataclass(frozen=True, slots=True)
class Answer:
    """A question with its answer. sources: numbers from 1, those that exist."""

    question: str
    answer: str
    kind: str
    sources: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AicReply:
    """probabilities: of the four labels, sum 1. dropped: sources named that do not exist."""

    answers: tuple[Answer, ...]
    label: Label
    probabilities: Mapping[Label, float]
    dropped: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Judgement:
    """A label with its reason and the passages it names. confidence: 0..1."""

    label: Label
    reason: str
    passages: tuple[int, ...]
    confidence: float
    dropped: tuple[int, ...]


def read_aic(text: str, sources: int, most: int) -> AicReply:
    """Questions, answers and ratings. sources: how many were shown; most: questions that were allowed, later ones are cut."""
    reply = _object(text)
    listed = _field(reply, "questions", list)
    if not listed:
        raise _unreadable("it asks no question", text)
    answers, dropped = [], []
    for row in listed[:most]:
        if not isinstance(row, dict):
            raise _unreadable("a question is not an object", text)
        named = _numbers(row.get("source"), text)
        dropped += [number for number in named if not 1 <= number <= sources]
        answers.append(
            Answer(
                _line(row, "question"),
                _line(row, "answer"),
                str(row.get("answer_type") or ""),
                tuple(dict.fromkeys(number for number in named if 1 <= number <= sources)),
            )
        )
    ratings = _ratings(_field(reply, "veracity", dict), text)
    best = max(ratings.values())
    label = next(label for label in CAUTIOUS if ratings[label] == best)
    weights = {label: math.exp(rating) for label, rating in ratings.items()}
    total = sum(weights.values())
    return AicReply(tuple(answers), label, {name: w / total for name, w in weights.items()}, tuple(dropped))


def read_questions(text: str, most: int) -> list[str]:
    """Up to `most` questions: a JSON object with `questions`, or numbered lines and nothing else."""
    if text.lstrip().startswith(("{", "```")):
        listed = _field(_object(text), "questions", list)
        if not all(isinstance(question, str) for question in listed):
            raise _unreadable("a question is not text", text)
        found = [" ".join(question.split()) for question in listed]
    else:
        lines = [_NUMBERED.fullmatch(line.strip()) for line in text.splitlines() if line.strip()]
        found = [match[1] if match else "" for match in lines]
    if not found or not all(found):
        raise _unreadable("it is not a list of questions", text)
    return list(dict.fromkeys(found))[:most]


def read_judgement(text: str, passages: int) -> Judgement:
    """A verdict with its reason, the passages that exist, and its confidence."""
    reply = _object(text)
    named = _numbers(reply.get("passages"), text)
    confidence = reply.get("confidence")
    if isinstance(confidence, bool) or not isinstance(confidence, int | float) or not 0 <= confidence <= 100:
        raise _unreadable("its confidence is not a number from 0 to 100", text)
    return Judgement(
        read_label(_line(reply, "verdict"), text),
        _line(reply, "reason"),
        tuple(dict.fromkeys(number for number in named if 1 <= number <= passages)),
        confidence / 100,
        tuple(number for number in named if not 1 <= number <= passages),
    )


def read_sufficiency(text: str) -> bool:
    """Whether the evidence is enough."""
    enough = _object(text).get("enough")
    if not isinstance(enough, bool):
        raise _unreadable("it says neither true nor false", text)
    return enough


def read_context(text: str) -> str:
    """A short text without line breaks."""
    context = " ".join(text.split()).strip('"“” ')
    if not context or len(context) > LONGEST_CONTEXT:
        raise _unreadable("it is not one short text", text)
    return context


def read_label(text: str, reply: str) -> Label:
    """The label that the whole text names; capitals and spaces do not count."""
    folded = {_folded(name): label for name, label in LABELS.items()}
    if _folded(text) not in folded:
        raise _unreadable(f"{text[:60]!r} is none of the four labels", reply)
    return folded[_folded(text)]


def _ratings(rated: Mapping[str, Any], text: str) -> dict[Label, int]:
    ratings: dict[Label, int] = {}
    for name, rating in rated.items():
        label = read_label(name, text)
        if label in ratings:
            raise _unreadable(f"it rates {name[:60]!r} twice", text)
        ratings[label] = _rating(rating, text)
    if len(ratings) < len(LABELS):
        raise _unreadable("it does not rate all four labels", text)
    return ratings


def _rating(value: Any, text: str) -> int:
    """1 to 5, as a number ("4", "4/5", "4 - agree") or in words. Raises ReplyError where the two disagree."""
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 5:
        return value
    if isinstance(value, str):
        words = " ".join(value.casefold().split())
        if words in RATINGS:
            return RATINGS[words]
        match = _RATING.fullmatch(words)
        if match and (not match[2] or RATINGS.get(match[2].strip()) == int(match[1])):
            return int(match[1])
    raise _unreadable(f"{str(value)[:40]!r} is no rating from 1 to 5", text)


def _numbers(value: Any, text: str) -> list[int]:
    """Source numbers: a number, digits in a text, or a list of them; none is allowed."""
    if value is None or value == "":
        return []
    if isinstance(value, list):
        return [number for one in value for number in _numbers(one, text)]
    if isinstance(value, int) and not isinstance(value, bool):
        return [value]
    if isinstance(value, str) and re.fullmatch(r"\s*\[?\d{1,4}\]?(\s*,\s*\[?\d{1,4}\]?)*\s*", value):
        return [int(number) for number in re.findall(r"\d+", value)]
    raise _unreadable(f"{str(value)[:40]!r} is no source number", text)


def _object(text: str) -> dict[str, Any]:
    """The JSON object that the whole reply is, a code fence around it allowed."""
    try:
        found = json.loads(without_fence(text), object_pairs_hook=_once_each)
    except (ValueError, RecursionError) as error:
        raise _unreadable("it is not JSON", text) from error
    if not isinstance(found, dict):
        raise _unreadable("it is not a JSON object", text)
    return found


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object that says nothing twice. Raises ValueError."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name occurs twice")
    return found


def _field(reply: Mapping[str, Any], name: str, kind: type) -> Any:
    if not isinstance(reply.get(name), kind):
        raise _unreadable(f"`{name}` is missing or malformed", json.dumps(reply))
    return reply[name]


def _line(row: Mapping[str, Any], name: str) -> str:
    text = _field(row, name, str)
    line = " ".join(text.split())
    if not line:
        raise _unreadable(f"`{name}` is empty", json.dumps(row))
    return line


def _folded(text: str) -> str:
    return "/".join(" ".join(part.split()) for part in text.casefold().split("/"))


def _unreadable(fault: str, text: str) -> ReplyError:
    shown = " ".join(text.split())[:120]
    return ReplyError(
        f"The language model's reply cannot be read: {fault}. It began: {shown!r}. Check again, or choose another model."
    )
