"""The code fence that language models put around JSON."""

from __future__ import annotations

FENCE = "```"


def without_fence(text: str) -> str:
    """The text inside a fence that encloses all of it, else the text itself; stripped. O(n).

    It uses no regular expression, because a hostile reply could make one backtrack forever.
    """
    stripped = text.strip()
    opening, _, rest = stripped.partition("\n")
    named = opening.removeprefix(FENCE).strip().lower()
    if not opening.startswith(FENCE) or named not in ("", "json") or not rest.endswith(FENCE):
        return stripped
    return rest.removesuffix(FENCE).strip()
