"""Tables of claims over HTTP (docs/interfaces.md)."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request, url_for
from flask.typing import ResponseReturnValue

from app.claim_tables import forms as table_forms
from app.claim_tables.service import find_table, start_table_report, take_table
from app.http.openapi import described
from app.http.problems import Problem
from app.http.routes import audited, takes
from app.http.services import services
from app.reports import forms as report_forms
from app.reports.service import begun_report

blueprint = Blueprint("claim_tables_api", __name__, url_prefix="/api")

TABLES = "Tables of claims"


@blueprint.post("/tables")
@audited("gave a table")
@takes(files=True)
@described(table_forms.TableForm, form=table_forms.NewTable, problems=(429, 507), tag=TABLES)
def create_table() -> Response:
    """Read a table of claims."""
    if request.mimetype != "multipart/form-data":
        raise Problem(415, "Send multipart/form-data with the table in a field named file.")
    return show_table(table_id=take_table())


@blueprint.get("/tables/<table_id>")
@described(table_forms.TableForm, problems=(404,), tag=TABLES)
def show_table(table_id: str) -> Response:
    """A table."""
    found = find_table(table_id)
    known = {"columns": found.columns(), "column": found.likeliest + 1, "rows": len(found.as_read.rows)}
    url = url_for("claim_tables.choose", table_id=table_id)
    return jsonify(table_forms.TableForm.of(found, found.as_read, **known, url=url).as_json())


@blueprint.delete("/tables/<table_id>")
@audited("deleted a table")
@described("The table is gone.", 204, problems=(403, 404), tag=TABLES)
def delete_table(table_id: str) -> tuple[str, int]:
    """Delete a table; reports made from it keep a copy."""
    find_table(table_id)
    services().claim_tables.delete(table_id)
    return "", 204


@blueprint.post("/tables/<table_id>/report")
@audited("asked for a report")
@described(report_forms.CreatedReport, 202, body=table_forms.TableReport, problems=(404, 429), tag=TABLES)
def report_table(table_id: str, body: table_forms.TableReport) -> ResponseReturnValue:
    """Check a column of a table as one report."""
    return begun_report(start_table_report(find_table(table_id), body))
