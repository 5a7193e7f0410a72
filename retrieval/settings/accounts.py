"""The settings for people who share a server."""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.settings.declaring import setting


@dataclass(frozen=True)
class Accounts:
    """Who may use the application, and how people sign in."""

    accounts: bool = setting(
        False, "Make people sign in; checks and uploads belong to them. `python -m app user add NAME` adds one."
    )
    account_header: str = setting(
        "", "Header in which a proxy of TRUSTED_PROXIES names the person who signed in there, such as X-Remote-User."
    )
    account_role: str = setting(
        "checker", "Role of people who first sign in by that proxy or OpenID.", choices=("reader", "checker", "admin")
    )
    oidc_issuer: str = setting("", "Address of an OpenID Connect provider that people sign in with.", address=True)
    oidc_client: str = setting("", "Id of this application at that provider.")
    oidc_secret: str = setting("", "This application's secret at that provider.", secret=True)
    session_idle_minutes: int = setting(
        720, "Minutes without a request after which people must sign in again.", rare=True
    )
    session_hours: int = setting(168, "Hours after which people must sign in again in any case.", rare=True)
    login_limit: int = setting(
        10, "Attempts to sign in per minute, for each name and for each address. 0: no limit.", rare=True
    )
