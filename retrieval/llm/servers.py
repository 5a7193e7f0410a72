"""The two ways to a chat-completion server: the `openai` and the `mistralai` client, each for one request without retries.

Both use our own HTTP client: it follows no redirect, which would carry the key elsewhere, and an answer
has a deadline and a size.
"""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import httpx2

LARGEST_ANSWER = 4_000_000  # bytes
NO_KEY = "none"  # both clients need one; local servers do not
SCHEMA_NAME = "reply"
DETAIL = 200  # characters of a server's own message that are shown


@dataclass(frozen=True, slots=True)
class Request:
    """One request. schema: JSON schema for the reply, or None. seconds: for the whole request."""

    model: str
    instructions: str
    content: str
    schema: Mapping[str, object] | None
    reply_tokens: int
    seed: int
    seconds: float

    def messages(self) -> list[dict[str, str]]:
        """As chat messages: our instructions as system, other people's text as user."""
        return [{"role": "system", "content": self.instructions}, {"role": "user", "content": self.content}]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server sent. finish: `stop` if the model ended by itself."""

    text: str
    finish: str
    prompt_tokens: int
    reply_tokens: int


class Fault(Exception):
    """No answer. kind: status, timeout, connect, broken or unreadable; detail: the server's own words, unchecked."""

    def __init__(self, kind: str, status: int = 0, retry_after: str = "", detail: str = "") -> None:
        super().__init__(f"{kind} {status}")
        self.kind, self.status, self.retry_after, self.detail = kind, status, retry_after, detail


class ChatServer(Protocol):
    """Sends one request."""

    def prepare(self) -> None:
        """Load what is slow, before any time limit counts."""
        ...

    def send(self, request: Request) -> Answer:
        """Raises Fault, and nothing else, if no answer came."""
        ...

    def close(self) -> None:
        """Release connections; safe to call twice."""
        ...


class OpenAIServer:
    """Any server that is compatible with OpenAI's chat completion: vLLM, llama.cpp, Ollama and others."""

    def __init__(self, url: str, key: str) -> None:
        self._url, self._key, self._http = url, key, HttpClient()

    @functools.cached_property
    def _client(self) -> Any:
        import openai

        # Set in the environment for OpenAI itself; this server must not see them.
        foreign = {"OpenAI-Organization": openai.Omit(), "OpenAI-Project": openai.Omit()}
        return openai.OpenAI(
            api_key=self._key or NO_KEY,
            base_url=self._url,
            max_retries=0,
            default_headers=foreign,  # type: ignore[arg-type]
            http_client=self._http.open(),
        )

    def prepare(self) -> None:
        """See `ChatServer`."""
        _ = self._client.chat.completions.with_raw_response

    def send(self, request: Request) -> Answer:
        """See `ChatServer`."""
        import openai

        form: Any = openai.omit
        if request.schema is not None:
            named = {"name": SCHEMA_NAME, "schema": dict(request.schema), "strict": True}
            form = {"type": "json_schema", "json_schema": named}
        try:
            response = self._client.chat.completions.with_raw_response.create(
                model=request.model,
                messages=request.messages(),
                temperature=0,
                seed=request.seed,
                max_tokens=request.reply_tokens,
                response_format=form,
                timeout=request.seconds,
            )
            return read_answer(json.loads(response.content))
        except openai.APIStatusError as error:
            raise _refusal(error.status_code, error.response.headers, error.response.text) from None
        except openai.APIConnectionError as error:
            raise _broken_off(error.__cause__ or error) from None
        except (openai.OpenAIError, ValueError):
            raise Fault("unreadable") from None

    def close(self) -> None:
        """See `ChatServer`."""
        self._http.close()


