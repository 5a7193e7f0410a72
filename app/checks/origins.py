"""What has become of quotations since the corpus moved on, in words."""

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
    """Numbers of the quotations that the corpus no longer holds, each with GONE or CHANGED.

    now: its present pages by id, with the other parts of their articles and documents where these may hold the quotation.
    A sentence that has only moved within its page, article or document has not changed.
    """
    found: dict[int, str] = {}
    texts: dict[str, list[str]] = {}
    for page in now.values():
        texts.setdefault(whole_id(page.id), []).append(page.text)
    fetched = {hit.page.id for hit in check.pages if hit.method == WEB}  # which no corpus ever held
    for number, evidence in enumerate(check.evidence, 1):
        if evidence.sentence.page_id in fetched:
            continue
        parts = texts.get(whole_id(evidence.sentence.page_id), ())
        if not any(evidence.sentence.text in text for text in parts):
            found[number] = CHANGED if parts else GONE
    return found


def moved_sentence(found: Mapping[int, str], quotations: int) -> str:
    """What has changed, as a sentence."""
    if not quotations:
        return ""
    if not found:
        return "All quotations are still in it."
    parts: Sequence[tuple[str, str]] = ((CHANGED, "reads differently now"), (GONE, "is from a page that is gone"))
    counts = [(sum(what == kind for what in found.values()), words) for kind, words in parts]
    told = " and ".join(f"{count} {words}" for count, words in counts if count)
    return f"Of {quotations} quotation{'s' if quotations != 1 else ''}, {told}."
