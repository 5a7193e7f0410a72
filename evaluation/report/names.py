"""The name and meaning of each figure, for people."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Name:
    """A figure's name in a report. lower_is_better: only for the calibration error."""

    title: str
    meaning: str
    lower_is_better: bool = False


FIGURE_GROUPS: dict[str, dict[str, Name]] = {
    "The verdict": {
        "label_accuracy": Name("Right labels", "claims whose label is right"),
        "balanced_label_accuracy": Name("Right labels, each label alike", "mean of the labels' own shares of right claims"),
        "macro_f1": Name("Macro F1", "F1 of each label, averaged, so that rare labels count as much"),
        "recall_supports": Name("True claims supported", "claims whose gold label is supported that are"),
        "recall_refutes": Name("False claims refuted", "claims whose gold label is refuted that are"),
        "recall_not_enough_info": Name("Open claims left open", "claims without gold evidence that are not decided"),
        "two_way_accuracy": Name("Support or refutation", "claims that are one of the two, told apart with neutral left out"),
        "calibration_error": Name("Calibration error", "how far the confidence shown is from the truth; 0 is best", True),
        "calibration_error_supports": Name("– where the label is supported", "the same over the claims that it gives this label", True),
        "calibration_error_refutes": Name("– where the label is refuted", "the same over the claims that it gives this label", True),
        "calibration_error_not_enough_info": Name("– where the label is not enough", "the same over the claims that it gives this label", True),
        "stance_accuracy_gold": Name("Stance on gold sentences", "support told from refutation, the gold sentence given"),
    },
    "FEVER's shared task": {
        "fever_score": Name("FEVER score", "label right and a whole gold group among the first five sentences"),
        "balanced_fever_score": Name("FEVER score, each label alike", "mean of its means over the claims of each label"),
        "evidence_precision@5": Name("Evidence precision at 5", "as the official scorer has it"),
        "evidence_recall@5": Name("Evidence recall at 5", "as the official scorer has it"),
        "evidence_f1@5": Name("Evidence F1 at 5", "as the official scorer has it"),
    },
    "AVeriTeC's shared task": {
        "q_meteor": Name("Questions", "METEOR of questions matched one to one with the gold ones"),
        "qa_meteor": Name("Questions and answers", "METEOR of pairs matched one to one with the gold ones"),
        **{
            f"averitec@{level}": Name(f"AVeriTeC score at {level}", f"label right and pairs above {level} METEOR")
            for level in ("0.10", "0.20", "0.25", "0.30", "0.40", "0.50")
        },
        "url_hit_rate": Name("Gold pages hit", "claims with at least one page of the gold answers among the evidence"),
        "url_recall": Name("Gold pages found", "pages of the gold answers that are among the evidence"),
    },
    "Finding": {
        "page_set_recall@10": Name("Pages within ten", "claims with all pages of a gold group among the first ten"),
        "evidence_set_recall@1": Name("Proof in the first sentence", "claims with a whole gold group in the first one"),
        "evidence_set_recall@5": Name("Proof within five", "claims with a whole gold group among the first five sentences"),
        "evidence_set_recall@10": Name("Proof within ten", "claims with a whole gold group among the first ten sentences"),
    },
    "Pages, as the thesis measured": {
        "page_precision": Name("Page precision", "pages found, of at most 17 a claim, that hold gold evidence"),
        "page_recall": Name("Page recall", "gold pages that are found"),
        "page_f1": Name("Page F1", "the two together"),
        "ofever_page": Name("OFEVER, pages", "claims with all pages of a gold group among 17"),
    },
    "Sentences shown, as the thesis measured": {
        "passage_precision": Name("Passage precision", "sentences shown from gold pages that are gold"),
        "passage_recall": Name("Passage recall", "gold sentences of pages found that are shown"),
        "passage_f1": Name("Passage F1", "the two together"),
        "ofever_passage": Name("OFEVER, passages", "claims with a whole gold group shown, where its pages were found"),
    },
    "Pages and sentences together": {
        "combined_precision": Name("Combined precision", "sentences shown that are gold"),
        "combined_recall": Name("Combined recall", "gold sentences that are shown"),
        "combined_f1": Name("Combined F1", "the two together"),
        "ofever_combined": Name("OFEVER, combined", "claims with a whole gold group shown"),
    },
}  # fmt: skip

CLASS_FIGURES = ("label_accuracy", "stance_accuracy_gold", "evidence_set_recall@5")  # shown for each class of claims
NAMES = {metric: name for group in FIGURE_GROUPS.values() for metric, name in group.items()}

LABEL_TITLES = {"SUPPORTS": "Supported", "REFUTES": "Refuted", "NOT ENOUGH INFO": "Not enough",
          "Not Enough Evidence": "Not enough", "Conflicting Evidence/Cherrypicking": "Conflicting"}  # fmt: skip


def name_of(metric: str) -> Name:
    """The figure's name; the metric itself if it has none."""
    return NAMES.get(metric, Name(metric, ""))


def percent(share: float) -> str:
    """A share as a percentage: one decimal, thin space before the sign."""
    return f"{100 * share:.1f}\u202f%"
