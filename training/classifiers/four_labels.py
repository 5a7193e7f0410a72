"""Fits the classifiers of AVeriTeC's four labels on its training claims; cross-validation chooses their strength.

They are fitted on three views of the claims at once. The first has the annotators' questions and answers. For some
claims, the second has the sentences that a search finds among all claims' answers: evidence that no annotator chose.
The third replaces one of these by the claim itself, because real pages repeat a claim in order to check it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.metrics import calibration_error
from retrieval.models import catalogue
from retrieval.models.disk_cache import CachedEncoder
from retrieval.models.fitted.four_labels import (
    FARTHEST_DEVIATION,
    LABELS,
    NO_ANSWER,
    VERSION,
    Pair,
    combine_two,
    features,
    pair_line,
)
from retrieval.models.pair_scorers import judge_texts
from retrieval.protocols import Encoder, PairScorer
from retrieval.stages.averitec.documents import encode_in_steps
from retrieval.stores.knowledge_file import address_title
from retrieval.text.sentences import pair_text, read_together
from training.classifiers.fitting import Matrix, log_loss, probabilities, progress
from training.exported import print_entry

NAMES = ("Supported", "Refuted", "Not Enough Evidence", "Conflicting Evidence/Cherrypicking")  # in the order of LABELS
STRENGTHS = (0.0003, 0.001, 0.003)  # sklearn's C: smaller values shrink the coefficients more
TEMPERATURES = tuple(0.6 + 0.05 * step for step in range(29))
FOLDS = 5
VIEW_SENTENCES = 5  # sentences of the second view
FOUND_ONE_IN = 2  # one claim in so many has the second and third view
LONGEST_REPEATED = 400
KEPT_MEGABYTES = 500  # size of the cache of vectors, which later fits reuse


@dataclass(frozen=True)
class Labelled:
    """A claim of the file: question-answer pairs as `features` takes them, and the titles of the answers' pages."""

    claim: str
    label: int
    pairs: tuple[Pair, ...]
    titles: tuple[str, ...]


def fit_averitec_verdict(data: Path, target: Path, work: Path, seed: int) -> None:
    """Read train.json, make the views, fit, write `target`, print its figures. work: caches vectors by content."""
    from retrieval.models.onnx import OnnxEncoder, OnnxPairScorer

    claims = [_labelled(row) for row in json.loads((data / "averitec" / "train.json").read_text("utf-8"))]
    encoder = CachedEncoder(OnnxEncoder(), catalogue.ENCODER.id, work / "vectors.sqlite", KEPT_MEGABYTES)
    scorer = OnnxPairScorer()
    vectors = encode(encoder, [claim.claim for claim in claims], "claims")
    answered = answered_view(claims, vectors, encoder, scorer)
    found, repeating = found_views(claims, vectors, encoder, scorer)
    fitted = fit(answered, found, repeating, np.array([claim.label for claim in claims]), seed)
    target.write_text(json.dumps(fitted, separators=(",", ":")) + "\n", "utf-8")
    print(json.dumps(fitted["cross_validation"], indent=1))
    print_entry(target)


def _labelled(row: dict[str, Any]) -> Labelled:
    pairs, titles = [], []
    for question in row["questions"]:
        for answer in question["answers"]:
            more = f". {answer['boolean_explanation']}" if answer.get("answer_type") == "Boolean" else ""
            pairs.append((question["question"], f"{answer['answer']}{more}"))
            titles.append(address_title(answer.get("source_url") or ""))
    return Labelled(row["claim"], NAMES.index(row["label"]), tuple(pairs), tuple(titles))


def answered_view(claims: Sequence[Labelled], vectors: Matrix, encoder: Encoder, scorer: PairScorer) -> Matrix:
    """Features of each claim with its annotators' questions and answers, (claims, features)."""
    lines = [pair_line(pair) for claim in claims for pair in claim.pairs]
    texts = encode(encoder, lines, "questions and answers")
    rows, first = [], 0
    for claim, vector in zip(progress(claims, "claims with answers"), vectors, strict=True):
        read = judge_texts(scorer, claim.claim, [read_together([pair_text(*pair)]) for pair in claim.pairs])
        last = first + len(claim.pairs)
        rows.append(features(claim.claim, vector, texts[first:last], claim.pairs, *read))
        first = last
    return np.array(rows)


def found_views(
    claims: Sequence[Labelled], vectors: Matrix, encoder: Encoder, scorer: PairScorer
) -> tuple[Matrix, Matrix]:
    """Features of every `FOUND_ONE_IN`th claim with the nearest sentences among all claims' answers, and with the claim in
    place of the last of these.
    """
    pool = dict(sentence for claim in claims for sentence in sentences(claim))
    texts = list(pool)
    matrix = encode(encoder, texts, "answers as sentences")
    nearest, repeating = list[Matrix](), list[Matrix]()
    some = claims[::FOUND_ONE_IN]
    for claim, vector in zip(progress(some, "claims with sentences"), vectors[::FOUND_ONE_IN], strict=True):
        best = np.argsort(-(matrix @ vector), kind="stable")[:VIEW_SENTENCES].tolist()
        titled = [*((pool[texts[row]], texts[row]) for row in best), ("", claim.claim)]
        read_texts = [read_together([pair_text(title, text)]) for title, text in titled]
        relevances, stances = judge_texts(scorer, claim.claim, read_texts)
        pairs, both = [*(("", texts[row]) for row in best), ("", claim.claim)], np.vstack([matrix[best], vector])
        for view, chosen in (
            (nearest, [*range(VIEW_SENTENCES)]),
            (repeating, [*range(VIEW_SENTENCES - 1), VIEW_SENTENCES]),
        ):
            chosen_pairs = [pairs[row] for row in chosen]
            read = [relevances[row] for row in chosen], [stances[row] for row in chosen]
            view.append(features(claim.claim, vector, both[chosen], chosen_pairs, *read))
    return np.array(nearest), np.array(repeating)


