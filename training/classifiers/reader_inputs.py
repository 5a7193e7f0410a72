"""What the reader's input is worth: the same claims with and without what stands around a sentence, and with fewer of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from retrieval.protocols import PairScorer
from retrieval.recipes.careful import Careful
from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.stages.reading_again import text_read
from retrieval.text.sentences import begins_with_pronoun, pair_text, read_together
from retrieval.types import Evidence, FactCheck, Sentence, Stance
from training.classifiers.careful import (
    Input,
    first_passes,
    fit_reading,
    fit_verdict,
    read_again,
    with_bridges,
)
from training.data.pairs import learning_claims


class Remembering:
    """A pair scorer that reads no pair twice: most inputs are the same in each variant. Implements `PairScorer`."""

    def __init__(self, scorer: PairScorer) -> None:
        self._scorer = scorer
        self._known: dict[tuple[str, str], tuple[float, Stance]] = {}

    def score(self, claim: str, sentences: Sequence[str]) -> Iterator[tuple[list[int], list[float], list[Stance]]]:
        """See `PairScorer`."""
        new = list(dict.fromkeys(one for one in sentences if (claim, one) not in self._known))
        for rows, relevances, stances in self._scorer.score(claim, new):
            for row, relevance, stance in zip(rows, relevances, stances, strict=True):
                self._known[claim, new[row]] = relevance, stance
        for row, sentence in enumerate(sentences):
            relevance, stance = self._known[claim, sentence]
            yield [row], [relevance], [stance]

    def judge_together(self, claim: str, sentences: Sequence[str]) -> Stance:
        """See `PairScorer`."""
        return self._scorer.judge_together(claim, sentences)


def alone(check: FactCheck, first: Sequence[Evidence]) -> list[Input]:
    """Each sentence by itself."""
    return [(text_read(one, None), None) for one in first]


def after_the_one_before(check: FactCheck, first: Sequence[Evidence]) -> list[Input]:
    """As it ships; a sentence that begins with a pronoun stands behind the preceding one of its page."""
    texts = []
    for one, (text, bridge) in zip(first, with_bridges(check, first), strict=True):
        before = preceding(check, one.sentence) if begins_with_pronoun(one.sentence.text) else None
        if before and not bridge:
            text = read_together([pair_text(one.title, f"{before.text} {one.sentence.text}")])
        texts.append((text, bridge))
    return texts


def preceding(check: FactCheck, sentence: Sentence) -> Sentence | None:
    """The sentence before it on its page, if the page has one."""
    page = next((hit.page for hit in check.pages if hit.page.id == sentence.page_id), None)
    earlier = [other for other in page.sentences() if other.line < sentence.line] if page else []
    return earlier[-1] if earlier else None


INPUTS: dict[str, Callable[[FactCheck, Sequence[Evidence]], list[Input]]] = {
    "as it ships": with_bridges,
    "without bridges": alone,
    "the preceding sentence before a pronoun": after_the_one_before,
}


# Most sentences that are read, and the least weight from the third on.
DEPTHS = ((6, 0.0), (4, 0.0), (3, 0.0), (2, 0.0), (6, 0.01), (6, 0.02), (6, 0.05), (6, 0.1), (4, 0.02), (4, 0.05))


def compare_inputs(store: str, data: Path, seed: int) -> Iterator[dict[str, Any]]:
    """For each of `INPUTS` and `DEPTHS`, sentences read a claim and the figures of a verdict fitted on it (ten folds)."""
    resources = Resources(Settings(store=store, conflicting_from=0.0))
    _, claims = learning_claims(data)
    checks = first_passes(resources, claims)
    reader = Remembering(resources.reader())
    knobs = Careful.of(resources.settings)
    usual = (knobs.read_sentences, knobs.read_from)
    ways = [(name, usual, inputs) for name, inputs in INPUTS.items()]
    ways += [(f"{most} sentences, from {least}", (most, least), with_bridges) for most, least in DEPTHS]
    for name, (most, least), inputs in ways:
        read = read_again(checks, reader, most, least, inputs)
        verdict = fit_verdict(read, fit_reading(read), resources, seed)
        sentences = sum(len(one.first) for one in read) / len(read)
        yield {"input": name, "sentences": round(sentences, 2), **verdict["cross_validation"]}
