"""What is asked of language models: one text file a prompt, and the modules that read the replies (`verdict.py`, `llm/replies.py`)."""

from __future__ import annotations

import functools
import hashlib
from importlib.resources import files


def prompt(name: str, **values: object) -> str:
    """Instructions of that name with its figures filled in. They never hold text that was found or typed."""
    return _text(name).format(**values).strip()


def prompt_id(name: str) -> str:
    """Name and version of a prompt, as records of checks give it."""
    return f"{name}@{hashlib.sha256(_text(name).encode()).hexdigest()[:8]}"


@functools.cache
def _text(name: str) -> str:
    return files(__package__).joinpath(f"{name}.txt").read_text("utf-8")


def quoted(text: str) -> str:
    """Found text on its way into a message: it cannot end the quotation that it stands in."""
    return text.replace("<", "‹").replace(">", "›")
