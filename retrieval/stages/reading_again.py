"""The second pass: a larger network, the reader, reads the best sentences again."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile, zip_longest

from retrieval import stage_names
from retrieval.models.fitted.joined_reading import JoinedReading
from retrieval.models.pair_scorers import BEST_TOGETHER
from retrieval.protocols import PairScorer, Reader
from retrieval.stages.bridges import bridges_of
from retrieval.stages.sentences import UNREAD, best_first, by_best_sentence
from retrieval.text.sentences import as_read, read_together
from retrieval.types import RANKER, Evidence, FactCheck, Progress, Stance
from retrieval.verdicts.local import LIKELY

ALWAYS_READ = 2  # sentences that are read, however low the first pass ranks them


@dataclass(frozen=True)
class ReadAgain:
    """Combines the reader's relevance and stance with the first pass's, for the sentences `worth_reading`, and reorders;
    the others follow in their old order.

    A sentence with a bridge (`bridges.py`) is read together with it; its stance is then only the reader's, because the
    first pass has not read both. The verdict will ask for the best two sentences read together, so while the last one is
    read, the reader begins to read the best two of the others; the last is seldom one of the best.
    """

    reader: Reader
    joined: JoinedReading
    top_k: int
    least: float = 0.0
    name = stage_names.READING
    reads = ("claim", "pages", "sentences")
    writes = ("pages", "sentences")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        first = worth_reading(check.sentences, self.top_k, self.least)
        rest = check.sentences[len(first) :]
        bridges = bridges_of(check, first)

        def begin(relevances: Sequence[float], stances: Sequence[Stance]) -> None:
            known = len(relevances)
            joined = self._joined(check.claim.reading, first[:known], relevances, stances, bridges[:known])
            best = joined[:BEST_TOGETHER]
            if best and best[0].weight >= LIKELY:
                self.reader.begin_together(check.claim.reading, [as_read(one) for one in best])

        relevances, stances = yield from readings(self.reader, check, first, self.name, bridges, begin)
        read = self._joined(check.claim.reading, first, relevances, stances, bridges)
        weights = weights_behind([one.weight for one in read], rest)
        sentences = (*read, *_ranked(rest, weights))
        check = replace(check, sentences=sentences, pages=by_best_sentence(check.pages, sentences))
        total = max(1, len(first))
        yield Progress(self.name, total, total, check)

    def _joined(
        self,
        claim: str,
        first: Sequence[Evidence],
        relevances: Sequence[float],
        stances: Sequence[Stance],
        bridges: Sequence[Evidence | None],
    ) -> tuple[Evidence, ...]:
        shares = self.joined.evidence(claim, first, relevances, stances)
        both = unless_bridged(self.joined.stances([one.stance for one in first], stances), stances, bridges)
        ranked = zip(_ranked(first, shares), both, strict=True)
        return best_first([replace(one, stance=stance) for one, stance in ranked])


def _ranked(sentences: Sequence[Evidence], shares: Sequence[float]) -> list[Evidence]:
    pairs = zip(sentences, shares, strict=True)
    return [replace(one, rank_score=share, rank_method=RANKER) for one, share in pairs]


def worth_reading(sentences: Sequence[Evidence], most: int, least: float) -> tuple[Evidence, ...]:
    """The first `most`, as the first pass ranks them; from the third on only while it gives them `least` or more."""
    first = takewhile(lambda one: one.weight >= least, sentences[ALWAYS_READ:most])
    return (*sentences[: min(ALWAYS_READ, most)], *first)


def weights_behind(read: Sequence[float], rest: Sequence[Evidence]) -> list[float]:
    """Weights of the sentences that are not read again: at most the least of `read`, the weights of those that are."""
    highest = min(read, default=1.0)
    return [min(one.weight, highest) for one in rest]


def text_read(evidence: Evidence, bridge: Evidence | None) -> str:
    """The reader's input for a sentence and the one that led to its page, if any."""
    return read_together(map(as_read, filter(None, (evidence, bridge))))


def unless_bridged(
    both: Sequence[Stance], reader: Sequence[Stance], bridges: Sequence[Evidence | None]
) -> list[Stance]:
    """The stances of both readings; only the reader's if it read a bridge, which the first pass did not."""
    return [alone if bridge else joined for joined, alone, bridge in zip(both, reader, bridges, strict=True)]


def readings(
    reader: PairScorer,
    check: FactCheck,
    sentences: Sequence[Evidence],
    stage: str,
    bridges: Sequence[Evidence | None] = (),
    before_last: Callable[[Sequence[float], Sequence[Stance]], None] = lambda *_: None,
) -> Generator[Progress, None, tuple[list[float], list[Stance]]]:
    """The reader's relevances and stances. before_last: called with those of all sentences but the last."""
    total = max(1, len(sentences))
    yield Progress(stage, 0, total, check)
    relevances, stances = [0.0] * len(sentences), [UNREAD] * len(sentences)
    done = 0
    texts = [text_read(one, bridge) for one, bridge in zip_longest(sentences, bridges)]
    for rows, scores, found in reader.score(check.claim.reading, texts):
        for row, score, stance in zip(rows, scores, found, strict=True):
            relevances[row], stances[row] = score, stance
        done += len(rows)
        if done == len(sentences) - 1:
            before_last(relevances[:done], stances[:done])
        yield Progress(stage, done, total, check)
    return relevances, stances
