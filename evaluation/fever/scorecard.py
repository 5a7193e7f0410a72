"""The result of a run: scorecard.json (docs/interfaces.md), with the data that its report plots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

import numpy as np

from evaluation.fever.data import FEVER_NAMES, LABELS
from evaluation.fever.scores import THESIS_PAGES, Pairs, fever_measures, page_recall, sentence_recall
from evaluation.machine import machine
from evaluation.metrics import BINS, quantiles, reliability_bin, scores_as_json
from evaluation.report.results_folder import Json

CURVE_DEPTHS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 17, 20)
COVERAGES = 40
CLASS_METRICS = ("label_accuracy", "macro_f1", "fever_score", "stance_accuracy_gold", "evidence_set_recall@5",
                 "page_set_recall@10")  # fmt: skip
ABSTAIN_THRESHOLDS = (0.0, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


def fever_scorecard(pairs: Pairs, data: Json, pipeline: Json) -> Json:
    """The whole scorecard; `natural` and `complete` have the same figures over those claims alone."""
    card: Json = {"data": data, "pipeline": pipeline, "metrics": scores_as_json(fever_measures(pairs))}
    times = [a.milliseconds for _, a in pairs if a.milliseconds is not None]
    if len(times) == len(pairs):
        card["latency_ms"] = quantiles(times)
    if peak := max(a.peak_rss_mb for _, a in pairs):
        card["peak_rss_mb"] = peak
    card["machine"] = machine()
    parts = {name: [pair for pair in pairs if getattr(pair[0], name)] for name in ("natural", "complete")}
    for name, some in parts.items():
        if some and any(claim.verifiable for claim, _ in some):
            card[name] = scores_as_json(fever_measures(some))
    if figures := evidence_set_figures(pairs):
        card["evidence_sets"] = figures
    if classes := class_figures(pairs):
        card["classes"] = classes
    gold, predicted = [FEVER_NAMES[c.label] for c, _ in pairs], [a.label for _, a in pairs]
    card["per_label"] = per_label(gold, predicted)
    card["confusion"] = confusion(gold, predicted)
    if "natural" in card and len(natural := parts["natural"]) < len(pairs):
        card["confusion_natural"] = confusion([FEVER_NAMES[c.label] for c, _ in natural], [a.label for _, a in natural])
    card["curves"] = {"pages": recall_curve(pairs, page_recall), "sentences": recall_curve(pairs, sentence_recall)}
    if "calibration_error" in card["metrics"]:
        confidences = [a.confidence or 0.0 for _, a in pairs]
        right = [g == s for g, s in zip(gold, predicted, strict=True)]
        known = [row for row, (_, a) in enumerate(pairs) if a.confidence is not None]
        card["reliability"] = reliability([confidences[row] for row in known], [right[row] for row in known])
        card["coverage"] = coverage_curve(confidences, right)
        card["abstention"] = abstention(confidences, right)
    if len(times) == len(pairs):
        card["latency_histogram"] = histogram(times)
        card["stages_ms"] = stage_times([a.timings for _, a in pairs])
    return card


def evidence_set_figures(pairs: Pairs) -> Json:
    """The thesis's further figures for verifiable claims: how the right pages were found, and size and position of the
    evidence shown; unknown ones are left out.

    hits_by_method: shares of the gold pages among the first 17, by how each was found; they sum to 1. page_position,
    passage_position: mean rank of gold pages among those 17, and of gold sentences among those shown.
    evidence_set_size: mean number of sentences shown, over claims with any.
    """
    methods: Counter[str] = Counter()
    page_places: list[int] = []
    passage_places: list[int] = []
    sizes: list[int] = []
    for claim, answer in pairs:
        if not claim.verifiable:
            continue
        pages = {page for page, _ in claim.pointers}
        right = [place for place, page in enumerate(answer.pages[:THESIS_PAGES]) if page in pages]
        page_places += [place + 1 for place in right]
        methods.update(answer.methods[place] for place in right if place < len(answer.methods))
        passage_places += [place for place, pointer in enumerate(answer.evidence, 1) if pointer in claim.pointers]
        sizes += [len(answer.evidence)] if answer.evidence else []
    total = sum(methods.values())
    figures: Json = {
        "hits_by_method": {name: round(count / total, 4) for name, count in methods.most_common()},
        "page_position": _mean(page_places),
        "passage_position": _mean(passage_places),
        "evidence_set_size": _mean(sizes),
    }
    return {name: value for name, value in figures.items() if value}


def _mean(values: list[int]) -> float | None:
    return round(fmean(values), 3) if values else None


def class_figures(pairs: Pairs) -> dict[str, Json]:
    """Figures by class of claims, in the order of the data; empty if claims have no class."""
    kinds = dict.fromkeys(claim.kind for claim, _ in pairs if claim.kind)
    table = {}
    for kind in kinds:
        figures = scores_as_json(fever_measures([pair for pair in pairs if pair[0].kind == kind]))
        table[kind] = {name: figures[name] for name in CLASS_METRICS if name in figures}
    return table


def per_label(gold: Sequence[str], predicted: Sequence[str]) -> dict[str, Json]:
    """Precision, recall, F1 and number of claims of each label that occurs, in the usual order; None if undefined."""
    table: dict[str, Json] = {}
    for label in _labels(gold, predicted):
        hits = sum(g == s == label for g, s in zip(gold, predicted, strict=True))
        claims, answers = list(gold).count(label), list(predicted).count(label)
        table[label] = {
            "precision": round(hits / answers, 4) if answers else None,
            "recall": round(hits / claims, 4) if claims else None,
            "f1": round(2 * hits / (claims + answers), 4),
            "gold": claims,
            "predicted": answers,
        }
    return table


def confusion(gold: Sequence[str], predicted: Sequence[str]) -> dict[str, dict[str, int]]:
    """Claims by gold and predicted label."""
    names = _labels(gold, predicted)
    pairs = list(zip(gold, predicted, strict=True))
    return {label: {other: pairs.count((label, other)) for other in names} for label in names}


def _labels(gold: Sequence[str], predicted: Sequence[str]) -> list[str]:
    found = set(gold) | set(predicted)
    return [label for label in LABELS if label in found] + sorted(found - set(LABELS))


def recall_curve(pairs: Pairs, recall: Callable[[Pairs, int], Sequence[float | None]]) -> list[list[float]]:
    """[k, share of verifiable claims whose whole gold set is within the first k]."""
    known = [pair for pair in pairs if pair[0].verifiable]
    if not known:
        return []
    return [[k, round(float(np.mean([value or 0.0 for value in recall(known, k)])), 4)] for k in CURVE_DEPTHS]


def reliability(confidences: Sequence[float], right: Sequence[bool]) -> list[Json]:
    """The bins of confidence that hold claims, with their mean confidence, accuracy and number."""
    confidence, correct = np.asarray(confidences, float), np.asarray(right, float)
    places = reliability_bin(confidence)
    return [
        {
            "from": place / BINS,
            "to": (place + 1) / BINS,
            "confidence": round(float(confidence[places == place].mean()), 4),
            "accuracy": round(float(correct[places == place].mean()), 4),
            "n": int((places == place).sum()),
        }
        for place in range(BINS)
        if (places == place).any()
    ]


def coverage_curve(confidences: Sequence[float], right: Sequence[bool]) -> list[list[float]]:
    """[share answered, accuracy among them, least confidence]: the effect of abstaining below a confidence."""
    order = sorted(range(len(right)), key=lambda index: -confidences[index])
    correct = np.cumsum([right[index] for index in order])
    counts = sorted({max(1, round(len(order) * step / COVERAGES)) for step in range(1, COVERAGES + 1)})
    return [
        [round(count / len(order), 4), round(float(correct[count - 1]) / count, 4), confidences[order[count - 1]]]
        for count in counts
    ]


def abstention(confidences: Sequence[float], right: Sequence[bool]) -> list[Json]:
    """The effect of ABSTAIN_BELOW at each threshold: share of claims answered, accuracy among them."""
    confidence, correct = np.asarray(confidences, float), np.asarray(right, float)
    rows: list[Json] = []
    for threshold in ABSTAIN_THRESHOLDS:
        answered = confidence >= threshold
        accuracy = round(float(correct[answered].mean()), 4) if answered.any() else None
        rows.append({"below": threshold, "answered": round(float(answered.mean()), 4), "accuracy": accuracy})
    return rows


def histogram(milliseconds: Sequence[float], bins: int = 32) -> list[list[float]]:
    """[from, to, claims]; the slowest hundredth shares the last bin."""
    values = np.asarray(milliseconds)
    limit = max(float(np.percentile(values, 99)), 1.0)
    counts, edges = np.histogram(np.minimum(values, limit), bins=bins, range=(0.0, limit))
    return [[round(float(a), 1), round(float(b), 1), int(n)] for a, b, n in zip(edges, edges[1:], counts, strict=False)]


def stage_times(timings: Sequence[Mapping[str, float]]) -> dict[str, Mapping[str, float]]:
    """p50, p95 and mean of each stage, in the order in which stages run. timings: milliseconds by stage, of each claim."""
    names = dict.fromkeys(name for times in timings for name in times)
    return {name: quantiles([times.get(name, 0.0) for times in timings]) for name in names}
