"""A check as a file: JSON, Markdown, CSV, ClaimReview, or its sources.

Claims and pages come from others, so their text is escaped for the program that opens the file.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Sequence

from flask import Blueprint, Response, current_app, render_template, url_for

from app.checks.service import find_check, live_json
from app.checks.sides import answers, changes, speaker_of
from app.checks.words import Quotation, ReadPage, grounding, pages_with_evidence, quoted
from app.http.openapi import described
from app.http.problems import Problem
from app.http.routes import audited
from app.http.services import services
from app.tables.decisions import Decision, signed
from app.tables.stored_check import DONE, StoredCheck
from retrieval.llm.budget import cost_in_words
from retrieval.output import citations
from retrieval.output.cells import BYTE_ORDER_MARK, safe_cell
from retrieval.output.headline import LABELS, headline
from retrieval.output.record import Json, check_as_json
from retrieval.types import Label
from retrieval.verdicts.reasons import NOTHING

blueprint = Blueprint("exports", __name__)

TYPES = {
    "json": "application/json",
    "md": "text/markdown; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "jsonld": "application/ld+json",
    **{kind: media for kind, (_, media) in citations.FORMATS.items()},
}
RATINGS = {Label.REFUTED: 1, Label.CONFLICTING: 3, Label.SUPPORTED: 5}
LEANING = {Label.REFUTED: 2, Label.SUPPORTED: 4}  # ratings of verdicts that only lean
DRAFT = "Draft: made by a machine, signed by nobody, not to be published."
BIDI = re.compile(r"[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
EVIDENCE = ["page_id", "title", "line", "start", "end", "text", "score", "method", "verified"]
TESTS = ["abstained", "grounded", "grounding", "without_evidence", "calibrated", "one_source"]
ORIGIN = ["url", "revision", "retrieved", "corpus"]
ASKED = {"question": "text", "answer": "answer", "answer_type": "answer_type"}  # column: field of a question
RANK = ["rank_score", "rank_method"]
DECIDED = ["decision", "author", "note", "decided"]
STANCES = ["supports", "refutes", "neutral"]
COLUMNS = [
    *("claim", "verdict", "confidence", "rating", *EVIDENCE, *STANCES, *TESTS, "program", *ORIGIN, *ASKED, *RANK),
    *("name", *DECIDED, "leans"),
]


@blueprint.get("/checks/<check_id>.<any(json,md,csv,jsonld,csl,bib,ris):kind>")
@audited("exported a check")
@described("The check as a file.", problems=(404, 409), tag="Exports", media=[*TYPES.values()])
def export(check_id: str, kind: str) -> Response:
    """The check in one of these formats, or its sources. Until the check is done there is only JSON; for a failed one
    ClaimReview too, once a person has signed.
    """
    check = find_check(check_id)
    if kind == "json":
        body = json.dumps(live_json(check), ensure_ascii=False, indent=2)
    elif check.state != DONE and not (kind == "jsonld" and _signed_of(check)):
        raise Problem(409, f"This check is {check.state}, so there is no result to export. Open its page to see why.")
    elif kind in citations.FORMATS:
        body = citations.FORMATS[kind][0](citations.cited_sources([(check.complete, check.finished)]))
    else:
        body = {"md": as_markdown, "csv": as_csv, "jsonld": as_claim_review}[kind](check)
    response = current_app.response_class(body.encode("utf-8", "replace"), content_type=TYPES[kind])
    if kind in ("md", "csv", *citations.FORMATS):
        response.headers["Content-Disposition"] = f'attachment; filename="check-{check.id}.{kind}"'
    return response


def as_csv(check: StoredCheck) -> str:
    """A row for each sentence of evidence, or a single row without one. Safe to open in a spreadsheet."""
    shown = check_as_json(check.latest)
    verdict = shown["verdict"] or {}
    of_check = {name: verdict.get(name) for name in ("confidence", *TESTS, "leans")}
    of_check |= {"claim": check.claim, "verdict": verdict.get("label"), **decided(_signed_of(check))}
    of_check |= {"program": shown["program"], "name": check.name}
    of_check["rating"] = (verdict.get("ratings") or {}).get(verdict.get("label"))
    of_check["without_evidence"] = (verdict.get("without_evidence") or {}).get("label")
    lines = [csv_line(COLUMNS)]
    for number, evidence in enumerate(shown["evidence"] or [{}], 1):
        row = {**of_check, **evidence, **evidence.get("stance", {}), **_answered_by(shown["questions"], number)}
        lines.append(csv_line(map(row.get, COLUMNS)))
    return BYTE_ORDER_MARK + "".join(lines)


def csv_line(values: Iterable[object]) -> str:
    """A line of a table, with safe cells; None is an empty cell."""
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL).writerow(map(safe_cell, values))
    return out.getvalue()


def decided(decision: Decision | None) -> dict[str, str]:
    """A signed decision, in its columns."""
    if decision is None:
        return {}
    return {"decision": decision.label, "author": decision.author, "note": decision.note, "decided": decision.at}


def _answered_by(questions: Sequence[Json], number: int) -> dict[str, str]:
    """The questions that this evidence answers, and their answers, one a line."""
    rows = [row for row in questions if number in row["sources"]]
    return {column: "\n".join(row[field] or "" for row in rows) for column, field in ASKED.items()}


def as_markdown(check: StoredCheck) -> str:
    """Markdown to paste into an article's notes."""
    record, decisions = check.complete, services().decisions.of_check(check.id)
    return render_template(
        "checks/check.md",
        check=check,
        record=record,
        verdict=record.verdict,
        tested=grounding(record),
        pages=pages_with_evidence(record),
        nothing=NOTHING,
        answers=answers(record),
        cost=cost_in_words,
        signed=signed(decisions),
        changes=changes(decisions),
    )


