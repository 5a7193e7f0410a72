"""Finds the spans of a statement in the claim as typed."""

from __future__ import annotations

from dataclasses import replace

from retrieval.types import FactCheck, Span


def spans_in_text(check: FactCheck) -> tuple[Span, ...]:
    """The spans with their offsets in the claim as typed, without those that it does not contain, such as "Eiffel
    Tower" for #EiffelTower.
    """
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
