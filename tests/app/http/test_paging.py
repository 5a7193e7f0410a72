"""Going from page to page shows every row once, in order, and ends."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.http.paging import read_page


@given(st.integers(0, 40), st.integers(1, 12))
def test_pages_hold_every_row_once(rows: int, limit: int) -> None:
    everything = list(range(rows, 0, -1))  # newest first
    shown: list[int] = []
    last: int | None = None
    for _ in range(rows + 1):
        older = [row for row in everything if last is None or row < last]
        page = read_page(lambda most, older=older: older[:most], limit)  # type: ignore[misc]
        assert len(page.rows) <= limit
        shown += page.rows
        last = page.last
        if last is None:
            break
        assert last == page.rows[-1]
    assert last is None
    assert shown == everything