def sentences(claim: Labelled) -> Iterator[tuple[str, str]]:
    """(text, title of its page) of the answers that could stand on a page: not a bare yes or no, nor a missing one."""
    for (_, answer), title in zip(claim.pairs, claim.titles, strict=True):
        text = " ".join(answer.split())
        for short in ("Yes. ", "No. "):
            text = text.removeprefix(short)
        if len(text) >= 25 and NO_ANSWER not in text.casefold():
            yield text[:LONGEST_REPEATED], title


def fit(answered: Matrix, found: Matrix, repeating: Matrix, labels: NDArray[Any], seed: int) -> dict[str, Any]:
    """The weights in the form that `FourLabels` reads, with their cross-validated figures.

    answered: (claims, features); found, repeating: those of every `FOUND_ONE_IN`th claim; labels: (claims,).
    """
    numbers, few = np.arange(len(labels)), np.arange(len(labels))[::FOUND_ONE_IN]
    groups = np.concatenate([numbers, few, few])  # All views of a claim lie in the same fold.
    inputs, both = np.vstack([answered, found, repeating]), labels[groups]
    strength, guesses = choose_strength(inputs, both, groups, seed)
    temperature = min(TEMPERATURES, key=lambda t: log_loss(guesses, both, t))
    two = np.stack([out_of_fold(inputs, both == label, groups, strength, seed) for label in (0, 1)], axis=1)
    scaler, _, regression = classifier(strength).fit(inputs, both)
    heads = [classifier(strength).fit(inputs, both == label)[-1] for label in (0, 1)]
    views = {
        "own answers": slice(0, len(labels)),
        "found sentences": slice(len(labels), -len(few)),
        "found sentences and the claim": slice(-len(few), None),
    }
    combined = np.array([combine_two(row / temperature) for row in two])
    shares = probabilities(guesses, temperature)
    checked = {
        name: {"four": quality(shares[view], both[view]), "two": quality(combined[view], both[view])}
        for name, view in views.items()
    }
    return {
        "version": VERSION,
        "labels": [str(label) for label in LABELS],
        "mean": rounded(scaler.mean_),
        "scale": rounded(scaler.scale_),
        "four": [rounded(np.append(row, b)) for row, b in zip(regression.coef_, regression.intercept_, strict=True)],
        "two": [rounded(np.append(head.coef_[0], head.intercept_[0])) for head in heads],
        "temperature": round(float(temperature), 2),
        "strength": strength,
        "claims": len(labels),
        "cross_validation": checked,
    }


def choose_strength(inputs: Matrix, labels: NDArray[Any], groups: NDArray[Any], seed: int) -> tuple[float, Matrix]:
    """The regularisation with the least log loss over the folds, and its out-of-fold scores."""
    guesses = {strength: out_of_fold(inputs, labels, groups, strength, seed) for strength in STRENGTHS}
    best = min(STRENGTHS, key=lambda strength: log_loss(guesses[strength], labels))
    return best, guesses[best]


def out_of_fold(inputs: Matrix, labels: NDArray[Any], groups: NDArray[Any], strength: float, seed: int) -> Matrix:
    """Scores (rows, labels) by classifiers that have not seen the row's claim; for two labels: log odds (rows,)."""
    from sklearn.model_selection import StratifiedGroupKFold, cross_val_predict

    folds = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=seed)
    options: dict[str, Any] = {"groups": groups, "cv": folds, "method": "decision_function"}
    return np.asarray(cross_val_predict(classifier(strength), inputs, labels, **options))


def quality(shares: Matrix, labels: NDArray[Any]) -> dict[str, Any]:
    """Accuracy, macro F1, calibration error, and how often each label is predicted and how often it is right."""
    from sklearn.metrics import f1_score

    predicted = shares.argmax(axis=1)
    right = predicted == labels
    return {
        "accuracy": round(float(right.mean()), 4),
        "macro_f1": round(float(f1_score(labels, predicted, average="macro", zero_division=0)), 4),
        "calibration_error": round(calibration_error(list(shares.max(axis=1)), list(right)), 4),
        "said": {name: int((predicted == row).sum()) for row, name in enumerate(NAMES)},
        "gold": {name: int((labels == row).sum()) for row, name in enumerate(NAMES)},
    }


def classifier(strength: float) -> Any:
    """Logistic regression on standardized features, clipped as `FourLabels` clips them."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer, StandardScaler

    bounds = {"a_min": -FARTHEST_DEVIATION, "a_max": FARTHEST_DEVIATION}
    regression = LogisticRegression(C=strength, max_iter=500)
    return make_pipeline(StandardScaler(), FunctionTransformer(np.clip, kw_args=bounds), regression)


def encode(encoder: Encoder, texts: Sequence[str], what: str) -> Matrix:
    """(texts, dim); prints how many are done. what: a plural."""
    parts = []
    for done, vectors in encode_in_steps(encoder, [("", text) for text in texts], lambda _, text: text):
        parts.append(vectors)
        if done % 1280 == 0:
            print(f"{done:,} of {len(texts):,} {what} embedded", flush=True)
    return np.concatenate(parts).astype(np.float64)


def rounded(values: NDArray[Any]) -> list[float]:
    """Rounded to five significant digits, more than the data support; five decimals would lose small scales."""
    return [float(f"{value:.5g}") for value in values]
