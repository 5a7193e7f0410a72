"""Planted errors are counted as they come out, and a correct claim that is called wrong too."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, cast

from evaluation.extraction.planted import check_article, planted_errors
from retrieval.pipeline import Pipeline
from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.stores.embedded.store import EmbeddedStore
from retrieval.types import Claim, FactCheck
from tests.app.fake import FakeResources, FakeStage
from tests.app.process import ROOT

ERRORS = ROOT / "data" / "sample" / "texts" / "four-records.errors.json"
ARTICLE = "Warsaw is in France. On this the pages disagree. Was it there? Marie Curie was born here."


def test_each_error_is_found_or_not(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(ARTICLE, "utf-8")
    wrong = [{"text": "a.txt", "wrong": words} for words in ("in France", "pages disagree", "Was it")]
    (tmp_path / "errors.json").write_text(json.dumps(wrong), "utf-8")
    found = planted_errors(tmp_path / "errors.json", cast(Resources, Judging()), "fast")
    told = {name: count for name, count in found.items() if name not in ("rows", "recipe")}
    assert told == {"planted": 3, "checked": 2, "found": 0, "conflicting": 1, "others": 1, "false_alarms": 0}
    assert [row["label"] for row in found["rows"]] == ["SUPPORTED", "CONFLICTING", None]


def test_each_claim_is_searched_with_its_context_as_in_a_report(tmp_path: Path) -> None:
    article = ERRORS.with_name("four-records.txt")
    resources = Recording(Settings(data=tmp_path, threads=1))
    check_article(article, resources, "fast")
    found = [claim for claim in resources.claim_finder().find(article.read_text("utf-8")) if claim.chosen]
    assert [(claim.text, claim.context) for claim in resources.asked] == [(c.text, c.context) for c in found]
    assert any(claim.context for claim in resources.asked)


def test_the_documented_counts_are_those_of_the_shipped_weights(sample_store: EmbeddedStore, tmp_path: Path) -> None:
    resources = Resources(Settings(data=tmp_path, threads=1)).over(sample_store)
    told = " ".join((ROOT / "docs" / "results.md").read_text("utf-8").split())
    counts = {recipe: planted_errors(ERRORS, resources, recipe) for recipe in ("careful", "fast")}
    assert {found["false_alarms"] for found in counts.values()} == {0}
    said = re.search(r"Recipes `careful`, `esoteric` and `fast` find (\d) of the (\d)\.", told)
    assert said, "run `python -m evaluation planted` again and write its counts into docs/results.md"
    found, planted = map(int, said.groups())
    assert {(one["found"], one["planted"]) for one in counts.values()} == {(found, planted)}


class Judging(FakeResources):
    """The fake pipeline without its gate."""

    def pipeline(self, recipe: str) -> Any:
        return Pipeline("fast", [FakeStage(stage.name) for stage in self.stages])


class Recording(Resources):
    """The models that ship, and in place of a recipe one that notes what it is asked."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.asked: list[Claim] = []

    def pipeline(self, recipe: str) -> Any:
        return self

    def run(self, claim: Claim) -> FactCheck:
        self.asked.append(claim)
        return FactCheck(claim)
