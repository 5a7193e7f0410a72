"""How each model that ships was made: `lineage.toml`, printed and run again."""

from __future__ import annotations

import fnmatch
import shlex
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.fever.data import file_digest
from retrieval.errors import ModelError
from retrieval.models import catalogue

FILE = Path(__file__).with_suffix(".toml")
PLACES = ("MINILM", "MPNET", "DATA", "STORE", "WORK", "OUT")  # words of the steps that stand for folders
BASES = {model.name: model for model in (catalogue.BASE, catalogue.READER_BASE)}


@dataclass(frozen=True)
class Lineage:
    """How one model was made. The first lines of `lineage.toml` explain the fields.

    data: sha256 of each file, by its path in the folder of the training data.
    """

    name: str
    card: str
    files: Sequence[str]
    base: str
    from_base: str
    data: Mapping[str, str]
    licences: str
    steps: Sequence[str]
    machine: str
    exact: str

    def described(self) -> str:
        """The lineage as a text of several lines."""
        facts = {"writes": ", ".join(self.files), "card": f"docs/models/{self.card}"}
        if base := BASES.get(self.base):
            origin = f"{base.source}; {base.licence}; {base.files[0].name} has sha256 {base.files[0].sha256[:12]}"
            facts |= {"starts from": origin, "still in it": self.from_base}
        if self.data:
            facts["learned from"] = ", ".join(self.data)
            facts["licences"] = self.licences
        facts |= {"ran on": self.machine, "exact": self.exact}
        shape = textwrap.TextWrapper(118, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
        lines = [self.name, *(shape.fill(f"{fact}: {text}") for fact, text in facts.items())]
        return "\n".join([*lines, *(f"  {number}. python -m {step}" for number, step in enumerate(self.steps, 1))])

    def commands(self, places: Mapping[str, object]) -> list[list[str]]:
        """What follows `python -m` in each step. places: what stands for MINILM, MPNET, DATA, STORE, WORK and OUT.

        Raises ModelError if a step names a place that is None.
        """
        return [_command(step, places) for step in self.steps]


def lineages() -> dict[str, Lineage]:
    """All lineages by name, in the order in which the models are made."""
    content = tomllib.loads(FILE.read_text("utf-8"))
    digests: dict[str, str] = content["data"]
    return {row["name"]: _lineage(row, digests) for row in content["model"]}


def run_steps(lineage: Lineage, places: Mapping[str, object]) -> int:
    """Run the steps one after another; returns the exit code of the first that fails, or 0.

    Warns of data files that differ from those in the lineage.
    """
    commands = lineage.commands(places)
    for name, digest in lineage.data.items():
        path = Path(str(places["DATA"])) / name
        if not path.exists() or file_digest(path) != digest:
            print(f"{path} is not the file whose sha256 the lineage gives.", file=sys.stderr)
    for command in commands:
        print(shlex.join(["python", "-m", *command]), flush=True)
        if code := subprocess.run([sys.executable, "-m", *command], check=False).returncode:
            return code
    return 0


def _lineage(row: dict[str, Any], digests: Mapping[str, str]) -> Lineage:
    data = {
        name: digest
        for name, digest in digests.items()
        if any(fnmatch.fnmatch(name.removeprefix("training/"), pattern) for pattern in row["data"])
    }
    return Lineage(**{**row, "data": data, "steps": row["steps"].strip().splitlines()})


def _command(step: str, places: Mapping[str, object]) -> list[str]:
    """The step with its places filled in."""
    if step.startswith("training "):
        step += " --data DATA" if "--out " in step else " --data DATA --out OUT"
    words = []
    for word in step.split():
        place, slash, rest = word.partition("/")
        if place in places and places[place] is None:
            raise ModelError(f"`python -m {step}` needs --{place.lower()}.")
        words.append(f"{places.get(place, place)}{slash}{rest}")
    return words
