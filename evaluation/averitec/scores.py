"""AVeriTeC's figures, by the shared task's definition (Schlichtkrull et al., FEVER workshop 2024, and its scorer).

Predicted and gold texts are matched one to one so that the sum of their METEOR is largest (Hungarian assignment); that
sum, divided by the number of gold texts, is a claim's evidence score. Only the first ten predicted pairs count. A claim
counts for the AVeriTeC score at a threshold if its evidence score is above it and its label is right.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.averitec.data import GoldClaim, Prediction
from evaluation.averitec.meteor import Meteor
from evaluation.metrics import Measure, Values, calibration, mean
from retrieval.llm.reading.labels import LABELS

SCORED_PAIRS = 10
FACTS_FOUND = 0.5  # least Ev2R recall of a claim that counts
VERDICT_FIGURES = ("label_accuracy", "macro_f1", "averitec@0.25", "q_meteor", "a_meteor", "qa_meteor", "url_hit_rate")
QA_THRESHOLDS = (0.10, 0.20, 0.25, 0.30, 0.40, 0.50)

Pairs = Sequence[tuple[GoldClaim, Prediction]]


@dataclass(frozen=True)
class ClaimScore:
    """Evidence scores of one claim, 0 to 1; None if the gold has no question.

    answers: the score of the answers alone, which measures the search for a claim (Momii et al., table 3). facts:
    recall by Ev2R; None if no language model judged it.
    """

    questions: float | None
    pairs: float | None
    answers: float | None = None
    facts: float | None = None


def assignment_score(predicted: Sequence[str], gold: Sequence[str], meteor: Meteor) -> float | None:
    """The sum of METEOR over the best one-to-one matching, divided by the number of gold texts; None if there are none."""
    from scipy.optimize import linear_sum_assignment

    if not gold:
        return None
    table = np.array([[meteor(text, reference) for reference in gold] for text in predicted[:SCORED_PAIRS]])
    if not table.size:
        return 0.0
    rows, columns = linear_sum_assignment(table, maximize=True)
    return float(table[rows, columns].sum()) / len(gold)


def claim_score(gold: GoldClaim, predicted: Prediction, meteor: Meteor, facts: float | None = None) -> ClaimScore:
    """The evidence scores of a claim. facts: its recall by Ev2R."""
    return ClaimScore(
        assignment_score(predicted.questions, gold.questions, meteor),
        assignment_score(predicted.pairs, gold.pairs, meteor),
        assignment_score(predicted.answers, [answer for _, answer in gold.answers], meteor),
        facts,
    )


def averitec_measures(pairs: Pairs, scores: Sequence[ClaimScore]) -> dict[str, Measure]:
    """Every figure, by its name in a scorecard."""
    right = [float(gold.label == predicted.label) for gold, predicted in pairs]
    measures = {
        "q_meteor": mean([s.questions for s in scores]),
        "a_meteor": mean([s.answers for s in scores]),
        "qa_meteor": mean([s.pairs for s in scores]),
    }
    if any(s.facts is not None for s in scores):
        measures["ev2r_recall"] = mean([s.facts for s in scores])
        measures[f"averitec_ev2r@{FACTS_FOUND:.2f}"] = mean(
            [None if s.facts is None else hit * (s.facts >= FACTS_FOUND) for s, hit in zip(scores, right, strict=True)]
        )
    for threshold in QA_THRESHOLDS:
        measures[f"averitec@{threshold:.2f}"] = mean(
            [None if s.pairs is None else hit * (s.pairs > threshold) for s, hit in zip(scores, right, strict=True)]
        )
    measures["label_accuracy"] = mean(right)
    measures["macro_f1"] = four_label_f1([g.label for g, _ in pairs], [p.label for _, p in pairs])
    if any(predicted.urls for _, predicted in pairs):
        measures |= _hit_measures("url", [url_hits(gold, predicted.urls) for gold, predicted in pairs])
    if any(predicted.pages for _, predicted in pairs):
        measures |= _hit_measures("page", [url_hits(gold, predicted.pages) for gold, predicted in pairs])
    confidences = [predicted.confidence for _, predicted in pairs]
    if all(confidence is not None for confidence in confidences):
        measures["calibration_error"] = calibration([c or 0.0 for c in confidences], [hit == 1 for hit in right])
    return measures


def four_label_f1(gold: Sequence[str], predicted: Sequence[str]) -> Measure:
    """Unweighted mean of F1 over all four labels, including those that do not occur, as in the shared task."""
    names = list(LABELS)
    hits, sizes = np.zeros((len(gold), len(names))), np.zeros((len(gold), len(names)))
    for row, (right, label) in enumerate(zip(gold, predicted, strict=True)):
        sizes[row, names.index(right)] += 1
        if label in LABELS:
            sizes[row, names.index(label)] += 1
            hits[row, names.index(label)] = float(label == right)

    def value(sums: Values) -> Values:
        right, all_of_it = sums[..., : len(names)], sums[..., len(names) :]
        return np.asarray((2 * right / np.maximum(all_of_it, 1)).mean(axis=-1))

    return Measure(np.hstack([hits, sizes]), value, len(gold))


def _hit_measures(of: str, hits: Sequence[float | None]) -> dict[str, Measure]:
    """Claims with one gold page found ("Easy" of Momii et al., tables 1, 2), with all ("All"), and the share found."""
    return {
        f"{of}_hit_rate": mean([None if found is None else float(found > 0) for found in hits]),
        f"{of}_all_rate": mean([None if found is None else float(found == 1) for found in hits]),
        f"{of}_recall": mean(hits),
    }


def url_hits(gold: GoldClaim, urls: Sequence[str]) -> float | None:
    """The share of the gold answers' pages that are among these; None if the gold names no page.

    A page and its archived copy count as the same.
    """
    wanted = {frozenset(map(plain_url, names)) for names in gold.urls}
    found = {plain_url(url) for url in urls}
    return sum(bool(names & found) for names in wanted) / len(wanted) if wanted else None


def plain_url(url: str) -> str:
    """The page's normalised address: without archive, scheme, www, fragment and final slash; host in lower case."""
    url = re.sub(r"^https?://(?:web\.)?archive\.(?:org|is|ph|today)/(?:web/)?(?:\d+\w*/)?", "", url.strip())
    url = re.sub(r"^(?:https?:)?/{0,2}(?:www\.)?", "", url, flags=re.IGNORECASE).partition("#")[0].rstrip("/")
    host, slash, path = url.partition("/")
    return host.casefold() + slash + path
