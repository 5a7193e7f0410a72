"""`python -m retrieval llm`: one small claim, ten lines, against a server on this machine."""

from __future__ import annotations

import json

import pytest

from retrieval.__main__ import main
from retrieval.errors import LLMError
from retrieval.resources import Resources
from retrieval.settings import Settings
from tests.contracts.chat_servers import SERVERS, VERDICT
from tests.llm.stub import Answer, completion, raw, refuses, says, serving


def run(
    answer: Answer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[int, dict[str, str]]:
    with serving(answer) as server:
        for name, value in {"LLM_URL": server.url, "LLM_MODEL": "m-1", "LLM_KEY": "sk-Geheimnis"}.items():
            monkeypatch.setenv(name, value)
        code = main(["llm"])
    printed = capsys.readouterr().out
    assert "Geheimnis" not in printed
    lines = printed.splitlines()
    assert len(lines) == 10
    return code, {name: text.strip() for name, _, text in (line.partition(":") for line in lines)}


def test_what_works(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    body = json.loads(completion(f"<think>Hm.</think>{VERDICT}", tokens=(321, 45)))
    body["usage"]["cost"] = 0.00025
    code, said = run(raw(200, json.dumps(body)), monkeypatch, capsys)
    assert code == 0
    assert said["Model"] == "m-1, which its server calls stub"
    assert said["Reply"] == "JSON by a schema"
    assert said["Thinking"].startswith("yes")
    assert said["Tokens"] == "321 read, 45 written"
    assert said["Price"] == "0.000250 US dollars"
    assert said["Verdict"] == "REFUTED, as it should be"
    assert said["In short"] == "It can be used."


def test_what_the_server_refuses(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    code, said = run(SERVERS["several, one after the other"], monkeypatch, capsys)
    assert code == 0
    assert said["Reply"] == "JSON, without a schema"
    assert said["Left out"] == "a JSON schema, `temperature`, a system role"


def test_what_is_known_without_asking() -> None:
    """As the About page shows it: of the checks of this process."""
    refused = refuses(401)
    with serving(raw(200, completion(f"<think>Hm.</think>{VERDICT}", tokens=(321, 45))), refused) as server:
        resources = Resources(Settings(llm_url=server.url, llm_model="m-1", llm_key="sk-Geheimnis"))
        before = dict(resources.language_model())
        assert server.requests == []
        model = resources.llm()
        assert model
        model.complete("Judge.", "A claim.", {"type": "object"})
        after, fit = dict(resources.language_model()), resources.left_out()
        for _ in range(2):
            with pytest.raises(LLMError):
                model.complete("Judge.", "A claim.")
        resting = dict(resources.language_model())
        told = resources.left_out()
        resources.close()
    assert before["In short"].startswith("Nothing was asked here yet.")
    assert (after["Tokens"], after["Reply"], after["In short"]) == (
        "321 read, 45 written",
        "JSON by a schema",
        "It can be used.",
    )
    assert "Verdict" not in after
    assert fit == ""
    assert told.startswith("m-1 is left out until")
    assert resting["In short"] == told
    assert "Geheimnis" not in str((before, after, resting))
    assert (Resources(Settings()).language_model(), Resources(Settings()).left_out()) == ([], "")


@pytest.mark.parametrize(
    ("answer", "why"),
    [(says("REFUTED"), "cannot be read"), (says("\x1b[31m", finish="length"), "cut off"), (refuses(401), "LLM_KEY")],
)
def test_what_does_not_work(
    answer: Answer, why: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = run(answer, monkeypatch, capsys)
    assert code == 1
    assert why in said["In short"]
    assert said["Verdict"] == "none"


def test_without_a_model(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("LLM_MODEL", raising=False)
    assert main(["llm"]) == 2
    assert "No language model is set" in capsys.readouterr().err
