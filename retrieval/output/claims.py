"""The claims of a text: reads the file, and writes the claims for people and for programs."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from retrieval.errors import ClaimError
from retrieval.text.extraction.finder import LONGEST_TEXT, FoundClaim

STANDARD_INPUT = "-"
_LARGEST_FILE = 8 * LONGEST_TEXT  # bytes: more is too long in any alphabet, or not text


def read_text(name: str) -> str:
    """The text of a file in UTF-8, or of standard input. Raises ClaimError if it cannot be read, or is no text."""
    try:
        if name == STANDARD_INPUT:
            content = sys.stdin.buffer.read(_LARGEST_FILE + 1)
        else:
            with Path(name).open("rb") as file:
                content = file.read(_LARGEST_FILE + 1)
    except OSError as error:
        raise ClaimError(
            f"{name} cannot be read: {error.strerror}. Name a text file, or - for standard input."
        ) from error
    if len(content) > _LARGEST_FILE:
        raise ClaimError(f"{name} is too long: at most {LONGEST_TEXT:,} characters are read at once. Send it in parts.")
    try:
        if b"\0" in content:
            raise UnicodeError
        return content.decode("utf-8")
    except UnicodeError as error:
        raise ClaimError(f"{name} is not text in UTF-8. Save it as plain text, Markdown or HTML in UTF-8.") from error


def claim_as_json(claim: FoundClaim) -> Mapping[str, Any]:
    """The fields of docs/interfaces.md."""
    return {
        "text": claim.text,
        "original": claim.original,
        "start": claim.start,
        "end": claim.end,
        "score": claim.score,
        "kind": claim.kind,
        "speaker": claim.speaker,
        "context": claim.context,
    }


def claims_as_json(claims: Sequence[FoundClaim]) -> str:
    """A JSON list."""
    return json.dumps([claim_as_json(claim) for claim in claims], ensure_ascii=False, indent=1)


def claims_as_text(claims: Sequence[FoundClaim]) -> str:
    """One line per claim: its score, its kind if that is not a claim, its words, and who said so."""
    lines = []
    for claim in claims:
        kind = "" if claim.chosen else f"[{claim.kind}] "
        speaker = f"  ({claim.speaker})" if claim.speaker else ""
        lines.append(f"{claim.score:.2f}  {kind}{claim.text}{speaker}")
    return "\n".join(lines)


def left_out(found: Sequence[FoundClaim], shown: Sequence[FoundClaim]) -> str:
    """What is not shown, by kind; empty if everything is."""
    if len(found) == len(shown):
        return ""
    kinds = Counter(claim.kind for claim in found if not claim.chosen)
    listed = ", ".join(f"{count:,} {kind}" for kind, count in kinds.most_common())
    return f"{len(shown):,} claims; left out: {listed}. `--all` shows them too."
