"""The web application: pages, JSON API, durable jobs, exports."""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
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
    """Pause garbage collection: loading modules leaves no garbage, and looking for it takes a quarter of a start. What a
    process has loaded by the end of its first such block is never searched."""
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
    """The application; its jobs start when `create_server` or a test launches them. resources: see `Services`."""
    from flask import Flask

    from retrieval.settings import Settings

    settings = settings or Settings.from_environment()
    settings.data.mkdir(parents=True, exist_ok=True)
    app = Flask(__name__, template_folder=str(ROOT / "templates"), static_folder=str(ROOT / "static"))
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = 31_536_000  # addresses of assets change with their content
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals["asset"] = asset_addresses()
    services = app.extensions["esoteric"] = open_services(settings, resources)
    services.uploads.clean()
    guard(app, services)
    register_views(app)
    return app


def open_services(settings: Settings, resources: Any = None) -> Services:
    """The services of views. Makes the tables of the settings' database, or brings them up to date."""
    from app.http.services import Services
    from app.tables.database import open_engine
    from app.tables.migrations import prepare_tables
    from retrieval.resources import Resources

    engine = open_engine(settings)
    prepare_tables(engine)
    return Services(settings, resources or Resources(settings), engine)


def guard(app: Flask, services: Services) -> None:
    """Set up what runs before and after every view: logs, accounts, security, errors, filters of templates."""
    from app.accounts import openid
    from app.accounts import service as signing_in
    from app.checks import words
    from app.http import logs, problems, security
    from app.tables import database

    settings, engine = services.settings, services.engine
    shared = database.is_shared(settings)
    key = database.shared_secret(engine) if shared else database.secret_key(settings.data)
    logs.init_app(app)
    signing_in.init_app(app, signing_in.Accounts.of(engine, settings))  # before a form or a file is read
    security.init_app(app, settings, key)
    openid.init_app(app, settings)
    app.register_error_handler(Exception, problems.answer)
    words.init_app(app)


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
    services: Services = app.extensions["esoteric"]
    services.readiness.start()
    services.before.catch_up(lambda: not services.readiness.reason)
    services.retention.keep_deleting()
    services.runner.start()
    return app


def asset_addresses() -> Callable[[str], str]:
    """A function from a static file to its address, which changes with its content."""
    from flask import url_for

    @cache
    def digest(name: str) -> str:
        return hashlib.sha256((ROOT / "static" / name).read_bytes()).hexdigest()[:12]

    return lambda name: url_for("static", filename=name, v=digest(name))
