"""The home page, whose one field takes a claim, a text, an address, a file or a table; and the About page."""

from __future__ import annotations

import json
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from app.accounts.service import viewer
from app.checks.service import submit
from app.claim_tables.service import is_table, take_table
from app.home.service import calibration, choice_parts, corpus_parts, is_sample, models, only_retrieves, sample_claims
from app.http.problems import Problem, page_with
from app.http.routes import LARGE_TEXT, audited, takes
from app.http.services import services
from app.jobs.readers.documents import safe_name
from app.texts.service import FEWEST_WORDS, address_in, is_text, sentence_rules, take_address, take_text, take_text_file
from retrieval.measured import measured
from retrieval.stores.named import CORPUS, parts_of, together
from retrieval.text.extraction.finder import LONGEST_TEXT
from retrieval.text.languages import find_language
from retrieval.version import PROGRAM

blueprint = Blueprint("home", __name__)

RECENT_CHECKS = 6
HOLD = 1.0  # seconds to wait for the result before the live page is shown
BOTH = (
    "You typed something and also chose the file “{}”. Only one can be read at a time, so nothing was started. What you "
    "typed is still in the field: send it again without the file, or empty the field and choose the file again."
)
# Encoded characters of a selection in an address; the server refuses longer ones (LARGEST_HEADERS).
MOST_SELECTED = 24_000


@blueprint.get("/")
def home() -> ResponseReturnValue:
    """The home page. `?claim=` or `?text=` fills its field (`?cut=1`: the text was cut off), `?against=` and
    `?recipe=` choose; nothing is started.
    """
    return render_template("home/home.html", **_home(request.args))


@blueprint.post("/checks")
@audited("asked for a check")
@takes(LARGE_TEXT, files=True)
def start() -> ResponseReturnValue:
    """Start a check, or find the claims of a text. If it is refused, your input stays in the field."""
    form = request.form
    text, recipe = form.get("example") or form.get("claim", ""), form.get("recipe", "")
    fresh, shared = form.get("fresh") == "1", form.get("shared") == "1"
    try:
        against = together(form.getlist("against"))
        chosen: dict[str, Any] = {"recipe": recipe or None, "against": against or None, "shared": int(shared) or None}
        file = request.files.get("file")
        name = safe_name(file.filename) if file is not None and file.filename else ""
        if text.strip() and name:
            raise Problem(422, BOTH.format(name))
        if is_table(name):
            return redirect(url_for("claim_tables.choose", table_id=take_table(), **chosen), 303)
        if text_id := take_text_file() if name else _text(text):
            return redirect(url_for("texts.review", text_id=text_id, **chosen), 303)
        submitted = submit(text, recipe, fresh, against, shared)
    except Exception as error:
        return page_with(error, lambda problem: render_template("home/home.html", problem=problem, **_home(form)))
    services().checks.await_end(submitted.id, HOLD)  # a quick check is answered without the live page
    earlier = 1 if submitted.earlier else None
    return redirect(url_for("checks.check", check_id=submitted.id, earlier=earlier), 303)


@blueprint.get("/about")
def about() -> ResponseReturnValue:
    """What the program does, which models it uses, and what it cannot do."""
    from retrieval.recipes import RECIPES
    from retrieval.roles import read_languages

    knobs = {name: recipe.knobs.of(services().settings) for name, recipe in RECIPES.items()}
    return render_template(
        "home/about.html",
        **corpus_parts(),
        models=models(),
        language_model=services().resources.language_model(),
        recipes=RECIPES,
        knobs=knobs,
        by_classifier=[name for name, found in knobs.items() if not getattr(found, "by_model", True)],
        calibration=calibration(),
        measured=measured(),
        judged=" and ".join(sorted(find_language(code).name for code in read_languages(services().settings))),
        settings=services().settings,
        program=PROGRAM,
        bookmarklet=bookmarklet(url_for("home.home", _external=True)),
    )


def _text(typed: str) -> str:
    """Take in the text in the field, or the page at its address; returns the text's id, empty for a claim."""
    typed = typed.replace("\r\n", "\n")  # browsers send every line break like this
    if request.form.get("as") == "claim":
        return ""
    if request.form.get("as") == "text":
        return take_text(typed)
    if address := address_in(typed):
        return take_address(address)
    return take_text(typed) if is_text(typed) else ""


def bookmarklet(home: str) -> str:
    """A bookmark that puts the text selected on any page into the field of the home page; it adds `&cut=1` if
    only the beginning fits.
    """
    address = json.dumps(home + "?text=").replace("'", "%27")
    fit = f"while((e=encodeURIComponent(t.join(''))).length>{MOST_SELECTED})t=t.slice(0,t.length*{MOST_SELECTED}/e.length|0),c='&cut=1'"
    opened = f"open({address}+e+c,'_blank','noopener')"
    return f"javascript:void(()=>{{let t=[...String(getSelection()).trim()],e,c='';{fit};{opened}}})()"


def _home(asked: MultiDict[str, str]) -> dict[str, Any]:
    parts = choice_parts(asked)
    corpus = parts["corpus"]
    sample = corpus is not None and is_sample(corpus)
    settings = services().settings
    recent = services().checks.latest(RECENT_CHECKS, viewer=viewer())
    return {
        "claim": asked.get("claim") or asked.get("text", ""),
        "cut": asked.get("cut") == "1",
        "language": find_language(corpus.language).name if corpus else "",
        "only_retrieves": only_retrieves(corpus),
        "against": [part for name in asked.getlist("against") for part in parts_of(name) or (CORPUS,)],
        **parts,
        "sample": sample,
        "examples": sample_claims() if sample else (),
        "recent": recent,
        "people": services().decisions.signed_of([one.id for one in recent]),
        "opened": asked.get("recipe", settings.recipe) != settings.recipe or bool(asked.get("against")),
        "longest": settings.claim_length,
        "longest_text": LONGEST_TEXT,
        "megabytes": settings.upload_megabytes,
        "fewest": FEWEST_WORDS,
        "rules": sentence_rules(),
    }
