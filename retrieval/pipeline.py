"""Runs a list of stages over one `FactCheck` and reports progress."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from types import MappingProxyType

from retrieval.errors import RecipeError
from retrieval.protocols import Stage
from retrieval.types import Claim, FactCheck, Progress
from retrieval.version import PROGRAM

FIELDS = frozenset(field.name for field in fields(FactCheck))
GIVEN = frozenset({"claim"})


@dataclass(frozen=True)
class Pipeline:
    """Stages in order of flow. Raises RecipeError when a stage reads what none before it writes."""

    name: str
    stages: Sequence[Stage]

    def __post_init__(self) -> None:
        known = set(GIVEN)
        for stage in self.stages:
            if unknown := (set(stage.reads) | set(stage.writes)) - FIELDS:
                raise RecipeError(f"Stage {stage.name} names fields that no check has: {', '.join(sorted(unknown))}.")
            if missing := set(stage.reads) - known:
                raise RecipeError(
                    f"Recipe {self.name} cannot run: stage {stage.name} reads {', '.join(sorted(missing))}, "
                    "which no stage before it writes. Change the order of the stages."
                )
            known |= set(stage.writes)

    def start(self, claim: Claim) -> FactCheck:
        """The empty record of a check by this pipeline."""
        return FactCheck(claim=claim, recipe=self.name, program=PROGRAM)

    def steps(self, claim: Claim) -> Iterator[Progress]:
        """Run all stages. The last `Progress.check` is the finished record."""
        check = self.start(claim)
        for stage in self.stages:
            for progress in run_stage(stage, check):
                yield progress
                check = progress.check

    def run(self, claim: Claim) -> FactCheck:
        """Run all stages and return the finished record."""
        check = self.start(claim)
        for progress in self.steps(claim):
            check = progress.check
        return check


def run_stage(stage: Stage, check: FactCheck) -> Iterator[Progress]:
    """Run one stage, adding its time (milliseconds, without the consumer's) to each record it yields."""
    spent = 0.0
    resumed = time.perf_counter()
    for progress in stage.run(check):
        spent += time.perf_counter() - resumed
        timings = MappingProxyType({**check.timings, stage.name: round(spent * 1000, 2)})
        yield replace(progress, check=replace(progress.check, timings=timings))
        resumed = time.perf_counter()
