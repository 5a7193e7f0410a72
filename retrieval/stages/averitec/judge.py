"""From questions, answers and evidence to one of four labels: by a language model, or by a classifier of our own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Protocol

from retrieval.llm.budget import NO_LIMIT, Budget, reply_to
from retrieval.llm.prompts import prompt, quoted
from retrieval.llm.replies import LABELS, Judgement, read_judgement, read_sufficiency
from retrieval.protocols import LLM, Encoder
from retrieval.types import Evidence, FactCheck, Label, Progress, QuestionAnswer, Stance, Verdict
from retrieval.verdicts.reasons import reason

REPLY_TOKENS = 700


class FourLabelModel(Protocol):
    """Calibrated probabilities of the four labels."""

    id: str

    def probabilities(
        self,
        claim: str,
        pairs: Sequence[tuple[str, str]],
        relevances: Sequence[float],
        stances: Sequence[Stance],
        encoder: Encoder,
    ) -> Mapping[Label, float]:
        """pairs: (question, answer), with the relevance and stance of each answer. None at all is a case like any other.

        question: empty where the answer is a sentence that a search found, since that may not answer it.
        """
        ...


@dataclass(frozen=True)
class LocalJudge:
    """The classifier over the evidence."""

    model: FourLabelModel
    encoder: Encoder
    name: str = "verdict"
    reads: tuple[str, ...] = ("claim", "questions", "evidence")
    writes: tuple[str, ...] = ("verdict",)

    def run(self, check: FactCheck) -> Iterator[Progress]:
        yield Progress(self.name, 0, 1, check)
        pairs = [("", evidence.sentence.text) for evidence in check.evidence]
        relevances, stances = [e.weight for e in check.evidence], [e.stance for e in check.evidence]
        found = self.model.probabilities(check.claim.text, pairs, relevances, stances, self.encoder)
        label = max(found, key=lambda name: found[name])
        verdict = Verdict(label, found, four_label_reason(label, check.evidence), self.model.id)
        yield Progress(self.name, 1, 1, replace(check, verdict=verdict))


def four_label_reason(label: Label, evidence: Sequence[Evidence]) -> str:
    """One sentence built from the evidence that decides."""
    if label is not Label.CONFLICTING or not evidence:
        return reason(label, evidence)
    supports = max(evidence, key=lambda e: e.weight * e.stance.supports).sentence
    refutes = max(evidence, key=lambda e: e.weight * e.stance.refutes).sentence
    return f"“{supports.title}” speaks for it: “{supports.text}” “{refutes.title}” speaks against it: “{refutes.text}”"


@dataclass(frozen=True)
class LlmJudge:
    """A language model's verdict over the question-answer pairs; where asked, it first says whether they suffice."""

    llm: LLM
    sufficiency: bool = False
    budget: Budget = NO_LIMIT
    name: str = "verdict"
    reads: tuple[str, ...] = ("claim", "questions", "evidence")
    writes: tuple[str, ...] = ("verdict", "notes", "calls")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        yield Progress(self.name, 0, 1, check)
        content = f"{pairs_text(check.questions)}\n\nThe claim: {quoted(check.claim.text)}"
        enough = True
        if self.sufficiency:
            check, reply = self._reply(check, "sufficiency", content, SUFFICIENCY_SCHEMA)
            yield Progress(self.name, 0, 1, check)
            enough = read_sufficiency(reply)
        if not enough:
            said = f"The language model {self.llm.id} holds that the passages found do not suffice to decide it."
            sure = {label: float(label is Label.NOT_ENOUGH_EVIDENCE) for label in LABELS.values()}
            verdict = Verdict(Label.NOT_ENOUGH_EVIDENCE, MappingProxyType(sure), said, self.llm.id)
            yield Progress(self.name, 1, 1, replace(check, verdict=verdict))
            return
        check, reply = self._reply(check, "judgement", content, VERDICT_SCHEMA)
        yield Progress(self.name, 0, 1, check)  # so that the reply is kept before it is read
        judged = read_judgement(reply, len(check.questions))
        verdict = Verdict(judged.label, spread(judged.label, judged.confidence), judged.reason, self.llm.id)
        notes = check.notes + judgement_notes(judged)
        yield Progress(self.name, 1, 1, replace(check, verdict=verdict, notes=notes))

    def _reply(self, check: FactCheck, name: str, content: str, schema: Mapping[str, object]) -> tuple[FactCheck, str]:
        return reply_to(self.llm, self.budget, check, name, prompt(name), content, schema, REPLY_TOKENS)


def pairs_text(pairs: Sequence[QuestionAnswer]) -> str:
    """Questions with numbered passages, as data."""
    lines, asked = ["<passages>"], ""
    for number, pair in enumerate(pairs, 1):
        if pair.question != asked:
            lines.append(f"Question: {quoted(pair.question)}")
        asked = pair.question
        lines.append(f"[{number}] {quoted(pair.answer)}")
    return "\n".join([*lines, "</passages>"])


def judgement_notes(judged: Judgement) -> tuple[str, ...]:
    """What the person should know of the reply."""
    notes = []
    if judged.dropped:
        numbers = ", ".join(map(str, judged.dropped))
        notes.append(f"The language model named passages that do not exist ({numbers}); they were dropped.")
    if not judged.passages and judged.label is not Label.NOT_ENOUGH_EVIDENCE:
        notes.append("The language model names no passage for its reason: take it as unsupported.")
    return tuple(notes)


def spread(label: Label, confidence: float) -> Mapping[Label, float]:
    """Probabilities from a label and its confidence: the rest goes to the others evenly.

    A label given with less than a quarter keeps a quarter, so that it stays the most probable.
    """
    share = max(confidence, 1 / len(LABELS))
    others = (1 - share) / (len(LABELS) - 1)
    return MappingProxyType({name: share if name is label else others for name in LABELS.values()})


VERDICT_SCHEMA = {
    "type": "object",
    "properties": {
        "reason": {"type": "string"},
        "passages": {"type": "array", "items": {"type": "integer"}},
        "verdict": {"enum": list(LABELS)},
        "confidence": {"type": "integer", "minimum": 0, "maximum": 100},
    },
    "required": ["reason", "passages", "verdict", "confidence"],
    "additionalProperties": False,
}
SUFFICIENCY_SCHEMA = {
    "type": "object",
    "properties": {"enough": {"type": "boolean"}},
    "required": ["enough"],
    "additionalProperties": False,
}
