"""Reads a text file to find claims in, and writes the claims for people and for programs."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

from retrieval.errors import ClaimError, CorpusError
from retrieval.output.forms import ClaimForm
from retrieval.text.extraction.finder import LONGEST_TEXT, FoundClaim
from retrieval.text.files.charsets import decode
from retrieval.text.files.document import LARGEST_DOCUMENT, Converted
from retrieval.text.files.formats import READERS

STANDARD_INPUT = "-"
LARGEST_TEXT_FILE = 8 * LONGEST_TEXT  # bytes; a larger file is too long in any script, or not a text


class GivenText(NamedTuple):
    """A text and its file's title, which may be empty. notes: on what was left out or may be wrong, without full stops."""

    text: str
    title: str = ""
    notes: tuple[str, ...] = ()


def read_text(name: str) -> GivenText:
    """The text of a file or of standard input; .html, .pdf and .docx are read like uploads. Raises ClaimError."""
    reader = READERS.get(Path(name).suffix.lower())
    longest = LARGEST_DOCUMENT if reader else LARGEST_TEXT_FILE
    try:
        with nullcontext(sys.stdin.buffer) if name == STANDARD_INPUT else open(name, "rb") as file:
            content = file.read(longest + 1)
    except OSError as error:
        raise ClaimError(
            f"{name} cannot be read: {error.strerror}. Name a text file, or - for standard input."
        ) from error
    if len(content) > longest:
        raise ClaimError(f"{name} is too long: at most {LONGEST_TEXT:,} characters are read at once. Send it in parts.")
    if reader:
        return _extracted(name, reader, content)
    try:
        decoded = decode(content)
    except CorpusError as error:
        raise ClaimError(f"{name} cannot be read: {error}.") from error
    return GivenText(decoded.text, notes=tuple(filter(None, [decoded.note()])))


def _extracted(name: str, reader: Callable[[bytes], Converted], content: bytes) -> GivenText:
    """The text of a file that needs a parser, with empty lines between paragraphs."""
    try:
        document = reader(content)
    except CorpusError as error:
        raise ClaimError(f"{name} cannot be read: {error}.") from error
    except Exception as error:  # whatever a parser raises, people must not see a traceback
        raise ClaimError(f"{name} cannot be read: {type(error).__name__}: {error}."[:300]) from error
    lines = (line.replace("\f", " ").strip() for line in document.text.split("\n"))
    return GivenText("\n\n".join(filter(None, lines)), document.title, document.notes)


def claims_as_json(claims: Sequence[FoundClaim]) -> str:
    """A JSON list."""
    return json.dumps([ClaimForm.of(claim).as_json() for claim in claims], ensure_ascii=False, indent=1)


def claims_as_text(claims: Sequence[FoundClaim]) -> str:
    """One line per sentence: its score, its kind if it is not a claim, its words, and its speaker."""
    kinds = ["" if claim.chosen else f"[{claim.kind}] " for claim in claims]
    speakers = [f"  ({claim.speaker})" if claim.speaker else "" for claim in claims]
    shown = zip(claims, kinds, speakers, strict=True)
    return "\n".join(f"{claim.score:.2f}  {kind}{claim.text}{speaker}" for claim, kind, speaker in shown)


def left_out(found: Sequence[FoundClaim], shown: Sequence[FoundClaim]) -> str:
    """A note that counts the sentences not shown, by kind; empty if all are shown."""
    if len(found) == len(shown):
        return ""
    kinds = Counter(claim.kind for claim in found if not claim.chosen)
    listed = ", ".join(f"{count:,} {kind}" for kind, count in kinds.most_common())
    return f"{len(shown):,} claims; left out: {listed}. `--all` shows them too."
