"""The thesis' relevance classifier: its samples and their split. `tests/hub/test_training.py` trains one."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from evaluation.fever.data import read_claims
from retrieval.stores.embedded.store import EmbeddedStore
from training.classifiers.relevance import Plan, Sample, loss_chart, relevance_samples, split

CLAIMS = Path(__file__).resolve().parents[3] / "data" / "sample" / "claims.jsonl"


@pytest.fixture(scope="module")
def samples(sample_store: EmbeddedStore) -> list[Sample]:
    claims = [claim for claim in read_claims(CLAIMS) if claim.verifiable]
    return list(relevance_samples(sample_store, claims, random.Random(0)))


def test_one_relevant_to_two_of_the_page_and_two_of_random_pages(samples: list[Sample]) -> None:
    by_claim: dict[str, Counter[int]] = {}
    for sample in samples:
        by_claim.setdefault(sample.claim, Counter())[sample.label] += 1
    assert len(by_claim) > 50
    for counts in by_claim.values():
        assert 2 * counts[1] <= counts[0] <= 4 * counts[1], "random pages are never short of sentences"
    ratio = sum(c[0] for c in by_claim.values()) / sum(c[1] for c in by_claim.values())
    assert 3 < ratio <= 4


def test_samples_are_the_same_in_every_run(sample_store: EmbeddedStore, samples: list[Sample]) -> None:
    claims = [claim for claim in read_claims(CLAIMS) if claim.verifiable]
    assert list(relevance_samples(sample_store, claims, random.Random(0))) == samples


def test_eight_to_one_to_one_and_no_claim_twice(samples: list[Sample]) -> None:
    parts = split(samples, random.Random(0))
    claims = [{sample.claim for sample in part} for part in parts]
    assert sum(map(len, parts)) == len(samples)
    assert not claims[0] & claims[1] | claims[0] & claims[2] | claims[1] & claims[2]
    total = sum(map(len, claims))
    assert [round(10 * len(part) / total) for part in claims] == [8, 1, 1]


def test_the_plan_is_table_5() -> None:
    plan = Plan()
    assert (plan.claims, plan.epochs, plan.batch_size, plan.warm_up) == (10_000, 3, 24, 500)
    assert (plan.weight_decay, plan.learning_rate) == (0.01, 1e-5)


def test_the_loss_is_drawn() -> None:
    drawn = loss_chart([{"step": 200, "validation": 0.4}, {"step": 400, "validation": 0.2}])
    assert drawn.startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    assert "400" in drawn
