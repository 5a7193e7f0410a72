"""Language models behind an HTTP interface: one call with limits and retries, in a form that the server accepts.

A call that may have been paid for is never repeated. Only refusals (429), server failures (5xx) and connections that were
never made are tried again; if a server refuses part of a request, the request is sent again without that part.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import logging
import re
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from retrieval.errors import LLMError, ReplyError, SettingError
from retrieval.llm.answers import DECLINED, Answer, Fault
from retrieval.llm.forms import Form, guesses, is_too_long, named_parts, names_key, names_text
from retrieval.llm.servers import ChatServer, MistralServer, OpenAIServer, Request
from retrieval.llm.waiting import Rest, is_away, pause_before
from retrieval.settings import Settings
from retrieval.types import Limits, Reply

RETRY_PAUSE = 0.5  # seconds before the second attempt; doubled before each further one
LEAST_REPLY = 16  # tokens; with fewer left, no request is made
BYTES_A_TOKEN = 3  # low, so that the length of a prompt is over- rather than underestimated
MOST_FORMS = 16  # tried in one call
THINKING_TOKENS = 4_000  # extra tokens for a reply, once a model is known to think first
KINDS = ("openai", "mistral")
Schema = Mapping[str, object]

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Asking:
    """How to ask a model. seconds: of one request. reply_tokens: of each reply; 0: as the call says. thinking: its effort."""

    seed: int
    seconds: float
    limits: Limits
    reply_tokens: int = 0
    thinking: str = ""


class ChatModel:
    """Implements `LLM`. Threads may share it. Remembers which parameters its server refuses, and rests after failures."""

    def __init__(self, server: ChatServer, model: str, key: str, asking: Asking, pause: float = RETRY_PAUSE) -> None:
        self.id = model
        self.form = Form()
        self._server, self._key, self._asking, self._pause = server, key, asking, pause
        self._rest, self._lock = Rest(model), threading.Lock()
        self._thinks = asking.thinking not in ("", "none")
        self.last: tuple[Reply, Answer] | None = None

    @property
    def left_out(self) -> str:
        """Why no requests are being made, in a sentence; empty if they are."""
        return self._rest.reason()

    def complete(
        self, instructions: str, content: str, schema: Schema | None = None, *, limits: Limits | None = None
    ) -> Reply:
        """See `LLM`. Parameters that the server refuses are left out of this and all later requests."""
        return self.exchange(instructions, content, schema, limits)[0]

    def exchange(
        self, instructions: str, content: str, schema: Schema | None = None, limits: Limits | None = None
    ) -> tuple[Reply, Answer]:
        """The reply, and the server's answer that it comes from. Raises LLMError."""
        if why := self._rest.reason():
            raise LLMError(why)
        self._server.prepare()
        began = time.monotonic()
        limits = limits or self._asking.limits
        prompt = prompt_tokens(instructions, content, schema)
        asking, thinking = self._asking, THINKING_TOKENS if self._thinks else 0
        room = min(asking.reply_tokens or limits.reply_tokens + thinking, limits.tokens - prompt)
        if room < LEAST_REPLY:
            why = f"The prompt for {self.id} is too long for the rest of this claim's budget. Raise LLM_TOKENS."
            raise LLMError(why)
        request = Request(self.id, instructions, content, schema, room, asking.seed, asking.seconds, asking.thinking)
        try:
            answer = self._answer(request, began + limits.seconds)
        except Fault as fault:
            why = self._sentence(fault)
            why = self._rest.failed(why) if is_away(fault) else why
            raise LLMError(why, Reply("", seconds=_since(began))) from None
        self._rest.worked()
        self._thinks = self._thinks or answer.thought
        self.last = (counted(answer, prompt, _since(began)), answer)
        return self._whole(*self.last), answer

    def close(self) -> None:
        """Release connections."""
        self._server.close()

    def _answer(self, request: Request, deadline: float) -> Answer:
        """The answer, requested in the first form that the server accepts. Raises Fault."""
        form, first = self.form, Fault("")
        others: Iterator[Form] | None = None
        for _ in range(MOST_FORMS):
            formed = replace(request, form=form)
            try:
                answer = self._send(formed, deadline)
            except Fault as fault:
                if is_too_long(fault) and form.tokens and formed.reply_tokens > LEAST_REPLY:
                    with contextlib.suppress(Fault):  # within the context that the prompt leaves
                        return self._send(replace(formed, form=replace(form, tokens="")), deadline)
                    raise
                if named := named_parts(fault, formed.sent()):
                    others = None
                    for part in named:
                        form = form.without(part, fault.message.lower())
                    continue
                if others is None:
                    others, first = guesses(form, fault, formed.sent()), fault
                elif fault.status != first.status:
                    raise
                guess = next(others, None)
                if guess is None:
                    raise first from None
                form = guess
            else:
                self._remember(form)
                return answer
        raise Fault("unreadable")

    def _remember(self, form: Form) -> None:
        """Use this form for all further requests."""
        with self._lock:
            newly_refused = [part for part in form.refused() if part not in self.form.refused()]
            self.form = form if newly_refused else self.form
        if newly_refused:
            log.warning(
                "The server of %s refuses %s. Requests leave that out from now on.", self.id, ", ".join(newly_refused)
            )

    def _send(self, request: Request, deadline: float) -> Answer:
        for attempt in itertools.count():
            left = deadline - time.monotonic()
            if left <= 0:
                raise Fault("timeout")
            try:
                return self._server.send(replace(request, seconds=min(self._asking.seconds, left)))
            except Fault as fault:
                pause = pause_before(fault, attempt, self._pause)
                if pause is None or time.monotonic() + pause > deadline or named_parts(fault, request.sent()):
                    raise
                if attempt and fault.status == 500 and "reply" in request.sent():
                    raise  # it failed twice, so the schema may be the reason
            time.sleep(pause)
        raise AssertionError

    def _whole(self, reply: Reply, answer: Answer) -> Reply:
        """The reply, if it is whole. Raises ReplyError if it is missing or incomplete."""
        tokens, finish, why = reply.reply_tokens, answer.finish, ""
        if answer.thought and not reply.text and finish in ("stop", "length"):
            spent = f"{tokens:,} tokens" if tokens else "tokens"
            why = f"{self.id} spent its {spent} on thinking and gave no answer. Check again, raise LLM_REPLY_TOKENS, or set LLM_THINKING to `low` or `none`."
        elif finish == DECLINED:
            why = f"{self.id} declines to answer. Choose another model with LLM_MODEL."
        elif finish == "length":
            why = f"The reply of {self.id} was cut off after {tokens} tokens. Raise LLM_REPLY_TOKENS, or choose another model with LLM_MODEL."
        elif finish != "stop":
            why = f"{self.id} ended its reply early ({finish[:20]}). Choose another model with LLM_MODEL."
        elif not reply.text:
            why = f"{self.id} sent an empty reply. Check again, or choose another model with LLM_MODEL."
        if why:
            raise ReplyError(why, replace(reply, text=""))
        return reply

    def _sentence(self, fault: Fault) -> str:
        """The error in a sentence that says what to do and never contains the key."""
        name = self.id
        if fault.kind != "status":
            return {
                "timeout": f"{name} did not reply in time. Raise LLM_TIMEOUT or LLM_SECONDS, or check again later.",
                "connect": "No server answers at LLM_URL. Start it, or correct LLM_URL.",
                "broken": f"The server of {name} cut off its answer. Check again.",
            }.get(fault.kind, f"The server of {name} did not send a chat completion. Set LLM_URL to one that does.")
        status, quoted = fault.status, self._quoted(fault.detail)
        if is_too_long(fault):
            return f"The prompt is longer than the context of {name} allows{quoted}. Choose another model with LLM_MODEL, or serve it with a longer context."
        if status in (401, 403) or names_key(fault):
            why = quoted if status == 403 else ""
            return f"The server of {name} does not accept the key ({status}{why}). Set LLM_KEY to one that it accepts."
        if status == 402:
            return f"The account of LLM_KEY has no credit left (402{quoted}). Top it up, or set LLM_KEY to another."
        if status == 200:
            return f"The server of {name} sent an error in place of a reply{quoted}. Check LLM_MODEL, or look at the server's log."
        if status == 404:
            return f"The server does not know {name}, or not this address (404{quoted}). Set LLM_MODEL, or LLM_URL, which often ends in /v1."
        if 300 <= status < 400:
            return f"The server of {name} redirects to another address ({status}). Set LLM_URL to that address."
        if status == 400 and names_text(fault):
            return f"The server of {name} does not let its model read this text ({status}{quoted}). Choose another model with LLM_MODEL."
        if status == 429:
            return f"The server of {name} is busy, or its quota is used up (429). Check again later."
        if status >= 500:
            return f"The server of {name} failed ({status}{quoted}). Check again later, or look at the server's log."
        return f"The server of {name} refused the request ({status}{quoted}). Check LLM_MODEL and LLM_URL."

    def _quoted(self, detail: str) -> str:
        """The server's words in brackets, unless they contain part of the key."""
        pieces = (self._key[at : at + 6] for at in range(max(0, len(self._key) - 5)))
        return f": {detail}" if detail and not any(piece in detail for piece in pieces) else ""


