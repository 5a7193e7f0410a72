"""From a table of claims to a report: upload, choice of column, check. Pages and API."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.accounts.service import viewer
from app.checks.choices import recipe_choices
from app.claim_tables import forms as table_forms
from app.http.openapi import described
from app.http.problems import Problem, as_problem
from app.http.security import person, refuse_other_sites
from app.http.services import corpus_parts, services
from app.jobs.readers.claim_tables import read_sent_table
from app.jobs.readers.documents import safe_name
from app.reports import forms as report_forms
from app.reports.service import start_report
from app.tables.claim_tables import StoredTable
from app.tables.database import storable
from app.tables.ownership import may_see
from app.tables.reports import MOST_CLAIMS
from retrieval.errors import CorpusError
from retrieval.output.record import Json
from retrieval.output.tables.reading import TYPES, Table, claim_column
from retrieval.stores.named import together

pages = Blueprint("tables", __name__)
api = Blueprint("tables_api", __name__, url_prefix="/api")
api.before_request(refuse_other_sites)
TABLES = "Tables of claims"


def take_table() -> str:
    """Read and keep the table of this request; returns its id. Raises Problem."""
    name, read = sent_table()
    return services().jobs.tables.add(name, read, person())


def sent_table() -> tuple[str, Json]:
    """Name and content of the table of this request, as `table_as_json` writes it. Raises Problem."""
    own, sent = services(), request.files.get("file")
    name = safe_name(sent.filename or "") if sent is not None else ""
    if sent is None or not sent.filename:
        raise Problem(422, f"No file was chosen. Choose one of the types {' '.join(TYPES)}.")
    if not name.lower().endswith(TYPES):
        raise Problem(422, f"“{name}” is not one of the types {' '.join(TYPES)}. Save it as one of them.")
    if not own.settings.upload_megabytes:
        raise Problem(403, "Uploads are turned off. Paste the claims instead, or set UPLOAD_MEGABYTES.")
    own.rate.take(person())
    return name, read_sent_table(sent.stream.read(), name, own.settings)


def is_table(name: str) -> bool:
    """Whether a file with this name is a table."""
    return name.lower().endswith(TYPES)


def find_table(table_id: str) -> StoredTable:
    """The table with this id. Raises Problem 404."""
    if storable(table_id) and (found := services().jobs.tables.get(table_id)) and may_see(found, viewer()):
        return found
    raise Problem(404, "There is no table with this id; it may have been deleted. Send it again from the home page.")


def start_table_report(stored: StoredTable, asked: table_forms.TableReport) -> str:
    """Check a column; returns the id of the report. Raises Problem and what `start_report` raises."""
    claims = cells(stored.read(asked.header), "" if asked.column is None else str(asked.column))[:MOST_CLAIMS]
    chosen = {
        "title": asked.title or stored.name,
        "recipe": asked.recipe,
        "against": asked.against,
        "shared": asked.shared,
    }
    return start_report(report_forms.NewReport.model_validate({"claims": claims, **chosen}))


def cells(table: Table, column: str) -> list[str]:
    """The filled cells of a column, by its name or number; of the likeliest if it is empty. Raises Problem 422."""
    try:
        number = claim_column(table, column)
    except CorpusError as error:
        raise Problem(422, str(error)) from error
    if found := table.column(number):
        return found
    raise Problem(422, f"Column “{table.columns[number]}” is empty. Choose another one.")


@pages.get("/tables/<table_id>")
def choose(table_id: str) -> ResponseReturnValue:
    """The table's contents, and a choice of the column that holds the claims."""
    return _page(find_table(table_id))


@pages.post("/tables/<table_id>")
def check(table_id: str) -> ResponseReturnValue:
    """Check the chosen column."""
    stored, form = find_table(table_id), request.form
    asked = table_forms.TableReport(
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
        problem = as_problem(error)
        return make_response(_page(stored, problem), problem.status, problem.headers)
    return redirect(url_for("reports.report", report_id=report_id), 303)


@pages.post("/tables/<table_id>/delete")
def delete(table_id: str) -> ResponseReturnValue:
    """Forget a table; reports made of it have a copy."""
    find_table(table_id)
    services().jobs.tables.delete(table_id)
    return redirect(url_for("pages.home"), 303)


@api.post("/tables")
@described(table_forms.TableForm, form=table_forms.NewTable, problems=(429, 507), tag=TABLES)
def create_table() -> Response:
    """Read a table of claims."""
    if request.mimetype != "multipart/form-data":
        raise Problem(415, "Send multipart/form-data with the table in a field named file.")
    return show_table(table_id=take_table())


@api.get("/tables/<table_id>")
@described(table_forms.TableForm, problems=(404,), tag=TABLES)
def show_table(table_id: str) -> Response:
    """A table as it was read."""
    return jsonify({**find_table(table_id).as_json(), "url": url_for("tables.choose", table_id=table_id)})


@api.delete("/tables/<table_id>")
@described("The table is gone.", 204, problems=(403, 404), tag=TABLES)
def delete_table(table_id: str) -> tuple[str, int]:
    """Forget a table; reports made of it have a copy."""
    find_table(table_id)
    services().jobs.tables.delete(table_id)
    return "", 204


@api.post("/tables/<table_id>/report")
@described(report_forms.CreatedReport, 202, body=table_forms.TableReport, problems=(404, 429), tag=TABLES)
def report_table(table_id: str, body: table_forms.TableReport) -> tuple[Response, int]:
    """Check a column of a table as one report."""
    report_id = start_table_report(find_table(table_id), body)
    response = jsonify(id=report_id, url=url_for("reports.report", report_id=report_id))
    response.headers["Location"] = url_for("reports_api.show_report", report_id=report_id)
    return response, 202


def _page(stored: StoredTable, problem: Problem | None = None) -> str:
    from retrieval.recipes import RECIPES

    own, form = services(), request.form if problem else request.args
    recipe, header = form.get("recipe", ""), bool(form.get("header")) if problem else stored.as_read.header
    return render_template(
        "claim_tables/table.html",
        table=stored,
        columns=stored.columns(header),
        column=form.get("column") or str(stored.likeliest + 1),
        header=header,
        title=form.get("title") or stored.name,
        most=MOST_CLAIMS,
        problem=problem,
        choices=own.jobs.sources.choices(viewer()),
        against=form.getlist("against")[:1] or [""],
        shared=form.get("shared") == "1",
        recipe=recipe if recipe in RECIPES else own.settings.recipe,
        recipes=RECIPES,
        ways=recipe_choices(bool(own.settings.llm_model)),
        **corpus_parts(),
    )
