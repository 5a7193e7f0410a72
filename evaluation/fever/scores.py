"""Every FEVER figure of a scorecard, by its published definition.

There are three sources: the shared task (Thorne et al., FEVER workshop 2018) with its scorer; the thesis that ESOTERIC
comes from (2024, sections 4.1 and 4.2, table 8); and retrieval of whole evidence groups (Nie et al., AAAI 2019).

NOT ENOUGH INFO claims have no gold evidence. They count only in label accuracy, macro F1, FEVER score and calibration.
"""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.fever.answers import SUBMITTED_EVIDENCE, Answer
from evaluation.fever.data import FEVER_NAMES, LABELS, GoldClaim, Pointer, holds_group, holds_pages
from evaluation.metrics import (
    Measure,
    balanced_mean,
    calibration,
    harmonic_mean,
    label_f1,
    mean,
    ratio,
)
from retrieval.types import Label

THESIS_PAGES = 17  # pages per claim, implied by the thesis's figures (recall .77 at precision .062); our limit

Pairs = Sequence[tuple[GoldClaim, Answer]]
Counts = tuple[int, int, int]  # right, predicted, gold


def fever_measures(pairs: Pairs) -> dict[str, Measure]:
    """Every figure, by its name in a scorecard."""
    if not pairs:
        return {}
    return {**retrieval_measures(pairs), **thesis_measures(pairs), **label_measures(pairs), **task_measures(pairs)}


# Retrieval of whole groups


def retrieval_measures(pairs: Pairs) -> dict[str, Measure]:
    """The share of verifiable claims with one whole gold group (for pages: all its pages) among the first k.

    Nie et al. (AAAI 2019) call this a module's "OFEVER" at k; here it depends on rank alone, not on the sentences
    shown.
    """
    measures = {"page_set_recall@10": mean(page_recall(pairs, 10))}
    for k in (1, 5, 10):
        measures[f"evidence_set_recall@{k}"] = mean(sentence_recall(pairs, k))
    return measures


def page_recall(pairs: Pairs, k: int) -> list[float | None]:
    """1 if the first k pages contain those of one gold group, else 0; None for NOT ENOUGH INFO."""
    return [float(holds_pages(c, a.pages[:k])) if c.verifiable else None for c, a in pairs]


def sentence_recall(pairs: Pairs, k: int) -> list[float | None]:
    """1 if the first k sentences contain one gold group, else 0; None for NOT ENOUGH INFO."""
    return [float(holds_group(c, a.sentences[:k])) if c.verifiable else None for c, a in pairs]


# The thesis's measures


def thesis_measures(pairs: Pairs) -> dict[str, Measure]:
    """Document, passage and combined precision, recall, F1, and OFEVER of each (thesis, sections 4.1, 4.2, table 8).

    Verifiable claims only, as in its test set. OFEVER is the share with one whole gold group: all its pages found (the
    claim would be right if all later stages were perfect), or all its sentences shown. Precision and recall are over all
    pages (or passages) of all claims together: "a point was given for recall for each one retrieved"; so F1 is
    2 right / (predicted + gold).
    """
    verifiable = [(c, a) if c.verifiable else None for c, a in pairs]
    measures: dict[str, Measure] = {}
    for name, count in (("page", page_counts), ("passage", passage_counts), ("combined", combined_counts)):
        measures |= _precision_recall_f1(name, [count(*pair) if pair else (0, 0, 0) for pair in verifiable])
    page = page_recall(pairs, THESIS_PAGES)
    combined = [float(holds_group(c, list(_shown(a)))) if c.verifiable else None for c, a in pairs]
    measures["ofever_page"] = mean(page)
    # The passage module alone, with documents by an oracle: claims whose documents were not found do not count.
    measures["ofever_passage"] = mean([c if p else None for p, c in zip(page, combined, strict=True)])
    measures["ofever_combined"] = mean(combined)
    return measures


def _precision_recall_f1(name: str, counts: Sequence[Counts]) -> dict[str, Measure]:
    right, predicted, gold = zip(*counts, strict=True)
    return {
        f"{name}_precision": ratio(right, predicted),
        f"{name}_recall": ratio(right, gold),
        f"{name}_f1": ratio([2 * r for r in right], [p + g for p, g in zip(predicted, gold, strict=True)]),
    }


def page_counts(claim: GoldClaim, answer: Answer) -> Counts:
    """Documents. Gold: every page with a sentence in some gold group. Predicted: at most 17 pages."""
    gold = {page for page, _ in claim.pointers}
    found = set(answer.pages[:THESIS_PAGES])
    return len(gold & found), len(found), len(gold)


def passage_counts(claim: GoldClaim, answer: Answer) -> Counts:
    """Passage scores with an oracle for documents: only sentences on gold pages that were found count, on both sides.

    "If the passage retriever received an irrelevant document, all results from this document would be discarded."
    """
    pages = {page for page, _ in claim.pointers} & set(answer.pages[:THESIS_PAGES])
    reachable = {pointer for pointer in claim.pointers if pointer[0] in pages}
    shown = {pointer for pointer in answer.evidence if pointer[0] in pages}
    return len(reachable & shown), len(shown), len(reachable)


