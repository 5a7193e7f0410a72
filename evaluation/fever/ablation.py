"""Recipe `esoteric` without each of its steps in turn, on the same claims.

All variants answer a claim before the next claim starts, and share encodings and judgements. So leaving out ten steps
takes about twice as long as a plain run, and an interrupted run has complete rows. Time is not measured here.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tqdm import tqdm

from evaluation.fever.answers import Answer, answer_of, row_answer
from evaluation.fever.compare import cell_of_difference, compare_runs
from evaluation.fever.data import GoldClaim, file_digest
from evaluation.fever.run import describe_pipeline, select_claims
from evaluation.journal import Journal, program_digest
from evaluation.machine import machine
from evaluation.report.blocks import data_set, heads, row
from evaluation.report.results_folder import Json, write_json
from retrieval.protocols import PairScorer
from retrieval.recipes.esoteric import STEPS
from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.text.claims import read_claim
from retrieval.types import Claim, Stance

ESOTERIC = "esoteric"
NOTHING_LEFT_OUT = "nothing"
STEP_FIGURES = (
    "page_recall",
    "ofever_page",
    "page_set_recall@10",
    "evidence_set_recall@5",
    "passage_f1",
    "label_accuracy",
)


class RememberingScorer:
    """A pair scorer that judges each pair of claim and sentence once. Implements `PairScorer`."""

    def __init__(self, scorer: PairScorer) -> None:
        self._scorer = scorer
        self._judged: dict[tuple[str, str], tuple[float, Stance]] = {}

    def score(self, claim: str, sentences: Sequence[str]) -> Iterator[tuple[list[int], list[float], list[Stance]]]:
        """As `PairScorer.score`."""
        new = [sentence for sentence in dict.fromkeys(sentences) if (claim, sentence) not in self._judged]
        for rows, relevances, stances in self._scorer.score(claim, new):
            for at, relevance, stance in zip(rows, relevances, stances, strict=True):
                self._judged[claim, new[at]] = relevance, stance
        judged = [self._judged[claim, sentence] for sentence in sentences]
        yield list(range(len(sentences))), [relevance for relevance, _ in judged], [stance for _, stance in judged]

    def judge_together(self, claim: str, sentences: Sequence[str]) -> Stance:
        """As `PairScorer.judge_together`. Not cached: a step reads each set of sentences of a claim once."""
        return self._scorer.judge_together(claim, sentences)


def answer_in_variants(
    claims: Sequence[GoldClaim], digest: str, out: Path, resources: Resources, variants: Mapping[str, Settings]
) -> tuple[Json, dict[str, Mapping[str, Answer]]]:
    """(the first variant's pipeline, variant -> claim id -> answer). Resumes an interrupted run.

    digest: of the claims' files. Answers of the first variant have their times. Raises SettingError if `out` cannot be
    written.
    """
    resources = replace(resources, instead={"pair scorer": RememberingScorer(resources.pair_scorer())})
    tuned = {name: resources.with_settings(settings) for name, settings in variants.items()}
    described = {name: describe_pipeline(one, ESOTERIC) for name, one in tuned.items()}
    program = program_digest()
    journals = {
        name: Journal(
            out / name.replace(" ", "-"), {"data": digest, "pipeline": pipeline, "program": program}, row_answer
        )
        for name, pipeline in described.items()
    }
    first = next(iter(variants))
    pipelines = {name: one.pipeline(ESOTERIC) for name, one in tuned.items()}
    for claim in tqdm(claims, unit=" claims", mininterval=1, file=sys.stderr):
        text = read_claim(claim.text, resources.settings.claim_length)
        for name, pipeline in pipelines.items():
            if claim.id not in journals[name].answers:
                began = time.perf_counter()
                check = pipeline.run(Claim(claim.id, text))
                spent = round((time.perf_counter() - began) * 1000, 2) if name == first else None
                journals[name].add(claim.id, answer_of(check, spent))
    return described[first], {name: journal.answers for name, journal in journals.items()}


def measure_steps(path: Path, out: Path, resources: Resources, limit: int | None = None, natural: bool = False) -> Json:
    """Answer the claims without each step, write `ablation.json` into `out` and return it. Resumes an interrupted run.

    Raises CorpusError if there is no claim, SettingError if `out` cannot be written.
    """
    claims, digest = select_claims(path, limit, natural), file_digest(path)
    variants = {step or NOTHING_LEFT_OUT: resources.settings.tuned(ESOTERIC, without=step) for step in ("", *STEPS)}
    pipeline, answers = answer_in_variants(claims, digest, out, resources, variants)
    data = {"path": path.name, "sha256": digest, "claims": len(claims)}
    card = {"data": data, "pipeline": pipeline, "machine": machine(), "steps": step_figures(claims, answers)}
    write_json(out / "ablation.json", card)
    return card


def step_figures(claims: Sequence[GoldClaim], answers: Mapping[str, Mapping[str, Answer]]) -> Json:
    """Step left out -> {figure: {"this", "other", "difference", "low", "high", "p"}}; other is the complete recipe."""
    whole = answers[NOTHING_LEFT_OUT]
    return {
        step: compare_runs([(claim, found[claim.id]) for claim in claims], NOTHING_LEFT_OUT, whole)["metrics"]
        for step, found in answers.items()
        if step != NOTHING_LEFT_OUT
    }


def steps_table(card: Json) -> str:
    """The figures as a Markdown table with signed differences; a star if the 95 % interval of one leaves out 0."""
    steps = card["steps"]
    figures = [name for name in STEP_FIGURES if all(name in rows for rows in steps.values())]
    first = next(iter(steps.values()))
    lines = heads("left out", *(f"`{name}`" for name in figures))
    lines.append(row(NOTHING_LEFT_OUT, *(f"**{first[name]['other']:.3f}**" for name in figures)))
    for step, rows in steps.items():
        lines.append(row(step, *(cell_of_difference(rows[name]) for name in figures)))
    data, pipeline = card["data"], card["pipeline"]
    lines += [
        "",
        f"{data_set(data)}, {data['claims']:,} claims, "
        f"{pipeline['corpus']['pages']:,} pages. A star: the 95 % bootstrap interval of the difference leaves out 0.",
    ]
    return "\n".join(lines)
