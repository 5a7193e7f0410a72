"""What each figure should reach, and what others reached: the only place that defines the goals."""

from __future__ import annotations

from dataclasses import dataclass

FEVER = "fever"  # docs/scorecard.json; every other card NAME is docs/scorecard-NAME.json


@dataclass(frozen=True)
class Goal:
    """A figure and its limit. card, part, metric: its place; part `natural` unless the goal is about all claims. limit:
    its minimum, or its maximum with `at_most`; None: shown without a goal. what: its name for people, if the metric's
    is not enough. beside: what others reached, and who.
    """

    metric: str
    part: str
    limit: float | None
    beside: str = ""
    card: str = FEVER
    what: str = ""
    at_most: bool = False

    def met(self, value: float) -> bool:
        """Whether a value meets the goal."""
        return self.limit is None or (value <= self.limit if self.at_most else value >= self.limit)


GOALS = (
    Goal("page_set_recall@10", "natural", 0.98, "untuned .98; the thesis on its own claims .77"),
    Goal("evidence_set_recall@5", "natural", 0.95, "untuned cosine .90; KGAT (BERT, whole dump) .944"),
    Goal("evidence_set_recall@1", "natural", 0.80, "untuned cosine .57; a first recipe .75"),
    Goal("passage_f1", "natural", 0.75, "the thesis .606"),
    Goal("ofever_page", "natural", 0.95, "the thesis .797; NSMN .928"),
    Goal("label_accuracy", "metrics", 0.75, "KGAT .78 with 145 k training claims and BERT; a first recipe .68"),
    Goal("fever_score", "natural", 0.70),
    Goal("calibration_error", "natural", 0.05, "nobody reports it", at_most=True),
    Goal(
        "label_accuracy",
        "metrics",
        0.75,
        "a large LLM, as published by a third party, .838",
        card="stance-pairs",
        what="stance, three labels",
    ),
    Goal(
        "two_way_accuracy",
        "metrics",
        0.80,
        "claim alone .500; on FEVER-Symmetric BERT .575, re-weighted .616",
        card="stance-twins",
        what="stance, twins",
    ),
    Goal(
        "label_accuracy",
        "metrics",
        0.38,
        "chance .333",
        card="stance-no-evidence",
        what="stance, evidence removed",
        at_most=True,
    ),
    Goal(
        "two_way_accuracy",
        "metrics",
        0.55,
        "chance .500",
        card="stance-no-evidence",
        what="stance, evidence removed",
        at_most=True,
    ),
    Goal("label_accuracy", "metrics", None, card="adversarial", what="adversarial claims"),
    Goal(
        "turned_verdicts_with_truth",
        "metrics",
        0.10,
        card="poison",
        what="planted pages, the corpus also holds the truth",
        at_most=True,
    ),
    Goal(
        "turned_verdicts_without_truth",
        "metrics",
        0.25,
        card="poison",
        what="planted pages, the corpus does not decide",
        at_most=True,
    ),
)
MOST_MS = {"p50": 250.0, "p95": 700.0}
MS_BESIDE = "the thesis 31,750"
