"""Fits the model of sentences worth checking on ClaimBuster's debates (Arslan et al., ICWSM 2020), some held out.

Debates are spoken; a model trained on them alone takes the prose of articles for unimportant. So sentences of Wikipedia
that people have used as evidence are added as worth checking, and premises of MNLI that the model of the debates
is sure are no facts are added as such (self-training; Yarowsky, ACL 1995).
"""

from __future__ import annotations

import gzip
import hashlib
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.metrics import calibration_error, label_f1
from retrieval.models.fitted.checkworthy import CHECK_WORTHY, LABELS, NO_FACT, inputs
from retrieval.text.extraction.signs import SIGNS
from training.classifiers.verdict import classifier, logistic_file

DEBATES = Path("training") / "checkworthy" / "claimbuster.jsonl.gz"
PROSE = Path("training") / "nli" / "vitaminc-real.jsonl.gz"
MIXED = Path("training") / "nli" / "mnli-dev.jsonl.gz"
KEPT_APART = 7  # debates of 33
FOLDS = 3
STRENGTHS = (0.003,)  # of sklearn's C; .001 to 5 were tried on the debates alone
PROSE_SENTENCES, MIXED_SENTENCES = 600, 1_000
SURE = 0.9  # of no fact, for a premise to be learned as none
WORDS = (6, 60)  # of a sentence from elsewhere

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Spoken:
    """A sentence of a debate. expert: labelled by the authors of the data; the others are labelled by a crowd."""

    text: str
    label: int
    debate: str
    expert: bool


def fit_checkworthy(data: Path, target: Path, work: Path, seed: int) -> None:
    """Choose by cross-validation over debates, fit, write `target`, print the figures on the held-out debates."""
    spoken = read_debates(data / DEBATES)
    rows = computed([one.text for one in spoken], work / "checkworthy-debates.npy")
    labels = np.array([one.label for one in spoken])
    debates = kept_apart(spoken)
    apart = np.array([one.debate in debates for one in spoken])
    expert = np.array([one.expert for one in spoken])
    added, added_labels = _from_elsewhere(data, work, seed, rows[~apart], labels[~apart])
    groups = [one.debate for one, kept in zip(spoken, apart, strict=True) if not kept]
    strength, guesses = _choose(rows[~apart], labels[~apart], groups, added, added_labels)
    fitted = classifier(strength).fit(np.vstack([rows[~apart], added]), np.concatenate([labels[~apart], added_labels]))
    said = fitted.predict_proba(rows[apart])
    names = (*(f"vector {place}" for place in range(rows.shape[1] - len(SIGNS))), *SIGNS)
    figures = {
        "cross-validation over debates": quality(guesses, labels[~apart]),
        "cross-validation, labelled by experts": quality(guesses[expert[~apart]], labels[~apart][expert[~apart]]),
        "debates kept apart": quality(said, labels[apart]),
        "kept apart, labelled by experts": quality(said[expert[apart]], labels[apart][expert[apart]]),
    }
    counts = {"sentences": int((~apart).sum()), "from elsewhere": len(added), "strength": strength}
    file = {**without_dead_inputs(logistic_file(fitted, LABELS, names)), **counts, "figures": figures}
    target.write_text(json.dumps(file) + "\n", "utf-8")
    print(json.dumps({**counts, **figures}, indent=1))


def without_dead_inputs(file: dict[str, Any]) -> dict[str, Any]:
    """The regression without features that are constant over all texts (three of MiniLM's): scaled, they are only noise."""
    dead = [place for place, scale in enumerate(file["scale"]) if scale == 0]
    for place in dead:
        file["scale"][place] = 1.0
        for row in file["coefficients"]:
            row[place] = 0.0
    return file


