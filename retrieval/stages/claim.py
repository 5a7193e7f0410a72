"""What the claim is about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from retrieval.protocols import SpanExtractor
from retrieval.types import FactCheck, Progress, Span


class ClaimSpans:
    """Names and phrases of the claim."""

    name = "spans"
    reads = ("claim",)
    writes = ("spans",)

    def __init__(self, extractor: SpanExtractor) -> None:
        self._extractor = extractor

    def run(self, check: FactCheck) -> Iterator[Progress]:
        text = check.claim.text
        spans = tuple(Span(text[start:end], start, end, kind) for start, end, kind in self._extractor.extract(text))
        yield Progress(self.name, 1, 1, replace(check, spans=spans))
