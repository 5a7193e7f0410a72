"""Our components inside a Haystack pipeline, as other people would use them."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from indexing.__main__ import main as index
from retrieval.errors import ClaimError, StoreMissing

os.environ.setdefault("HAYSTACK_TELEMETRY_ENABLED", "False")

from haystack import Pipeline, component, default_from_dict, default_to_dict
from haystack.dataclasses import ChatMessage

import retrieval.haystack as ours
from retrieval.haystack import EsotericFactChecker, EsotericRetriever, recipe_pipeline
from tests.llm.stub import verdict as written

CLAIM = "The director of Casablanca was born in Budapest."


@pytest.fixture(scope="module")
def pipeline(sample_folder: Path) -> Any:
    """Both components in one pipeline, written down and read again, as a YAML file would."""
    made = Pipeline()
    made.add_component("evidence", EsotericRetriever(store=str(sample_folder), top_k=3))
    made.add_component("verdict", EsotericFactChecker(store=str(sample_folder), recipe="fast"))
    return Pipeline.loads(made.dumps(), allowed_modules=["retrieval.haystack"])


def test_a_pipeline_written_down_and_read_again_checks_a_claim(pipeline: Any) -> None:
    claim = {"claim": "Casablanca was directed by Michael Curtiz."}
    answer = pipeline.run({"evidence": claim, "verdict": claim})
    documents = answer["evidence"]["documents"]
    assert 1 <= len(documents) <= 3
    best = documents[0]
    assert {document.meta["title"] for document in documents} & {"Casablanca (film)", "Michael Curtiz"}
    assert 0 <= best.score <= 1
    assert {"page_id", "title", "line", "start", "end", "supports", "refutes", "neutral", "verified"} == set(best.meta)
    assert best.meta["end"] - best.meta["start"] == len(best.content)
    verdict = answer["verdict"]
    assert verdict["label"] in ("SUPPORTED", "REFUTED", "NOT_ENOUGH_EVIDENCE", "CONFLICTING")
    assert 0 < verdict["confidence"] <= 1
    assert verdict["check"]["recipe"] == "fast"
    assert verdict["check"]["verdict"]["reason"] == verdict["reason"]


@component
class Says:
    """A ChatGenerator that always writes the same, and counts its calls."""

    def __init__(self, text: str, model: str = "own-model") -> None:
        self.text, self.model, self.asked = text, model, list[Any]()

    @component.output_types(replies=list[ChatMessage])
    def run(self, messages: list[ChatMessage]) -> dict[str, Any]:
        self.asked.append(messages)
        if not self.text:
            raise RuntimeError("out of memory")
        return {"replies": [ChatMessage.from_assistant(self.text, meta={"finish_reason": "stop"})]}

    def to_dict(self) -> dict[str, Any]:
        return default_to_dict(self, text=self.text, model=self.model)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Says:
        made: Says = default_from_dict(cls, data)
        return made


def test_your_own_chat_generator_gives_the_verdict(sample_folder: Path) -> None:
    own = Says(f"<think>Hm.</think>Here: {written('REFUTED', 'It says otherwise.', (1,))}")
    checker = EsotericFactChecker(store=str(sample_folder), recipe="fast", chat_generator=own)
    said = checker.run(CLAIM)
    assert said["label"] == "REFUTED"
    assert said["check"]["verdict"]["method"] == "own-model"
    assert [message.role.value for message in own.asked[0]] == ["system", "user"]
    made = Pipeline()
    made.add_component("verdict", checker)
    allowed = ["retrieval.haystack", __name__]
    again: Any = Pipeline.loads(made.dumps(), allowed_modules=allowed).get_component("verdict")
    assert (again.chat_generator.text, again.recipe) == (own.text, "fast")
    failing = EsotericFactChecker(store=str(sample_folder), recipe="fast", chat_generator=Says(""))
    check = failing.run(CLAIM)["check"]
    assert check["verdict"]["method"].endswith("in place of own-model")
    assert any("out of memory" in note for note in check["notes"])


def test_your_own_chat_generator_gives_the_verdict_step_by_step(sample_folder: Path) -> None:
    own = Says(written("REFUTED", "It says otherwise.", (1,)))
    made = recipe_pipeline("fast", store=str(sample_folder), chat_generator=own)
    said = made.run({"start": {"claim": CLAIM}})["result"]
    assert (said["label"], said["reason"]) == ("REFUTED", "It says otherwise.")
    assert said["record"].verdict.method == "own-model"
    again = Pipeline.loads(made.dumps(), allowed_modules=["retrieval.haystack", __name__])
    assert again.run({"start": {"claim": CLAIM}})["result"]["record"].verdict.method == "own-model"


def test_where_there_is_no_verdict_the_documents_come_without_a_label(tmp_path: Path) -> None:
    (tmp_path / "hafen.txt").write_text(
        "Die Stadt Brackwasser liegt am Meer. Die Straßenbahn zum Hafen wurde am 3. Mai 1987 eröffnet.", "utf-8"
    )
    store = str(tmp_path / "store")
    assert index(["documents", str(tmp_path / "hafen.txt"), "--store", store, "--language", "de"]) == 0
    pipeline = Pipeline()
    pipeline.add_component("verdict", EsotericFactChecker(store=store, recipe="fast"))
    said = pipeline.run({"verdict": {"claim": "Die Straßenbahn zum Hafen wurde 1987 eröffnet."}})["verdict"]
    assert not {"label", "confidence"} & set(said)
    assert "there is no verdict" in said["reason"]
    assert "1987" in said["documents"][0].content
    assert said["check"]["verdict"] is None


def test_sockets_are_typed() -> None:
    retriever = EsotericRetriever()
    assert set(retriever.__haystack_input__._sockets_dict) == {"claim", "top_k"}
    assert retriever.__haystack_input__._sockets_dict["claim"].type is str
    outputs = EsotericFactChecker().__haystack_output__._sockets_dict
    assert set(outputs) == {"label", "confidence", "reason", "documents", "questions", "check"}


def test_the_way_there_and_back() -> None:
    retriever = EsotericRetriever(store="corpus", recipe="fast", top_k=7)
    written = retriever.to_dict()
    assert written["type"] == "retrieval.haystack.EsotericRetriever"
    assert EsotericRetriever.from_dict(written).to_dict() == written
    checker = EsotericFactChecker(recipe="fast").to_dict()
    assert EsotericFactChecker.from_dict(checker).to_dict() == checker


def test_nothing_is_opened_before_warm_up(tmp_path: Path) -> None:
    retriever = EsotericRetriever(store=str(tmp_path / "nowhere"))
    with pytest.raises(StoreMissing):
        retriever.warm_up()


def test_what_is_no_claim_is_refused(sample_folder: Path) -> None:
    with pytest.raises(ClaimError):
        EsotericRetriever(store=str(sample_folder), recipe="fast").run(claim=" ")


def test_the_documented_example_runs(sample_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = re.search(r"\n\n((?:    .*\n|\n)+)", ours.__doc__ or "")
    assert match
    example = match[1].replace("\n    ", "\n").strip().replace("data/local/store", str(sample_folder))
    names: dict[str, Any] = {}
    exec(example, names)
    assert names["documents"]
    assert all(document.content for document in names["documents"])


def test_haystack_reports_nothing_home() -> None:
    assert os.environ["HAYSTACK_TELEMETRY_ENABLED"] == "False"
    assert sys.modules["haystack.telemetry._telemetry"].telemetry is None
