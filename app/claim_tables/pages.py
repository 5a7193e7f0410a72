"""The page of a table, on which you choose the column to check."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.claim_tables.forms import TableReport
from app.claim_tables.service import find_table, start_table_report
from app.home.service import choice_parts
from app.http.problems import Problem, page_with
from app.http.routes import audited
from app.http.services import services
from app.tables.claim_tables import StoredTable
from app.tables.reports import MOST_CLAIMS
from retrieval.stores.named import together

blueprint = Blueprint("claim_tables", __name__)


@blueprint.get("/tables/<table_id>")
def choose(table_id: str) -> ResponseReturnValue:
    """The columns of a table, to choose the one with the claims."""
    return _page(find_table(table_id))


@blueprint.post("/tables/<table_id>")
@audited("asked for a report")
def check(table_id: str) -> ResponseReturnValue:
    stored, form = find_table(table_id), request.form
    asked = TableReport(
        column=form.get("column"),
        header=bool(form.get("header")),
        title=form.get("title"),
        recipe=form.get("recipe"),
        against=together(form.getlist("against")),
        shared=form.get("shared") == "1",
    )
    try:
        report_id = start_table_report(stored, asked)
    except Exception as error:
        return page_with(error, lambda problem: _page(stored, problem))
    return redirect(url_for("reports.report", report_id=report_id), 303)


@blueprint.post("/tables/<table_id>/delete")
@audited("deleted a table")
def delete(table_id: str) -> ResponseReturnValue:
    """Delete a table; reports made from it keep a copy."""
    find_table(table_id)
    services().claim_tables.delete(table_id)
    return redirect(url_for("home.home"), 303)


def _page(stored: StoredTable, problem: Problem | None = None) -> str:
    form = request.form if problem else request.args
    header = bool(form.get("header")) if problem else stored.as_read.header
    return render_template(
        "claim_tables/table.html",
        table=stored,
        columns=stored.columns(header),
        column=form.get("column") or str(stored.likeliest + 1),
        header=header,
        title=form.get("title") or stored.name,
        most=MOST_CLAIMS,
        problem=problem,
        against=form.getlist("against")[:1] or [""],
        **choice_parts(form),
    )
