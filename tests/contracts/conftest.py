"""The corpus that the store contract asks about."""

from __future__ import annotations

import pytest

from retrieval.protocols import PageStore
from tests.contracts.encyclopedia import ENCYCLOPEDIA
from tests.contracts.page_store import MakeStore


@pytest.fixture(scope="module")
def store(make_store: MakeStore) -> PageStore:
    return make_store(ENCYCLOPEDIA)
