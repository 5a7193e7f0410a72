"""The verdict of a language model: what it is asked, and the reading of what it replies.

A reply is read from its first to its last character or it is an error; no part of a text ever becomes a label.
"""

from __future__ import annotations

import functools
import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from retrieval.errors import ReplyError
from retrieval.llm.prompts.fences import without_fence
from retrieval.types import Evidence, Label, Verdict

KEYS = ("reason", "sentences", "ratings", "label")
RATINGS = (1, 2, 3, 4, 5)
LONGEST_REASON = 1_000  # characters
NUMBER = re.compile(r"\[(\d{1,4})\]")


@functools.cache
def instructions() -> str:
    """The same for every claim: nothing that anybody else wrote is in it."""
    return Path(__file__).with_suffix(".txt").read_text("utf-8")


def prompt_id() -> str:
    """Name and version of the prompt, as records of checks give it."""
    return f"verdict@{hashlib.sha256(instructions().encode()).hexdigest()[:8]}"


def content(claim: str, evidence: Sequence[Evidence]) -> str:
    """The claim and its evidence, numbered from 1, as one JSON object: no text in it can end its own quotation."""
    quotations = [
        {"number": number, "page": e.sentence.title, "text": e.sentence.text} for number, e in enumerate(evidence, 1)
    ]
    return json.dumps({"claim": claim, "sentences": quotations}, ensure_ascii=False, indent=1)


def schema(sentences: int) -> dict[str, object]:
    """JSON schema of a reply about so many sentences."""
    rating = {"type": "integer", "enum": list(RATINGS)}
    labels = [str(label) for label in Label]
    properties = {
        "reason": {"type": "string"},
        "sentences": {"type": "array", "items": {"type": "integer", "enum": list(range(1, sentences + 1))}},
        "ratings": _object(dict.fromkeys(labels, rating)),
        "label": {"type": "string", "enum": labels},
    }
    return _object(properties)


def _object(properties: Mapping[str, object]) -> dict[str, object]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def read_verdict(text: str, sentences: int, method: str) -> Verdict:
    """The verdict that a reply about so many sentences gives. Raises ReplyError, one sentence, where it gives none."""
    reply = _read_object(text)
    if sorted(reply) != sorted(KEYS):
        raise _unreadable(f"it does not have exactly the keys {', '.join(KEYS)}")
    label = _label(reply["label"])
    probabilities = _probabilities(reply["ratings"])
    if probabilities[label] < max(probabilities.values()):
        raise _unreadable(f"it names {label} and rates another label higher")
    reason = _reason(reply["reason"])
    sources = _sources(reply["sentences"], reason, sentences)
    return Verdict(label, probabilities, reason, method, sources=sources)


def check_own_words(text: str, quoted: Sequence[str]) -> None:
    """Raises ReplyError where the reply stands in what was quoted to the model: a page may hold a verdict made ready.

    Spaces and fences around it do not count.
    """
    said = "".join(without_fence(text).split())
    if said and any(said in "".join(other.split()) for other in quoted):
        raise _unreadable("it repeats what a quotation says, as a model does that a page has talked over")


def _read_object(text: str) -> dict[str, Any]:
    try:
        reply = json.loads(without_fence(text), object_pairs_hook=_once_each)
    except (ValueError, RecursionError):
        raise _unreadable("it is not one JSON object") from None
    if not isinstance(reply, dict):
        raise _unreadable("it is not one JSON object")
    return reply


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) < len(pairs):
        raise ValueError
    return read


def _label(said: Any) -> Label:
    """The label whose whole name this is, whatever its case and spaces."""
    name = re.sub(r"[ _-]+", "_", said.strip().upper()) if isinstance(said, str) else ""
    if name not in Label.__members__:
        raise _unreadable("its label is none of the four")
    return Label[name]


def _probabilities(said: Any) -> Mapping[Label, float]:
    """Ratings as shares that sum to 1: each step of the scale makes a label e times as likely beside the others."""
    if not isinstance(said, dict) or len(said) != len(Label):
        raise _unreadable("it does not rate each of the four labels once")
    ratings = {_label(name): rating for name, rating in said.items()}
    if len(ratings) != len(Label) or any(type(r) is not int or r not in RATINGS for r in ratings.values()):
        raise _unreadable("it does not rate each of the four labels from 1 to 5")
    weights = {label: math.exp(ratings[label]) for label in Label}
    total = sum(weights.values())
    return MappingProxyType({label: weight / total for label, weight in weights.items()})


def _reason(said: Any) -> str:
    if not isinstance(said, str) or not said.strip():
        raise _unreadable("it gives no reason")
    reason = " ".join("".join(char if char.isprintable() else " " for char in said).split())
    if not reason or len(reason) > LONGEST_REASON:
        raise _unreadable(f"its reason is empty, or longer than {LONGEST_REASON:,} characters")
    return reason


def _sources(said: Any, reason: str, sentences: int) -> tuple[int, ...]:
    """The numbers given, and those that the reason itself gives in brackets; each of them must exist."""
    if not isinstance(said, list) or any(type(number) is not int for number in said):
        raise _unreadable("its sentence numbers are not a list of whole numbers")
    numbers = dict.fromkeys([*said, *(int(number) for number in NUMBER.findall(reason))])
    if unknown := [number for number in numbers if not 1 <= number <= sentences]:
        raise _unreadable(f"it rests on sentence {str(unknown[0])[:12]}, and there are {sentences}")
    return tuple(numbers)


def _unreadable(why: str) -> ReplyError:
    return ReplyError(f"The reply of the language model cannot be read: {why}. Check again, or take another LLM_MODEL.")
