"""The store that `tests/test_growing.py` adds to the program keeps the contract of stores."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from tests.contracts.page_store import MakeStore, PageStoreContract
from tests.toys.store import ToyStore, write_toy


@pytest.fixture(scope="module")
def make_store(tmp_path_factory: pytest.TempPathFactory) -> MakeStore:
    folder: Path = tmp_path_factory.mktemp("toy")
    numbers = count()
    return lambda pages: ToyStore(write_toy(folder / f"{next(numbers)}.json", pages))


class TestToyStore(PageStoreContract):
    pass
