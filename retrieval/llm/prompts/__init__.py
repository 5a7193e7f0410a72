"""Prompts for language models: one text file each, and the modules that read the replies (`verdict.py`, `llm/replies.py`)."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Mapping
from importlib.resources import files


def prompt(name: str, **values: object) -> str:
    """The instructions of that name with these values: numbers, or our own text, never text from pages or users."""
    return text_of(name).format(**values).strip()


def prompt_id(name: str) -> str:
    """The name and version of a prompt, as records give it."""
    return f"{name}@{hashlib.sha256(text_of(name).encode()).hexdigest()[:8]}"


def object_schema(properties: Mapping[str, object]) -> dict[str, object]:
    """The JSON schema of an object with exactly these properties, all required, in this order."""
    required = list(properties)
    return {"type": "object", "properties": dict(properties), "required": required, "additionalProperties": False}


@functools.cache
def text_of(name: str) -> str:
    """The unchanged text of the prompt of that name."""
    return files(__package__).joinpath(f"{name}.txt").read_text("utf-8")


def quoted(text: str) -> str:
    """Untrusted text, quoted for a message so that it cannot end its quotation."""
    return text.replace("<", "‹").replace(">", "›")
