"""Which tests one process runs where several share them: a file, and all that wait for the same slow server."""

from __future__ import annotations

from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

BROWSER = "tests/browser/"
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
    return "elasticsearch" if nodeid.startswith(ELASTICSEARCH) else nodeid.partition("::")[0]


def arrange(items: list[pytest.Item]) -> None:
    """What waits for slow servers to the front, so that no process is left with it at the end.

    Raises UsageError where a second process would start Elasticsearch.
    """
    for item in items:
        if group(item.nodeid) != "elasticsearch" and _needs_elasticsearch(item):
            raise pytest.UsageError(f"Name {item.path.name} in tests/sharing.py: it needs Elasticsearch.")
    items.sort(key=lambda item: (group(item.nodeid) != "elasticsearch", not item.nodeid.startswith(BROWSER)))


def _needs_elasticsearch(item: pytest.Item) -> bool:
    asked = {"cluster", "elastic_server"} & set(getattr(item, "fixturenames", ()))
    given = getattr(getattr(item, "callspec", None), "params", {})
    return bool(asked) or "elastic" in given.values()
