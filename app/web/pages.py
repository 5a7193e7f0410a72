"""The pages that people read. Work starts by POST only."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from app.accounts import ownership
from app.accounts.signing_in import names, viewer
from app.asking.choices import recipe_choices
from app.asking.table_pages import is_table, take_table
from app.collections.requests import filing_parts
from app.collections.table import CHECK
from app.folders import ROOT
from app.jobs import stored_check
from app.jobs.stored_check import DONE, FAILED, LONGEST_NAME, StoredCheck
from app.problems import Problem, as_problem
from app.reports.requests import (
    FEWEST_WORDS,
    address_in,
    is_text,
    looks_like_several,
    sentence_rules,
    take_address,
    take_text,
    take_text_file,
)
from app.reports.sides import decision_parts
from app.security import is_loopback
from app.sources.uploads import safe_name
from app.web import presentation
from app.web.api import live_json
from app.web.moved_on import settings_then, since_then
from app.web.services import corpus_parts, find_check, read_search, rename_check, services, submit
from retrieval.errors import EsotericError
from retrieval.llm.budget import told
from retrieval.measured import measured
from retrieval.stores.named import CORPUS, parts_of, together
from retrieval.text.languages import find_language
from retrieval.text.typed.places import spans_in_text
from retrieval.types import CorpusInfo
from retrieval.version import PROGRAM

blueprint = Blueprint("pages", __name__)

RECENT = 6
EXAMPLES = 6
A_PAGE = 25
BOTH = (
    "You typed something and also chose the file “{}”. One of them is read at a time, so nothing was started. What you "
    "typed is still in the field: send it again without the file, or empty the field and choose the file again."
)
MOST_SELECTED = 24_000  # characters of an address, encoded: a server reads no longer ones (LARGEST_HEADERS)


@blueprint.get("/")
def home() -> ResponseReturnValue:
    """One field; `?claim=` or `?text=` fills it (`?cut=1`: in part), `?against=` and `?recipe=` choose what is read and how. Nothing starts."""
    return render_template("home.html", **_home(request.args))


@blueprint.post("/checks")
def start() -> ResponseReturnValue:
    """Start a check from the form, or find the claims of a text; what is refused comes back, still in the field."""
    text = request.form.get("claim", "")
    recipe, fresh = request.form.get("recipe", ""), request.form.get("fresh") == "1"
    shared = request.form.get("shared") == "1"
    try:
        against = together(request.form.getlist("against"))
        chosen: dict[str, Any] = {
            "recipe": recipe or None,
            "against": against or None,
            "shared": "1" if shared else None,
        }
        _refuse_both(text)
        if _table(text):
            return redirect(url_for("tables.choose", table_id=take_table(), **chosen), 303)
        if text_id := _text(text):
            return redirect(url_for("reports.review", text_id=text_id, **chosen), 303)
        submitted = submit(text, recipe, fresh, against, shared)
    except Exception as error:
        problem = as_problem(error)
        page = render_template("home.html", problem=problem, **_home(request.form))
        return make_response(page, problem.status, problem.headers)
    earlier = 1 if submitted.earlier else None
    return redirect(url_for("pages.check", check_id=submitted.id, earlier=earlier), 303)


@blueprint.get("/checks/<check_id>")
def check(check_id: str) -> ResponseReturnValue:
    """The live page while the check runs, then its result, or why there is none."""
    found = find_check(check_id)
    if not found.unfinished:
        return ended_page(found)
    shown = {"check": found, "live": live_json(found), "parts": _claim_parts(found)}
    return render_template("live.html", **shown, **_checked_before(found))


def ended_page(found: StoredCheck, **more: Any) -> str:
    """The result of a check, or why there is none. more: what a form on it said."""
    more = {"longest": LONGEST_NAME, **more}
    if found.state == DONE:
        shown = _result(found) | decision_parts(found) | filing_parts(CHECK, found.id)
        return render_template("result.html", **(shown | more))
    decided = decision_parts(found) if found.state == FAILED else {}
    return render_template("stopped.html", check=found, live=live_json(found), **(decided | more))


@blueprint.post("/checks/<check_id>/cancel")
def cancel(check_id: str) -> ResponseReturnValue:
    """Stop the check."""
    find_check(check_id, to_change=True)
    services().checks.cancel(check_id)
    return redirect(url_for("pages.check", check_id=check_id), 303)


@blueprint.post("/checks/<check_id>/delete")
def delete(check_id: str) -> ResponseReturnValue:
    """Forget one check."""
    find_check(check_id, to_change=True)
    services().jobs.delete(check_id)
    asked: dict[str, Any] = {name: request.form.get(name) or None for name in ("q", "verdict")}
    return redirect(url_for("pages.history", **asked), 303)


@blueprint.post("/checks/<check_id>/share")
def share(check_id: str) -> ResponseReturnValue:
    """With all who have an account (`shared` is 1), or with nobody."""
    find_check(check_id, to_change=True)
    ownership.share(services().checks.engine, stored_check.table, check_id, request.form.get("shared") == "1")
    return redirect(url_for("pages.check", check_id=check_id), 303)


@blueprint.post("/checks/<check_id>/name")
def rename(check_id: str) -> ResponseReturnValue:
    """Name a check; without words it has no name. A refused name comes back, still in the field."""
    found, typed = find_check(check_id, to_change=True), request.form.get("name", "")
    try:
        rename_check(found, typed)
    except Problem as problem:
        if found.unfinished:  # its page has no form that could be shown again
            raise
        page = ended_page(found, naming={"told": problem.detail, "typed": typed})
        return make_response(page, problem.status, problem.headers)
    return redirect(url_for("pages.check", check_id=check_id, _anchor="named"), 303)


@blueprint.get("/history")
def history() -> ResponseReturnValue:
    """All checks, newest first, a page at a time; `?q=` searches in claims and names, `?verdict=` for this verdict."""
    search, verdict = read_search(request.args.get("q", ""), request.args.get("verdict", ""))
    before = request.args.get("before") or None
    if before is not None:
        find_check(before)
    table = services().checks
    found = table.latest(A_PAGE + 1, before, search, viewer(), verdict)
    return render_template(
        "history.html",
        checks=found[:A_PAGE],
        people=services().decisions.that_count([one.id for one in found[:A_PAGE]]),
        older=found[A_PAGE - 1].id if len(found) > A_PAGE else None,
        before=before,
        asked={"q": search or None, "verdict": verdict or None},
        total=table.count(search, viewer(), verdict),
        all=table.count(viewer=viewer()),
        may_delete_all=_may_delete_all(),
        names=names(),
    )


@blueprint.post("/history/delete")
def delete_all() -> ResponseReturnValue:
    """Forget every check."""
    if not _may_delete_all():
        raise Problem(
            403,
            "Only admins may delete everything. Delete single checks."
            if viewer()
            else "Deleting everything is turned off on a server that other machines can reach. Delete single checks.",
        )
    if request.form.get("sure") != "yes":
        raise Problem(400, "Confirm that you want to delete everything. Use the button on the history page.")
    services().jobs.delete_all()
    return redirect(url_for("pages.history"), 303)


@blueprint.get("/about")
def about() -> ResponseReturnValue:
    """What the program does, with what, and what it cannot do."""
    from retrieval.recipes import RECIPES
    from retrieval.roles import read_languages

    own = services()
    return render_template(
        "about.html",
        **corpus_parts(),
        models=_models(),
        language_model=services().resources.language_model(),
        recipes=RECIPES,
        calibration=_calibration(),
        measured=measured(),
        judged=" and ".join(sorted(find_language(code).name for code in read_languages(own.settings))),
        settings=own.settings,
        program=PROGRAM,
        bookmarklet=bookmarklet(url_for("pages.home", _external=True)),
    )


def _refuse_both(typed: str) -> None:
    """Raises Problem 422 if something is typed and a file is chosen: one of them would be ignored."""
    file = request.files.get("file")
    if typed.strip() and file is not None and file.filename:
        raise Problem(422, BOTH.format(safe_name(file.filename)))


def _table(typed: str) -> bool:
    """Whether the form sends a table of claims."""
    file = request.files.get("file")
    return file is not None and is_table(file.filename or "")


def _text(typed: str) -> str:
    """The id of the text in the form, of the page whose address it is, or of the file sent with it; empty if it holds a
    claim."""
    file = request.files.get("file")
    if file is not None and file.filename:
        return take_text_file()
    typed = typed.replace("\r\n", "\n")  # browsers send every line break like this
    if request.form.get("as") == "claim":
        return ""
    if request.form.get("as") == "text":
        return take_text(typed)
    if address := address_in(typed):
        return take_address(address)
    return take_text(typed) if is_text(typed) else ""


def bookmarklet(home: str) -> str:
    """A bookmark that opens the home page with what is selected on any page in its field; `&cut=1` if that is its
    beginning only."""
    address = json.dumps(home + "?text=").replace("'", "%27")
    fit = f"while((e=encodeURIComponent(t.join(''))).length>{MOST_SELECTED})t=t.slice(0,t.length*{MOST_SELECTED}/e.length|0),c='&cut=1'"
    opened = f"open({address}+e+c,'_blank','noopener')"
    return f"javascript:void(()=>{{let t=[...String(getSelection()).trim()],e,c='';{fit};{opened}}})()"


def _may_delete_all() -> bool:
    """Admins; without accounts, everybody if the server listens on this machine only."""
    found = viewer()
    return found.is_admin if found else is_loopback(services().settings.host)


def _home(asked: MultiDict[str, str]) -> dict[str, Any]:
    from retrieval.recipes import RECIPES

    parts = corpus_parts()
    corpus = parts["corpus"]
    sample = corpus is not None and is_sample(corpus)
    own, recipe = services(), asked.get("recipe", "")
    recent = own.checks.latest(RECENT, viewer=viewer())
    return {
        "claim": asked.get("claim") or asked.get("text", ""),
        "cut": asked.get("cut") == "1",
        "language": find_language(corpus.language).name if corpus else "",
        "only_retrieves": _only_retrieves(corpus),
        "against": [part for given in asked.getlist("against") for part in parts_of(given) or (CORPUS,)],
        "choices": own.jobs.sources.choices(viewer()),
        "recipe": recipe if recipe in RECIPES else own.settings.recipe,
        "recipes": RECIPES,
        "shared": asked.get("shared") == "1",
        "ways": recipe_choices(bool(own.settings.llm_model)),
        **parts,
        "sample": sample,
        "examples": sample_claims() if sample else (),
        "recent": recent,
        "people": own.decisions.that_count([one.id for one in recent]),
        "longest": own.settings.claim_length,
        "fewest": FEWEST_WORDS,
        "rules": sentence_rules(),
    }


def _only_retrieves(corpus: CorpusInfo | None) -> str:
    """A sentence that says so if checks of this corpus give no verdict; else empty."""
    from retrieval.stages.languages import only_retrieves

    declared = corpus is not None and corpus.language != ""
    return only_retrieves(services().resources.language()) if declared and services().resources.only_retrieves() else ""


def _result(found: StoredCheck) -> dict[str, Any]:
    record = found.complete
    return {
        "check": found,
        "several": looks_like_several(found.claim),
        "held": services().jobs.reports.reports.holding(found.id) if found.report else None,
        "against": services().jobs.sources.title(found.against),
        "answers": presentation.answers(record),
        "record": record,
        "parts": presentation.claim_parts(found.claim, [*record.spans, *presentation.differing_spans(record)]),
        "pages": presentation.pages_with_evidence(record),
        "sides": presentation.both_sides(record),
        "grounding": presentation.grounding(record),
        "other_pages": presentation.pages_without_evidence(record),
        "other_sentences": presentation.sentences_not_used(record),
        "bars": presentation.timing_bars(record.timings),
        "total": sum(record.timings.values()),
        "rated": record.verdict is not None and record.verdict.rated,
        "sources": presentation.sources(record),
        "usage": told(record.calls) if record.calls else "",
        "earlier": request.args.get("earlier") == "1",
        **_checked_before(found),
        **since_then(found),
        "settings_then": settings_then(found),
        "permalink": url_for("pages.check", check_id=found.id, _external=True),
    }


def _checked_before(found: StoredCheck) -> dict[str, Any]:
    """What `before.html` shows."""
    before = services().before.find(found.claim, found.id, found.against or "", viewer())
    return {"before": before, "people": services().decisions.that_count([before.check_id] if before else [])}


def _claim_parts(found: StoredCheck) -> list[Any]:
    return presentation.claim_parts(found.claim, spans_in_text(found.latest))


def _models() -> dict[str, str]:
    try:
        own = services()
        return dict(own.resources.models(own.settings.recipe))
    except EsotericError:
        return {}


def _calibration() -> dict[str, float]:
    """The calibration error of each recipe's local verdict, if measured with the models that read."""
    from retrieval.models.fitted.calibration import calibration_error
    from retrieval.recipes import RECIPES
    from retrieval.roles import reads_by_ours

    if not reads_by_ours(services().settings):
        return {}
    errors = {name: calibration_error(recipe.calibrated) for name, recipe in RECIPES.items()}
    return {name: error for name, error in errors.items() if error is not None}


def is_sample(corpus: CorpusInfo) -> bool:
    """Whether this is the corpus that comes with the program."""
    return "sample" in corpus.name.lower()


@lru_cache(maxsize=1)
def sample_claims() -> tuple[str, ...]:
    """The sample's claims to try."""
    file = ROOT / "data" / "sample" / "claims.jsonl"
    if not file.exists():
        return ()
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    return tuple(row["claim"] for row in rows if row.get("example"))[:EXAMPLES]
