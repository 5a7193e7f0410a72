"""The measurement of memory, on a real application."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from evaluation.speed.memory import document, measure_memory, resident
from evaluation.speed.started import processes


@pytest.mark.slow
def test_one_upload_under_one_recipe(sample_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECIPE", "fast")  # the application loads no reader
    found = measure_memory(str(sample_folder), 1, 2_000, ["fast"])
    assert set(found["megabytes_after"]) == {"start", "uploads", "fast"}
    assert 50 < found["megabytes_after"]["start"] <= found["peak_megabytes"] + 200
    assert found["peak_megabytes"] < 1_000


def test_documents_differ_and_have_their_size() -> None:
    one, other = document(1, 5_000), document(2, 5_000)
    assert 5_000 <= len(one) < 5_200
    assert not set(one.splitlines()) & set(other.splitlines())
    assert len(set(one.splitlines())) == len(one.splitlines())


def test_a_process_is_counted_with_those_it_started() -> None:
    assert os.getpid() in set(processes(os.getpid()))
    assert resident(os.getpid()) > 20