def open_llm(settings: Settings) -> ChatModel | None:
    """The language model of the settings; None if none is set. Connects to nothing. Raises SettingError."""
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
    reply = (settings.llm_reply_tokens, settings.llm_thinking)
    return ChatModel(server, settings.llm_model, key, Asking(settings.llm_seed, settings.llm_timeout, limits, *reply))


def _checked_url(settings: Settings) -> str:
    url = settings.llm_url.strip().rstrip("/").removesuffix("/chat/completions")  # as some servers' manuals give it
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
    """An estimate of the tokens of a prompt, before a server has counted them."""
    size = len(instructions.encode()) + len(content.encode()) + (len(json.dumps(schema)) if schema else 0)
    return size // BYTES_A_TOKEN


def counted(answer: Answer, prompt: int, seconds: float) -> Reply:
    """The answer as a reply; tokens that the server did not count are estimated. prompt: the estimate for the prompt."""
    reply = len(answer.text.encode()) // BYTES_A_TOKEN
    known = bool(answer.prompt_tokens) and answer.reply_tokens is not None  # no prompt is empty
    written = reply if answer.reply_tokens is None else answer.reply_tokens
    return Reply(answer.text, answer.prompt_tokens or prompt, written, seconds, not known)


def _since(began: float) -> float:
    return round(time.monotonic() - began, 3)
