"""Runs a recipe over AVeriTeC claims, or reads predictions made elsewhere, and writes the scores."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from evaluation.averitec.data import GoldClaim, Prediction, read_claims, read_predictions, row_prediction
from evaluation.averitec.ev2r import fact_recalls
from evaluation.averitec.meteor import Meteor, meteor
from evaluation.averitec.scores import SCORED_PAIRS, ClaimScore, Pairs, averitec_measures, claim_score
from evaluation.fever.data import identified
from evaluation.fever.scorecard import confusion, coverage_curve, histogram, per_label, reliability, stage_times
from evaluation.journal import Journal, program_digest
from evaluation.machine import machine
from evaluation.metrics import quantiles, scores_as_json
from evaluation.report.page import averitec_report
from evaluation.report.results_folder import Json, counted, make_folder, write_results
from retrieval.errors import CorpusError, SettingError
from retrieval.llm.client import open_llm
from retrieval.llm.reading.labels import LABELS
from retrieval.protocols import LLM
from retrieval.resources import Resources
from retrieval.settings import Settings


def evaluate(
    path: Path,
    out: Path,
    resources: Resources,
    recipe: str,
    knowledge: Path,
    limit: int | None = None,
    *,
    replies: Path | None = None,
    restart: bool = False,
    ev2r: bool = False,
    unread: bool = False,
) -> Json:
    """Check every claim against its documents, write the results into `out`, return the scorecard.

    Each prediction is written as it is made, so an interrupted run resumes. knowledge: folder of ID.json files.
    replies: file of a language model's recorded replies (`evaluation/averitec/recorded.py`). ev2r: whether the language
    model judges the evidence too. unread: whether to measure the search alone. Raises CorpusError if there is no claim
    to check, SettingError if `out` cannot be written.
    """
    from evaluation.averitec.runner import MeteredResources, describe_pipeline, run_claims

    claims = read_claims(path, limit)
    compare = meteor(resources.settings.data / "nltk_data")
    metered = MeteredResources.of(resources, replies, unread)
    pipeline = describe_pipeline(metered, recipe, knowledge)
    data = identified(path)
    journal = Journal(out, {"data": data["sha256"], "pipeline": pipeline, "program": program_digest()}, row_prediction, restart)  # fmt: skip
    failed = run_claims(claims, journal, metered, recipe, knowledge)
    pairs = [(claim, journal.answers[claim.id]) for claim in claims if claim.id in journal.answers]
    judge = _judge(metered.llm()) if ev2r else None
    return _score(out, claims, pairs, {**data, "failed": failed}, pipeline, compare, judge)


def _judge(llm: LLM | None) -> LLM:
    if llm is None:
        raise SettingError("A language model judges by Ev2R, and none is set. Set LLM_MODEL, or leave out `--ev2r`.")
    return llm


def evaluate_predictions(path: Path, out: Path, predictions: Path, settings: Settings, limit: int | None = None, ev2r: bool = False) -> Json:  # fmt: skip
    """Score predictions made elsewhere as if a recipe had made them, and write the results into `out`. Claims without a
    prediction count as failed and are not scored. Raises CorpusError if no claim has one.
    """
    claims = read_claims(path, limit)
    predicted = read_predictions(predictions)
    pairs = [(claim, predicted[claim.id]) for claim in claims if claim.id in predicted]
    if not pairs:
        raise CorpusError(f"{predictions} answers no claim of {path}. Name predictions with the same ids.")
    if strange := {prediction.label for _, prediction in pairs} - set(LABELS):
        names = ", ".join(sorted(repr(label[:40]) for label in strange))
        print(f"Labels that AVeriTeC does not have count as wrong: {names}.", file=sys.stderr)
    failed = {claim.id: "no prediction" for claim in claims if claim.id not in predicted}
    pipeline: Json = {"recipe": "predictions", "models": {}, "settings": {}, "corpus": {}}
    pipeline["predictions"] = identified(predictions)
    make_folder(out)
    data = {**identified(path), "failed": failed}
    judge = _judge(open_llm(settings)) if ev2r else None
    return _score(out, claims, pairs, data, pipeline, meteor(settings.data / "nltk_data"), judge)


def _score(
    out: Path,
    claims: Sequence[GoldClaim],
    pairs: Pairs,
    data: Json,
    pipeline: Json,
    compare: Meteor,
    judge: LLM | None = None,
) -> Json:
    """The scorecard, written into the folder. Raises CorpusError if no claim could be answered."""
    data, failed = counted(data, len(claims), len(pairs)), data["failed"]
    recalls = fact_recalls(pairs, judge) if judge else {}
    card = averitec_scorecard(pairs, data, pipeline, compare, recalls)
    write_results(out, card, averitec_report(card), [submission(*pair) for pair in pairs], failed)
    return card


def submission(claim: GoldClaim, predicted: Prediction) -> Json:
    """The shared task's format: claim_id, claim, pred_label, and at most ten pairs of evidence."""
    row = dict(predicted.row or {})
    number = int(claim.id) if claim.id.isdecimal() else claim.id
    evidence = list(row.get("evidence", []))[:SCORED_PAIRS]
    return {"claim_id": number, "claim": claim.text, "pred_label": predicted.label, "evidence": evidence}


