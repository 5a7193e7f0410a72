"""A small OpenID Connect provider on real HTTP: discovery, keys, authorization with PKCE, tokens signed with RS256."""

from __future__ import annotations

import base64
import hashlib
import http.server
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, SECRET = "esoteric", "the client's secret"
Claims = dict[str, Any]


class Provider:
    """lets_in: what the next identity token says. spoil: changes it before it is signed. key: what signs it."""

    def __init__(self, address: str) -> None:
        self.issuer = address
        self.key = self.published = RSAKey.generate_key(2048, {"kid": "1"})
        self.lets_in: Claims = {"sub": "u-1", "preferred_username": "Grace"}
        self.spoil: Callable[[Claims], None] = lambda claims: None
        self.codes: dict[str, dict[str, str]] = {}
        self.token_requests = 0

    def discovery(self) -> Claims:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "id_token_signing_alg_values_supported": ["RS256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic"],
        }

    def authorize(self, asked: dict[str, str]) -> str:
        """Where the browser is sent back to."""
        assert asked["response_type"] == "code"
        assert asked["client_id"] == CLIENT
        assert asked["code_challenge_method"] == "S256"
        assert "openid" in asked["scope"].split()
        code = f"code-{len(self.codes)}"
        self.codes[code] = asked
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    def token(self, form: dict[str, str], login: str) -> Claims:
        self.token_requests += 1
        asked = self.codes.pop(form["code"])
        assert base64.b64decode(login.removeprefix("Basic ")).decode() in (f"{CLIENT}:{SECRET}", f"{CLIENT}:the+client%27s+secret")  # fmt: skip
        assert form["redirect_uri"] == asked["redirect_uri"]
        challenge = hashlib.sha256(form["code_verifier"].encode()).digest()
        assert base64.urlsafe_b64encode(challenge).rstrip(b"=").decode() == asked["code_challenge"]
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 60,
            "nonce": asked["nonce"],
            **self.lets_in,
        }
        self.spoil(claims)
        signed = jwt.encode({"alg": "RS256", "kid": "1"}, claims, self.key)
        return {"access_token": "a", "token_type": "Bearer", "expires_in": 60, "id_token": signed}


@contextmanager
def serving() -> Iterator[Provider]:
    """A provider on a port of this machine."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path, asked = urlsplit(self.path).path, parse_qs(urlsplit(self.path).query)
            if path == "/authorize":
                self.send_response(302)
                self.send_header("Location", provider.authorize({name: given[0] for name, given in asked.items()}))
                self.end_headers()
            elif path == "/keys":
                self.answer({"keys": [provider.published.as_dict(private=False)]})
            else:
                assert path == "/.well-known/openid-configuration"
                self.answer(provider.discovery())

        def do_POST(self) -> None:
            form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
            login = self.headers.get("Authorization", "")
            self.answer(provider.token({name: given[0] for name, given in form.items()}, login))

        def answer(self, body: Claims) -> None:
            raw = json.dumps(body).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        provider = Provider(f"http://127.0.0.1:{server.server_port}")
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield provider
        server.shutdown()
