"""What is asked of language models: one text file a prompt, its reply's reader in `replies.py`."""

from __future__ import annotations

from importlib.resources import files


def prompt(name: str, **values: object) -> str:
    """Instructions of that name with its figures filled in. They never hold text that was found or typed."""
    return files(__package__).joinpath(f"{name}.txt").read_text("utf-8").format(**values).strip()


def quoted(text: str) -> str:
    """Found text on its way into a message: it cannot end the quotation that it stands in."""
    return text.replace("<", "‹").replace(">", "›")
