"""Which processes make sense beside which database."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.errors import CannotStart
from app.starting import check_roles, claim_data_folder
from retrieval.settings import Settings

SHARED = "postgresql://me:secret@127.0.0.1:1/x"


@pytest.mark.parametrize(
    ("role", "database", "workers", "sentence"),
    [
        ("worker", "", 2, "Set DATABASE to postgresql://"),
        ("worker", "nonsense", 2, "Set DATABASE to postgresql://"),
        ("worker", SHARED, 0, "Set WORKERS to 1 or more"),
        ("web", "", 0, "start `python -m app worker`"),
    ],
)
def test_what_would_never_check_a_claim_does_not_start(role: str, database: str, workers: int, sentence: str) -> None:
    with pytest.raises(CannotStart) as refused:
        check_roles(Settings(database=database, workers=workers), role)
    assert sentence in str(refused.value)
    assert "secret@" not in str(refused.value)


@pytest.mark.parametrize(("role", "database", "workers"), [("web", "", 2), ("web", SHARED, 0), ("worker", SHARED, 1)])
def test_what_makes_sense_starts(role: str, database: str, workers: int) -> None:
    check_roles(Settings(database=database, workers=workers), role)


def test_a_folder_is_shared_where_the_database_is(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, database=SHARED)
    first, second = claim_data_folder(settings), claim_data_folder(settings)
    first.close()
    second.close()