def combined_counts(claim: GoldClaim, answer: Answer) -> Counts:
    """Documents and passages together: every sentence shown against every gold sentence."""
    shown = _shown(answer)
    return len(claim.pointers & shown), len(shown), len(claim.pointers)


def _shown(answer: Answer) -> set[Pointer]:
    """The evidence shown, restricted to the pages that count."""
    pages = set(answer.pages[:THESIS_PAGES])
    return {pointer for pointer in answer.evidence if pointer[0] in pages}


# Labels


def label_measures(pairs: Pairs) -> dict[str, Measure]:
    """Label accuracy (shared task), macro F1, calibration of the confidence, and stance on gold sentences.

    recall_LABEL: share of the claims with this gold label that get it. balanced_label_accuracy: the mean of these over
    the labels. calibration_error_LABEL: over the claims predicted to have this label. CONFLICTING counts as NOT ENOUGH
    INFO. Calibration covers answers with a confidence, which a claim without a verdict lacks. stance_accuracy_gold: the
    stance model alone, claim and gold sentence given, support against refutation, over claims with a gold group of one
    sentence (several such sentences of a claim share one point).
    """
    gold, predicted = [FEVER_NAMES[c.label] for c, _ in pairs], [a.label for _, a in pairs]
    right = [g == s for g, s in zip(gold, predicted, strict=True)]
    measures = {
        "label_accuracy": mean([float(r) for r in right]),
        "balanced_label_accuracy": balanced_mean([float(r) for r in right], gold),
        "macro_f1": label_f1(gold, predicted),
    }
    for label in LABELS:
        hits = [float(hit) if g == label else None for hit, g in zip(right, gold, strict=True)]
        measures[f"recall_{_in_name(label)}"] = mean(hits)
    stated = [a.confidence is not None for _, a in pairs]
    if any(stated):
        confidences = [a.confidence or 0.0 for _, a in pairs]
        measures["calibration_error"] = calibration(confidences, right, stated)
        for label in LABELS:
            of_label = [p == label and has for p, has in zip(predicted, stated, strict=True)]
            measures[f"calibration_error_{_in_name(label)}"] = calibration(confidences, right, of_label)
    stances = [a.gold_stance[0] / a.gold_stance[1] if a.gold_stance and c.verifiable else None for c, a in pairs]
    return {**measures, "stance_accuracy_gold": mean(stances)}


def _in_name(label: str) -> str:
    return label.lower().replace(" ", "_")


# The shared task


def task_measures(pairs: Pairs) -> dict[str, Measure]:
    """FEVER score and evidence precision, recall and F1 at five, as the official scorer computes them (Thorne et al.
    2018).

    balanced_fever_score: the FEVER score's mean over the claims of each gold label, averaged over the labels.

    Precision and recall are means over the claims whose gold label is not NOT ENOUGH INFO, whatever was predicted;
    F1 is the harmonic mean of the two means. Without one such claim, all three are left out (the scorer says 1, 0, 0).
    """
    precisions, recalls = [task_precision(*pair) for pair in pairs], [task_recall(*pair) for pair in pairs]
    points = [fever_point(*pair) for pair in pairs]
    return {
        "fever_score": mean(points),
        "balanced_fever_score": balanced_mean(points, [FEVER_NAMES[claim.label] for claim, _ in pairs]),
        "evidence_precision@5": mean(precisions),
        "evidence_recall@5": mean(recalls),
        "evidence_f1@5": harmonic_mean(precisions, recalls),
    }


def fever_point(claim: GoldClaim, answer: Answer) -> float:
    """1 if the label is right and, unless it is NOT ENOUGH INFO, a whole gold group is in the first five sentences."""
    if answer.label != FEVER_NAMES[claim.label]:
        return 0.0
    open_claim = claim.label is Label.NOT_ENOUGH_EVIDENCE
    return float(open_claim or holds_group(claim, answer.sentences[:SUBMITTED_EVIDENCE]))


def task_precision(claim: GoldClaim, answer: Answer) -> float | None:
    """Share of the first five sentences that are in any gold group; 1, by definition, if none was given."""
    if claim.label is Label.NOT_ENOUGH_EVIDENCE:
        return None
    given = answer.sentences[:SUBMITTED_EVIDENCE]
    return sum(pointer in claim.pointers for pointer in given) / len(given) if given else 1.0


def task_recall(claim: GoldClaim, answer: Answer) -> float | None:
    """1 if a whole gold group is in the first five sentences, or if there is no gold group; partial groups give 0."""
    if claim.label is Label.NOT_ENOUGH_EVIDENCE:
        return None
    return float(not claim.evidence or holds_group(claim, answer.sentences[:SUBMITTED_EVIDENCE]))
