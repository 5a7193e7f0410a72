"""Which quotations the corpus no longer holds, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from retrieval.text.addresses import whole_id
from retrieval.types import WEB, FactCheck, Page

GONE, CHANGED = "gone", "changed"
WORDS: Mapping[str, str] = {
    GONE: "Its page is no longer in the corpus.",
    CHANGED: "Its page now reads differently in the corpus.",
}


def moved(check: FactCheck, now: Mapping[str, Page]) -> dict[int, str]:
    """Number of a quotation that the corpus no longer holds -> GONE or CHANGED. One that has moved within its page, article
    or document still counts as there. now: id -> today's page, with other parts that may hold the quotation.
    """
    found: dict[int, str] = {}
    texts: dict[str, list[str]] = {}
    for page in now.values():
        texts.setdefault(whole_id(page.id), []).append(page.text)
    fetched = {hit.page.id for hit in check.pages if hit.method == WEB}  # from the web, never in a corpus
    for number, evidence in enumerate(check.evidence, 1):
        if evidence.sentence.page_id in fetched:
            continue
        parts = texts.get(whole_id(evidence.sentence.page_id), ())
        if not any(evidence.sentence.text in text for text in parts):
            found[number] = CHANGED if parts else GONE
    return found


def moved_sentence(found: Mapping[int, str], quotations: int) -> str:
    """What has changed, in a sentence."""
    if not quotations:
        return ""
    if not found:
        return "All quotations are still in it."
    parts: Sequence[tuple[str, str]] = ((CHANGED, "reads differently now"), (GONE, "is from a page that is gone"))
    counts = [(sum(what == kind for what in found.values()), words) for kind, words in parts]
    changes = " and ".join(f"{count} {words}" for count, words in counts if count)
    return f"Of {quotations} quotation{'s' if quotations != 1 else ''}, {changes}."
