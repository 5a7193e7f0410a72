"""The page of a check that has ended: its result, or why it has none."""

from __future__ import annotations

from typing import Any

from flask import render_template, request, url_for

from app.accounts.service import viewer
from app.checks import words as presentation
from app.checks.answers import answers
from app.checks.choices import web_host
from app.checks.moved_on import settings_then, since_then
from app.checks.service import live_json
from app.checks.sides import decision_parts, sides
from app.collections.service import filing_parts
from app.http.services import services
from app.tables.collections import CHECK
from app.tables.stored_check import DONE, FAILED, LONGEST_NAME, StoredCheck
from app.texts.service import looks_like_several
from retrieval.llm.budget import told

NEAR_RELEVANCE = 0.1  # least relevance of a sentence for its page to be named as the nearest


def ended_page(found: StoredCheck, **more: Any) -> str:
    """The result of a check, or why it has none. more: further values for the template, such as the error of a form."""
    more = {"longest": LONGEST_NAME, **more}
    if found.state == DONE:
        shown = _result(found) | decision_parts(found) | filing_parts(CHECK, found.id)
        return render_template("checks/result.html", **(shown | more))
    decided = decision_parts(found) if found.state == FAILED else {}
    return render_template("checks/stopped.html", check=found, live=live_json(found), **(decided | more))


def _result(found: StoredCheck) -> dict[str, Any]:
    record = found.complete
    shown, contradictory = presentation.with_other_side(record), presentation.both_sides(record)
    return {
        "check": found,
        "several": looks_like_several(found.claim),
        "held": services().reports.holding(found.id) if found.report else None,
        "against": services().sources.title(found.against),
        "answers": answers(record),
        "record": record,
        "parts": presentation.marked_claim(record),
        "pages": presentation.pages_with_evidence(shown),
        "sides": contradictory or sides(shown),
        "contradictory": bool(contradictory),
        "grounding": presentation.grounding(record),
        "other_pages": presentation.pages_without_evidence(shown),
        "other_sentences": presentation.sentences_not_used(shown),
        "ways_out": ways_out(found),
        "bars": presentation.timing_bars(record.timings),
        "total": sum(record.timings.values()),
        "rated": record.verdict is not None and record.verdict.rated,
        "sources": presentation.sources(record),
        "usage": told(record.calls) if record.calls else "",
        "earlier": request.args.get("earlier") == "1",
        **checked_before(found),
        **since_then(found),
        "settings_then": settings_then(found),
        "permalink": url_for("checks.check", check_id=found.id, _external=True),
    }


def ways_out(found: StoredCheck) -> dict[str, Any]:
    """What you can do if no page decides the claim. nearest: title of the nearest page, if any."""
    record = found.complete
    return {
        "pages": record.corpus.pages if record.corpus else 0,
        "nearest": next((one.sentence.title for one in record.evidence if one.relevance >= NEAR_RELEVANCE), ""),
        "load": url_for("corpora.index"),
        "web": web_host() if not found.against else "",
    }


def checked_before(found: StoredCheck) -> dict[str, Any]:
    """Values for `before.html`."""
    before = services().before.find(found.claim, found.id, found.against or "", viewer())
    return {
        "before": before,
        "asked": found.claim,
        "people": services().decisions.signed_of([before.check_id] if before else []),
    }
