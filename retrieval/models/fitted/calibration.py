"""The calibration errors of the shipped verdict models, measured when they were fitted."""

from __future__ import annotations

import json
from typing import Any

from retrieval.models import catalogue


def calibration_error(role: str) -> float | None:
    """Expected calibration error of a role's model on claims that it was not fitted on, 0 to 1; None if not measured.

    Raises ModelError if the weights are missing.
    """
    if not role:
        return None
    (path,) = catalogue.load(catalogue.find(role))
    return measured(json.loads(path.read_text("utf-8")))


def measured(fitted: dict[str, Any]) -> float | None:
    """The calibration error in a weights file; None unless it was measured on sentences that the recipe finds."""
    error: float | None = fitted.get("cross_validation", {}).get("all", {}).get("calibration_error")
    return error
