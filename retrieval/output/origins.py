"""A page's origin, in words and as a link."""

from __future__ import annotations

from datetime import datetime

from retrieval.text.addresses import opens, page_address, quotation_address
from retrieval.types import Evidence, Page


def link(page: Page) -> str:
    """The address that a browser can open; empty if there is none."""
    address = page_address(page)
    return address if opens(address) else ""


def quotation_link(page: Page | None, evidence: Evidence) -> str:
    """The page's address, if possible with a fragment by which a browser finds the sentence; empty if there is none."""
    if page is None:
        return ""
    address = quotation_address(page, evidence.sentence.start, evidence.sentence.end)
    return address if opens(address) else ""


def origin(page: Page) -> str:
    """A sentence on the revision, date and passage of the text; empty if none is known."""
    parts = []
    if page.revision is not None:
        parts.append(f"Revision {page.revision}" + (f", as of {day(page.retrieved)}" if page.retrieved else ""))
    elif page.site and page.retrieved:
        parts.append(f"The text is of {day(page.retrieved)}; the page may read differently today")
    elif page.retrieved:
        parts += [f"Published on {day(page.published)}"] if page.published else []
        parts.append(f"{'retrieved' if parts else 'Retrieved'} on {day(page.retrieved)}")
    if page.parts > 1:
        parts.append(f"passage {page.part} of {page.parts}" if parts else f"Passage {page.part} of {page.parts}")
    return f"{'; '.join(parts)}." if parts else ""


def day(text: str) -> str:
    """2025-12-07 -> 7 December 2025; 2017-06 -> June 2017; anything else unchanged."""
    try:
        if len(text) == len("2017-06"):
            return f"{datetime.strptime(text, '%Y-%m'):%B %Y}"
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    return f"{moment.day} {moment:%B %Y}"
