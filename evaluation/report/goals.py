"""The goal of every figure, and what other systems reached. Goals are defined only here."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

FEVER = "fever"  # docs/scorecard.json; every other card NAME is docs/scorecard-NAME.json


@dataclass(frozen=True)
class Goal:
    """A figure and its limit.

    card, part, metric: where to find the figure; part is `natural` unless the goal covers all claims. limit: its minimum,
    or its maximum if `at_most`. what: which data, if the metric's name is not enough. beside: what other systems reached,
    or how we used the data before. plain: the README's label for the figure; empty if it is not shown there.
    """

    metric: str
    part: str
    limit: float
    beside: str = ""
    card: str = FEVER
    what: str = ""
    at_most: bool = False
    plain: str = ""

    def met(self, value: float) -> bool:
        """Whether a value meets the goal."""
        return value <= self.limit if self.at_most else value >= self.limit


CHOSEN_ON = "used to tune"
WITH_RULES = "seen while writing rules"
MENDED = "seen while debugging"
BEHIND_DEFAULT = 0.07  # most that a recipe may be behind the default one on everyday claims

_everyday = partial(Goal, part="metrics", card="everyday", what="everyday claims")
_kinds = partial(Goal, part="metrics", card="kinds", what="claims of troublesome kinds")
_stance = partial(Goal, part="metrics")
_apart = partial(_stance, card="stance-no-evidence", what="stance, evidence removed", at_most=True)
_poison = partial(Goal, card="poison", at_most=True)
GOALS = (
    Goal("page_set_recall@10", "natural", 0.985, "untuned .98; the thesis on its own claims .77"),
    Goal("evidence_set_recall@5", "natural", 0.965, "untuned cosine .90; KGAT (BERT, whole dump) .944",
         plain="All evidence among the five best sentences"),
    Goal("evidence_set_recall@1", "natural", 0.84, "untuned cosine .57; a first recipe .75"),
    Goal("passage_f1", "natural", 0.77, "the thesis .606"),
    Goal("ofever_page", "natural", 0.95, "the thesis .797; NSMN .928"),
    Goal("balanced_label_accuracy", "natural", 0.79, "KGAT .78 with 145 k training claims and BERT",
         plain="Label accuracy, averaged over the three labels"),
    Goal("label_accuracy", "metrics", 0.75, "a first recipe .68"),
    Goal("balanced_fever_score", "natural", 0.775),
    Goal("calibration_error", "metrics", 0.03, "nobody reports it", what="all claims", at_most=True,
         plain="Calibration error of the stated probabilities"),
    Goal("calibration_error", "natural", 0.03, "nobody reports it", at_most=True),
    *(Goal(f"calibration_error_{label}", "natural", 0.06, at_most=True) for label in ("supports", "refutes", "not_enough_info")),
    _everyday("label_accuracy", limit=0.85, beside=CHOSEN_ON, plain="Label accuracy on claims as people type them"),
    _everyday("recall_refutes", limit=0.80, beside=CHOSEN_ON, plain="False claims among these that are refuted"),
    _everyday("evidence_set_recall@5", limit=0.93),
    _everyday("page_set_recall@10", limit=0.96),
    _everyday("calibration_error", limit=0.06, at_most=True),
    _kinds("label_accuracy", limit=0.85, beside=CHOSEN_ON),
    _kinds("opposite_verdicts", limit=0.046, beside=CHOSEN_ON, at_most=True),
    *(Goal("label_accuracy_behind", recipe, BEHIND_DEFAULT, card="recipes", at_most=True,
           what=f"everyday claims, recipe `{recipe}` behind the default")
      for recipe in ("esoteric", "aic", "rag_fusion", "contextual")),
    Goal("label_accuracy", "fast", 0.78, card="recipes", what="everyday claims, recipe `fast`"),
    _stance("label_accuracy", limit=0.87, card="stance-pairs", what="stance, three labels",
            beside=f"{CHOSEN_ON}; a large LLM, as published by a third party, .838"),
    _stance("label_accuracy", limit=0.84, card="stance-unseen", what="stance, passages unseen too",
            beside="claims whose passages no training read with another claim"),
    _stance("two_way_accuracy", limit=0.80, card="stance-twins", what="stance, twins",
            beside=f"{CHOSEN_ON}; claim alone .500; on FEVER-Symmetric BERT .575, re-weighted .616"),
    _apart("label_accuracy", limit=0.38, beside=f"{CHOSEN_ON}; chance .333"),
    _apart("two_way_accuracy", limit=0.55, beside=f"{CHOSEN_ON}; chance .500"),
    Goal("label_accuracy", "metrics", 0.80, MENDED, card="sample", what="the sample's claims"),
    Goal("label_accuracy", "metrics", 0.75, MENDED, card="adversarial", what="the sample's adversarial claims",
         plain="Label accuracy on claims written to mislead"),
    _poison("turned_verdicts_with_truth", "metrics", 0.10, WITH_RULES,
            what="planted pages, the corpus also holds the truth",
            plain="Verdicts changed by a false page planted beside a true one"),
    _poison("turned_verdicts_without_truth", "metrics", 0.25, WITH_RULES,
            what="planted pages, the corpus does not decide"),
    _poison("turned_verdicts_with_truth", "unseen", 0.10, "written after all rules but one",
            what="planted pages of eight further kinds, the corpus also holds the truth",
            plain="The same for kinds of attack that no rule was written for"),
)  # fmt: skip
MOST_MS = {"p50": 250.0, "p95": 700.0}
MS_BESIDE = "the thesis 31,750"
