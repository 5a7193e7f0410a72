"""Our networks on a processor without VNNI, which an emulator gives: its 16-bit sums of 8-bit products overflow."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from retrieval.models.onnx import OnnxPairScorer
from retrieval.models.reader import OnnxReader
from tests.services import missing

pytestmark = pytest.mark.hub

EMULATOR, PROCESSOR = "qemu-x86_64", "Haswell"
CLAIM = "Ann Lie was born in Bergen in 1950."
SENTENCES = ["Ann Lie : She was born in Oslo in 1951.", "Ann Lie : She sings."]
SCRIPT = """
import json, sys
from retrieval.models import catalogue
from retrieval.models.onnx import OnnxPairScorer
from retrieval.models.reader import OnnxReader, adds_exactly
scores = lambda scorer: [score for _, (score,), _ in scorer.score(sys.argv[1], sys.argv[2:])]
pairs = [score for _, found, _ in OnnxPairScorer(threads=1).score(sys.argv[1], sys.argv[2:]) for score in found]
print(json.dumps({
    "exact": adds_exactly(catalogue.WEIGHTS / "reader_trial.onnx"),
    "chosen": scores(OnnxReader(threads=1)),
    "rows": scores(OnnxReader(threads=1, exact=True)),
    "pairs": pairs,
}))
"""


@pytest.fixture(scope="module")
def found() -> dict[str, object]:
    if platform.machine() != "x86_64":
        pytest.skip("this processor is not one of those that overflow")
    if shutil.which(EMULATOR) is None:
        missing(EMULATOR, "apt-get install qemu-user")
    command = [EMULATOR, "-cpu", PROCESSOR, sys.executable, "-c", SCRIPT, CLAIM, *SENTENCES]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=300, env=os.environ | {"PYTHONPATH": str(Path.cwd())}
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


def read(reader: OnnxReader) -> list[float]:
    return [score for _, (score,), _ in reader.score(CLAIM, SENTENCES)]


def test_the_reader_chooses_the_graph_that_adds_right(found: dict[str, object]) -> None:
    assert found["exact"] is False
    assert found["chosen"] == pytest.approx(read(OnnxReader(threads=1)), abs=0.01)


def test_the_faster_graph_would_have_been_wrong(found: dict[str, object]) -> None:
    """Else the trial protects from nothing."""
    assert found["rows"] != pytest.approx(found["chosen"], abs=0.05)


def test_the_small_network_reads_alike_everywhere(found: dict[str, object]) -> None:
    here = [score for _, scores, _ in OnnxPairScorer(threads=1).score(CLAIM, SENTENCES) for score in scores]
    assert found["pairs"] == pytest.approx(here, abs=0.01)
