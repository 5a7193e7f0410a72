"""A check that has ended, as pages show it: its result, or why it has none; and what has changed in the corpus and the
settings since then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from flask import render_template, request, url_for

from app.accounts.service import viewer
from app.checks import words
from app.checks.service import live_json
from app.checks.sides import answers, decision_parts, sides
from app.collections.service import filing_parts
from app.home.service import web_host
from app.http.services import services
from app.jobs.sources import CheckResources
from app.tables.collections import CHECK
from app.tables.reports import ReportClaim
from app.tables.stored_check import DONE, FAILED, LONGEST_CHECK_NAME, StoredCheck
from app.tables.stored_record import deciding_values, key_of
from app.texts.service import looks_like_several
from retrieval.errors import StoreError
from retrieval.llm.budget import cost_in_words
from retrieval.protocols import PageStore
from retrieval.stores import named
from retrieval.stores.named import UPLOAD, parts_of
from retrieval.text.addresses import whole_id
from retrieval.types import WEB, Claim, FactCheck, Page

NEAR_RELEVANCE = 0.1  # from which a sentence makes its page the nearest one to name

GONE, CHANGED = "gone", "changed"
WORDS: Mapping[str, str] = {
    GONE: "Its page is no longer in the corpus.",
    CHANGED: "Its page now reads differently in the corpus.",
}
PARTS_A_LOOK, MOST_PARTS = 50, 2_000  # parts of an article or document that are read at once, and in all


def ended_page(found: StoredCheck, **more: Any) -> str:
    """The result of a check, or why it has none. more: further values for the template, such as the error of a form."""
    more = {"longest": LONGEST_CHECK_NAME, **more}
    if found.state == DONE:
        shown = _result(found) | decision_parts(found) | filing_parts(CHECK, found.id)
        return render_template("checks/result.html", **(shown | more))
    decided = decision_parts(found) if found.state == FAILED else {}
    return render_template("checks/stopped.html", check=found, live=live_json(found), **(decided | more))


def _result(found: StoredCheck) -> dict[str, Any]:
    record = found.complete
    shown, contradictory = words.with_other_side(record), words.both_sides(record)
    return {
        "check": found,
        "several": looks_like_several(found.claim),
        "held": services().reports.holding(found.id) if found.report else None,
        "against": services().sources.title(found.against),
        "answers": answers(record),
        "record": record,
        "parts": words.marked_claim(record),
        "pages": words.pages_with_evidence(shown),
        "sides": contradictory or sides(shown),
        "contradictory": bool(contradictory),
        "grounding": words.grounding(record),
        "other_pages": words.pages_without_evidence(shown),
        "other_sentences": words.sentences_not_used(shown),
        "nearest": next((one.sentence.title for one in record.evidence if one.relevance >= NEAR_RELEVANCE), ""),
        "web_host": "" if not found.against or named.WEB in parts_of(found.against) else web_host(),
        "bars": words.timing_bars(record.timings),
        "total": sum(record.timings.values()),
        "rated": record.verdict is not None and record.verdict.rated,
        "sources": words.sources(record),
        "usage": cost_in_words(record.calls) if record.calls else "",
        "earlier": request.args.get("earlier") == "1",
        **checked_before(found),
        **since_then(found),
        "settings_then": settings_then(found),
        "permalink": url_for("checks.check", check_id=found.id, _external=True),
    }


def checked_before(found: StoredCheck) -> dict[str, Any]:
    """Values for `before.html`."""
    before = services().before.find(found.claim, found.id, found.against or "", viewer())
    return {
        "before": before,
        "asked": found.claim,
        "people": services().decisions.signed_of([before.check_id] if before else []),
    }


def claim_parts(row: ReportClaim) -> dict[str, Any]:
    """Values for `claim.html` and `panel.html`. waiting: there is nothing to show yet. A check that failed has only
    its decisions.
    """
    check = services().checks.get(row.check_id) if row.check_id and row.ended else None
    if check is None or row.state == FAILED:
        decisions = {"check": check, **decision_parts(check)} if check else {}
        return {"row": row, "record": FactCheck(Claim("", row.text), ""), "waiting": not row.error, **decisions}
    record = words.with_other_side(check.complete)
    shown = {"pages": words.pages_with_evidence(record), "sides": sides(record), **since_then(check)}
    return {"row": row, "record": check.complete, "check": check, "waiting": False, **decision_parts(check), **shown}


def since_then(found: StoredCheck) -> dict[str, Any]:
    """Values for `moved_on.html`. outdated: whether the corpus has changed. moved: number of a quotation -> how it has changed,
    in words.
    """
    record, resources = found.complete, _changed_since(found)
    now = _pages_now(resources, record) if resources else None
    changed = {} if now is None else moved(record, now)
    return {
        "outdated": resources is not None,
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


def _changed_since(found: StoredCheck) -> CheckResources | None:
    """What the check read, if it has changed since then and can be opened. Uploads never change."""
    parts, then = parts_of(found.against), found.complete.corpus
    if then is None or (parts and all(part.startswith(UPLOAD) for part in parts)):
        return None
    try:
        resources = services().sources.resources(found.against)
        return resources if resources.corpus().fingerprint != then.fingerprint else None
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
    counts = Counter(found.values())
    parts = ((CHANGED, "reads differently now"), (GONE, "is from a page that is gone"))
    changes = " and ".join(f"{counts[kind]} {change}" for kind, change in parts if counts[kind])
    return f"Of {quotations} quotation{'s' if quotations != 1 else ''}, {changes}."
