"""Chat-completion servers through the `openai` and `mistralai` clients: one request at a time, without retries.

Both clients use our HTTP client, which limits the time and size of an answer and follows no redirects, because these
would carry the key elsewhere.
"""

from __future__ import annotations

import functools
import threading
import time
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from retrieval.llm.answers import Answer, Fault, read_body, refusal
from retrieval.llm.forms import Form

if TYPE_CHECKING:
    import httpx2

LARGEST_ANSWER = 4_000_000  # bytes
NO_KEY = "none"  # both clients require a key; local servers need none
SCHEMA_NAME = "reply"


@dataclass(frozen=True, slots=True)
class Request:
    """One request. schema: of the reply, or None. seconds: limit of the whole request. thinking: effort, or empty."""

    model: str
    instructions: str
    content: str
    schema: Mapping[str, object] | None
    reply_tokens: int
    seed: int
    seconds: float
    thinking: str = ""
    form: Form = Form()

    def messages(self) -> list[dict[str, str]]:
        """The chat messages: our instructions in the role system, untrusted text in the role user."""
        if not self.form.system:
            return [{"role": "user", "content": f"{self.instructions}\n\n{self.content}"}]
        return [{"role": "system", "content": self.instructions}, {"role": "user", "content": self.content}]

    def sent(self) -> tuple[str, ...]:
        """The parts of the form that the request contains."""
        missing = {"reply": self.schema is None, "thinking": not self.thinking}
        return tuple(part for part in self.form.parts() if not missing.get(part))

    def options(self, seed: str, schema: str) -> dict[str, Any]:
        """The request's parameters without those that the form omits. seed, schema: the server's names for these."""
        form, options = self.form, dict[str, Any]()
        if form.temperature:
            options["temperature"] = 0
        if form.seed:
            options[seed] = self.seed
        if form.tokens:
            options[form.tokens] = self.reply_tokens
        if self.thinking and form.thinking:
            options["reasoning_effort"] = self.thinking
        if self.schema is not None and form.reply == "schema":
            named = {"name": SCHEMA_NAME, schema: dict(self.schema), "strict": True}
            options["response_format"] = {"type": "json_schema", "json_schema": named}
        elif self.schema is not None and form.reply == "json":
            options["response_format"] = {"type": "json_object"}
        return options


class ChatServer(ABC):
    """Sends requests to a server, through a client that is made when first needed. Threads may share it."""

    def __init__(self, url: str, key: str) -> None:
        self._url, self._key, self._last = url, key or NO_KEY, threading.local()

    @functools.cached_property
    def _http(self) -> httpx2.Client:
        """The HTTP client that the libraries use."""
        import httpx2

        hooks: Any = {"request": [_start_clock], "response": [_bound, self._remember]}
        return httpx2.Client(follow_redirects=False, event_hooks=hooks, headers={"Accept-Encoding": "gzip, deflate"})

    def _remember(self, response: httpx2.Response) -> None:
        self._last.response = response

    @abstractmethod
    def prepare(self) -> None:
        """Load slow imports before any time limit starts."""

    @abstractmethod
    def send(self, request: Request) -> Answer:
        """The server's answer. Raises Fault, and nothing else, if none comes."""

    def close(self) -> None:
        """Release connections; safe to call twice."""
        if "_http" in vars(self):
            self._http.close()


