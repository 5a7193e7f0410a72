"""The page of comparisons: one claim under two to four recipes or corpora, side by side."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.accounts.service import viewer
from app.checks.result import since_then
from app.checks.service import find_check
from app.compare.service import MOST, compare, differences, name_of, start_checks
from app.home.service import recipe_choices, web_host
from app.http.problems import Problem, page_with
from app.http.routes import audited
from app.http.services import services
from retrieval.stores.named import CORPUS

blueprint = Blueprint("compare", __name__)


@blueprint.get("/compare")
def page() -> ResponseReturnValue:
    """The checks that `?check=` names, side by side; without it, a form for `?claim=`. Nothing is started."""
    return _page()


@blueprint.post("/compare")
@audited("asked for a comparison")
def start() -> ResponseReturnValue:
    """Check the claim in every chosen way, reusing earlier checks."""
    claim = request.form.get("claim", "")
    try:
        started = start_checks(claim, request.form.getlist("recipe"), _against())
    except Exception as error:
        return page_with(error, _page)
    return redirect(url_for("compare.page", claim=claim.strip()[:500], check=[one.id for one in started]), 303)


def _page(problem: Problem | None = None) -> str:
    asked = request.form if problem else request.args
    checks = [] if problem else [find_check(check_id) for check_id in request.args.getlist("check")[:MOST]]
    columns = compare(checks, [name_of(check) for check in checks])
    chosen = asked.getlist("recipe") or [check.recipe for check in checks] or [services().settings.recipe]
    return render_template(
        "compare/compare.html",
        claim=checks[0].claim if checks else asked.get("claim", ""),
        columns=columns,
        claims=list(dict.fromkeys(check.claim for check in checks)),
        short=differences(columns),
        since={column.check.id: since_then(column.check) for column in columns if column.done},
        running=[column.check for column in columns if column.check.unfinished],
        ways=recipe_choices(bool(services().settings.llm_model)),
        chosen=chosen,
        against=(_against() if problem else [check.against or CORPUS for check in checks]) or [CORPUS],
        choices=[(name, title) for name, title in services().sources.beside_default(viewer()) if name != CORPUS],
        problem=problem,
        most=MOST,
        web_host=web_host(),
    )


def _against() -> list[str]:
    return request.form.getlist("against") or [CORPUS]
