"""Runs a list of stages over one `FactCheck` and reports progress."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from types import MappingProxyType

from retrieval.errors import RecipeError
from retrieval.protocols import ClaimReader, Stage
from retrieval.stage_names import STANCES
from retrieval.types import Claim, FactCheck, NoVerdict, Progress
from retrieval.version import PROGRAM

FIELDS = frozenset(field.name for field in fields(FactCheck))
GIVEN = frozenset({"claim", "no_verdict"})  # fields that `start` fills
# Reasons for no verdict that still let a check search and show what it finds.
SEARCHED = frozenset({NoVerdict.QUESTION, NoVerdict.LANGUAGE})
# Fields whose stages judge the claim, or pay for a language model.
JUDGED = frozenset({"verdict", "calls"})


@dataclass(frozen=True)
class Pipeline:
    """Stages in order. Raises RecipeError if one reads what none before it writes. reader: of claims; None: as typed."""

    name: str
    stages: Sequence[Stage]
    reader: ClaimReader | None = None

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
        """The record at the start of a check by this pipeline, with the claim's reading."""
        check = FactCheck(claim=claim, recipe=self.name, program=PROGRAM)
        if self.reader is None:
            return check
        reading = self.reader.read(claim)
        return replace(check, claim=reading.claim, notes=reading.notes, no_verdict=str(reading.no_verdict or ""))

    def stages_for(self, check: FactCheck) -> tuple[Stage, ...]:
        """The stages that a check from `start` needs: none if there is nothing to look up."""
        if check.no_verdict:
            searched = check.no_verdict in SEARCHED
            return tuple(stage for stage in self.stages if searched and JUDGED.isdisjoint(stage.writes))
        return tuple(stage for stage in self.stages if stage.name != STANCES or check.claim.turned)

    def steps(self, claim: Claim) -> Iterator[Progress]:
        """Run the stages that the claim needs, if any. The last `Progress.check` is the finished record."""
        yield from self._steps(self.start(claim))

    def run(self, claim: Claim) -> FactCheck:
        """Run the stages that the claim needs, and return the finished record."""
        check = self.start(claim)
        for progress in self._steps(check):
            check = progress.check
        return check

    def _steps(self, check: FactCheck) -> Iterator[Progress]:
        for stage in self.stages_for(check):
            for progress in run_stage(stage, check):
                yield progress
                check = progress.check


def run_stage(stage: Stage, check: FactCheck) -> Iterator[Progress]:
    """Run one stage. Each record gets its time so far, in milliseconds, added to that of earlier stages of this name."""
    spent = check.timings.get(stage.name, 0.0) / 1000
    resumed = time.perf_counter()
    for progress in stage.run(check):
        spent += time.perf_counter() - resumed
        timings = MappingProxyType({**check.timings, stage.name: round(spent * 1000, 2)})
        yield replace(progress, check=replace(progress.check, timings=timings))
        resumed = time.perf_counter()
