"""The review of a text's claims, from which you start a report."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.accounts.service import viewer
from app.home.service import choice_parts
from app.http.problems import Problem, page_with
from app.http.routes import LARGEST_BODY, audited, takes
from app.http.services import services
from app.reports.service import begin_report, report_title
from app.tables.background import READING, READY
from app.tables.reports import MOST_CLAIMS, NewReport
from app.texts.review import as_sent, chosen_anew, chosen_claims, folded, read_threshold, refuse_faults, review
from app.texts.service import find_text
from retrieval.stores.named import together
from retrieval.text.extraction.finder import THRESHOLD

blueprint = Blueprint("texts", __name__)

SOON = 1.0  # seconds that the page waits for a short text, to show its claims at once


@blueprint.get("/texts/<text_id>", endpoint="review")
def review_page(text_id: str) -> ResponseReturnValue:
    """The claims found in a text, or how far it has been read."""
    return _review(text_id)


@blueprint.post("/texts/<text_id>")
@takes(LARGEST_BODY)
def choose_anew(text_id: str) -> ResponseReturnValue:
    """The review with another threshold. Edited wordings stay, and so do ticks that no threshold decides."""
    return _review(text_id, anew=True)


@blueprint.post("/texts/<text_id>/report")
@audited("asked for a report")
@takes(LARGEST_BODY)
def start(text_id: str) -> ResponseReturnValue:
    """Check the chosen claims. If that is refused, show the review again as it was sent."""
    text = find_text(text_id)
    try:
        longest = services().settings.claim_length
        found = chosen_claims(as_sent(review(text, longest), request.form, longest))
        refuse_faults(found)
        title = report_title(request.form.get("title", ""), text.content, found)
        recipe, shared = request.form.get("recipe", ""), request.form.get("shared") == "1"
        against = together(request.form.getlist("against"))
        content = "" if text.is_table else text.content
        report_id = begin_report(NewReport(title, content, found, recipe, against, shared=shared), text.origin)
    except Exception as error:
        return page_with(error, lambda problem: _review(text_id, problem))
    return redirect(url_for("reports.report", report_id=report_id), 303)


@blueprint.post("/texts/<text_id>/delete")
@audited("deleted a text")
def delete_text(text_id: str) -> ResponseReturnValue:
    """Delete a text; reports made from it keep a copy."""
    find_text(text_id)
    services().texts.delete(text_id)
    return redirect(url_for("home.home"), 303)


def _review(text_id: str, problem: Problem | None = None, anew: bool = False) -> str:
    """anew: whether a changed threshold chooses the claims again."""
    text = find_text(text_id, SOON)
    against = together(request.values.getlist("against"))
    threshold, longest = read_threshold(request.values.get("threshold")), services().settings.claim_length
    found = sentences = review(text, longest, threshold) if text.state == READY else []
    if request.method == "POST":
        sentences = as_sent(found, request.form, longest)
    if anew and threshold != read_threshold(request.form.get("threshold-before")):
        sentences = chosen_anew(sentences, threshold)
    parts = choice_parts(request.values)
    if against and against not in dict(parts["choices"]):  # chosen on the home page
        parts["choices"] = [(against, services().sources.title(against)), *parts["choices"]]
    chosen = [sentence for sentence in sentences if sentence.chosen]
    texts = [sentence.text for sentence in chosen]
    earlier, uncompared = services().before.look_up(texts, against=against, viewer=viewer())
    before = {sentence.number: one for sentence, one in zip(chosen, earlier, strict=True) if one}
    return render_template(
        "texts/review.html",
        text=text,
        reading=text.state == READING,
        threshold=threshold,
        usual=THRESHOLD,
        problem=problem,
        title=request.form.get("title", report_title(text.title, text.content, ())),
        against=against,
        longest=longest,
        sentences=sentences,
        runs=folded(sentences),
        worth=sum(sentence.chosen for sentence in found),
        chosen=len(chosen),
        most=MOST_CLAIMS,
        too_long=sum(one.worthy and bool(one.fault) and one.found.score >= threshold for one in found),
        before_of=before,
        people=services().decisions.signed_of([one.check_id for one in before.values()]),
        uncompared=uncompared,
        **parts,
    )
