"""A pipeline is checked when it is built, tells what it does while it runs, and stops when nobody listens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest

from retrieval.errors import RecipeError
from retrieval.pipeline import Pipeline
from retrieval.types import Claim, FactCheck, NoVerdict, Progress, ReadClaim
from retrieval.version import PROGRAM

CLAIM = Claim("c", "A claim.")


@dataclass
class Step:
    """A stage that writes a note for each of its units and remembers whether it was ended."""

    name: str = "step"
    reads: tuple[str, ...] = ("claim",)
    writes: tuple[str, ...] = ("notes",)
    units: int = 1
    seconds: float = 0.0
    clock: list[float] = field(default_factory=lambda: [0.0])
    log: list[str] = field(default_factory=list)

    def run(self, check: FactCheck) -> Iterator[Progress]:
        try:
            for unit in range(1, self.units + 1):
                self.clock[0] += self.seconds
                self.log.append(f"{self.name} {unit}")
                check = replace(check, notes=(*check.notes, f"{self.name} {unit}"))
                yield Progress(self.name, unit, self.units, check)
        finally:
            self.log.append(f"{self.name} ended")


def test_stages_run_in_order_and_hand_on_the_record() -> None:
    pipeline = Pipeline("two", (Step("a", units=2), Step("b", reads=("claim", "notes"))))
    steps = list(pipeline.steps(CLAIM))
    assert [(step.stage, step.done, step.total) for step in steps] == [("a", 1, 2), ("a", 2, 2), ("b", 1, 1)]
    assert [step.check.notes for step in steps] == [("a 1",), ("a 1", "a 2"), ("a 1", "a 2", "b 1")]
    check = pipeline.run(CLAIM)
    assert (check.claim, check.recipe, check.notes) == (CLAIM, "two", ("a 1", "a 2", "b 1"))


def test_a_record_is_never_changed_in_place() -> None:
    steps = list(Pipeline("two", (Step("a", units=3),)).steps(CLAIM))
    assert [len(step.check.notes) for step in steps] == [1, 2, 3]
    assert [len(step.check.timings) for step in steps] == [1, 1, 1]


def test_a_pipeline_without_stages_gives_the_empty_record() -> None:
    assert Pipeline("none", ()).run(CLAIM) == FactCheck(CLAIM, "none", program=PROGRAM)


def test_a_stage_that_reads_what_none_before_it_writes() -> None:
    with pytest.raises(
        RecipeError, match=r"^Recipe x cannot run: stage b reads pages, sentences, which no stage before it"
    ):
        Pipeline("x", (Step("a"), Step("b", reads=("claim", "sentences", "pages"))))
    with pytest.raises(RecipeError, match="reads spans"):
        Pipeline("x", (Step("b", reads=("spans",)), Step("a", writes=("spans",))))
    with pytest.raises(RecipeError):
        Pipeline("x", (Step("a", reads=("notes",), writes=("notes",)),))


@pytest.mark.parametrize("step", [Step(reads=("claims",)), Step(writes=("colour", "notes"))])
def test_a_stage_that_names_no_field(step: Step) -> None:
    with pytest.raises(RecipeError, match=r"^Stage step names fields that no check has: (claims|colour)\.$"):
        Pipeline("x", (step,))


def test_times_are_those_of_the_stage_without_its_listener(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr("retrieval.pipeline.time.perf_counter", lambda: clock[0])
    pipeline = Pipeline("x", (Step("a", units=2, seconds=0.01, clock=clock), Step("b", seconds=0.005, clock=clock)))
    timings = {}
    for progress in pipeline.steps(CLAIM):
        clock[0] += 0.1
        timings = dict(progress.check.timings)
    assert timings == {"a": 20, "b": 5}


def test_ceasing_to_iterate_stops_the_work() -> None:
    first, second = Step("a", units=5), Step("b")
    steps = Pipeline("x", (first, second)).steps(CLAIM)
    next(steps)
    next(steps)
    steps.close()
    assert first.log == ["a 1", "a 2", "a ended"]
    assert second.log == []


def test_nothing_runs_before_it_is_asked_for() -> None:
    step = Step()
    Pipeline("x", (step,)).steps(CLAIM)
    assert step.log == []


def test_an_error_of_a_stage_reaches_the_listener() -> None:
    @dataclass
    class Broken(Step):
        def run(self, check: FactCheck) -> Iterator[Progress]:
            yield Progress(self.name, 1, 2, check)
            raise ValueError("broken")

    steps = Pipeline("x", (Broken(),)).steps(CLAIM)
    next(steps)
    with pytest.raises(ValueError, match="broken"):
        next(steps)


class Refusing:
    """A claim reader that finds no statement."""

    def __init__(self, why: NoVerdict) -> None:
        self.why = why

    def read(self, claim: Claim) -> ReadClaim:
        return ReadClaim(claim, ("There is nothing to check.",), self.why)


def test_nothing_runs_for_what_is_no_statement() -> None:
    stages = (
        Step("pages", writes=("pages",)),
        Step("language model", writes=("calls",)),
        Step("verdict", writes=("verdict",)),
    )
    nothing = Pipeline("x", stages, Refusing(NoVerdict.OPINION))
    assert not nothing.stages_for(nothing.start(CLAIM))
    assert list(nothing.steps(CLAIM)) == []
    check = nothing.run(CLAIM)
    assert (check.no_verdict, check.notes, check.timings) == ("opinion", ("There is nothing to check.",), {})


def test_a_question_is_searched_and_nobody_is_paid_or_judges() -> None:
    stages = (
        Step("pages", writes=("pages",)),
        Step("language model", writes=("calls",)),
        Step("verdict", writes=("verdict",)),
    )
    pipeline = Pipeline("x", stages, Refusing(NoVerdict.QUESTION))
    assert [stage.name for stage in pipeline.stages_for(pipeline.start(CLAIM))] == ["pages"]
