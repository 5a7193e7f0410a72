"""Asks questions whose answers decide the claim."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from retrieval import stage_names
from retrieval.models.english.asking.questions import PolarByModel, RuleQuestions
from retrieval.protocols import QuestionGenerator
from retrieval.stages.claim import TITLE
from retrieval.types import FactCheck, Progress, QuestionAnswer


@dataclass(frozen=True)
class ClaimQuestions:
    """One question for each part of the claim that may be an answer, and one yes/no question. The part is the claim's
    answer (`claimed`), unless the claim denies it.

    generator, polar: None leaves those questions out.
    """

    generator: QuestionGenerator | None
    polar: RuleQuestions | PolarByModel | None
    most: int = 24
    name = stage_names.QUESTIONS
    reads = ("claim", "spans")
    writes = ("questions", "details")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        claim = check.claim.statement
        spans = [(span.start, span.end, span.type) for span in check.spans]
        # A run of words that happens to be a title is not an answer; a quotation or a name of several words is.
        answers = [
            span for span in spans if span[2] != TITLE or (claim[span[0]].isupper() and " " in claim[slice(*span[:2])])
        ]
        polar = self.polar.polar(claim, spans) if self.polar else ""
        texts = self.generator.ask(claim, answers) if self.generator else []
        questions = {polar: QuestionAnswer(polar)} if polar else {}
        for text, (start, end, _) in zip(texts, answers, strict=False):
            claimed = "" if check.claim.turned else claim[start:end]
            questions.setdefault(text, QuestionAnswer(text, claimed=claimed))
        questions.pop("", None)
        kept = tuple(questions.values())[: self.most]
        used = self.generator.id if self.generator else "no generator"
        check = check.telling(self.name, f"{len(kept)} questions by {used}, {int(bool(polar))} of them for yes or no.")
        yield Progress(self.name, 1, 1, replace(check, questions=kept))
