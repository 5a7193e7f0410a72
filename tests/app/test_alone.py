"""Nothing leaves the machine: neither a look-up nor a connection, whatever web and worker do."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from retrieval import TELEMETRY_OFF
from retrieval.recipes import RECIPES
from tests.app.process import ROOT
from tests.services import PostgreSQL, missing

APART = ["unshare", "--net", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"])]


@pytest.mark.slow
def test_web_and_worker_call_nobody(tmp_path: Path, sample_folder: Path, postgresql: PostgreSQL) -> None:
    """In a network of their own, as they are started anywhere, without CI in their environment (`tests/app/alone.py`)."""
    if not shutil.which("ip"):
        missing("ip", "apt-get install iproute2")
    if subprocess.run([*APART, "true"], capture_output=True).returncode:
        missing("a network of one's own", "run the tests as root, or allow user namespaces")
    command = [sys.executable, "-m", "tests.app.alone", str(tmp_path), str(sample_folder), postgresql.nearby()]
    ended = subprocess.run([*APART, *command], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert ended.returncode == 0, ended.stderr
    told = json.loads(ended.stdout.splitlines()[-1])
    assert told["ended"] == {**dict.fromkeys((*RECIPES, "upload", "report"), "done"), "documents": "ready"}
    assert told["seen"] == []


def test_the_image_turns_off_the_same_reports() -> None:
    image = re.search(r"^ENV (.+)$", (ROOT / "Dockerfile").read_text(), re.M)
    assert image
    assert TELEMETRY_OFF.items() <= dict(pair.split("=", 1) for pair in image[1].split()).items()
