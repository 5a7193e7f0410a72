"""Holds checks inside a stage until the test lets them go on: what a test sees hangs on no machine's speed."""

from __future__ import annotations

import os
from pathlib import Path

PAUSE = 0.02  # seconds between two looks


class Gate:
    """A file that names the stage in which checks wait, and one that notes who was there. Processes share it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.closed, self.noted = folder / "closed", folder / "noted"

    def close(self, stage: str) -> None:
        """From now on checks wait in this stage, and in no other."""
        new = self.closed.with_suffix(".new")
        new.write_text(stage)
        new.replace(self.closed)

    def open(self) -> None:
        """All go on."""
        self.closed.unlink(missing_ok=True)

    def holds(self, stage: str) -> bool:
        """Whether a check in this stage has to wait."""
        try:
            return self.closed.read_text() == stage
        except FileNotFoundError:
            return False

    def note(self, stage: str, what: str, claim: str) -> None:
        """Of this process and a claim: went through the stage, or left it, whole or not."""
        with open(self.noted, "a", encoding="utf-8") as file:
            file.write(f"{os.getpid()}\t{stage}\t{what}\t{claim}\n")

    def went(self, stage: str) -> list[tuple[int, str]]:
        """Process and claim of each pass through the stage, in order."""
        return self._read(stage, "went")

    def left(self, stage: str) -> list[tuple[int, str]]:
        """The same of each end of work in the stage, also where it was given up."""
        return self._read(stage, "left")

    def _read(self, stage: str, what: str) -> list[tuple[int, str]]:
        if not self.noted.exists():
            return []
        rows = (line.split("\t", 3) for line in self.noted.read_text("utf-8").splitlines())
        return [(int(process), claim) for process, name, event, claim in rows if (name, event) == (stage, what)]
