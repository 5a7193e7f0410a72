"""Where a hub model is on this machine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Place:
    """A model's folder and its id in records: the name and the first eight digits of its version."""

    folder: Path
    id: str

    def content(self) -> str:
        """The id and a digest of the names, sizes and times of the weights, which changes with the folder's content."""
        weights = sorted(file for kind in ("*.safetensors", "*.bin") for file in self.folder.rglob(kind))
        facts = [(file.name, file.stat().st_size, file.stat().st_mtime_ns) for file in weights]
        return f"{self.id} {facts}"