@blueprint.app_template_filter()
def plain(text: str) -> str:
    """Text that Markdown shows as it is: one line, without markup, links, HTML or changes of direction."""
    line = " ".join(BIDI.sub("", text).split())
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    line = re.sub(r"([\\`*_{}\[\]#|~!$^])", r"\\\1", line)
    line = re.sub(r"^([-+=]|\d+(?=[.)]))", lambda start: "".join(f"&#{ord(sign)};" for sign in start[0]), line)
    return line.replace("://", ":&#47;&#47;").replace("www.", "www&#46;").replace("@", "&#64;")


def as_claim_review(check: StoredCheck) -> str:
    """schema.org's ClaimReview, as search engines read it; a draft until a person has signed."""
    return review_as_text(claim_review(check, _signed_of(check), speaker_of(check)), indent=2)


def _signed_of(check: StoredCheck) -> Decision | None:
    """The signed decision about a check; None for a draft."""
    return signed(services().decisions.of_check(check.id))


def claim_review(check: StoredCheck, decision: Decision | None, speaker: str = "") -> Json:
    """ClaimReview with the signed verdict; without a decision a draft that says so. speaker: who made the claim, if known."""
    record = check.complete
    review: Json = {
        "@context": "https://schema.org",
        "@type": "ClaimReview",
        "url": url_for("checks.check", check_id=check.id, _external=True),
        "creativeWorkStatus": "Published" if decision else "Draft",
        "datePublished": (decision.at if decision else check.finished)[:10],
        "claimReviewed": check.claim,
        "author": {"@type": "Organization", "name": "ESOTERIC", "url": url_for("home.home", _external=True)},
        "itemReviewed": {"@type": "Claim", "text": check.claim},
    }
    if speaker:
        review["itemReviewed"]["author"] = {"@type": "Person", "name": speaker}
    if record.program:
        name, _, version = record.program.partition(" ")
        review["producer"] = {"@type": "SoftwareApplication", "name": name, "softwareVersion": version}
    if decision:
        label = Label(decision.label)
        review["author"] = {"@type": "Person", "name": decision.author}
        review["reviewRating"] = _rating(LABELS[label], RATINGS.get(label))
        review |= {"reviewBody": decision.note} if decision.note else {}
    elif verdict := record.verdict:
        rating = (LEANING if verdict.leans else RATINGS).get(verdict.label)
        review["reviewRating"] = _rating(headline(verdict), None if verdict.abstained else rating)
        review["reviewBody"] = " ".join(filter(None, (DRAFT, verdict.reason, grounding(record))))
    else:
        review["reviewBody"] = DRAFT
    if record.evidence:
        review["citation"] = [_citation(*one) for one in quoted(record)]
    return review


def _rating(word: str, value: int | None) -> Json:
    rating: Json = {"@type": "Rating", "alternateName": word}
    return rating | ({"ratingValue": value, "worstRating": 1, "bestRating": 5} if value else {})


def _citation(quotation: Quotation, page: ReadPage) -> Json:
    """A quotation and its page, with the addresses of both if known."""
    part_of = {"@type": "WebPage", "name": page.title} | ({"url": page.link} if page.link else {})
    cited = {"@type": "Quotation", "text": quotation.evidence.sentence.text, "isPartOf": part_of}
    return cited | ({"url": quotation.link} if quotation.link else {})


def review_as_text(review: Json, indent: int) -> str:
    """A review as JSON, escaped so that it cannot end the script element that it is pasted into, nor begin another."""
    text = json.dumps(review, ensure_ascii=False, indent=indent)
    return text.translate({ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"})
