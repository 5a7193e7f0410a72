"""What a claim costs under each recipe is measured on the recipes themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.speed.costs import measure_costs
from retrieval.recipes import RECIPES
from retrieval.settings import Settings


@pytest.mark.slow
def test_every_recipe_is_measured(sample_folder: Path) -> None:
    costs = measure_costs(["Casablanca is a film."], Settings(store=str(sample_folder)))
    assert set(costs["recipes"]) == set(RECIPES)
    assert costs["claims"] == 1
    assert all(0 < figures["p50"] <= figures["p95"] for figures in costs["recipes"].values())
