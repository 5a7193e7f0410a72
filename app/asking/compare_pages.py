"""One claim under two to four recipes or corpora, side by side."""

from __future__ import annotations

from itertools import product

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.accounts.signing_in import viewer
from app.asking.choices import recipe_choices
from app.asking.comparison import FEWEST, MOST, compare, in_short
from app.jobs.checks import StoredCheck
from app.problems import Problem, as_problem
from app.web.services import find_check, services, submit, web_host
from retrieval.stores.named import CORPUS

blueprint = Blueprint("compare", __name__)


@blueprint.get("/compare")
def page() -> ResponseReturnValue:
    """The checks that `?check=` names, side by side; without any, a form for `?claim=`. Nothing is started."""
    return _page()


@blueprint.post("/compare")
def start() -> ResponseReturnValue:
    """Check the claim in every chosen way; earlier checks made the same way are reused."""
    claim, recipes, against = request.form.get("claim", ""), request.form.getlist("recipe"), _against()
    try:
        ways = list(product(dict.fromkeys(recipes), dict.fromkeys(against)))
        if not FEWEST <= len(ways) <= MOST:
            raise Problem(
                422,
                f"You chose {len(ways)} way{'s' * (len(ways) != 1)} to check, each recipe with each corpus. Choose {FEWEST} to {MOST}.",
            )
        started = [submit(claim, recipe, False, _named(name)) for recipe, name in ways]
    except Exception as error:
        problem = as_problem(error)
        return make_response(_page(problem), problem.status, problem.headers)
    return redirect(url_for("compare.page", claim=claim.strip()[:500], check=[one.id for one in started]), 303)


def _page(problem: Problem | None = None) -> str:
    own = services()
    asked = request.form if problem else request.args
    checks = [] if problem else [find_check(check_id) for check_id in request.args.getlist("check")[:MOST]]
    columns = compare(checks, [name_of(check) for check in checks])
    chosen = asked.getlist("recipe") or [check.recipe for check in checks] or [own.settings.recipe]
    return render_template(
        "compare.html",
        claim=checks[0].claim if checks else asked.get("claim", ""),
        columns=columns,
        short=in_short(columns),
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
