"""What CONTRIBUTING says of a recipe is all that a recipe takes: one is added here by those steps alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

import pytest

from app.checks import words
from retrieval import recipes, stage_names
from retrieval.__main__ import main
from retrieval.protocols import PageStore
from retrieval.recipes import RECIPES, Recipe
from retrieval.recipes.declaring import Stages
from retrieval.resources import Resources
from retrieval.settings import Settings, deciding
from retrieval.types import Claim, Evidence, FactCheck, Hit, Label, Progress, Stance, Verdict
from tests.app.conftest import wait, working_app
from tests.contracts.test_stage_fields import is_stage, run_guarded
from tests.making import make_page
from tests.retrieval.test_settings import NOT_DECIDING, read_by

ROOT = Path(__file__).parents[1]
CLAIM = "The director of Casablanca was born in Budapest."


# 1. What is new about it, as stages.
@dataclass(frozen=True)
class FirstSentences:
    """The first sentence of each page that full-text search finds."""

    store: PageStore
    top_k: int
    name = "first sentences"
    reads = ("claim",)
    writes = ("pages", "sentences", "evidence")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        found = self.store.search_text(check.claim.text, top_k=self.top_k)
        pages = tuple(Hit(page, 1 / rank, "text") for rank, (page, _) in enumerate(found, 1))
        firsts = [(hit, hit.page.sentences()[0]) for hit in pages if hit.page.lines]
        evidence = tuple(Evidence(first, hit.score, Stance(0.2, 0.2, 0.6), "first") for hit, first in firsts)
        yield Progress(self.name, 1, 1, replace(check, pages=pages, sentences=evidence, evidence=evidence))


@dataclass(frozen=True)
class AlwaysUnsure:
    """A verdict that never says more than that the evidence is not enough."""

    name = "verdict"
    reads = ("evidence",)
    writes = ("verdict",)

    def run(self, check: FactCheck) -> Iterator[Progress]:
        shares = {Label.SUPPORTED: 0.2, Label.REFUTED: 0.2, Label.NOT_ENOUGH_EVIDENCE: 0.6}
        said = f"The first sentences of {len(check.evidence)} pages were read."
        verdict = Verdict(Label.NOT_ENOUGH_EVIDENCE, MappingProxyType(shares), said, "toy")
        yield Progress(self.name, 1, 1, replace(check, verdict=verdict))


# 2. The stages in order, in a recipe that is listed. TOP_EVIDENCE, which one reads, decides the answers of every recipe.
STAGES: Stages = {
    "first sentences": lambda parts, _: FirstSentences(parts.store(), parts.settings.top_evidence),
    "verdict": lambda *_: AlwaysUnsure(),
}


@pytest.fixture
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = Recipe(
        "toy",
        "First sentences of pages.",
        (),
        STAGES,
        prompts=(),
        title="At a glance",
        what="Reads how each page begins.",
    )
    monkeypatch.setitem(RECIPES, "toy", recipe)
    # 3. New stages named for readers.
    monkeypatch.setitem(words.STAGES, "first sentences", "Reading first sentences")  # type: ignore[arg-type]


def steps(what: str) -> list[str]:
    """Of CONTRIBUTING, for adding such a thing."""
    section = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split(f"A **{what}**:\n")[1].split("\n\n")[0]
    return re.findall(r"^\d\. (.+)$", section, re.M)


def test_what_contributing_names_is_there() -> None:
    said = steps("recipe")
    assert len(said) == 5
    assert "`RECIPES`" in said[1]
    assert Path(recipes.__file__) == ROOT / "retrieval" / "recipes" / "__init__.py"
    assert "`retrieval/stage_names.py`" in said[2]
    assert words.STAGES == stage_names.WORDS
    everything = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    named = re.findall(r"`((?:retrieval|app|tests|docs|templates|static)/[\w/.-]*)`", everything)
    assert not [name for name in named if not (ROOT / name).exists()]


# 4. The stages tested, with records made by hand.
def test_its_stages_on_records_made_by_hand() -> None:
    page = make_page("Budapest", "It lies on the Danube.", "It has bridges.")
    sentence = page.sentences()[0]
    evidence = (Evidence(sentence, 1.0, Stance(0.2, 0.2, 0.6), "first"),)
    check = FactCheck(Claim("a", CLAIM), pages=(Hit(page, 1.0, "text"),), evidence=evidence)
    (last,) = AlwaysUnsure().run(check)
    assert last.check.verdict is not None
    assert (last.check.verdict.label, last.check.verdict.method) == (Label.NOT_ENOUGH_EVIDENCE, "toy")


@pytest.mark.usefixtures("_toy")
def test_it_passes_what_is_asked_of_every_recipe(resources: Resources) -> None:
    recipe, pipeline = RECIPES["toy"], resources.pipeline("toy")
    assert run_guarded(pipeline, Claim("a", CLAIM)).verdict
    assert pipeline.stages[0].name == next(iter(recipe.stages))
    assert all(is_stage(type(stage)) for stage in pipeline.stages)
    assert read_by(resources, "toy") - NOT_DECIDING <= set(deciding("toy"))
    assert all((recipe.title, recipe.what, *(words.STAGES.get(name) for name in recipe.stages)))


@pytest.mark.usefixtures("_toy")
def test_the_command_line_offers_it(sample_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recipes"]) == 0
    assert "toy: First sentences of pages.\n  first sentences -> verdict" in capsys.readouterr().out
    assert main(["check", CLAIM, "--recipe", "toy", "--store", str(sample_folder)]) == 0
    assert "were read" in capsys.readouterr().out


@pytest.mark.usefixtures("_toy")
def test_the_application_offers_it(sample_folder: Path, tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, store=str(sample_folder), recipe="toy")
    resources = Resources(settings)
    for app in working_app(settings, resources):  # type: ignore[arg-type]
        client = app.test_client()
        home = client.get("/").text
        assert "At a glance" in home
        assert "Reads how each page begins." in home
        assert "First sentences of pages." in client.get("/about").text
        started = client.post("/api/checks", json={"claim": CLAIM, "recipe": "toy"}).json
        check = wait(client, started["id"])
        assert (check["state"], check["recipe"], check["error"]) == ("done", "toy", None)
        assert [stage["name"] for stage in check["stages"]][:3] == ["first sentences", "other languages", "verdict"]
        assert len(check["evidence"]) == len(check["pages"]) == settings.top_evidence
        page = client.get(started["url"]).text
        assert "Reading first sentences" in page
        assert client.post("/api/checks", json={"claim": CLAIM, "recipe": "toy"}).json["id"] == started["id"]
    resources.close()
