"""What the networks leave in memory, beside what they need."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process's own memory so")

OWN = """
from pathlib import Path

def own():
    return int(Path("/proc/self/status").read_text().split("RssAnon:")[1].split()[0]) // 1000
"""
OPENING = """
from retrieval.models.reader import OnnxReader
before = own()
reader = OnnxReader(threads=1)
list(reader.score("Oslo is the capital of Norway.", ["Oslo : It is the capital of Norway."]))
print(own() - before)
"""
ENCODING = """
from retrieval.models.onnx import OnnxEncoder
encoder = OnnxEncoder(threads=1)
encoder.encode(["A line."])
before = own()
encoder.encode(["A long text of many words. " * 60] * 32)
print(own() - before)
"""


def megabytes(program: str) -> int:
    """What the program prints."""
    ran = subprocess.run([sys.executable, "-c", OWN + program], capture_output=True, text=True, check=True)
    return int(ran.stdout)


def test_the_reader_takes_little_more_than_its_matrices() -> None:
    """Its matrices take 87 MB. Opening left 260 MB behind: what it took for a moment was not given back."""
    assert megabytes(OPENING) < 160


def test_a_batch_of_long_texts_leaves_no_memory_behind() -> None:
    """It left 260 MB: onnxruntime kept them for another batch as large."""
    assert megabytes(ENCODING) < 60
