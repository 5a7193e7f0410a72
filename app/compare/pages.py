"""One claim under two to four recipes or corpora, side by side. Pages and API."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from flask import Blueprint, Response, jsonify, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.accounts.service import viewer
from app.checks.choices import recipe_choices
from app.checks.moved_on import since_then
from app.compare import forms
from app.compare.service import FEWEST, MOST, column_as_json, compare, in_short
from app.http.openapi import described
from app.http.problems import Problem, as_problem
from app.http.security import refuse_other_sites
from app.http.services import find_check, services, submit, web_host
from app.jobs.jobs import Submitted
from app.tables.stored_check import StoredCheck
from retrieval.stores.named import CORPUS

pages = Blueprint("compare", __name__)
api = Blueprint("compare_api", __name__, url_prefix="/api")
api.before_request(refuse_other_sites)
COMPARISONS = "Comparisons"


@pages.get("/compare")
def page() -> ResponseReturnValue:
    """The checks that `?check=` names, side by side; without any, a form for `?claim=`. Nothing is started."""
    return _page()


@pages.post("/compare")
def start() -> ResponseReturnValue:
    """Check the claim in every chosen way; earlier checks made the same way are reused."""
    claim = request.form.get("claim", "")
    try:
        started = _start(claim, request.form.getlist("recipe"), _against())
    except Exception as error:
        problem = as_problem(error)
        return make_response(_page(problem), problem.status, problem.headers)
    return redirect(url_for("compare.page", claim=claim.strip()[:500], check=[one.id for one in started]), 303)


@api.post("/compare")
@described(forms.Started, 202, body=forms.NewComparison, problems=(404, 429), tag=COMPARISONS)
def start_comparison(body: forms.NewComparison) -> tuple[Response, int]:
    """Check a claim in every way; earlier checks made the same way are reused."""
    started = _start(body.claim, body.recipes, body.against)
    ids = [one.id for one in started]
    shown = [{"id": one.id, "url": url_for("pages.check", check_id=one.id), "earlier": one.earlier} for one in started]
    response = jsonify(checks=shown, url=url_for("compare.page", check=ids))
    response.headers["Location"] = url_for("compare_api.show_comparison", checks=",".join(ids))
    return response, 202


@api.get("/compare")
@described(forms.ComparisonForm, query=forms.Which, problems=(404,), tag=COMPARISONS)
def show_comparison(query: forms.Which) -> Response:
    """Checks side by side: their verdicts, and which sentences they share."""
    ids = list(dict.fromkeys(filter(None, query.checks.split(","))))
    if not FEWEST <= len(ids) <= MOST:
        raise Problem(400, f"You named {len(ids)} check{'s' * (len(ids) != 1)}. Name {FEWEST} to {MOST}.")
    columns = compare([find_check(one) for one in ids], ids)
    claims = list(dict.fromkeys(column.check.claim for column in columns))
    named = compare([column.check for column in columns], [name_of(column.check) for column in columns])
    url = url_for("compare.page", check=ids)
    return jsonify(
        claims=claims, summary=in_short(named), checks=[column_as_json(column) for column in columns], url=url
    )


def _start(claim: str, recipes: Iterable[str], against: Iterable[str]) -> list[Submitted]:
    """Raises Problem 422 where these are too few or too many ways, and what `submit` raises."""
    ways = list(product(dict.fromkeys(recipes), dict.fromkeys(against)))
    if not FEWEST <= len(ways) <= MOST:
        raise Problem(
            422,
            f"You chose {len(ways)} way{'s' * (len(ways) != 1)} to check, each recipe with each corpus. Choose {FEWEST} to {MOST}.",
        )
    return [submit(claim, recipe, False, _named(name)) for recipe, name in ways]


def _page(problem: Problem | None = None) -> str:
    own = services()
    asked = request.form if problem else request.args
    checks = [] if problem else [find_check(check_id) for check_id in request.args.getlist("check")[:MOST]]
    columns = compare(checks, [name_of(check) for check in checks])
    chosen = asked.getlist("recipe") or [check.recipe for check in checks] or [own.settings.recipe]
    return render_template(
        "compare/compare.html",
        claim=checks[0].claim if checks else asked.get("claim", ""),
        columns=columns,
        claims=list(dict.fromkeys(check.claim for check in checks)),
        short=in_short(columns),
        since={column.check.id: since_then(column.check) for column in columns if column.done},
        running=[column.check for column in columns if column.check.unfinished],
        ways=recipe_choices(bool(own.settings.llm_model)),
        chosen=chosen,
        against=(_against() if problem else [check.against or CORPUS for check in checks]) or [CORPUS],
        choices=[(name, title) for name, title in own.jobs.sources.choices(viewer()) if name != CORPUS],
        problem=problem,
        most=MOST,
        web_host=web_host(),
    )


def name_of(check: StoredCheck) -> str:
    """A column's heading: how it was checked, and against what if that is not the corpus."""
    ways = recipe_choices(False)
    titles = {one.name: one.title for one in ways.first + ways.more}
    way = titles.get(check.recipe, check.recipe)
    return f"{way}, {services().jobs.sources.title(check.against) or 'deleted documents'}" if check.against else way


def _named(against: str) -> str:
    """The name in checks: the settings' corpus has none, unless the settings read more than the corpus."""
    own_name = CORPUS in dict(services().jobs.sources.choices())
    return "" if against == CORPUS and not own_name else against


def _against() -> list[str]:
    return request.form.getlist("against") or [CORPUS]
