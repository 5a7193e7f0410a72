"""What a language model is asked for a verdict over sentences; `llm/replies.py` reads the reply."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from retrieval.types import Evidence, Label

RATINGS = (1, 2, 3, 4, 5)


@functools.cache
def instructions() -> str:
    """The same for every claim: contains nothing that anybody else wrote."""
    return Path(__file__).with_suffix(".txt").read_text("utf-8")


def prompt_id() -> str:
    """Name and version of the prompt, as records of checks give it."""
    return f"verdict@{hashlib.sha256(instructions().encode()).hexdigest()[:8]}"


def content(claim: str, evidence: Sequence[Evidence]) -> str:
    """The claim and its evidence, numbered from 1, as one JSON object: no text in it can end its own quotation."""
    quotations = [{"number": number, "page": e.title, "text": e.sentence.text} for number, e in enumerate(evidence, 1)]
    return json.dumps({"claim": claim, "sentences": quotations}, ensure_ascii=False, indent=1)


def schema(sentences: int) -> dict[str, object]:
    """JSON schema of a reply about a number of sentences."""
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
