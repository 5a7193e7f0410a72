"""What a day and a person may cost, on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from app.jobs.attempt import Steps
from app.jobs.sources import Sources
from app.tables.checks import Checks
from app.tables.database import open_engine
from app.tables.documents import Documents
from app.tables.migrations import prepare_tables
from app.tables.spending import Spending, table, today
from retrieval.errors import LLMError
from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.types import Claim, FactCheck, LLMCall, Reply
from tests.app.fake import FakeResources

CALL = LLMCall("x", Reply("a reply", 100, 20))


@pytest.fixture
def engine(tmp_path: Path, database: str) -> Iterator[sa.Engine]:
    settings = Settings(data=tmp_path, database=database)
    engine = open_engine(settings)
    prepare_tables(engine)
    with engine.begin() as connection:
        connection.execute(sa.delete(table))
    yield engine
    engine.dispose()


def test_a_day_and_a_person_have_their_bounds(engine: sa.Engine) -> None:
    free = Spending(engine, Settings())
    assert free.left("a") is None
    free.add("a", [CALL, CALL])
    free.add("a", [CALL])
    free.add("b", [CALL])
    assert (free.spent(), free.spent("a"), free.spent("b"), free.totals()) == (480, 360, 120, (4, 480))
    bound = Spending(engine, Settings(llm_tokens_a_day=1_000, llm_tokens_a_person=400))
    tokens, why = bound.left("a") or (0, "")
    assert (tokens, "LLM_TOKENS_A_PERSON" in why) == (40, True)
    assert (bound.left("b") or (0, ""))[0] == 280
    with engine.begin() as connection:
        connection.execute(sa.update(table).values(day="2020-01-01"))
    assert (bound.left("a") or (0, ""))[0] == 400


def test_two_checks_may_begin_a_day_at_the_same_moment(engine: sa.Engine) -> None:
    spending = Spending(engine, Settings())
    with ThreadPoolExecutor() as pool:
        with engine.begin() as connection:
            connection.execute(sa.insert(table).values(day=today(), person="a", calls=1, tokens=120))
            other = pool.submit(spending.add, "a", [CALL])
            with pytest.raises(TimeoutError):
                other.result(timeout=0.3)  # it waits for the row that is being written
        other.result()
    assert spending.totals() == (2, 240)


def test_a_model_is_not_asked_when_the_day_is_spent(tmp_path: Path) -> None:
    budget = Resources(Settings(data=tmp_path)).within(120, "Today's tokens are used up.").budget()
    assert budget.left([], 10).tokens == 120
    with pytest.raises(LLMError, match="Today's tokens"):
        budget.left([CALL], 10)


class Bounded(FakeResources):
    """Notes what it was bound to."""

    bound: tuple[int, str] | None = None

    def within(self, tokens: int, why: str) -> Bounded:
        self.bound = (tokens, why)
        return self


@pytest.mark.parametrize("role", ["llm_model", "llm_questions", "llm_contexts"])
def test_a_check_may_spend_what_is_left_of_the_day_and_what_it_has_spent(engine: sa.Engine, role: str) -> None:
    chosen: dict[str, Any] = {role: "m"}
    settings = Settings(llm_tokens_a_day=300, **chosen)
    checks, resources = Checks(engine), Bounded()
    steps = Steps(settings, Sources(settings, resources, Documents(engine)), checks)
    check_id = checks.add("A claim.", "fast", 5, person="a")
    waiting = {"name": "spans", "state": "waiting", "done": 0, "total": 0, "ms": None}
    checks.write(check_id, 0, FactCheck(Claim(check_id, "A claim."), "fast", calls=(CALL,)), None, [waiting])
    steps.spending.add("a", [CALL])
    steps.run(check_id)
    assert resources.bound is not None
    assert resources.bound[0] == 300


def test_only_a_check_that_asks_a_model_is_bound() -> None:
    assert not Settings(llm_questions="none", llm_contexts="none").asks_a_model()
