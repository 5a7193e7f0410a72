"""Logs: Python's usual form, or one JSON object per line (`LOG=json`). No claims, no addresses, no secrets.

An exception is logged by type and place, never by its message, which may quote what people typed.
"""

from __future__ import annotations

import json
import logging
import re
import secrets
import sys
import time
import traceback
from datetime import UTC, datetime

from flask import Flask, Response, g, has_request_context, request

from retrieval.settings import Settings

HEADER = "X-Request-ID"
log = logging.getLogger("esoteric.requests")


class JsonLines(logging.Formatter):
    """One event, one line."""

    def format(self, record: logging.LogRecord) -> str:
        """The event as a JSON object."""
        event = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if has_request_context():
            event["request"] = request_id()
        if record.exc_info and record.exc_info[1] is not None:
            frames = traceback.extract_tb(record.exc_info[1].__traceback__)
            event["error"] = type(record.exc_info[1]).__name__
            event["at"] = [f"{frame.filename}:{frame.lineno}" for frame in frames]
        return json.dumps(event, ensure_ascii=False)


def start_logs(settings: Settings) -> None:
    """Log to stderr from here on, in the format that the settings name."""
    if settings.log == "json":
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(JsonLines())
        root = logging.getLogger()
        root.handlers = [handler]
        root.setLevel(logging.WARNING)
        log.setLevel(logging.INFO)


def request_id() -> str:
    """The id of this request: the proxy's if it sent one, else a new one."""
    if "request_id" not in g:
        sent = request.headers.get(HEADER, "")
        g.request_id = sent if re.fullmatch(r"[A-Za-z0-9._-]{8,64}", sent) else secrets.token_hex(8)
    return str(g.request_id)


def init_app(app: Flask) -> None:
    """Give every answer the id of its request, and log it."""

    @app.before_request
    def begin() -> None:
        g.began = time.monotonic()

    @app.after_request
    def end(response: Response) -> Response:
        response.headers[HEADER] = request_id()
        ms = round((time.monotonic() - g.get("began", time.monotonic())) * 1000)
        address = request.url_rule.rule if request.url_rule else "unknown"  # the rule: nothing that people typed
        fields = {"method": request.method, "address": address, "status": response.status_code, "ms": ms}
        log.info("request", extra={"fields": fields})
        return response
