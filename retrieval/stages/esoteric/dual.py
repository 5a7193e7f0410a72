"""The passages of the thesis's version 1.7, before its relevance classifier replaced them (its table 6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace

from retrieval import stage_names
from retrieval.protocols import Encoder
from retrieval.stages.esoteric.passages import Splitter, asked_scores, divided
from retrieval.stages.esoteric.question_ranking import asked_texts
from retrieval.stages.sentences import UNREAD, most_likely
from retrieval.text.bm25 import Bm25, folded_words
from retrieval.types import Evidence, FactCheck, Progress, Sentence


@dataclass(frozen=True)
class DualPassages:
    """The sentences nearest to the claim by BM25, and each question's best answer; nothing classifies them. The thesis
    finds answers with a network (FARMReader), we by the vectors of question and sentence.

    by_words: sentences by BM25. The other parameters are those of `Passages`.
    """

    questions: Encoder
    passages: Encoder
    split: Splitter
    _: KW_ONLY
    encoded: int
    by_words: int
    cutoff: float
    titles: bool = True
    afresh: bool = False
    name = stage_names.SENTENCES
    reads = ("claim", "questions", "pages")
    writes = ("sentences", "pages", "details", "notes")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        check, able = divided(check, self.split, self.afresh)
        yield Progress(self.name, 0, 1, check)
        by_words = self._nearest(check.claim.statement, [sentence for _, sentence in able.sentences])
        likely = most_likely(check.claim.statement, able, self.encoded)
        answers = self._answers(check, likely)
        found = {sentence: Evidence(sentence, 0.0, UNREAD, "words") for sentence in by_words}
        found |= {one.sentence: one for one in answers}
        check = check.telling(
            self.name,
            f"{len(by_words)} sentences by BM25 and {len(answers)} that answer a question best; {len(found)} in all.",
        )
        yield Progress(self.name, 1, 1, replace(check, sentences=tuple(found.values())))

    def _nearest(self, claim: str, sentences: Sequence[Sentence]) -> list[Sentence]:
        texts = [folded_words(f"{one.title} {one.text}" if self.titles else one.text) for one in sentences]
        scores = Bm25(texts).scores(folded_words(claim))
        order = sorted(range(len(sentences)), key=lambda row: (-scores[row], row))
        return [sentences[row] for row in order[: self.by_words] if scores[row] > 0]

    def _answers(self, check: FactCheck, likely: Sequence[Sentence]) -> list[Evidence]:
        if not likely:
            return []
        queries = self.questions.encode(asked_texts(check))
        scores = asked_scores(self.passages, queries, likely, self.titles)
        best: dict[Sentence, float] = {}
        for number in range(len(queries)):
            row = max(range(len(likely)), key=lambda row: (scores[row][number], -row))
            if scores[row][number] >= self.cutoff:
                best[likely[row]] = max(scores[row][number], best.get(likely[row], 0.0))
        return [
            Evidence(sentence, 0.0, UNREAD, "question", rank_score=score, rank_method="question")
            for sentence, score in best.items()
        ]
