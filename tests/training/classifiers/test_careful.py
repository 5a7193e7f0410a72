"""The verdict of recipe `careful` is fitted on what the recipe itself gives it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from evaluation.fever.data import GoldClaim
from retrieval.models.catalogue import WEIGHTS
from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.types import Claim, Label
from training.classifiers.careful import first_passes, read_again, verdict_inputs
from training.classifiers.verdict import Recording

# Written so that no rule decides or silences anything, because the fit does not see rules.
CLAIMS = ("lisbon is a city in portugal.", "vienna lies in austria.", "the nile is long and wide.")


@pytest.mark.parametrize(("most", "least"), [(6, 0.0), (6, 0.1), (3, 0.0)])
def test_the_fit_sees_what_the_recipe_sees(
    sample_folder: Path, monkeypatch: pytest.MonkeyPatch, most: int, least: float
) -> None:
    settings = Settings(store=str(sample_folder), conflicting_from=0.0)
    settings = settings.tuned("careful", read_sentences=most, read_from=least)
    resources, recording = Resources(settings), Recording()
    gold = [GoldClaim(str(number), claim, Label.SUPPORTED, ()) for number, claim in enumerate(CLAIMS)]
    read = read_again(first_passes(resources, gold), resources.reader(), most, least)
    reading = json.loads((WEIGHTS / "reading.json").read_text())
    fitted_on = verdict_inputs(read, reading, resources)
    monkeypatch.setattr(Resources, "careful_verdict", lambda _: recording)
    for claim in CLAIMS:
        resources.pipeline("careful").run(Claim("", claim))
    np.testing.assert_allclose(np.array(recording.asked), fitted_on, atol=1e-6)
