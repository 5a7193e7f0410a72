"""A chat-completion server that does what a test tells it, and remembers what it was sent."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]
Answer = Callable[["Handler", Json], None]


class Handler(BaseHTTPRequestHandler):
    """One request: the next answer of the script, the last one again and again."""

    server: Stub
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.server.requests.append({"path": self.path, "headers": dict(self.headers), "body": body})
            position = min(len(self.server.requests), len(self.server.script)) - 1
        self.server.script[position](self, body)

    def send(self, status: int, body: str, content_type: str = "application/json", **headers: str) -> None:
        raw = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(raw)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *_: object) -> None:
        pass


class Stub(ThreadingHTTPServer):
    """`script`: answers in turn."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, script: list[Answer], port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.script, self.lock = script, threading.Lock()
        self.requests: list[Json] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, *_: object) -> None:
        """A client that went away is what some tests are about."""


@contextmanager
def serving(*script: Answer) -> Iterator[Stub]:
    stub = Stub(list(script))
    threading.Thread(target=stub.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield stub
    finally:
        stub.shutdown()
        stub.server_close()


def completion(text: Any, finish: str = "stop", tokens: tuple[int, int] = (100, 20)) -> str:
    """The body of a chat completion."""
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text}}
    usage = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)}
    return json.dumps(
        {"id": "1", "object": "chat.completion", "created": 1, "model": "stub", "choices": [choice], "usage": usage}
    )


def says(text: Any, **options: Any) -> Answer:
    """A whole reply."""
    return lambda handler, _: handler.send(200, completion(text, **options))


def verdict(
    label: str = "REFUTED", reason: str = "Sentence 1 says otherwise.", sentences: Any = (1,), **other: Any
) -> str:
    """A reply to the prompt for a verdict."""
    ratings = {
        name: 5 if name == label else 1 for name in ("SUPPORTED", "REFUTED", "CONFLICTING", "NOT_ENOUGH_EVIDENCE")
    }
    reply = {"reason": reason, "sentences": list(sentences), "ratings": ratings, "label": label}
    return json.dumps({**reply, **other})


def refuses(status: int, message: str = "no", **headers: str) -> Answer:
    """An error status, as these servers send it."""
    return lambda handler, _: handler.send(status, json.dumps({"error": {"message": message}}), **headers)


def raw(status: int, body: str, content_type: str = "application/json", **headers: str) -> Answer:
    """Any body."""
    return lambda handler, _: handler.send(status, body, content_type, **headers)


def silent(seconds: float) -> Answer:
    """Nothing for so long."""
    return lambda handler, _: (time.sleep(seconds), handler.close_connection)[0]


def cut(handler: Handler, _: Json) -> None:
    """Half of a body, then the connection is gone."""
    body = completion(verdict()).encode()
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body[: len(body) // 2])
    handler.wfile.flush()
    handler.close_connection = True
    handler.connection.shutdown(2)


def trickles(handler: Handler, _: Json) -> None:
    """A byte now and then, for ever."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    for _step in range(200):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.05)


def no_schema(answer: Answer, status: int = 400) -> Answer:
    """Refuses what asks for a schema, and else answers."""

    def reply(handler: Handler, body: Json) -> None:
        asked = (body.get("response_format") or {}).get("type") == "json_schema"
        (refuses(status, "response_format is not supported") if asked else answer)(handler, body)

    return reply


def echoes(handler: Handler, body: Json) -> None:
    """What a model does that a page has talked over: it writes the page's own words."""
    quotation = json.loads(body["messages"][1]["content"])["sentences"][0]["text"]
    handler.send(200, completion(quotation))
