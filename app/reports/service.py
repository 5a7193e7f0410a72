"""Finds reports, and starts them from requests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from flask import g, url_for
from flask.typing import ResponseReturnValue

from app.accounts.service import find_row, viewer
from app.checks.service import read_against
from app.documents.service import refuse_hidden
from app.http.paging import A_PAGE, Page, read_page
from app.http.problems import Problem
from app.http.security import person
from app.http.services import services
from app.jobs.readers.texts import LONGEST_TITLE, too_long
from app.reports.forms import CreatedReport, NewReportClaim
from app.reports.forms import NewReport as NewReportForm
from app.tables.database import made_storable, storable
from app.tables.decisions import LONGEST_AUTHOR
from app.tables.reports import MOST_CLAIMS, NewReport, ReportClaim, StoredReport
from app.texts.service import find_text
from retrieval.errors import ClaimError
from retrieval.output.record import Json
from retrieval.text.claims import read_claim
from retrieval.text.extraction.finder import LONGEST_TEXT
from retrieval.text.sentences import sentence_spans

NO_CLAIMS = 'The claims are missing. Send {"claims": [{"text": "One sentence to be checked."}]}.'


def find_report(report_id: str, to_change: bool = False) -> StoredReport:
    """The report with this id. Raises Problem 404 if the viewer may not see it, 403 if they may not change it."""
    missing = "There is no report with this id; it may have been deleted. Look for it in the list of reports."
    return find_row(services().reports.get, report_id, missing, to_change)


def page_of_reports(search: str, verdict: str, before: str | None, limit: int = A_PAGE) -> Page[StoredReport]:
    """A page of the reports that the viewer may see, newest first. before: id of the report after which it begins. Raises
    Problem 404 if that does not exist.
    """
    if before:
        find_report(before)
    return read_page(lambda rows: services().reports.latest(rows, before or None, search, viewer(), verdict), limit)


def start_report(asked: NewReportForm) -> str:
    """Start the report that a request describes; returns its id. Raises Problem and what `ReportRuns.start` raises."""
    content, title, claims, origin = asked.text or "", asked.title or "", asked.claims, None
    if asked.text_id:
        text = find_text(asked.text_id)
        content, title, origin = "" if text.is_table else text.content, title or text.title, text.origin
        if claims is None:
            chosen = [claim for claim in text.sentences if claim.chosen]
            claims = [NewReportClaim.model_validate(claim, from_attributes=True) for claim in chosen]
    if claims is None:
        raise Problem(422, NO_CLAIMS)
    if len(content) > LONGEST_TEXT:
        raise too_long(len(content))
    if not storable(content):
        raise Problem(422, "The text contains a character that cannot be stored. Remove it.")
    if len(claims) > MOST_CLAIMS:
        raise Problem(
            422, f"A report holds at most {MOST_CLAIMS:,} claims, and you sent {len(claims):,}. Send several reports."
        )
    found = [_read_claim(claim, content, number) for number, claim in enumerate(claims, start=1)]
    title, against = report_title(title, content, found), read_against(asked.against)
    return begin_report(NewReport(title, content, found, asked.recipe or "", against, shared=asked.shared), origin)


def begin_report(new: NewReport, origin: Json | None = None) -> str:
    """Start a report for the viewer; returns its id. recipe: empty for the default. origin: the source of its text. Raises
    NothingToRead, Problem 429 and what `ReportRuns.start` raises.
    """
    services().rate.take(person())
    refuse_hidden(new.against)
    account, recipe = viewer(), new.recipe or services().settings.recipe
    theirs = replace(new, recipe=recipe, person=person(), owner=account.id if account else None)
    g.about = services().report_runs.start(theirs, origin)
    return str(g.about)


def begun_report(report_id: str) -> ResponseReturnValue:
    """The answer to a request that started a report."""
    found = CreatedReport(id=report_id, url=url_for("reports.report", report_id=report_id))
    return found.as_json(), 202, {"Location": url_for("reports_api.show_report", report_id=report_id)}


def _read_claim(claim: str | NewReportClaim, content: str, number: int) -> ReportClaim:
    """A claim from a request; one that cannot be checked carries an error. Raises Problem 422 if its offsets are outside
    the text.
    """
    if isinstance(claim, str):
        claim = NewReportClaim(text=claim)
    start, end = _place(claim, content, number)
    original = claim.original or (content[start:end] if start is not None else claim.text)
    return new_claim(claim.text, original, start, end, claim.speaker or "", claim.context or "")


def new_claim(
    text: str, original: str, start: int | None, end: int | None, speaker: str, context: str = ""
) -> ReportClaim:
    """The claim, ready to be stored and checked; with an error if it cannot be checked."""
    longest = services().settings.claim_length
    places = (start, end, plain(speaker, LONGEST_AUTHOR), plain(context, 4 * longest))
    try:
        return ReportClaim(read_claim(text, longest), plain(original, 4 * longest), *places)
    except ClaimError as error:
        return ReportClaim(plain(text, 4 * longest), plain(original, 4 * longest), *places, error=str(error))


def plain(text: str, longest: int) -> str:
    """Text that every database accepts, cut to this length."""
    return made_storable(text)[:longest]


def report_title(typed: str, content: str, found: Sequence[ReportClaim]) -> str:
    """A report's title: as typed, else the first line of its text or the first sentence there, else its first claim."""
    lines = (line.strip(" #*") for line in content.splitlines())
    first = next((line[: LONGEST_TITLE + 1] for line in lines if line), "") or (found[0].text if found else "")
    if spans := sentence_spans(first):
        first = first[: spans[0][1]]
    return plain(" ".join((typed.strip() or first).split()), LONGEST_TITLE)


def _place(claim: NewReportClaim, content: str, number: int) -> tuple[int | None, int | None]:
    """The offsets of the claim's sentence in the text, if known."""
    start, end, sentence = claim.start, claim.end, claim.original or claim.text
    if not content:
        return None, None
    if start is None and end is None:
        at = content.find(sentence) if sentence else -1
        return (at, at + len(sentence)) if at >= 0 else (None, None)
    if start is None or end is None or not 0 <= start < end <= len(content):
        raise Problem(422, f"The offsets of claim {number} are outside the text. Correct them, or leave both out.")
    return start, end
