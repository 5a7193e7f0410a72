"""The place of a hub model on this machine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Place:
    """The folder of a model and its name in records: the name and the first eight digits of its version."""

    folder: Path
    id: str

    def content(self) -> str:
        """The id, and a digest that changes with the folder's content: names, sizes and times of its weights."""
        weights = sorted(file for kind in ("*.safetensors", "*.bin") for file in self.folder.rglob(kind))
        facts = [(file.name, file.stat().st_size, file.stat().st_mtime_ns) for file in weights]
        return f"{self.id} {facts}"
