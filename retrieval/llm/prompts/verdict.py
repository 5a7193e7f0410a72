"""The prompt for a verdict over sentences; `llm/replies.py` reads the reply."""

from __future__ import annotations

import json
from collections.abc import Sequence

from retrieval.llm.prompts import object_schema, text_of
from retrieval.types import Evidence, Label


def instructions() -> str:
    """The instructions, the same for every claim: they contain no untrusted text."""
    return text_of("verdict")


def content(claim: str, evidence: Sequence[Evidence]) -> str:
    """The claim and its evidence, numbered from 1, as one JSON object: no text in it can end its quotation."""
    quotations = [
        {"number": number, "page": e.title_as_read, "text": e.sentence.text} for number, e in enumerate(evidence, 1)
    ]
    return json.dumps({"claim": claim, "sentences": quotations}, ensure_ascii=False, indent=1)


def schema(sentences: int) -> dict[str, object]:
    """The JSON schema of a reply. sentences: how many are shown."""
    rating = {"type": "integer", "enum": [1, 2, 3, 4, 5]}
    labels = [str(label) for label in Label]
    properties = {
        "reason": {"type": "string"},
        "sentences": {"type": "array", "items": {"type": "integer", "enum": list(range(1, sentences + 1))}},
        "ratings": object_schema(dict.fromkeys(labels, rating)),
        "label": {"type": "string", "enum": labels},
    }
    return object_schema(properties)
