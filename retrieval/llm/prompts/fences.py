"""The code fence that language models put around JSON."""

from __future__ import annotations

FENCE = "```"


def without_fence(text: str) -> str:
    """The text inside a fence around the whole; the text itself if there is none. Stripped; O(n).

    No regular expression: a hostile reply could make one backtrack forever.
    """
    stripped = text.strip()
    opening, _, rest = stripped.partition("\n")
    named = opening.removeprefix(FENCE).strip().lower()
    if not opening.startswith(FENCE) or named not in ("", "json") or not rest.endswith(FENCE):
        return stripped
    return rest.removesuffix(FENCE).strip()