def beside_majority(gold: Sequence[str], predicted: Sequence[str]) -> Json:
    """The majority label's accuracy, and the p value of the predictions being no better (exact McNemar test,
    two-sided): under the null hypothesis, each claim that only one of the two gets right is a fair coin toss.
    """
    from scipy.stats import binomtest

    usual = max(LABELS, key=lambda label: list(gold).count(label))
    ours = sum(s == g != usual for g, s in zip(gold, predicted, strict=True))
    theirs = sum(g == usual != s for g, s in zip(gold, predicted, strict=True))
    p = float(binomtest(ours, ours + theirs).pvalue) if ours + theirs else 1.0
    accuracy = sum(label == usual for label in gold) / len(gold)
    return {"label": usual, "accuracy": round(accuracy, 4), "ours_alone": ours, "theirs_alone": theirs, "p": p}


def averitec_scorecard(
    pairs: Pairs, data: Json, pipeline: Json, compare: Meteor, recalls: Mapping[str, float] | None = None
) -> Json:
    """A scorecard, with seconds and tokens per claim. recalls: claim id -> share of facts, by Ev2R."""
    facts = recalls or {}
    scores: list[ClaimScore] = [claim_score(gold, predicted, compare, facts.get(gold.id)) for gold, predicted in pairs]
    metrics = scores_as_json(averitec_measures(pairs, scores))
    card: Json = {"data": data, "pipeline": pipeline, "metrics": metrics}
    gold, predicted = [claim.label for claim, _ in pairs], [prediction.label for _, prediction in pairs]
    card["majority"] = beside_majority(gold, predicted)
    times = [p.milliseconds for _, p in pairs if p.milliseconds is not None]
    if len(times) == len(pairs):
        card |= {"latency_ms": quantiles(times), "latency_histogram": histogram(times)}
        card["stages_ms"] = stage_times([p.timings for _, p in pairs])
    if all(p.prompt_tokens is not None for _, p in pairs):
        card["tokens"] = {
            "prompt": quantiles([float(p.prompt_tokens or 0) for _, p in pairs]),
            "reply": quantiles([float(p.reply_tokens or 0) for _, p in pairs]),
        }
    if peak := max(p.peak_rss_mb for _, p in pairs):
        card["peak_rss_mb"] = peak
    card |= {"machine": machine(), "per_label": per_label(gold, predicted), "confusion": confusion(gold, predicted)}
    if "calibration_error" in metrics:
        confidences = [p.confidence or 0.0 for _, p in pairs]
        right = [g == s for g, s in zip(gold, predicted, strict=True)]
        card |= {"reliability": reliability(confidences, right), "coverage": coverage_curve(confidences, right)}
    return card
