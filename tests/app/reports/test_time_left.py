"""How long a report still takes: from its last checks, whatever was before a pause."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from app.reports.summary import Row, Summary, time_left
from app.tables.reports import WINDOW, ReportClaim, StoredReport

BEGUN = datetime(2026, 11, 21, 10, tzinfo=UTC)


def moment(seconds: float) -> str:
    return (BEGUN + timedelta(seconds=seconds)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def row(number: int, state: str, created: float | None = None, finished: float | None = None) -> ReportClaim:
    ended, begun = ("" if at is None else moment(at) for at in (finished, created))
    check_id = None if created is None else f"check {number}"
    return ReportClaim("a", "a", position=number, check_id=check_id, state=state, finished=ended, created=begun)


def summary(rows: list[ReportClaim], state: str = "running") -> Summary:
    return Summary(StoredReport("x", "", "", "", {}, state, len(rows), "", "", ""), list(map(Row, rows)))


def run(many: int, each: float, begins: float = 0, first: int = 0) -> list[ReportClaim]:
    """Checks that ended one after another, of which a window is made in advance."""
    ends = [begins + each * (n + 1) for n in range(many)]
    created = [begins if n < WINDOW else ends[n - WINDOW] for n in range(many)]
    return [row(first + n, "done", created[n], ends[n]) for n in range(many)]


def waiting(many: int, created: float, first: int) -> list[ReportClaim]:
    return [row(first + n, "queued", created) for n in range(many)]


def test_the_speed_of_the_last_checks_counts() -> None:
    slow, quick = run(10, 30), run(40, 2, 300, 10)
    assert summary([*slow, *quick, *waiting(50, 300, 50)]).seconds_left == 100


def test_a_pause_is_no_work() -> None:
    """Ten checks, an hour stopped, five checks: the hour is not counted, nor what was before it."""
    before, after = run(10, 30), run(5, 2, 3_900, 10)
    assert summary([*before, *after, *waiting(50, 3_900, 15)]).seconds_left == 100
    assert summary([*before, *after[:1], *waiting(54, 3_900, 11)]).seconds_left is None, "too early to tell"


def test_checks_that_end_together_are_no_pause() -> None:
    """Four workers: four ends at the same moment, then a minute of nothing."""
    rows = [row(n, "done", 0, 60 * (n // 4 + 1)) for n in range(20)]
    assert summary([*rows, *waiting(19, 0, 20)]).seconds_left == round(240 / 19 * 19)


def test_claims_that_share_a_check_are_claims() -> None:
    rows = [row(n, "done", 0, 10 * (n // 5 + 1)) for n in range(20)]
    assert summary([*rows, *waiting(19, 0, 20)]).seconds_left == 30


@pytest.mark.parametrize("state", ["done", "cancelled"])
def test_what_does_not_run_has_no_time_left(state: str) -> None:
    assert summary(run(10, 2), state).seconds_left is None
    assert summary([]).seconds_left is None
    assert summary([row(0, "failed"), *run(1, 2, first=1)]).seconds_left is None


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (None, ""),
        (0, "less than a minute left"),
        (59, "less than a minute left"),
        (60, "about 1 minute left"),
        (150, "about 2 minutes left"),
        (5_300, "about 88 minutes left"),
        (7_200, "about 2 hours left"),
    ],
)
def test_time_left_in_words(seconds: int | None, words: str) -> None:
    assert time_left(seconds) == words
