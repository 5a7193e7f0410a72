"""What the thesis calls evidence: every relevant sentence; and which of its questions the evidence answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from retrieval import stage_names
from retrieval.protocols import Encoder
from retrieval.stages.esoteric.passages import asked_scores
from retrieval.stages.verdict import verified
from retrieval.types import FactCheck, Progress, QuestionAnswer
from retrieval.verdicts.policy import shown_for


@dataclass(frozen=True)
class RelevantEvidence:
    """Every relevant sentence, in order, each verified against its page (thesis, section 3.3.12); then less relevant ones
    that a verdict may rest on, `top_k` in all.

    cutoff: least relevance.
    """

    cutoff: float
    top_k: int
    name = stage_names.EVIDENCE
    reads = ("claim", "sentences", "pages")
    writes = ("evidence", "details")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        relevant = [one for one in check.sentences if one.relevance >= self.cutoff]
        rest = [one for one in shown_for(check.claim.reading, check.sentences, self.top_k) if one not in relevant]
        kept = (*relevant, *rest[: max(0, self.top_k - len(relevant))])
        check = check.telling(
            self.name, f"{len(relevant)} relevant sentences are evidence, and {len(kept) - len(relevant)} more."
        )
        yield Progress(self.name, 1, 1, replace(check, evidence=verified(check, kept)))


@dataclass(frozen=True)
class FoundAnswers:
    """Each question's answer: the sentence of the evidence that answers it best, by the vectors of both.

    cutoff: least score of an answer, on the thesis's scale. titles: whether sentences are compared with their title.
    """

    questions: Encoder
    passages: Encoder
    cutoff: float
    titles: bool = True
    name = stage_names.ANSWERS
    reads = ("questions", "evidence")
    writes = ("questions", "details")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        pairs = check.questions
        if pairs and check.evidence:
            queries = self.questions.encode([pair.question for pair in pairs])
            scores = asked_scores(self.passages, queries, [one.sentence for one in check.evidence], self.titles)
            pairs = tuple(self._answered(check, pair, [row[n] for row in scores]) for n, pair in enumerate(pairs))
        answered = sum(bool(pair.answer) for pair in pairs)
        check = check.telling(
            self.name, f"The evidence answers {answered} of {len(pairs)} questions, cutoff {self.cutoff:g}."
        )
        yield Progress(self.name, 1, 1, replace(check, questions=pairs))

    def _answered(self, check: FactCheck, pair: QuestionAnswer, scores: list[float]) -> QuestionAnswer:
        best = max(range(len(scores)), key=lambda place: (scores[place], -place))
        if scores[best] < self.cutoff:
            return pair
        return replace(pair, answer=check.evidence[best].sentence.text, sources=(best + 1,))
