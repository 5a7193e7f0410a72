"""What all tests share: the sample corpus loaded once, and the resources of a process over it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings as hypothesis_settings

# The same examples in every run. HYPOTHESIS_PROFILE=search looks for new ones.
hypothesis_settings.register_profile("steady", derandomize=True)
hypothesis_settings.register_profile("search", max_examples=1000)
hypothesis_settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

pytest.register_assert_rewrite("tests.contracts.page_store", "tests.contracts.corpus_writer", "tests.indexing.loads")

from indexing.load import load_fever  # noqa: E402
from retrieval.resources import Resources  # noqa: E402
from retrieval.settings import Settings  # noqa: E402
from retrieval.stores.embedded import EmbeddedStore  # noqa: E402
from tests.services import PostgreSQL  # noqa: E402

# Stores wait for the disk at every checkpoint. Where memory has room for pytest's folders, tests need not.
MEMORY = Path("/dev/shm")
if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > 2_000_000_000:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "data" / "sample"


@pytest.fixture(scope="session")
def sample_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that holds the sample corpus. For reading only."""
    folder = tmp_path_factory.mktemp("sample") / "store"
    load_fever([SAMPLE / "wiki-001.jsonl"], str(folder), name="sample")
    return folder


@pytest.fixture(scope="session")
def sample_store(sample_folder: Path) -> Iterator[EmbeddedStore]:
    """The sample corpus, open."""
    store = EmbeddedStore(sample_folder)
    yield store
    store.close()


@pytest.fixture(scope="session")
def resources(sample_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Resources]:
    """Store and models of a process, over the sample corpus."""
    resources = Resources(Settings(data=tmp_path_factory.mktemp("data"), store=str(sample_folder)))
    yield resources
    resources.close()


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """A real PostgreSQL."""
    server = PostgreSQL()
    yield server
    server.close()
