"""The questions of recipe `esoteric` about drawn claims, for people to judge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from evaluation.fever.data import GoldClaim
from retrieval import stage_names
from retrieval.pipeline import Pipeline
from retrieval.resources import Resources
from retrieval.types import Claim


def asked_about(claims: Iterable[GoldClaim], resources: Resources) -> Iterator[str]:
    """Lines to print: each claim, and under it its questions, numbered consecutively. Raises ModelError or StoreError."""
    pipeline = asking_only(resources.pipeline("esoteric"))
    number = 0
    for claim in claims:
        check = pipeline.run(Claim(claim.id, claim.text))
        yield f"# {claim.text}"
        for pair in check.questions:
            number += 1
            yield f"{number}\t{pair.question}"


def asking_only(pipeline: Pipeline) -> Pipeline:
    """The stages that find spans and ask."""
    stages = tuple(stage for stage in pipeline.stages if stage.name in (stage_names.SPANS, stage_names.QUESTIONS))
    return Pipeline(pipeline.name, stages, reader=pipeline.reader)