class OpenAIServer(ChatServer):
    """Any server compatible with OpenAI's chat completion: vLLM, llama.cpp, Ollama and others."""

    @functools.cached_property
    def _client(self) -> Any:
        import openai

        # Headers that the environment sets for OpenAI itself; this server must not see them.
        foreign = {"OpenAI-Organization": openai.Omit(), "OpenAI-Project": openai.Omit()}
        return openai.OpenAI(
            api_key=self._key,
            base_url=self._url,
            max_retries=0,
            default_headers=foreign,  # type: ignore[arg-type]
            http_client=self._http,
        )

    def prepare(self) -> None:
        """See `ChatServer`."""
        _ = self._client.chat.completions.with_raw_response

    def send(self, request: Request) -> Answer:
        """See `ChatServer`."""
        import openai

        try:
            response = self._client.chat.completions.with_raw_response.create(
                model=request.model,
                messages=request.messages(),
                timeout=request.seconds,
                # Not the argument `stream`, because we read the whole body ourselves.
                extra_body=None if request.form.whole else {"stream": True},
                **request.options("seed", "schema"),
            )
            return read_body(response.content)
        except openai.APIStatusError as error:
            raise refusal(error.status_code, error.response.headers, error.response.text) from None
        except openai.APIConnectionError as error:
            raise _broken_off(error.__cause__ or error) from None
        except (openai.OpenAIError, ValueError, RecursionError):
            raise Fault("unreadable") from None


class MistralServer(ChatServer):
    """Mistral's service, or a compatible one."""

    @functools.cached_property
    def _client(self) -> Any:
        from mistralai.client import Mistral

        url = self._url.rstrip("/").removesuffix("/v1") or None
        return Mistral(api_key=self._key, server_url=url, client=self._http, retry_config=None)

    def prepare(self) -> None:
        """See `ChatServer`."""
        _ = self._client.chat

    def send(self, request: Request) -> Answer:
        """See `ChatServer`."""
        import httpx2
        from mistralai.client.errors import MistralError, NoResponseError

        options = request.options("random_seed", "schema_definition")
        options.pop("max_completion_tokens", None)  # unknown to this client
        try:
            self._client.chat.complete(
                model=request.model,
                messages=request.messages(),
                timeout_ms=max(1, round(request.seconds * 1000)),
                stream=not request.form.whole,
                **options,
            )
            return read_body(bytes(self._last.response.content))  # the client drops parts that it does not know
        except MistralError as error:
            if error.status_code < 300:  # a body that this client rejects may still be a completion
                return read_body(error.body)
            raise refusal(error.status_code, error.headers, error.body) from None
        except (httpx2.HTTPError, NoResponseError) as error:
            raise _broken_off(error) from None
        except (ValueError, RecursionError):
            raise Fault("unreadable") from None


def _broken_off(error: BaseException) -> Fault:
    import httpx2

    if isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout):
        return Fault("connect")
    timed_out = isinstance(error, httpx2.TimeoutException) or "Timeout" in type(error).__name__
    return Fault("timeout" if timed_out else "broken")


def _start_clock(request: httpx2.Request) -> None:
    seconds = request.extensions.get("timeout", {}).get("read")
    request.extensions["deadline"] = time.monotonic() + seconds if seconds else None


def _bound(response: httpx2.Response) -> None:
    """Limit a response's time and size. HTTP clients restart their timeout at every byte, which may come forever."""
    import httpx2

    deadline, inner = response.request.extensions.get("deadline"), response.stream
    packed = response.headers.get("content-encoding", "").lower() in ("gzip", "x-gzip", "deflate")
    if packed:  # decompressed here, up to the limit
        del response.headers["content-encoding"]
        unpacker = zlib.decompressobj(wbits=47)

    class Bounded(httpx2.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            size = 0
            for chunk in map(self._unpacked, inner):  # type: ignore[arg-type]
                size += len(chunk)
                if deadline and time.monotonic() > deadline:
                    raise httpx2.ReadTimeout("the answer took too long", request=response.request)
                if size > LARGEST_ANSWER:
                    raise httpx2.ReadError("the answer is too large", request=response.request)
                yield chunk

        def _unpacked(self, chunk: bytes) -> bytes:
            try:
                return unpacker.decompress(chunk, LARGEST_ANSWER + 1) if packed else chunk
            except zlib.error:
                raise httpx2.ReadError("the answer is packed wrongly", request=response.request) from None

        def close(self) -> None:
            inner.close()  # type: ignore[union-attr]

    response.stream = Bounded()
