"""What opening the reader leaves in memory."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
from pathlib import Path

def own():
    return int(Path("/proc/self/status").read_text().split("RssAnon:")[1].split()[0]) // 1000

from retrieval.models.reader import OnnxReader
before = own()
reader = OnnxReader(threads=1)
list(reader.score("Oslo is the capital of Norway.", ["Oslo : It is the capital of Norway."]))
print(own() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process's own memory so")
def test_the_reader_takes_little_more_than_its_matrices() -> None:
    """Its matrices take 87 MB. Opening left 260 MB behind: what it took for a moment was not given back."""
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert int(ran.stdout) < 160
