"""The corpus that the store contract asks about."""

from __future__ import annotations

import pytest

from retrieval.protocols import PageStore
from tests.contracts.page_store import ENCYCLOPEDIA, MakeStore


@pytest.fixture(scope="module")
def store(make_store: MakeStore) -> PageStore:
    return make_store(ENCYCLOPEDIA)
