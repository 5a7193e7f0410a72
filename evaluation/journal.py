"""Writes answers to disk as they are made, so that an interrupted run resumes where it stopped."""

from __future__ import annotations

import functools
import hashlib
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from evaluation.report.results_folder import make_folder
from retrieval.errors import SettingError

PROGRAM_FILES = Path(__file__).resolve().parents[1] / "retrieval"


class Row(Protocol):
    """The answer to one claim."""

    def as_row(self, id: str) -> dict[str, Any]:
        """A line of `claims.jsonl`, with the id under the key `id`."""
        ...


Answer = TypeVar("Answer", bound=Row)


class Journal(Generic[Answer]):
    """`claims.jsonl` in a folder, and `run.json`, which identifies the run.

    answers: from an earlier run with the same data, pipeline, corpus and program; none after `restart`.
    """

    def __init__(
        self, out: Path, run: Mapping[str, Any], read: Callable[[dict[str, Any]], Answer], restart: bool = False
    ) -> None:
        """read: inverse of `as_row`. Raises SettingError if the folder cannot be written."""
        self._read = read
        self.path = out / "claims.jsonl"
        make_folder(out)
        try:
            same = _read_json(out / "run.json") == run
            if restart or not same:
                if self.path.exists() and not restart:
                    print(f"{self.path} belongs to another run: starting over.", file=sys.stderr)
                self.path.unlink(missing_ok=True)  # before run.json is written, so that no other run's answers stay
                (out / "run.json").write_text(json.dumps(run, indent=1) + "\n", "utf-8")
            self.answers = self._earlier()
        except OSError as error:
            raise SettingError(
                f"{out} cannot be written: {error.strerror}. Name another folder with `--out`."
            ) from error

    def _earlier(self) -> dict[str, Answer]:
        """The answers of complete lines; the last one may be incomplete."""
        answers: dict[str, Answer] = {}
        if not self.path.exists():
            return answers
        data = self.path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        for line in whole.splitlines():
            try:
                row = json.loads(line)
                answers[str(row["id"])] = self._read(row)
            except (ValueError, KeyError, TypeError, AttributeError):
                continue  # the claim of a damaged line is answered again
        if len(whole) < len(data):
            with open(self.path, "r+b") as file:
                file.truncate(len(whole))
        return answers

    def add(self, id: str, answer: Answer) -> None:
        """Add an answer; it is on disk when this returns."""
        self.answers[id] = answer
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(answer.as_row(id), ensure_ascii=False) + "\n")


@functools.cache
def program_digest() -> str:
    """A hash of all files of `retrieval/`, with 180 MB of weights, so that another version's answers are never reused."""
    digest = hashlib.sha256()
    for path in sorted(PROGRAM_FILES.rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            digest.update(f"{path.relative_to(PROGRAM_FILES)}\0".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
