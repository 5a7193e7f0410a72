"""Runs a recipe over FEVER claims and scores what it says."""

from __future__ import annotations

import json
import platform
import resource
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tqdm import tqdm

from evaluation.fever_data import FEVER_NAMES, GoldClaim, file_digest, holds_group, holds_pages, read_claims
from evaluation.metrics import Score, bootstrap_calibration_error, bootstrap_macro_f1, mean_score, quantiles
from retrieval.errors import CorpusError, SettingError
from retrieval.resources import Resources
from retrieval.types import Claim, FactCheck

WARM_UP = 10
SUBMITTED_EVIDENCE = 5


@dataclass(frozen=True)
class Answer:
    """What a recipe said of one claim, in the form that is scored. pages and sentences: best first."""

    label: str
    confidence: float
    pages: tuple[str, ...]
    sentences: tuple[tuple[str, int], ...]
    milliseconds: float


def evaluate(
    path: Path, out: Path, resources: Resources, recipe: str, limit: int | None, natural: bool
) -> dict[str, Any]:
    """Check every claim of the file, write scorecard.json and predictions.jsonl into `out`, return the scorecard.

    Raises CorpusError where there is no claim to check, SettingError where `out` cannot be written.
    """
    claims = [claim for claim in read_claims(path) if claim.natural or not natural][:limit]
    if not claims:
        raise CorpusError(f"{path} holds no claim to score. Name a file of FEVER claims, or leave out `--natural`.")
    _make_folder(out)
    pipeline = resources.pipeline(recipe)
    for claim in claims[:WARM_UP]:
        pipeline.run(Claim(claim.id, claim.text))
    answers = []
    for claim in tqdm(claims, unit=" claims", file=sys.stderr, mininterval=1):
        started = time.perf_counter()
        check = pipeline.run(Claim(claim.id, claim.text))
        answers.append(_answer(check, (time.perf_counter() - started) * 1000))
    card = {
        "data": {
            "path": path.name,
            "sha256": file_digest(path),
            "claims": len(claims),
            "scored": len(answers),
            "natural": natural,
        },
        "pipeline": {
            "recipe": recipe,
            "models": resources.models(recipe),
            "settings": {
                name: str(value) for name, value in asdict(resources.settings).items() if name.startswith("top_")
            },
            "corpus": {"fingerprint": resources.corpus().fingerprint, "pages": resources.corpus().pages},
        },
        "metrics": {name: score.as_json() for name, score in score_answers(claims, answers).items()},
        "latency_ms": quantiles([answer.milliseconds for answer in answers]),
        "peak_rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "machine": f"{platform.machine()}, {_cores()} cores, Python {platform.python_version()}",
    }
    (out / "scorecard.json").write_text(json.dumps(card, indent=1) + "\n", "utf-8")
    _write_predictions(out / "predictions.jsonl", claims, answers)
    return card


def _make_folder(out: Path) -> None:
    """Before the work, so that no scores are lost at its end."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SettingError(f"{out} cannot be made: {error.strerror}. Name another folder with `--out`.") from error


def _cores() -> int:
    import os

    return len(os.sched_getaffinity(0))


def _answer(check: FactCheck, milliseconds: float) -> Answer:
    assert check.verdict is not None
    return Answer(
        label=FEVER_NAMES[check.verdict.label],
        confidence=check.verdict.confidence,
        pages=tuple(hit.page.id for hit in check.pages),
        sentences=tuple((e.sentence.page_id, e.sentence.line) for e in check.sentences),
        milliseconds=milliseconds,
    )


def _write_predictions(path: Path, claims: Sequence[GoldClaim], answers: Sequence[Answer]) -> None:
    with open(path, "w", encoding="utf-8") as file:
        for claim, answer in zip(claims, answers, strict=True):
            evidence = [list(pointer) for pointer in answer.sentences[:SUBMITTED_EVIDENCE]]
            row = {"id": claim.id, "predicted_label": answer.label, "predicted_evidence": evidence}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def score_answers(claims: Sequence[GoldClaim], answers: Sequence[Answer]) -> dict[str, Score]:
    """Every metric that the claims allow; recall is over verifiable claims only, labels over all."""
    pairs = list(zip(claims, answers, strict=True))
    verifiable = [(claim, answer) for claim, answer in pairs if claim.verifiable]
    scores: dict[str, Score] = {}
    if verifiable:
        scores["page_set_recall@10"] = mean_score([float(holds_pages(c, a.pages[:10])) for c, a in verifiable])
        for k in (1, 5, 10):
            scores[f"evidence_set_recall@{k}"] = mean_score(
                [float(holds_group(c, a.sentences[:k])) for c, a in verifiable]
            )
    if pairs:
        gold, said = [FEVER_NAMES[c.label] for c, _ in pairs], [a.label for _, a in pairs]
        right = [g == s for g, s in zip(gold, said, strict=True)]
        scores["label_accuracy"] = mean_score([float(r) for r in right])
        scores["macro_f1"] = bootstrap_macro_f1(gold, said)
        scores["fever_score"] = mean_score([fever_point(c, a) for c, a in pairs])
        scores["calibration_error"] = bootstrap_calibration_error([a.confidence for _, a in pairs], right)
    return scores


def fever_point(claim: GoldClaim, answer: Answer) -> float:
    """1 where the label is right and, if verifiable, one whole gold group is among the first five sentences."""
    if answer.label != FEVER_NAMES[claim.label]:
        return 0.0
    return float(not claim.verifiable or holds_group(claim, answer.sentences[:SUBMITTED_EVIDENCE]))
