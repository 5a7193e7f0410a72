"""Tests before the application or a worker starts, and whether one is alive. Imports little."""

from __future__ import annotations

import time
from typing import IO

from app.errors import CannotStart
from app.folders import lock_file, sign_of_worker
from retrieval.settings import Settings

LOCK_PATIENCE = 3.0  # seconds to wait for an earlier process to end, so that a restart after a crash succeeds


def check_roles(settings: Settings, role: str) -> None:
    """Raises CannotStart if nobody would run the checks, or a worker could not get any."""
    shared = _is_shared(settings)
    if role == "worker" and not shared:
        raise CannotStart(
            "A separate worker needs a database that it shares with the web application. "
            "Set DATABASE to postgresql://user:password@host/name, or start `python -m app` alone, which works too."
        )
    if role == "worker" and not settings.workers:
        raise CannotStart("WORKERS is 0, so this worker would do nothing. Set WORKERS to 1 or more.")
    if role == "web" and not shared and not settings.workers:
        raise CannotStart(
            "WORKERS is 0, and without DATABASE no other process can run the checks. Set WORKERS to 1 or more, "
            "or DATABASE to postgresql://user:password@host/name and start `python -m app worker`."
        )


def check_exposure(settings: Settings) -> str:
    """A warning if other machines can reach the server and there are no accounts; else empty. Raises CannotStart if the server
    would answer to any host name, which allows DNS rebinding."""
    from app.http.proxies import read_networks
    from app.http.security import is_loopback, trusted_hosts

    read_networks(settings.trusted_proxies)
    if is_loopback(settings.host):
        return ""
    if not trusted_hosts(settings):
        raise CannotStart(
            f"HOST is {settings.host}, which other machines can reach, and TRUSTED_HOSTS is empty. "
            "Set TRUSTED_HOSTS to the names by which people call this server, such as facts.example.org."
        )
    if settings.accounts:
        return ""
    return (
        "There are no accounts: anyone who reaches this server can check claims, upload, read everything and delete single "
        "checks and uploads. Nobody may delete everything at once. If that is too much, set ACCOUNTS=true."
    )


def check_accounts(settings: Settings) -> str:
    """What to do if people sign in and nobody can yet; else empty. Raises CannotStart if settings contradict each other."""
    from app.tables.database import open_engine
    from app.tables.people import People

    if settings.account_header and not settings.trusted_proxies:
        raise CannotStart(
            "ACCOUNT_HEADER is set and TRUSTED_PROXIES is not, so anybody could sign in as anybody. "
            "Set TRUSTED_PROXIES to the address of the proxy that asks people who they are."
        )
    if not settings.accounts or settings.account_header or settings.oidc_issuer:
        return ""
    engine = open_engine(settings)
    nobody = not People(engine).all()
    engine.dispose()
    return "Nobody can sign in yet. Add an admin: python -m app user add NAME --role admin" if nobody else ""


def claim_data_folder(settings: Settings) -> IO[str]:
    """Lock DATA until the returned file is closed: two processes would take over each other's checks. With a shared DATABASE,
    where processes see each other's heartbeats, there is no lock. Raises CannotStart."""
    file, deadline = settings.data / "app.lock", time.monotonic() + LOCK_PATIENCE
    try:
        settings.data.mkdir(parents=True, exist_ok=True)
        if _is_shared(settings):
            return open(file, "a", encoding="ascii")
        while (lock := lock_file(file)) is None:
            if time.monotonic() > deadline:
                raise CannotStart(
                    f"Another ESOTERIC is running in {settings.data}. Stop it, or set DATA to another folder."
                )
            time.sleep(0.1)
    except OSError as error:
        raise CannotStart(
            f"The folder {settings.data} cannot be written ({error.strerror}). Set DATA to a writable folder."
        ) from None
    return lock


def prepare_database(settings: Settings) -> None:
    """Make or update the tables of the database. Raises CannotStart."""
    from sqlalchemy.exc import SQLAlchemyError

    from app.tables.database import open_engine
    from app.tables.migrations import prepare_tables

    try:
        engine = open_engine(settings)
        prepare_tables(engine)
        engine.dispose()
    except (SQLAlchemyError, ImportError) as error:
        why = str(getattr(error, "orig", None) or error).splitlines()[0]
        name, remedy = f"{settings.data}/checks.sqlite", "Move the file away, and checks start anew."
        if settings.database:
            name, remedy = (
                "that DATABASE names",
                "Set DATABASE to postgresql://user:password@host/name, or leave it out.",
            )
        raise CannotStart(f"The database of checks {name} cannot be opened ({why}). {remedy}") from None


def web_is_alive(settings: Settings) -> bool:
    """Whether a web application answers on HOST:PORT."""
    import http.client

    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)
    connection = http.client.HTTPConnection(host, settings.port, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status < 500  # refusing this host name is an answer too
    except OSError:
        return False
    finally:
        connection.close()


def worker_is_alive(settings: Settings) -> bool:
    """Whether a worker on this host has sent a heartbeat lately."""
    try:
        return time.time() - sign_of_worker(settings).stat().st_mtime <= settings.worker_timeout
    except OSError:
        return False


def _is_shared(settings: Settings) -> bool:
    from sqlalchemy.exc import SQLAlchemyError

    from app.tables.database import is_shared

    try:
        return is_shared(settings)
    except SQLAlchemyError:
        return False  # `prepare_database` reports an address that cannot be read