class MistralServer:
    """Mistral's own service, or a compatible one."""

    def __init__(self, url: str, key: str) -> None:
        self._url, self._key, self._http = url.rstrip("/").removesuffix("/v1"), key, HttpClient()

    @functools.cached_property
    def _client(self) -> Any:
        from mistralai.client import Mistral

        return Mistral(
            api_key=self._key or NO_KEY, server_url=self._url or None, client=self._http.open(), retry_config=None
        )

    def prepare(self) -> None:
        """See `ChatServer`."""
        _ = self._client.chat

    def send(self, request: Request) -> Answer:
        """See `ChatServer`."""
        import httpx2
        from mistralai.client.errors import MistralError, NoResponseError, ResponseValidationError

        form = None
        if request.schema is not None:
            named = {"name": SCHEMA_NAME, "schema_definition": dict(request.schema), "strict": True}
            form = {"type": "json_schema", "json_schema": named}
        try:
            response = self._client.chat.complete(
                model=request.model,
                messages=request.messages(),
                temperature=0,
                random_seed=request.seed,
                max_tokens=request.reply_tokens,
                response_format=form,
                timeout_ms=max(1, round(request.seconds * 1000)),
            )
            return read_answer(response.model_dump(mode="json", warnings=False))
        except ResponseValidationError:
            raise Fault("unreadable") from None
        except MistralError as error:
            raise _refusal(error.status_code, error.headers, error.body) from None
        except (httpx2.HTTPError, NoResponseError) as error:
            raise _broken_off(error) from None
        except ValueError:
            raise Fault("unreadable") from None

    def close(self) -> None:
        """See `ChatServer`."""
        self._http.close()


def read_answer(body: Any) -> Answer:
    """The first choice of a chat completion. Raises Fault if the body is not one."""
    try:
        (choice, *_), usage = body["choices"], body.get("usage") or {}
        text = choice["message"].get("content") or ""
        if isinstance(text, list):  # a model's thinking comes as parts of other types
            text = "".join(part["text"] for part in text if part["type"] == "text")
        counts = [usage.get("prompt_tokens") or 0, usage.get("completion_tokens") or 0]
        if not isinstance(text, str) or not all(isinstance(count, int) for count in counts):
            raise TypeError
        return Answer(text, str(choice.get("finish_reason") or "stop"), *counts)
    except (TypeError, KeyError, ValueError, AttributeError):
        raise Fault("unreadable") from None


def _refusal(status: int, headers: Mapping[str, str], body: str) -> Fault:
    if 200 <= status < 300:
        return Fault("unreadable")
    return Fault("status", status, headers.get("retry-after", ""), _message(body))


def _message(body: str) -> str:
    """What a server says about its refusal, truncated."""
    try:
        said = json.loads(body)
        inner = said.get("error", said)
        said = inner if isinstance(inner, str) else inner.get("message") or inner.get("detail") or ""
    except (ValueError, AttributeError):
        said = ""
    return " ".join(str(said).split())[:DETAIL]


def _broken_off(error: BaseException) -> Fault:
    import httpx2

    if isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout):
        return Fault("connect")
    timed_out = isinstance(error, httpx2.TimeoutException) or "Timeout" in type(error).__name__
    return Fault("timeout" if timed_out else "broken")


class HttpClient:
    """Opened when first needed, and closed with its server."""

    def __init__(self) -> None:
        self._client: httpx2.Client | None = None

    def open(self) -> httpx2.Client:
        """The client under the two others."""
        import httpx2

        hooks: Any = {"request": [_start_clock], "response": [_bound]}
        self._client = self._client or httpx2.Client(follow_redirects=False, event_hooks=hooks)
        return self._client

    def close(self) -> None:
        """Safe to call twice."""
        if self._client is not None:
            self._client.close()


def _start_clock(request: httpx2.Request) -> None:
    seconds = request.extensions.get("timeout", {}).get("read")
    request.extensions["deadline"] = time.monotonic() + seconds if seconds else None


def _bound(response: httpx2.Response) -> None:
    """Timeouts of HTTP clients count from byte to byte: a server that trickles bytes would hold a check forever."""
    import httpx2

    deadline, inner = response.request.extensions.get("deadline"), response.stream

    class Bounded(httpx2.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            size = 0
            for chunk in inner:  # type: ignore[union-attr]
                size += len(chunk)
                if deadline and time.monotonic() > deadline:
                    raise httpx2.ReadTimeout("the answer took too long", request=response.request)
                if size > LARGEST_ANSWER:
                    raise httpx2.ReadError("the answer is too large", request=response.request)
                yield chunk

        def close(self) -> None:
            inner.close()  # type: ignore[union-attr]

    response.stream = Bounded()
