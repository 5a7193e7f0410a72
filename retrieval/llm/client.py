"""Language models behind an HTTP interface: one call with its limits, its retries and its one fallback.

A reply that may have been paid for is never asked for twice: only refusals (429), failures of the server (5xx) and
connections that were never made are tried again.
"""

from __future__ import annotations

import contextlib
import json
import re
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

from retrieval.errors import LLMError, ReplyError, SettingError
from retrieval.llm.servers import Answer, ChatServer, Fault, MistralServer, OpenAIServer, Request
from retrieval.settings import Settings
from retrieval.types import Limits, Reply

ATTEMPTS = 4
PAUSE = 0.5  # seconds before the second attempt; doubled before each further one
LEAST_REPLY = 16  # with fewer tokens, asking is pointless
BYTES_A_TOKEN = 3  # low, so that a prompt's length is over- rather than underestimated
REFUSES_SCHEMA = frozenset({400, 415, 422, 501})
KINDS = ("openai", "mistral")
Schema = Mapping[str, object]


class ChatModel:
    """Implements `LLM`. Safe to share between threads. limits: for calls without limits of their own."""

    def __init__(
        self, server: ChatServer, model: str, key: str, seed: int, timeout: float, limits: Limits, pause: float = PAUSE
    ) -> None:
        self.id = model
        self._server, self._key, self._seed = server, key, seed
        self._timeout, self._limits, self._pause = timeout, limits, pause
        self._no_schema = False

    def complete(
        self, instructions: str, content: str, schema: Schema | None = None, *, limits: Limits | None = None
    ) -> Reply:
        """See `LLM`. If a server refuses the schema, it is asked again without one, now and from then on."""
        self._server.prepare()
        began = time.monotonic()
        limits = limits or self._limits
        room = min(limits.reply_tokens, limits.tokens - prompt_tokens(instructions, content, schema))
        if room < LEAST_REPLY:
            raise LLMError(
                f"The question to {self.id} is too long for what is left of this claim's budget. Raise LLM_TOKENS."
            )
        request = Request(self.id, instructions, content, schema, room, self._seed, self._timeout)
        try:
            answer = self._answer(request, began + limits.seconds)
        except Fault as fault:
            raise LLMError(self._sentence(fault), Reply("", seconds=_since(began))) from None
        reply = Reply(answer.text, answer.prompt_tokens, answer.reply_tokens, _since(began))
        return self._whole(reply, answer.finish)

    def close(self) -> None:
        """Release connections."""
        self._server.close()

    def _answer(self, request: Request, until: float) -> Answer:
        if request.schema is None or self._no_schema:
            return self._send(replace(request, schema=None), until)
        try:
            return self._send(request, until)
        except Fault as fault:
            if fault.status not in REFUSES_SCHEMA:
                raise
        answer = self._send(replace(request, schema=None), until)
        self._no_schema = True  # only where this was it
        return answer

    def _send(self, request: Request, until: float) -> Answer:
        for attempt in range(ATTEMPTS):
            left = until - time.monotonic()
            if left <= 0:
                raise Fault("timeout")
            try:
                return self._server.send(replace(request, seconds=min(self._timeout, left)))
            except Fault as fault:
                pause = waiting_time(fault, self._pause * 2**attempt)
                if pause is None or attempt + 1 == ATTEMPTS or time.monotonic() + pause > until:
                    raise
            time.sleep(pause)
        raise AssertionError

    def _whole(self, reply: Reply, finish: str) -> Reply:
        spent = replace(reply, text="")
        if finish in ("length", "model_length"):
            raise ReplyError(
                f"The reply of {self.id} was cut off after {reply.reply_tokens} tokens. Check again, or choose another "
                "model with LLM_MODEL.",
                spent,
            )
        if finish != "stop":
            raise ReplyError(
                f"{self.id} ended its reply early ({finish[:20]}). Choose another model with LLM_MODEL.", spent
            )
        if not reply.text.strip():
            raise ReplyError(
                f"{self.id} sent an empty reply. Check again, or choose another model with LLM_MODEL.", spent
            )
        return reply

    def _sentence(self, fault: Fault) -> str:
        """What happened and what to do, without the key."""
        name = self.id
        if fault.kind != "status":
            return {
                "timeout": f"{name} did not reply in time. Raise LLM_TIMEOUT or LLM_SECONDS, or check again later.",
                "connect": "No server answers at LLM_URL. Start it, or correct LLM_URL.",
                "broken": f"The server of {name} cut off its answer. Check again.",
            }.get(fault.kind, f"The server of {name} did not send a chat completion. Set LLM_URL to one that does.")
        status, said = fault.status, self._said(fault.detail)
        if status in (401, 403):
            return f"The server of {name} does not accept the key ({status}). Set LLM_KEY to one that it accepts."
        if status == 404:
            return f"The server does not know {name}, or not this address (404{said}). Set LLM_MODEL or LLM_URL."
        if status == 429:
            return f"The server of {name} is busy, or its quota is used up (429). Check again later."
        if status >= 500:
            return f"The server of {name} failed ({status}{said}). Check again later, or look at its log."
        return f"The server of {name} refused the request ({status}{said}). Check LLM_MODEL and LLM_URL."

    def _said(self, detail: str) -> str:
        """The server's own words, unless they contain part of the key."""
        pieces = (self._key[at : at + 6] for at in range(max(0, len(self._key) - 5)))
        return f": {detail}" if detail and not any(piece in detail for piece in pieces) else ""


