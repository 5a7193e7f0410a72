"""Finds the sentences that matter to the claim, and orders them for display."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace

from retrieval import stage_names
from retrieval.protocols import Encoder, PairScorer
from retrieval.stages.sentences import best_first, by_best_sentence, score_sentences
from retrieval.text.sentences import with_title
from retrieval.types import Evidence, FactCheck, Progress


@dataclass(frozen=True)
class Relevance:
    """Scores relevance and stance of the passages, and puts them best first. Those below the cutoff stay in the record, so
    that you can see what was left out.

    used: name of the model that judges relevance.
    """

    scorer: PairScorer
    cutoff: float
    used: str = ""
    name = stage_names.RELEVANCE
    reads = ("claim", "pages", "sentences")
    writes = ("sentences", "pages", "details")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        claim, chosen = check.claim.statement, [evidence.sentence for evidence in check.sentences]
        methods = {(e.sentence.page_id, e.sentence.start): e.method for e in check.sentences}
        total = max(1, len(chosen))
        done: list[Evidence] = []
        yield Progress(self.name, 0, total, check)
        for scored in score_sentences(self.scorer, claim, chosen, ""):
            done += [replace(e, method=methods[e.sentence.page_id, e.sentence.start]) for e in scored]
            yield Progress(self.name, len(done), total, replace(check, sentences=best_first(done)))
        relevant = sum(evidence.relevance >= self.cutoff for evidence in done)
        check = check.telling(
            self.name,
            f"{relevant} of {len(done)} sentences relevant by {self.used or 'the scorer'}, cutoff {self.cutoff:g}.",
        )
        pages = by_best_sentence(check.pages, done)
        yield Progress(self.name, total, total, replace(check, sentences=best_first(done), pages=pages))


@dataclass(frozen=True)
class SimilarityOrder:
    """Orders relevant sentences by their similarity to the claim, as the thesis does, and leaves out less similar ones.

    cutoff: least relevance. similar: least cosine. used: the encoder's name. titles: whether a sentence is compared with
    its page's title.
    """

    encoder: Encoder
    cutoff: float
    used: str = ""
    _: KW_ONLY
    similar: float = 0.0
    titles: bool = True
    name = stage_names.SIMILARITY
    reads = ("claim", "sentences")
    writes = ("sentences", "details")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        relevant = [e for e in check.sentences if e.relevance >= self.cutoff]
        ordered = self._ordered(check.claim.statement, relevant)
        rest = [e for e in check.sentences if e.relevance < self.cutoff]
        check = check.telling(
            self.name,
            f"{len(ordered)} of {len(relevant)} relevant sentences ordered by {self.used or 'similarity'} to the claim, "
            f"cutoff {self.similar:g}.",
        )
        yield Progress(self.name, 1, 1, replace(check, sentences=(*ordered, *rest)))

    def _ordered(self, claim: str, relevant: Sequence[Evidence]) -> list[Evidence]:
        if not relevant or (len(relevant) == 1 and not self.similar):
            return list(relevant)
        read = [with_title(e.sentence) if self.titles else e.sentence.text for e in relevant]
        vectors = self.encoder.encode([claim, *read])
        cosines = [float(x) for x in vectors[1:] @ vectors[0]]
        order = sorted(range(len(relevant)), key=lambda row: (-cosines[row], row))
        return [
            replace(relevant[row], rank_score=cosines[row], rank_method="similarity")
            for row in order
            if not self.similar or cosines[row] >= self.similar
        ]
