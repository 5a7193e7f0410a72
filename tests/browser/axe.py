"""What axe-core finds wrong with a page for those who hear it, enlarge it or use no mouse."""

from __future__ import annotations

from typing import Any


def axe_faults(page: Any) -> list[str]:
    """Each fault: rule, place, what to do. Empty where there is none."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [f"{rule['id']}: {node['target']} {node['failureSummary']}" for rule in found for node in rule["nodes"]]
