"""Where a page is from, in words and as a link; and what has become of quotations since the corpus moved on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from retrieval.text.addresses import opens, page_address, quotation_address, whole_id
from retrieval.types import WEB, Evidence, FactCheck, Page

GONE, CHANGED = "gone", "changed"
WORDS: Mapping[str, str] = {
    GONE: "Its page is no longer in the corpus.",
    CHANGED: "Its page now reads differently in the corpus.",
}


def link(page: Page) -> str:
    """The address that a browser can open; empty if there is none."""
    address = page_address(page)
    return address if opens(address) else ""


def quotation_link(page: Page | None, evidence: Evidence) -> str:
    """The address of the page, at the sentence where a browser can find it; empty if there is none."""
    if page is None:
        return ""
    address = quotation_address(page, evidence.sentence.start, evidence.sentence.end)
    return address if opens(address) else ""


def origin(page: Page) -> str:
    """What to know of the text before one trusts it, as a sentence; empty if there is nothing to say."""
    told = []
    if page.revision is not None:
        told.append(f"Revision {page.revision}" + (f", as of {day(page.retrieved)}" if page.retrieved else ""))
    elif page.site and page.retrieved:
        told.append(f"The text is of {day(page.retrieved)}; the page may read differently today")
    elif page.retrieved:
        told += [f"Published on {day(page.published)}"] if page.published else []
        told.append(f"{'retrieved' if told else 'Retrieved'} on {day(page.retrieved)}")
    if page.parts > 1:
        told.append(f"passage {page.part} of {page.parts}" if told else f"Passage {page.part} of {page.parts}")
    return f"{'; '.join(told)}." if told else ""


def day(text: str) -> str:
    """2025-12-07 -> 7 December 2025; 2017-06 -> June 2017; what is no date as it is."""
    try:
        if len(text) == len("2017-06"):
            return f"{datetime.strptime(text, '%Y-%m'):%B %Y}"
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    return f"{moment.day} {moment:%B %Y}"


def moved(check: FactCheck, now: Mapping[str, Page]) -> dict[int, str]:
    """Numbers of the quotations that the corpus of today does not hold any more, each with GONE or CHANGED.

    now: the pages of today by id, with the other parts of their articles and documents where these may hold the quotation.
    A sentence that only stands elsewhere in its page, article or document has not changed.
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
