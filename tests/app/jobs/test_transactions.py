"""How many transactions a check takes, as docs/scaling.md says; so nobody has to count them again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from flask.testing import FlaskClient

from tests.app.conftest import wait

SCALING = Path(__file__).resolve().parents[3] / "docs" / "scaling.md"
WORDS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()
SAID = re.compile(
    r"transactions of a claim, polls and progress left out \| (\d+) \| counted: one to submit it, (\w+) for its row "
    r"\(begun, finished\), (\w+) of the queue"
)


class Transactions:
    """Those of every engine that changed something, by what they changed: a check's row, or the queue."""

    def __init__(self) -> None:
        self.counted: Counter[str] = Counter()
        self._open: dict[int, str] = {}

    def statement(self, connection: sa.Connection, _: Any, statement: str, *more: Any) -> None:
        words = statement.split(None, 3)
        if words[0] not in ("INSERT", "UPDATE", "DELETE"):
            return
        changed = words[2] if words[0] == "INSERT" else words[1]
        progress = changed == "checks" and "state=" in statement and "finished=" not in statement  # as time goes by
        if "workflow" in changed or (changed == "checks" and not progress):
            self._open[id(connection)] = f"{words[0]} checks" if changed == "checks" else "queue"

    def commit(self, connection: sa.Connection) -> None:
        if kind := self._open.pop(id(connection), ""):
            self.counted[kind] += 1


@pytest.fixture
def transactions() -> Iterator[Counter[str]]:
    seen = Transactions()
    listeners = (("before_cursor_execute", seen.statement), ("commit", seen.commit))
    for name, listener in listeners:
        sa.event.listen(sa.Engine, name, listener)
    yield seen.counted
    for name, listener in listeners:
        sa.event.remove(sa.Engine, name, listener)


def test_the_transactions_of_a_check_are_as_many_as_the_page_says(
    client: FlaskClient, transactions: Counter[str]
) -> None:
    posted = client.post("/api/checks", json={"claim": "This is counted.", "fresh": True})
    wait(client, posted.json["id"])
    assert transactions["INSERT checks"] == 1
    said = SAID.search(SCALING.read_text("utf-8"))
    assert said
    total, of_row, of_queue = int(said[1]), *(WORDS.index(word) for word in said.groups()[1:])
    assert transactions["UPDATE checks"] == of_row
    assert total == 1 + of_row + of_queue
    assert 0 < transactions["queue"] <= of_queue, "the last one follows the check's end"