def open_llm(settings: Settings) -> ChatModel | None:
    """The language model of the settings, None if none is set. No connection is made. Raises SettingError."""
    if not settings.llm_model:
        return None
    if settings.llm_kind not in KINDS:
        raise SettingError(f"LLM_KIND is {settings.llm_kind[:40]!r}. Set it to one of: {', '.join(KINDS)}.")
    key = settings.llm_key.strip()
    if not re.fullmatch(r"[!-~]*", key):
        raise SettingError("LLM_KEY contains a character that no key has. Copy the whole key again.")
    url = _checked_url(settings)
    server = MistralServer(url, key) if settings.llm_kind == "mistral" else OpenAIServer(url, key)
    limits = Limits(settings.llm_tokens, settings.llm_tokens, settings.llm_seconds)
    return ChatModel(server, settings.llm_model, key, settings.llm_seed, settings.llm_timeout, limits)


def _checked_url(settings: Settings) -> str:
    url = settings.llm_url.strip()
    if not url and settings.llm_kind == "mistral":
        if not settings.llm_key.strip():
            raise SettingError("Mistral's own server needs a key. Set LLM_KEY, or LLM_URL to another server.")
        return ""
    with contextlib.suppress(ValueError):
        parts = urlsplit(url)
        if parts.scheme in ("http", "https") and parts.hostname and "@" not in parts.netloc and not parts.query:
            return url
    raise SettingError(
        "LLM_URL is not a server address. Set it to one such as http://127.0.0.1:11434/v1; the key goes into LLM_KEY."
    )


def prompt_tokens(instructions: str, content: str, schema: Schema | None) -> int:
    """Estimate of a prompt's tokens, before a server has counted them."""
    size = len(instructions.encode()) + len(content.encode()) + (len(json.dumps(schema)) if schema else 0)
    return size // BYTES_A_TOKEN


def waiting_time(fault: Fault, pause: float) -> float | None:
    """Seconds until it may be tried again; None if it may not. `Retry-After` (RFC 9110) is followed where given."""
    if fault.kind == "connect":
        return pause
    if (fault.status != 429 and fault.status < 500) or fault.status == 501:
        return None
    asked = fault.retry_after.strip()
    if re.fullmatch(r"[0-9]{1,9}", asked):
        return float(asked)
    with contextlib.suppress(ValueError, TypeError):
        moment = parsedate_to_datetime(asked)
        return max(0.0, (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
    return pause


def _since(began: float) -> float:
    return round(time.monotonic() - began, 3)