def read_debates(path: Path) -> list[Spoken]:
    """ClaimBuster's sentences."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [Spoken(row["sentence"], LABELS.index(row["label"]), row["debate"], row["expert"]) for row in rows]


def kept_apart(spoken: Sequence[Spoken]) -> frozenset[str]:
    """Held-out debates, on which nothing is fitted or chosen: the first by the sha256 of their names."""
    debates = {one.debate for one in spoken}
    return frozenset(sorted(debates, key=lambda name: hashlib.sha256(name.encode()).hexdigest())[:KEPT_APART])


def computed(texts: Sequence[str], cache: Path) -> Matrix:
    """The model's features of each text; cached in `cache`, because they take minutes."""
    from retrieval.models.english.parser import english
    from retrieval.models.onnx import OnnxEncoder

    if cache.exists() and len(known := np.load(cache)) == len(texts):
        return np.asarray(known, dtype=np.float64)
    found = inputs(OnnxEncoder(), texts, list(english().pipe(texts, batch_size=64)))
    cache.parent.mkdir(parents=True, exist_ok=True)
    np.save(cache, found.astype(np.float32))
    return found


def _from_elsewhere(
    data: Path, work: Path, seed: int, rows: Matrix, labels: NDArray[Any]
) -> tuple[Matrix, NDArray[np.int64]]:
    """Sentences of articles as worth checking, and others that the model of the debates is sure are no facts."""
    prose = _sample(data / PROSE, PROSE_SENTENCES, seed)
    mixed = _sample(data / MIXED, MIXED_SENTENCES, seed)
    facts = computed(prose, work / "checkworthy-prose.npy")
    perhaps = computed(mixed, work / "checkworthy-mixed.npy")
    own = classifier(STRENGTHS[0]).fit(rows, labels)
    none = perhaps[own.predict_proba(perhaps)[:, LABELS.index(NO_FACT)] >= SURE]
    counts = [len(facts), len(none)]
    return np.vstack([facts, none]), np.repeat([LABELS.index(CHECK_WORTHY), LABELS.index(NO_FACT)], counts)


def _sample(path: Path, count: int, seed: int) -> list[str]:
    """Different evidence texts of a file of pairs, one sentence each."""
    found = sorted({text for text in _evidence(path) if WORDS[0] <= text.count(" ") + 1 <= WORDS[1]})
    random.Random(seed).shuffle(found)
    return found[:count]


def _evidence(path: Path) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            text = json.loads(line)["evidence"]
            yield text.split(" : ", 1)[-1].strip()


def _choose(
    rows: Matrix, labels: NDArray[Any], debates: Sequence[str], added: Matrix, added_labels: NDArray[Any]
) -> tuple[float, Matrix]:
    """The strength with the least log loss over folds of debates, and its out-of-fold predictions."""
    from sklearn.metrics import log_loss
    from sklearn.model_selection import GroupKFold

    found: dict[float, Matrix] = {}
    for strength in STRENGTHS:
        guesses = np.zeros((len(labels), len(LABELS)))
        for learn, test in GroupKFold(FOLDS).split(rows, labels, debates):
            model = classifier(strength)
            model.fit(np.vstack([rows[learn], added]), np.concatenate([labels[learn], added_labels]))
            guesses[test] = model.predict_proba(rows[test])
        found[strength] = guesses
    best = min(STRENGTHS, key=lambda strength: log_loss(labels, found[strength]))
    return best, found[best]


def quality(guesses: Matrix, labels: NDArray[Any]) -> dict[str, float]:
    """macro_f1 of the three labels, average precision and calibration error of "check-worthy"."""
    from sklearn.metrics import average_precision_score

    right = labels == LABELS.index(CHECK_WORTHY)
    gold, said = [LABELS[label] for label in labels], [LABELS[label] for label in guesses.argmax(axis=1)]
    return {
        "sentences": len(labels),
        "macro_f1": round(float(label_f1(gold, said).figure()), 4),
        "average_precision": round(float(average_precision_score(right, guesses[:, 0])), 4),
        "calibration_error": round(calibration_error(list(guesses[:, 0]), list(right)), 4),
    }
