"""The web application: pages, JSON API, durable jobs, exports."""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from app.folders import ROOT

if TYPE_CHECKING:
    from flask import Flask

    from app.http.services import Services
    from retrieval.settings import Settings


VIEWS = (
    *("home.pages", "accounts.pages", "people.pages", "documents.pages", "checks.pages", "checks.exports"),
    *("texts.pages", "reports.pages", "reports.exports", "claim_tables.pages", "compare.pages", "collections.pages"),
    *("corpora.pages", "deletions.pages"),
    *("http.health", "http.metrics", "http.openapi_pages"),
)
INTERFACES = "documents checks texts reports claim_tables compare collections corpora deletions".split()


@contextmanager
def without_collecting() -> Iterator[None]:
    """Pause garbage collection: loading modules leaves no garbage, and looking for it takes a quarter of a start. What the
    first such block of a process has loaded is never searched later."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if not gc.get_freeze_count():
            gc.freeze()
        if before:
            gc.enable()


@without_collecting()
def create_app(settings: Settings | None = None, resources: Any = None) -> Flask:
    """The application; its jobs start when `create_server` or a test launches them.

    resources: the models and the corpus, `retrieval.resources.Resources(settings)` unless given.
    """
    from flask import Flask

    from retrieval.settings import Settings

    settings = settings or Settings.from_environment()
    settings.data.mkdir(parents=True, exist_ok=True)
    app = Flask(__name__, template_folder=str(ROOT / "templates"), static_folder=str(ROOT / "static"))
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = 31_536_000  # addresses of assets change with their content
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals["asset"] = asset_addresses()
    made = app.extensions["esoteric"] = make_services(settings, resources)
    made.uploads.clean()
    guard(app, made)
    register_views(app)
    return app


def make_services(settings: Settings, resources: Any = None) -> Services:
    """The services of views. Makes the tables of the settings' database, or brings them up to date."""
    from app.http.security import RateLimit
    from app.http.services import Services
    from app.jobs.checked_before import CheckedBefore
    from app.jobs.jobs import open_work
    from app.jobs.loads.runner import LoadRunner
    from app.jobs.readers.documents import Uploads
    from app.jobs.readers.texts import TextReader
    from app.jobs.readiness import Readiness
    from app.tables.database import open_engine
    from app.tables.loads import Loads, home_of
    from app.tables.migrations import prepare_tables
    from app.tables.probe import Probe
    from retrieval.resources import Resources

    engine = open_engine(settings)
    prepare_tables(engine)
    resources = resources or Resources(settings)
    work, before = open_work(settings, resources, engine), CheckedBefore(engine, resources)
    loads = Loads(engine, home_of(settings.data))
    return Services(
        **vars(work),
        before=before,
        uploads=Uploads(settings, work.documents),
        text_reader=TextReader(settings, work.texts, resources, before.prepare),
        loads=loads,
        runner=LoadRunner(settings, loads),
        readiness=Readiness(work.jobs, resources),
        probe=Probe(settings),
        rate=RateLimit(settings.rate_limit),
    )


def guard(app: Flask, made: Services) -> None:
    """Set up what runs before and after every view: logs, accounts, security, errors, the words of templates."""
    from app.accounts import openid
    from app.accounts import service as signing_in
    from app.checks import words as presentation
    from app.http import logs, problems, security
    from app.tables import database

    settings, engine = made.settings, made.engine
    shared = database.is_shared(settings)
    key = database.shared_secret(engine) if shared else database.secret_key(settings.data)
    logs.init_app(app)
    signing_in.init_app(app, signing_in.Accounts.of(engine, settings))  # before a form or a file is read
    security.init_app(app, settings, key)
    openid.init_app(app, settings)
    problems.init_app(app)
    presentation.init_app(app)


def register_views(app: Flask) -> None:
    """Register every feature's pages, whose forms carry a token, and its interface for programs, which checks the origin."""
    from importlib import import_module

    from app.http import routes, security

    routes.open_to_all(app.view_functions["static"])
    for name in VIEWS:
        app.register_blueprint(import_module(f"app.{name}").blueprint)
    for name in INTERFACES:
        api = import_module(f"app.{name}.api").blueprint
        app.register_blueprint(api)
        security.csrf.exempt(api)


def create_server(settings: Settings | None = None) -> Flask:
    """The application with its background work, for the process of a web server."""
    app = create_app(settings)
    made = app.extensions["esoteric"]
    made.readiness.start()
    made.before.catch_up(lambda: not made.readiness.reason)
    made.retention.keep_deleting()
    made.runner.start()
    return app


def asset_addresses() -> Any:
    """A function from a static file to its address, which changes with its content."""
    from flask import url_for

    known: dict[str, str] = {}

    def asset(name: str) -> str:
        if name not in known:
            known[name] = hashlib.sha256((ROOT / "static" / name).read_bytes()).hexdigest()[:12]
        return url_for("static", filename=name, v=known[name])

    return asset
