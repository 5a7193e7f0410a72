"""The recipes as Haystack pipelines of their steps: the same answers, and room for components of others."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from haystack import Document, Pipeline
from haystack.core.errors import PipelineRuntimeError

from retrieval.__main__ import main
from retrieval.errors import RecipeError
from retrieval.haystack import recipe_pipeline
from retrieval.haystack.steps import CheckStart, CheckStep, RankerStep, RetrieverStep, VerdictStep, with_documents
from retrieval.recipes import RECIPES
from tests.llm.stub import says, serving, verdict

CLAIM = "The director of Casablanca was born in Budapest."
CHANGING = ("id", "timings_ms", "created", "finished")
EXAMPLES = re.findall(r"```python\n(.*?)```", Path("docs/haystack.md").read_text("utf-8"), re.S)

Check = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all, so that each page's vector is made once."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture
def known(tmp_path: Path) -> Path:
    """A claim's own documents, and a line that is none."""
    path = tmp_path / "known.jsonl"
    path.write_text('{"url": "https://a.example/b", "url2text": ["Casablanca is a film of 1942."]}\nbad\n', "utf-8")
    return path


@pytest.fixture(autouse=True)
def over_the_sample(monkeypatch: pytest.MonkeyPatch, data: Path, sample_folder: Path) -> None:
    monkeypatch.setenv("STORE", str(sample_folder))
    monkeypatch.setenv("DATA", str(data))
    monkeypatch.delenv("RECIPE", raising=False)


@pytest.fixture
def both(capsys: pytest.CaptureFixture[str]) -> Check:
    """A check by the command, which must be the same with `--haystack`."""

    def run(*arguments: str) -> dict[str, Any]:
        checks = []
        for more in ((), ("--haystack",)):
            assert main(["check", *arguments, "--json", *more]) == 0
            captured = capsys.readouterr()
            assert captured.err == ""
            checks.append(json.loads(captured.out))
        assert [*checks[0]["timings_ms"]] == [*checks[1]["timings_ms"]]
        one, other = ({name: value for name, value in check.items() if name not in CHANGING} for check in checks)
        assert one == other
        return one

    return run


@pytest.mark.parametrize("recipe", RECIPES)
def test_every_recipe_says_the_same_by_haystack(recipe: str, both: Check) -> None:
    check = both(CLAIM, "--recipe", recipe)
    assert check["recipe"] == recipe
    assert check["evidence"]


@pytest.mark.parametrize(
    "claim",
    ["Casablanca is not a film.", "Is Casablanca a film?", "Hello!", "Casablanca ist ein Film aus dem Jahr 1942."],
)
def test_claims_that_need_other_stages_do_too(claim: str, both: Check) -> None:
    both(claim)


def test_what_is_read_and_how_is_the_same(both: Check, known: Path) -> None:
    check = both(
        "Casablanca is a film of 1942.", "--knowledge", str(known), "--recipe", "aic", "--set", "local_chunks=1"
    )
    assert any("are not documents" in note for note in check["notes"])
    both(CLAIM, "--against", "corpus", "--recipe", "fast")


def test_two_calls_of_a_language_model_are_two_components(known: Path) -> None:
    command = [sys.executable, "-m", "retrieval", "check", CLAIM, "--knowledge", str(known), "--haystack"]
    command += ["--recipe", "rag_fusion", "--set", "verdict=llm_two"]
    with serving(says(verdict())) as server:
        subprocess.run(command, env={**os.environ, "LLM_URL": server.url, "LLM_MODEL": "stub"}, check=True)
        instructions = [request["body"]["messages"][0]["content"] for request in server.requests]
    assert len(instructions) == 3  # one call for questions, and two for both sides
    assert "the evidence supports it" in instructions[1]
    assert "the evidence refutes it" in instructions[2]


def test_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for more in ([], ["--haystack"]):
        assert main(["check", CLAIM, *more]) == 0
        said.append(re.sub(r"in [\d.,]+ m?s", "", capsys.readouterr().out))
    assert said[0] == said[1]


@pytest.mark.parametrize("arguments", [(" ",), (CLAIM, "--recipe", "none"), (CLAIM, "--store", "nowhere")])
def test_what_cannot_start_says_the_same(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for more in ((), ("--haystack",)):
        assert main(["check", *arguments, *more]) == 2
        said.append(capsys.readouterr())
    assert said[0] == said[1]
    assert said[0].err.count("\n") == 1


def test_a_step_is_named_and_typed_after_its_stage() -> None:
    pipeline = recipe_pipeline("careful")
    kinds = {name: type(pipeline.get_component(name)) for name in pipeline.to_dict()["components"]}
    assert [*kinds][:3] == ["start", "spans", "pages"]
    assert (kinds["start"], kinds["spans"], kinds["pages"]) == (CheckStart, CheckStep, RetrieverStep)
    assert kinds["second_hop"] is kinds["ranking"] is kinds["reading"] is kinds["evidence"] is RankerStep
    assert kinds["verdict"] is VerdictStep


def test_a_stage_that_the_recipe_does_not_have_is_named() -> None:
    pipeline = Pipeline()
    pipeline.add_component("start", CheckStart("fast"))
    pipeline.add_component("reading", RankerStep("reading"))
    pipeline.connect("start.check", "reading.check")
    with pytest.raises(PipelineRuntimeError) as raised:
        pipeline.run({"start": {"claim": CLAIM}})
    assert isinstance(raised.value.__cause__, RecipeError)
    assert "has no stage 'reading'" in str(raised.value)


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_documented_examples_run(example: str, sample_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {"__name__": __name__}
    exec(example.replace("data/local/store", str(sample_folder)), names)
    printed = capsys.readouterr().out
    assert "SUPPORTED" in printed
    if "OneOfEachPage" in example:
        assert "She was the first woman to win a Nobel Prize." in printed
        assert "Pierre" not in printed


def test_documents_of_others_decide_what_is_read() -> None:
    check = CheckStart("fast")
    found = check.start(CLAIM).through("spans").through("pages").through("sentences")
    sentences = found.record.sentences
    assert with_documents(found, None) is found
    documents = RankerStep("ranking").run(found)["documents"]
    turned = with_documents(found, documents[:3][::-1]).record
    assert [one.sentence.text for one in turned.sentences] == [one.content for one in documents[:3][::-1]]
    assert turned.pages == found.record.pages
    assert with_documents(found, []).record.sentences == ()
    known, new = found.record.pages[1], Document(content=" A new\npage.  It is short. ", meta={"title": "New"})
    page = Document(content=known.page.text, meta={"page_id": known.page.id})
    hits = with_documents(found, [new, page]).record.pages
    assert hits[1] == known
    assert (hits[0].page.title, [one.text for one in hits[0].page.sentences()]) == (
        "New",
        ["A new", "page.", "It is short."],
    )
    assert found.record.sentences is sentences


def test_the_program_starts_without_haystack() -> None:
    program = "import sys; from retrieval.__main__ import main; main(['recipes']); assert 'haystack' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True).returncode == 0
