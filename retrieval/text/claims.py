"""Reads a claim as a person typed it, and finds spans of its statement in it."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace

from retrieval.errors import ClaimError
from retrieval.types import FactCheck, Span

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
# Marks that change the direction of text, and invisible characters: none belongs in a claim.
_INVISIBLE = re.compile(r"[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]")


def read_claim(text: str, longest: int) -> str:
    """The claim in NFC on one line, without control and direction marks. Raises ClaimError. longest: the most
    characters that a claim may have.
    """
    if len(text) > 4 * longest:
        raise _too_long(len(text), longest)
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise ClaimError("The claim contains half a character. Type it again.")
    text = " ".join(_CONTROLS.sub(" ", _INVISIBLE.sub("", unicodedata.normalize("NFC", text))).split())
    if not text:
        raise ClaimError("There is no claim. Type one sentence that can be true or false.")
    if len(text) > longest:
        raise _too_long(len(text), longest)
    if not any(char.isalnum() for char in text):
        raise ClaimError("The claim has no words. Type one sentence that can be true or false.")
    return text


def fold_claim(text: str) -> str:
    """The key under which claims that differ only in case, spaces or the form of letters are checked once."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _too_long(length: int, longest: int) -> ClaimError:
    return ClaimError(f"The claim has {length:,} characters; at most {longest:,} are read. Shorten it to one sentence.")


def spans_in_text(check: FactCheck) -> tuple[Span, ...]:
    """The spans with their offsets in the claim as typed; without those that it lacks, as "Eiffel Tower" for #EiffelTower."""
    if not check.claim.read:
        return check.spans
    found = (_placed(span, check.claim.statement, check.claim.text) for span in check.spans)
    return tuple(span for span in found if span)


def _placed(span: Span, statement: str, text: str) -> Span | None:
    """The span in the text; if its words occur several times there, the occurrence with the same number."""
    start = -1
    for _ in range(1 + statement[: span.start].count(span.text)):
        start = text.find(span.text, start + 1)
        if start < 0:
            return None
    return replace(span, start=start, end=start + len(span.text))
