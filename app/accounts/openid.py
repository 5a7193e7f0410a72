"""Signing in with an OpenID Connect provider: the code flow with PKCE, state and nonce, run by Authlib."""

from __future__ import annotations

import logging
from typing import Any

from flask import Flask, current_app
from werkzeug.wrappers import Response

from app.accounts.service import accounts
from app.http.problems import Problem
from app.tables.ownership import Account
from app.tables.people import AccountError
from retrieval.settings import Settings

log = logging.getLogger(__name__)

PROVIDER_SECONDS = 10.0  # seconds to wait for the provider's answer
NAMES = ("preferred_username", "email", "name")
AWAY = "The sign-in provider does not answer. Try again in a minute."
UNSURE = "The sign-in provider's answer could not be verified. Start again from the sign-in page."


def is_set(settings: Settings) -> bool:
    """Whether the settings name a provider."""
    return bool(settings.oidc_issuer and settings.oidc_client)


def init_app(app: Flask, settings: Settings) -> None:
    """Register the provider; its addresses are fetched at the first sign-in."""
    if not (settings.accounts and is_set(settings)):
        return
    from authlib.integrations.flask_client import OAuth

    app.extensions["openid"] = OAuth(app).register(
        "provider",
        client_id=settings.oidc_client,
        client_secret=settings.oidc_secret,
        server_metadata_url=f"{settings.oidc_issuer.rstrip('/')}/.well-known/openid-configuration",
        client_kwargs={
            "scope": "openid profile email",
            "code_challenge_method": "S256",
            "default_timeout": PROVIDER_SECONDS,
        },
    )


def ask(redirect_uri: str) -> Response:
    """Send the browser to the provider. Raises Problem."""
    from requests import RequestException

    try:
        answer: Response = _client().authorize_redirect(redirect_uri)
    except (RequestException, ValueError) as error:
        raise _away(error) from None
    return answer


def answered() -> Account:
    """The person that the provider's signed ID token names. Raises Problem."""
    from authlib.common.errors import AuthlibBaseError
    from joserfc.errors import JoseError
    from requests import RequestException

    settings = accounts().settings
    must = {
        "iss": {"essential": True, "value": settings.oidc_issuer},
        "aud": {"essential": True, "value": settings.oidc_client},
    }
    try:
        claims = _client().authorize_access_token(claims_options=must).get("userinfo")
    except RequestException as error:
        raise _away(error) from None
    except (AuthlibBaseError, JoseError, ValueError, KeyError, RuntimeError, TypeError) as error:
        log.warning("The OpenID provider's answer was refused: %s", type(error).__name__)
        raise Problem(401, UNSURE) from None
    if not claims or not isinstance(claims.get("sub"), str) or not claims["sub"]:
        raise Problem(401, UNSURE)
    name = next((claims[key] for key in NAMES if isinstance(claims.get(key), str) and claims[key]), "")
    try:
        return accounts().people.by_subject(f"{claims['iss']}|{claims['sub']}"[:512], name, settings.account_role)
    except AccountError as error:
        raise Problem(403, str(error)) from None


def _away(error: Exception) -> Problem:
    log.error("The OpenID provider does not answer: %s", type(error).__name__)
    return Problem(503, AWAY, {"Retry-After": "60"})


def _client() -> Any:
    return current_app.extensions["openid"]
