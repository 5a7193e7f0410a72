"""Finds the spans of a claim: names, phrases and titles."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from retrieval import stage_names
from retrieval.protocols import PageStore, SpanExtractor
from retrieval.text.ranking import title_spans
from retrieval.text.titles import fold, without_bracket
from retrieval.types import FactCheck, Progress, Span

TITLE, PHRASES = "TITLE", ("NOUN_PHRASE", "ANSWER")
_QUOTED = re.compile(r"“([^”]+)”|\"([^\"]+)\"")
_ARTICLE = re.compile(r"(?:a|an|the) ", re.IGNORECASE)


@dataclass(frozen=True)
class ClaimSpans:
    """Names and phrases of the claim. used: the extractor's name for people."""

    extractor: SpanExtractor
    used: str = ""
    name = stage_names.SPANS
    reads = ("claim",)
    writes = ("spans", "details")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        text = check.claim.statement
        spans = tuple(Span(text[start:end], start, end, kind) for start, end, kind in self.extractor.extract(text))
        by = f" by {self.used}" if self.used else ""
        check = check.telling(self.name, f"{len(spans)} parts of the claim{by}.")
        yield Progress(self.name, 1, 1, replace(check, spans=spans))


class TitleNgrams:
    """Runs of up to eight words, and quotations, that are the title of a page. Implements `SpanExtractor`."""

    def __init__(self, store: PageStore, found: int = 500) -> None:
        """found: most pages looked up by title."""
        self._store, self._found = store, found

    def extract(self, claim: str) -> list[tuple[int, int, str]]:
        """(start, end, "TITLE"), in text order."""
        runs = title_spans(claim)
        quoted = [match.span(1) if match[1] else match.span(2) for match in _QUOTED.finditer(claim)]
        # Longest first: a common word with hundreds of pages must not crowd out a long title.
        keys = sorted(runs, key=lambda key: (-len(key), runs[key]))
        pages = [page for page, _ in self._store.find_titles(keys, self._found)]
        known = {fold(title) for page in pages for title in (page.title, without_bracket(page.title), *page.all_names)}
        spans = {runs[key] for key in keys if key in known} | set(quoted)
        return [(start, end, TITLE) for start, end in sorted(spans, key=lambda span: (span[0], -span[1]))]


class MergedSpans:
    """The spans of several extractors, each once. Implements `SpanExtractor`."""

    def __init__(self, extractors: Sequence[SpanExtractor]) -> None:
        self._extractors = extractors

    def extract(self, claim: str) -> list[tuple[int, int, str]]:
        """(start, end, type), in text order, longer ones first; the earlier extractor names the type. Left out: spans
        without a letter or digit, and phrases that are another span without its article or inside a quotation or name.
        """
        found: dict[tuple[int, int], str] = {}
        for extractor in self._extractors:
            for start, end, kind in extractor.extract(claim):
                if any(char.isalnum() for char in claim[start:end]):
                    if found.get((start, end)) in PHRASES and kind == TITLE:
                        found[start, end] = kind
                    found.setdefault((start, end), kind)
        kept = [(*span, kind) for span, kind in found.items() if kind not in PHRASES or not _inside(claim, span, found)]
        return sorted(kept, key=lambda span: (span[0], -span[1]))


def _inside(claim: str, span: tuple[int, int], found: dict[tuple[int, int], str]) -> bool:
    start, end = span
    for (other_start, other_end), kind in found.items():
        if (other_start, other_end) == span or not other_start <= start < end <= other_end:
            continue
        article = other_end == end and _ARTICLE.fullmatch(claim[other_start:start])
        name = kind not in PHRASES and claim[other_start].isupper() and " " in claim[other_start:other_end]
        if article or name:
            return True
    return False
