"""Which tests one process runs where several share them: a file, and all that wait for the same slow server."""

from __future__ import annotations

from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

SLOW = ("elasticsearch", "browser")  # begun first, so that no process is left with them at the end
ELASTICSEARCH = (
    *("tests/elastic/", "tests/contracts/test_elastic_store.py", "tests/contracts/test_recipe_esoteric.py"),
    "tests/test_compose.py",
)


class ByServer(LoadScopeScheduling):  # type: ignore[misc]
    """Hands the groups out in the order in which they were collected."""

    def __init__(self, config: pytest.Config, log: Any = None) -> None:
        config.option.loadscopereorder = False
        super().__init__(config, log)

    def _split_scope(self, nodeid: str) -> str:
        return group(nodeid)


def group(nodeid: str) -> str:
    """Name of what is not parted."""
    if nodeid.startswith(ELASTICSEARCH):
        return "elasticsearch"
    return "browser" if nodeid.startswith("tests/browser/") else nodeid.partition("::")[0]


def arrange(items: list[pytest.Item]) -> None:
    """Slow groups to the front. Raises UsageError where a second process would start Elasticsearch."""
    for item in items:
        if group(item.nodeid) != "elasticsearch" and _needs_elasticsearch(item):
            raise pytest.UsageError(f"Name {item.path.name} in tests/sharing.py: it needs Elasticsearch.")
    items.sort(key=lambda item: [*SLOW, group(item.nodeid)].index(group(item.nodeid)))


def _needs_elasticsearch(item: pytest.Item) -> bool:
    asked = {"cluster", "elastic_server"} & set(getattr(item, "fixturenames", ()))
    given = getattr(getattr(item, "callspec", None), "params", {})
    return bool(asked) or "elastic" in given.values()
