"""A finished check beside today's corpus and settings: what has changed since then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.http.services import services
from app.jobs.sources import CheckResources
from app.tables.stored_check import StoredCheck
from app.tables.stored_record import deciding_values, key_of
from retrieval.errors import StoreError
from retrieval.protocols import PageStore
from retrieval.stores.named import UPLOAD, parts_of
from retrieval.text.addresses import whole_id
from retrieval.types import WEB, CorpusInfo, FactCheck, Page

GONE, CHANGED = "gone", "changed"
WORDS: Mapping[str, str] = {
    GONE: "Its page is no longer in the corpus.",
    CHANGED: "Its page now reads differently in the corpus.",
}
PARTS_A_LOOK, MOST_PARTS = 50, 2_000  # parts of an article or document that are read at once, and in all


def since_then(found: StoredCheck) -> dict[str, Any]:
    """Values for `moved_on.html`. outdated: whether the corpus has changed. moved: number of a quotation -> what happened to
    it, in words.
    """
    record, read = found.complete, _read_today(found)
    outdated = bool(read and record.corpus and read[1].fingerprint != record.corpus.fingerprint)
    now = _pages_now(read[0], record) if read and outdated else None
    changed = {} if now is None else moved(record, now)
    return {
        "outdated": outdated,
        "moved": {number: WORDS[what] for number, what in changed.items()},
        "moved_sentence": "" if now is None else moved_sentence(changed, len(record.evidence)),
    }


def settings_then(found: StoredCheck) -> dict[str, str]:
    """The settings that decided the check, if known. A check does not store them; its report does, and its cache key
    shows whether they have changed.
    """
    if found.report and (report := services().reports.get(found.report)):
        return dict(report.made_with.get("settings") or {})
    same = found.cache_key is not None and found.cache_key == key_of(found.complete, services().settings)
    return deciding_values(found.recipe, services().settings) if same else {}


def _read_today(found: StoredCheck) -> tuple[CheckResources, CorpusInfo] | None:
    """What the check read, as it is today; None if it cannot be opened, or is uploads alone, which never change."""
    parts = parts_of(found.against)
    if parts and all(part.startswith(UPLOAD) for part in parts):
        return None
    try:
        resources = services().sources.resources(found.against)
        return resources, resources.corpus()
    except StoreError:
        return None


def _pages_now(resources: CheckResources, record: FactCheck) -> dict[str, Page] | None:
    """Today's versions of the quoted pages; with the other parts of an article or document whose quotation is no longer in
    its page. None if the corpus cannot be read.
    """
    try:
        store = resources.store()
        now = store.get([evidence.sentence.page_id for evidence in record.evidence])
        lost: dict[str, list[str]] = {}
        for number in moved(record, now):
            sentence = record.evidence[number - 1].sentence
            lost.setdefault(whole_id(sentence.page_id), []).append(sentence.text)
        for whole, quotations in lost.items():
            now |= _parts(store, whole, quotations)
    except StoreError:
        return None
    return now


def _parts(store: PageStore, whole: str, quotations: Sequence[str]) -> dict[str, Page]:
    """The article or document with this id, or as many of its parts as it takes to find the quotations."""
    found = store.get([whole])
    for first in range(1, MOST_PARTS, PARTS_A_LOOK):
        more = store.get([f"{whole}#{number}" for number in range(first, first + PARTS_A_LOOK)])
        found |= more
        complete = all(any(quotation in page.text for page in found.values()) for quotation in quotations)
        if complete or len(more) < PARTS_A_LOOK:
            break
    return found


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
