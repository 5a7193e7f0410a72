"""Comparisons over HTTP (docs/interfaces.md)."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, url_for
from flask.typing import ResponseReturnValue

from app.checks.service import created, find_check
from app.compare import forms
from app.compare.service import FEWEST, MOST, column_form, compare, differences, name_of, start_checks
from app.http.openapi import described
from app.http.problems import Problem
from app.http.routes import audited

blueprint = Blueprint("compare_api", __name__, url_prefix="/api")

COMPARISONS = "Comparisons"


@blueprint.post("/compare")
@audited("asked for a comparison")
@described(forms.Started, 202, body=forms.NewComparison, problems=(404, 429), tag=COMPARISONS)
def start_comparison(body: forms.NewComparison) -> ResponseReturnValue:
    """Check a claim in every way, reusing earlier checks."""
    started = start_checks(body.claim, body.recipes, body.against)
    ids = [one.id for one in started]
    found = forms.Started(checks=list(map(created, started)), url=url_for("compare.page", check=ids))
    return found.as_json(), 202, {"Location": url_for("compare_api.show_comparison", checks=",".join(ids))}


@blueprint.get("/compare")
@described(forms.ComparisonForm, query=forms.Which, problems=(404,), tag=COMPARISONS)
def show_comparison(query: forms.Which) -> Response:
    """Checks side by side: their verdicts, and the sentences that they share."""
    ids = list(dict.fromkeys(filter(None, query.checks.split(","))))
    if not FEWEST <= len(ids) <= MOST:
        raise Problem(400, f"You named {len(ids)} check{'s' * (len(ids) != 1)}. Name {FEWEST} to {MOST}.")
    columns = compare([find_check(one) for one in ids], ids)
    claims = list(dict.fromkeys(column.check.claim for column in columns))
    named = compare([column.check for column in columns], [name_of(column.check) for column in columns])
    shown = {"claims": claims, "summary": differences(named), "checks": list(map(column_form, columns))}
    return jsonify(forms.ComparisonForm.of(**shown, url=url_for("compare.page", check=ids)).as_json())
