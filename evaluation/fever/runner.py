"""Runs a recipe over claims, in this process or in several, and records the answers."""

from __future__ import annotations

import functools
import os
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tqdm import tqdm

from evaluation.fever.answers import Answer, answer_of
from evaluation.fever.data import GoldClaim, pointer_to
from evaluation.journal import Journal
from retrieval.errors import EsotericError
from retrieval.pipeline import Pipeline
from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.text.claims import read_claim
from retrieval.text.sentences import with_title
from retrieval.types import Claim, Label

WARM_UP_CLAIMS = 10
GOLD_SENTENCES = 5  # most gold sentences of a claim whose stance is judged

Outcome = tuple[str, Answer | None, str]  # claim id, answer, error


@dataclass(frozen=True)
class Checker:
    """A recipe ready to answer claims."""

    resources: Resources
    recipe: str

    def answer(self, claim: GoldClaim, timed: bool = True) -> Answer:
        """Run the recipe as the application does. Raises EsotericError if the claim cannot be checked."""
        pipeline, text = self._pipeline, read_claim(claim.text, self.resources.settings.claim_length)
        started = time.perf_counter()
        check = pipeline.run(Claim(claim.id, text))
        spent = round((time.perf_counter() - started) * 1000, 2)
        answer = answer_of(check, spent if timed else None)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        return replace(answer, gold_stance=self._gold_stance(claim), peak_rss_mb=peak)

    @functools.cached_property
    def _pipeline(self) -> Pipeline:
        return self.resources.pipeline(self.recipe)

    def _gold_stance(self, claim: GoldClaim) -> tuple[int, int] | None:
        """(gold groups of one sentence with the right stance, all gold groups of one sentence); None if there are none."""
        alone = [next(iter(group)) for group in claim.evidence if len(group) == 1][:GOLD_SENTENCES]
        if not alone or claim.label not in (Label.SUPPORTED, Label.REFUTED):
            return None
        pages = self.resources.store().get([page for page, _ in alone])
        texts = {pointer_to(s): with_title(s) for p in pages.values() for s in p.sentences()}
        sentences = [texts[pointer] for pointer in alone if pointer in texts]
        if not sentences:
            return None
        scored = self.resources.pair_scorer().score(claim.text, sentences)
        predicted = [stance.supports > stance.refutes for _, _, stances in scored for stance in stances]
        return sum(supports == (claim.label is Label.SUPPORTED) for supports in predicted), len(predicted)


def run_claims(
    claims: Sequence[GoldClaim], journal: Journal[Answer], resources: Resources, recipe: str, workers: int = 1
) -> dict[str, str]:
    """Answer every claim that the journal lacks. Returns errors by claim id.

    workers: processes; with more than one, time per claim is not measured, because they share the cores.
    """
    left = [claim for claim in claims if claim.id not in journal.answers]
    if len(left) < len(claims):
        answered = len(claims) - len(left)
        print(f"{answered:,} of {len(claims):,} claims were answered before. `--restart` starts over.", file=sys.stderr)
    failed: dict[str, str] = {}
    if left:
        answers = _here(left, resources, recipe) if workers == 1 else _apart(left, resources.settings, recipe, workers)
        bar = tqdm(answers, total=len(claims), initial=len(claims) - len(left), unit=" claims", mininterval=1)
        for id, answer, fault in bar:
            if answer is None:
                failed[id] = fault
            else:
                journal.add(id, answer)
    return failed


def _here(claims: Sequence[GoldClaim], resources: Resources, recipe: str) -> Iterator[Outcome]:
    checker = Checker(resources, recipe)
    for claim in claims[:WARM_UP_CLAIMS]:
        _outcome(checker, claim, timed=False)
    for claim in claims:
        yield _outcome(checker, claim, timed=True)


def _apart(claims: Sequence[GoldClaim], settings: Settings, recipe: str, workers: int) -> Iterator[Outcome]:
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import get_context

    share = replace(settings, threads=settings.threads or max(1, len(os.sched_getaffinity(0)) // workers))
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting = [pool.submit(_answer_there, share, recipe, claim) for claim in claims]
        try:
            for future in as_completed(waiting):
                yield future.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _answer_there(settings: Settings, recipe: str, claim: GoldClaim) -> Outcome:
    return _outcome(_checker(settings, recipe), claim, timed=False)


@functools.cache
def _checker(settings: Settings, recipe: str) -> Checker:
    """This worker process's checker, so that store and models are opened only once."""
    return Checker(Resources(settings), recipe)


def _outcome(checker: Checker, claim: GoldClaim, timed: bool) -> Outcome:
    try:
        return claim.id, checker.answer(claim, timed), ""
    except EsotericError as error:
        return claim.id, None, str(error)
