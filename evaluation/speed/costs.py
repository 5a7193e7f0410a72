"""Measures a claim's cost under each recipe, for the home page: `python -m evaluation costs`."""

from __future__ import annotations

import platform
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from evaluation.machine import processor
from evaluation.metrics import percentiles
from evaluation.report.results_folder import Json
from retrieval.recipes import RECIPES
from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.types import Claim

WARM_UP_CLAIMS_A_RECIPE = 3


def measure_costs(claims: Sequence[str], settings: Settings) -> Json:
    """{"pages", "claims", "machine", "recipes": {name: {"p50", "p95"}}}: processor seconds per claim. Models use one
    thread, so a claim takes at most as long on an idle machine, and other load does not change the figure. No language
    model is asked, and recipes share no vectors.
    """
    recipes, pages = {}, 0
    shared = Resources(replace(settings, threads=1, llm_model=""))
    for name in RECIPES:
        with tempfile.TemporaryDirectory() as folder:
            resources = shared.with_settings(replace(shared.settings, data=Path(folder)))
            pipeline = resources.pipeline(name)
            times = []
            for claim in (*claims[:WARM_UP_CLAIMS_A_RECIPE], *claims):
                began = time.process_time()
                pipeline.run(Claim("", claim))
                times.append(time.process_time() - began)
            pages = resources.corpus().pages
            resources.close()
        recipes[name] = percentiles(times[-len(claims) :], 3)
        print(f"{name}: {recipes[name]['p50']:.2f} s", file=sys.stderr)
    machine = f"{processor()}, one thread, Python {platform.python_version()}"
    return {"pages": pages, "claims": len(claims), "machine": machine, "recipes": recipes}
