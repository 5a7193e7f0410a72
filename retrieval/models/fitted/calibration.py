"""The calibration errors of the shipped verdict models, as measured when they were fitted."""

from __future__ import annotations

import json
from typing import Any

from retrieval.models import catalogue


def calibration_error(role: str, kind: str = "four") -> float | None:
    """Expected calibration error of a role's model on claims it was not fitted on, 0 to 1; None if there is no model.

    kind: of the four labels, `four` or `two` classifiers. Raises ModelError if the weights are missing.
    """
    if not role:
        return None
    (path,) = catalogue.load(catalogue.find(role))
    return measured(json.loads(path.read_text("utf-8")), kind)


def measured(fitted: dict[str, Any], kind: str = "four") -> float | None:
    """The figure in a weights file. Verdicts over found sentences are measured on found sentences, not on gold answers."""
    checked = fitted.get("cross_validation", {})
    over_answers = checked.get("found sentences", {}).get(kind, {})
    error: float | None = (over_answers or checked.get("all", {})).get("calibration_error")
    return error
