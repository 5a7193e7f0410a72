"""Sentences of pages that a claim names and the best sentences leave out: "Facebook is older than Amazon" is about both.

So is "Charles Dickens wrote Hamlet", which the page Hamlet refutes and no sentence about Dickens does.
"""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.text.titles import fold, without_bracket
from retrieval.types import Evidence, FactCheck, Hit

MOST_NAMES = 2  # pages that are heard besides those of the best sentences
TITLE = "TITLE"  # type of a span that names a page which search has found


def unheard_pages(check: FactCheck, heard: Sequence[Evidence]) -> list[Evidence]:
    """The best sentence of each page that the claim names by words of its own, and of which none is among `heard`.

    Of several pages with one name, the one that search ranks first. At most `MOST_NAMES` sentences.
    """
    pages = {one.sentence.page_id for one in heard}
    found: list[Evidence] = []
    for hits in _named(check):
        if any(hit.page.id in pages for hit in hits):
            continue
        best = next((one for hit in hits for one in check.sentences if one.sentence.page_id == hit.page.id), None)
        if best:
            found.append(best)
            pages.add(best.sentence.page_id)
    return found[:MOST_NAMES]


def _named(check: FactCheck) -> list[list[Hit]]:
    """The pages of each name in the claim, as search ranks them; of names that overlap, the longest."""
    taken: list[tuple[int, int]] = []
    named: list[list[Hit]] = []
    for span in sorted((s for s in check.spans if s.type == TITLE), key=lambda s: (s.start - s.end, s.start)):
        if any(span.start < end and start < span.end for start, end in taken):
            continue
        taken.append((span.start, span.end))
        named.append([hit for hit in check.pages if "title" in hit.method and fold(span.text) in _names(hit)])
    return named


def _names(hit: Hit) -> set[str]:
    page = hit.page
    return {fold(name) for name in (page.title, without_bracket(page.title), *page.all_names)}
