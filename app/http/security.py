"""Security headers, tokens of forms, limits. Pages have no inline script or style, so the policy is strict."""

from __future__ import annotations

import hmac
import ipaddress
import threading
import time
from collections import OrderedDict
from functools import partial
from urllib.parse import urlsplit

from flask import Flask, Response, current_app, g, request
from flask.sessions import SecureCookieSessionInterface
from flask_wtf import CSRFProtect

from app.http.problems import Problem
from app.http.proxies import BehindProxies, read_networks
from app.http.routes import MAX_BODY, rules
from retrieval.settings import Settings

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
SAFE = ("GET", "HEAD", "OPTIONS")  # methods that change nothing
ACCOUNT = "account"  # in `flask.g`: who has signed in
LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"]
TOO_OFTEN = "This address has reached its limit of checks a minute: {}. Wait a moment, then try again."

csrf = CSRFProtect()


def init_app(app: Flask, settings: Settings, key: bytes) -> None:
    """Protect the application. key: signs the session cookie."""
    app.config.update(
        SECRET_KEY=key,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_NAME="esoteric",
        WTF_CSRF_TIME_LIMIT=None,  # a tab may stay open for days; the token lives as long as the session
        MAX_CONTENT_LENGTH=MAX_BODY,
        MAX_FORM_MEMORY_SIZE=MAX_BODY,
        TRUSTED_HOSTS=trusted_hosts(settings),
    )
    app.wsgi_app = BehindProxies(  # type: ignore[method-assign]
        app.wsgi_app, read_networks(settings.trusted_proxies), settings.account_header if settings.accounts else ""
    )
    app.session_interface = SecureUnderTLS()
    app.before_request(partial(_allow_uploads, settings.upload_megabytes * 1_000_000))
    csrf.init_app(app)  # after the limits, because it reads the form and its files
    app.before_request(refuse_other_sites)
    app.after_request(_add_headers)


class SecureUnderTLS(SecureCookieSessionInterface):
    """Limits the cookie of the session to TLS, if the request used it, and to the prefix of a proxy."""

    def get_cookie_path(self, app: Flask) -> str:
        """See flask."""
        return request.script_root or super().get_cookie_path(app)

    def get_cookie_secure(self, app: Flask) -> bool:
        """See flask."""
        return request.is_secure


def _allow_uploads(most: int) -> None:
    """Allow the route's largest body. most: bytes of files."""
    if request.method == "POST":
        route = rules()
        request.max_form_memory_size = route.body
        request.max_content_length = route.body + (most if route.files else 0)
        g.most_uploaded = most if route.files else 0


def trusted_hosts(settings: Settings) -> list[str] | None:
    """Host names that are answered; None for any. On a loopback address only its names, against DNS rebinding."""
    listed = [name.strip() for name in settings.trusted_hosts.split(",") if name.strip()]
    if is_loopback(settings.host):
        return [*LOOPBACK_NAMES, settings.host, *listed]
    return listed or None


def refuse_other_sites() -> None:
    """Raises Problem 403 for a change under /api, where there are no tokens, if the browser says that another site sent it."""
    if request.method in SAFE or not request.path.startswith("/api/"):
        return
    origin = request.headers.get("Origin")
    foreign = origin is not None and urlsplit(origin).netloc != request.host
    if foreign or request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        raise Problem(403, "Requests from other web sites are refused. Send it from this site's pages or a program.")


def person() -> str:
    """The id of the viewer's account; without one, 16 characters that stand for their address, which is not stored."""
    if account := g.get(ACCOUNT):
        return str(account.id)
    try:
        address = ipaddress.ip_address(request.remote_addr or "")
        # A household or a server has a whole /64 of IPv6.
        client = str(ipaddress.ip_network((address, 64), strict=False)) if address.version == 6 else str(address)
    except ValueError:
        client = request.remote_addr or ""
    return hmac.new(current_app.config["SECRET_KEY"], client.encode(), "sha256").hexdigest()[:16]


class RateLimit:
    """Allows `per_minute` calls from an address (0: any number), by a bucket that refills steadily. sentence: the refusal."""

    def __init__(self, per_minute: int, sentence: str = "", remembered: int = 10_000) -> None:
        self.per_minute = per_minute
        self.sentence = sentence or TOO_OFTEN.format(per_minute)
        self.remembered = remembered
        self._lock = threading.Lock()
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str) -> None:
        """Count a call. Raises Problem 429 if there were too many."""
        if not self.per_minute:
            return
        with self._lock:
            moment = time.monotonic()
            tokens, last = self._buckets.pop(address, (float(self.per_minute), moment))
            tokens = min(self.per_minute, tokens + (moment - last) * self.per_minute / 60)
            self._buckets[address] = (tokens - 1 if tokens >= 1 else tokens, moment)
            if len(self._buckets) > self.remembered:
                self._buckets.popitem(last=False)
        if tokens < 1:
            wait = max(1, round((1 - tokens) * 60 / self.per_minute))
            raise Problem(429, self.sentence, {"Retry-After": str(wait)})


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the host."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _add_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if request.endpoint != "static":
        response.headers.setdefault("Cache-Control", "no-store")
    return response
