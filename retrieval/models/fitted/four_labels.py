"""AVeriTeC's four labels without a language model: logistic regression over vectors, stances and short answers.

`python -m training averitec-verdict`, which shares `features`, fits the coefficients in `weights/four_labels.json`. The
same file holds two binary classifiers (supported or not, refuted or not), combined as by Momii et al. (FEVER workshop
2024, section 5): both means conflicting, neither means not enough evidence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal

import numpy as np

from retrieval.models import catalogue
from retrieval.models.fitted.logistic import Vector, log_odds, read_fitted, sigmoid, softmax
from retrieval.protocols import Encoder
from retrieval.text.words import content_words
from retrieval.types import Label, Stance

LABELS = (Label.SUPPORTED, Label.REFUTED, Label.NOT_ENOUGH_EVIDENCE, Label.CONFLICTING)
NO_ANSWER = "no answer could be found"
LONGEST_ANSWER = 600  # characters of a question with its answer to embed
FARTHEST_DEVIATION = 5.0  # standard deviations; the limit keeps one unusual feature from deciding alone
VERSION = 2  # of `features`; weights fitted for another version are refused

# Words of fact-checkers. They prove nothing if the claim itself contains one.
_DOUBTED = re.compile(
    r"\b(?:false|fake|hoax|debunk\w*|mislead\w*|misinformation|disinformation|rumou?rs?|no evidence|untrue|incorrect|not true|"
    r"baseless|conspiracy|doctored|photoshop\w*|edited|satire|satirical|fabricated|denied|denies|fact[- ]check\w*|never)\b",
    re.IGNORECASE,
)

Pair = tuple[str, str]
Kind = Literal["four", "two"]


def pair_line(pair: Pair) -> str:
    """The text to embed for an answer and its question, which is empty if the sentence was found without one."""
    return f"{pair[0]} {pair[1]}".strip()[:LONGEST_ANSWER]


def features(
    text: str,
    claim: Vector,
    vectors: Vector,
    pairs: Sequence[Pair],
    relevances: Sequence[float],
    stances: Sequence[Stance],
) -> Vector:
    """The classifiers' inputs for a claim and its pairs.

    text, claim: the claim and its vector, (dim,); vectors: (pairs, dim), of `pair_line`. The result is (36 + 2 dim,):
    36 features, the claim's vector, and the mean vector of the pairs.
    """
    mean = vectors.mean(axis=0) if len(pairs) else np.zeros_like(claim)
    groups = (stance_features(relevances, stances), answer_features(pairs), wording_features(text, pairs, relevances))
    return np.concatenate([*groups, claim, mean])


def stance_features(relevances: Sequence[float], stances: Sequence[Stance]) -> Vector:
    """22 numbers: extremes and means of relevance and stance over all pairs, and the stance of the most relevant one."""
    if not len(relevances):
        return np.zeros(22)
    relevance = np.array(relevances)
    supports, refutes = np.array([s.supports for s in stances]), np.array([s.refutes for s in stances])
    neutral = np.array([s.neutral for s in stances])
    supporting, refuting = relevance * supports, relevance * refutes
    lean = log_odds(supports) - log_odds(refutes)
    best = int(np.argmax(relevance))
    any_of = [log_odds(1 - np.prod(1 - side)) for side in (supporting, refuting)]
    extremes = [f(row) for row in (relevance, supports, refutes, neutral) for f in (np.max, np.mean, np.min)]
    leans = [lean.mean(), lean.max(), lean.min(), supports.max() * refutes.max()]
    totals = [supports[best], refutes[best], len(relevance), supporting.sum() - refuting.sum()]
    return np.array([*extremes, *any_of, *leans, *totals])


def answer_features(pairs: Sequence[Pair]) -> Vector:
    """8 numbers: shares of answers that are yes, no or missing, and how much is answered."""
    answers = [answer.casefold() for _, answer in pairs]
    none = sum(NO_ANSWER in answer for answer in answers)
    yes = sum(answer.startswith("yes") for answer in answers)
    no = sum(answer.startswith("no") and not answer.startswith(NO_ANSWER) for answer in answers)
    count = max(1, len(answers))
    length = float(np.log1p(sum(map(len, answers))))
    return np.array([yes, no, none, yes / count, no / count, none / count, float(none == len(answers)), length])


def wording_features(claim: str, pairs: Sequence[Pair], relevances: Sequence[float]) -> Vector:
    """6 numbers: how much of the claim the answers repeat, how much the best one adds, how many call something false.

    They are needed because a page that only repeats a claim looks like support.
    """
    if not pairs:
        return np.zeros(6)
    claim_words, answer_words = content_words(claim), [content_words(answer) for _, answer in pairs]
    repeated = [len(words & claim_words) / max(1, len(claim_words)) for words in answer_words]
    most = answer_words[int(np.argmax(repeated))]
    undoubted = not _DOUBTED.search(claim)
    doubted = np.array([undoubted and _DOUBTED.search(answer) is not None for _, answer in pairs], dtype=float)
    added = len(most - claim_words) / max(1, len(most))
    strongest = (doubted * np.array(relevances)).max()
    return np.array([max(repeated), float(np.mean(repeated)), added, doubted.mean(), strongest, doubted.max()])


class FourLabels:
    """Label probabilities of a claim from its question-answer pairs."""

    def __init__(self, kind: Kind = "four") -> None:
        """Load the coefficients. Raises ModelError if they are missing, not ours, or for other features."""
        (path,) = catalogue.load(catalogue.FOUR_LABELS)
        fitted = read_fitted(path, "averitec-verdict", version=VERSION, labels=list(map(str, LABELS)))
        self.id = catalogue.FOUR_LABELS.id + ("" if kind == "four" else ", two classifiers")
        self._mean, self._scale = np.array(fitted["mean"]), np.array(fitted["scale"])
        self._heads = [np.array(row) for row in fitted[kind]]
        self._temperature = float(fitted["temperature"])
        self._kind = kind

    def probabilities(
        self,
        claim: str,
        pairs: Sequence[Pair],
        relevances: Sequence[float],
        stances: Sequence[Stance],
        encoder: Encoder,
    ) -> Mapping[Label, float]:
        """One probability for each label; they sum to 1. There may be no pairs."""
        vectors = encoder.encode([claim, *map(pair_line, pairs)]).astype(np.float64)
        inputs = features(claim, vectors[0], vectors[1:], pairs, relevances, stances)
        standardized = np.clip((inputs - self._mean) / self._scale, -FARTHEST_DEVIATION, FARTHEST_DEVIATION)
        with_constant = np.append(standardized, 1.0)
        scores = np.array([row @ with_constant for row in self._heads]) / self._temperature
        shares = softmax(scores) if self._kind == "four" else combine_two(scores)
        return MappingProxyType(dict(zip(LABELS, map(float, shares), strict=True)))


def combine_two(scores: Vector) -> Vector:
    """The shares of the four labels, from the log odds of "supported" and of "refuted", taken as independent.

    The first alone means supported; the second alone, refuted; neither, not enough evidence; both, conflicting.
    """
    supported, refuted = sigmoid(scores)
    neither = (1 - supported) * (1 - refuted)
    return np.array([supported * (1 - refuted), (1 - supported) * refuted, neither, supported * refuted])
