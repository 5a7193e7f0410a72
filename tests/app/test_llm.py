"""A check with a language model: paid for once whatever dies, its key unseen, its faults not kept as answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.tables.spending import Spending
from retrieval.settings import Settings
from retrieval.stages.averitec.judges import SideJudge, TwoSidesJudge
from retrieval.stages.llm_verdict import AskModel
from retrieval.types import FactCheck, LLMCall, Progress, QuestionAnswer, Reply
from tests.app.conftest import CLAIM, wait, working_app
from tests.app.fake import FakeResources, FakeStage
from tests.app.gate import Gate
from tests.app.llm_server import LLMResources
from tests.app.process import Server, free_port
from tests.llm.stub import refuses, says, serving, verdict

KEY = "sk-Geheimnis-0123456789"


def ended(check: dict[str, object]) -> bool:
    return check["state"] not in ("queued", "running")


def test_a_process_killed_after_the_reply_does_not_pay_twice(tmp_path: Path) -> None:
    port, gate = free_port(), Gate(tmp_path / "gate")
    gate.close("pages again")
    with serving(says(verdict("SUPPORTED", "She was.", (1,)))) as stub:
        given = (str(tmp_path), str(port), stub.url, str(gate.folder))
        server = Server("-m", "tests.app.llm_server", *given, port=port)
        try:
            server.start(limit=60)
            check_id = server.submit(CLAIM)
            states = server.wait(
                check_id, lambda check: check["stages"] and check["stages"][5]["state"] == "running", limit=60
            )["stages"]
            assert (states[4]["name"], states[4]["state"]) == ("language model", "done")
            server.kill()
            gate.open()
            server.start(limit=60)
            done = server.wait(check_id, ended, limit=60)
            assert (done["state"], done["error"]) == ("done", None)
            assert (done["verdict"]["method"], done["verdict"]["sources"]) == ("m-1", [1])
            assert done["language_model"]["calls"] == 1
            assert len(stub.requests) == 1
            files = [server.client.get(f"/checks/{check_id}{kind}").text for kind in ("", ".json", ".md", ".csv")]
            server.stop()
        finally:
            server.close()
    page = files[0]
    assert "1 call, 120 of 30,000 tokens" in page
    assert "Language model: 1 call, 120 of 30,000 tokens" in files[2]
    assert 'href="#quote-1"' in page.split('class="sources"')[1][:200]
    assert "own rating" in page
    written = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert not any(KEY.encode() in raw for raw in [*written, *(file.encode() for file in files)])


class DiesReading(FakeStage):
    """Pays for a reply and dies while it reads it."""

    def run(self, check: FactCheck) -> Iterator[Progress]:
        yield Progress(self.name, 0, 1, check)
        yield Progress(self.name, 0, 1, replace(check, calls=(*check.calls, LLMCall("x", Reply("a reply", 100, 20)))))
        raise RuntimeError("boom")


def test_a_reply_is_in_the_row_before_it_is_read(tmp_path: Path) -> None:
    resources = FakeResources()
    resources.stages[-1] = DiesReading("verdict")
    for app in working_app(Settings(data=tmp_path), resources):
        client = app.test_client()
        check = wait(client, client.post("/api/checks", json={"claim": CLAIM}).json["id"])
        assert Spending(app.extensions["esoteric"].checks.engine, Settings()).totals() == (1, 120)
    assert check["language_model"]["calls"] == 1


class Answered(FakeStage):
    """Answers one question with the evidence."""

    def result(self, check: FactCheck) -> FactCheck:
        return replace(check, questions=(QuestionAnswer("Was she?", "She was.", (1,)),))


def test_two_stages_of_one_name_both_run(tmp_path: Path) -> None:
    """A verdict by `llm_two` asks a language model twice: is the claim supported, is it refuted."""
    with serving(says('{"reason": "So.", "passages": [1], "answer": true}')) as stub:
        settings = Settings(data=tmp_path, llm_model="m-1", llm_url=stub.url, llm_key=KEY)
        resources = LLMResources(settings)
        *found, _, _, last = resources.all
        asked = tuple(AskModel(resources.llm, judge, last.budget) for judge in (SideJudge(), TwoSidesJudge()))
        resources.all = (
            *found[:4],
            Answered("answers", writes=("questions", "calls")),
            *asked,
            replace(last, judge=TwoSidesJudge()),
        )
        for app in working_app(settings, resources):
            client = app.test_client()
            check = wait(client, client.post("/api/checks", json={"claim": CLAIM}).json["id"])
        resources.close()
    assert check["error"] is None
    assert [stage["name"] for stage in check["stages"][-3:]] == ["language model", "language model", "verdict"]
    assert check["verdict"]["method"] == "m-1"
    assert (check["language_model"]["calls"], len(stub.requests)) == (2, 2)
    first, second = (stage["ms"] for stage in check["stages"][-3:-1])
    assert check["timings_ms"]["language model"] == pytest.approx(first + second, abs=0.02)


@pytest.mark.parametrize(
    ("answer", "asked"),
    [(refuses(401, f"Incorrect key {KEY}"), 2), (says("Not enough evidence to support"), 3)],
    ids=["refused", "unreadable"],
)
def test_a_fault_is_told_and_not_kept_as_the_answer(tmp_path: Path, answer: object, asked: int) -> None:
    """A server that failed twice is not asked a third time within a minute; one that answers is."""
    with serving(answer) as stub:  # type: ignore[arg-type]
        settings = Settings(data=tmp_path, llm_model="m-1", llm_url=stub.url, llm_key=KEY)
        resources = LLMResources(settings)
        for app in working_app(settings, resources):
            client = app.test_client()
            first, second = (client.post("/api/checks", json={"claim": CLAIM}).json["id"] for _ in range(2))
            shown = [wait(client, check_id, limit=60) for check_id in (first, second)]
            again = client.post("/api/checks", json={"claim": CLAIM}).json["id"]
            shown.append(wait(client, again, limit=60))
            page = client.get(f"/checks/{first}").text
        resources.close()
    assert len({first, second, again}) == 3
    assert len(stub.requests) == asked
    for check in shown:
        assert check["verdict"]["method"] == "fake, in place of m-1"
        assert "This is the local verdict." in check["notes"][0]
    assert ("m-1 is left out until" in shown[2]["notes"][0]) == (asked == 2)
    assert "This is the local verdict." in page
    assert KEY not in page + str(shown)


def test_the_limits_shown_are_those_of_the_check(tmp_path: Path) -> None:
    with serving(says("Not enough evidence to support")) as stub:
        settings = Settings(data=tmp_path, llm_model="m-1", llm_url=stub.url, llm_key=KEY)
        resources = LLMResources(settings, 0)
        for app in working_app(settings, resources):
            client = app.test_client()
            check_id = client.post("/api/checks", json={"claim": CLAIM}).json["id"]
            wait(client, check_id, limit=60)
        for app in working_app(replace(settings, llm_tokens=7_000), resources):
            page = app.test_client().get(f"/checks/{check_id}").text
        resources.close()
    assert "of 30,000 tokens" in page
    assert "7,000" not in page
