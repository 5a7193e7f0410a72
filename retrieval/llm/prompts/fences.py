"""The code fence that language models put around JSON."""

from __future__ import annotations

FENCE = "```"


def without_fence(text: str) -> str:
    """What stands inside the fence around all of the text; the text itself if there is none. Stripped; O(n).

    No regular expression: a reply is written by others, and one that backtracks can be made to stand still.
    """
    stripped = text.strip()
    opening, _, rest = stripped.partition("\n")
    named = opening.removeprefix(FENCE).strip().lower()
    if not opening.startswith(FENCE) or named not in ("", "json") or not rest.endswith(FENCE):
        return stripped
    return rest.removesuffix(FENCE).strip()
