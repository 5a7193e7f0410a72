"""Judges over questions with their answers, and over numbered chunks of documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from retrieval.llm.examples import Examples
from retrieval.llm.prompts import object_schema, prompt, quoted
from retrieval.llm.replies import LABELS, Opinion, read_aic, read_judgement, read_sufficiency
from retrieval.stages.judge import Request, made
from retrieval.text.chunks import neighbours
from retrieval.types import ANSWER_TYPES, Evidence, FactCheck, Label
from retrieval.verdicts.policy import not_cited

SUFFICIENCY = "sufficiency"  # purpose of the call that asks whether the passages are enough
AIC_TOKENS, TOKENS_A_QUESTION = 150, 200  # of a reply with questions, without and for each of them


@dataclass(frozen=True)
class AnswerJudge:
    """Over the question-answer pairs."""

    purpose = "judgement"
    reads = ("claim", "questions", "evidence", "calls")

    def shown(self, check: FactCheck) -> int:
        """See `Judge`."""
        return len(check.evidence)

    def request(self, check: FactCheck) -> Request:
        """See `Judge`."""
        return Request(prompt(self.purpose), pairs_text(check), VERDICT_SCHEMA, pairs_of_others(check))

    def read(self, reply: str, check: FactCheck) -> Opinion:
        """See `Judge`. Passages are pairs; each has its evidence."""
        said = read_judgement(reply, len(check.questions))
        sources = dict.fromkeys(source for number in said.sources for source in check.questions[number - 1].sources)
        return replace(said, sources=tuple(sources))

    def settled(self, check: FactCheck) -> Opinion | None:
        """See `Judge`. An unreadable reply settles nothing."""
        call = made(check, SUFFICIENCY)
        if call is None or call.error or read_sufficiency(call.reply.text):
            return None
        said = "According to the language model, the passages found are not enough to decide the claim."
        return Opinion(Label.NOT_ENOUGH_EVIDENCE, {}, said, ())

    def without(self, check: FactCheck, cited: Sequence[Evidence]) -> FactCheck:
        """See `Judge`."""
        others = not_cited(check.evidence, cited)
        place = {evidence.sentence: number for number, evidence in enumerate(others, 1)}
        pairs = []
        for pair in check.questions:
            kept = [place.get(check.evidence[number - 1].sentence) for number in pair.sources]
            if all(kept):
                pairs.append(replace(pair, sources=tuple(number for number in kept if number)))
        return replace(check, questions=tuple(pairs), evidence=tuple(others))


@dataclass(frozen=True)
class SourceJudge:
    """Over numbered chunks, each with a little of its neighbours: asks for questions, answers, sources and ratings.

    questions: at most; shown_examples: the number of checked claims that the model is shown; around: characters of the
    neighbours.
    """

    examples: Examples
    questions: int = 10
    shown_examples: int = 10
    around: int = 256
    purpose = "aic"
    reads = ("claim", "sentences", "pages")

    def shown(self, check: FactCheck) -> int:
        """See `Judge`."""
        return len(check.sentences)

    def request(self, check: FactCheck) -> Request:
        """See `Judge`."""
        sources = self._sources(check)
        lines = ["<sources>"]
        for number, (title, shown) in enumerate(sources, 1):
            lines.append(f"[{number}] {quoted(title)}\n{quoted(shown)}\n")
        lines.append("</sources>\n")
        for example in self.examples.nearest(check.claim.text, self.shown_examples):
            pairs = "\n".join(f"- {quoted(question)} {quoted(answer)}" for question, answer in example.questions)
            lines.append(f"Checked before: {quoted(example.claim)}\n{pairs}\nVerdict: {example.label}\n")
        lines.append(f"The claim to check: {quoted(check.claim.text)}")
        return Request(
            prompt(self.purpose, questions=self.questions),
            "\n".join(lines),
            sources_schema(self.questions, len(sources)),
            (check.claim.text, *(text for pair in sources for text in pair)),
            AIC_TOKENS + TOKENS_A_QUESTION * self.questions,
        )

    def read(self, reply: str, check: FactCheck) -> Opinion:
        """See `Judge`. The chunks that it names become the evidence, in the order in which they are first named."""
        said = self.read_numbers(reply, check)
        return replace(said, reason=aic_reason(said), sources=tuple(range(1, len(said.sources) + 1)))

    def read_numbers(self, reply: str, check: FactCheck) -> Opinion:
        """The judgement with its sources numbered like the chunks shown."""
        return read_aic(reply, len(check.sentences), self.questions)

    def settled(self, check: FactCheck) -> Opinion | None:
        """See `Judge`."""
        return None

    def without(self, check: FactCheck, cited: Sequence[Evidence]) -> FactCheck:
        """See `Judge`."""
        return replace(check, sentences=tuple(not_cited(check.sentences, cited)))

    def _sources(self, check: FactCheck) -> list[tuple[str, str]]:
        """Title and text of each chunk as it is shown."""
        texts = {hit.page.id: hit.page.text for hit in check.pages}
        shown = []
        for evidence in check.sentences:
            chunk = evidence.sentence
            before, after = neighbours(texts[chunk.page_id], chunk.start, chunk.end, self.around)
            parts = filter(None, (before and f"… {before}", chunk.text, after and f"{after} …"))
            shown.append((evidence.title, "\n".join(parts)))
        return shown


def aic_reason(said: Opinion) -> str:
    """The answers that have a source, in a sentence."""
    backed = [answer for answer in said.answers if answer.sources]
    if not backed:
        return (
            "The language model names no existing source for any of its answers, so treat its verdict as unsupported."
        )
    return " ".join(f"{answer.question} {answer.answer}" for answer in backed[:2])


def pairs_text(check: FactCheck) -> str:
    """Questions with numbered passages, as data, and the claim."""
    lines, asked = ["<passages>"], ""
    for number, pair in enumerate(check.questions, 1):
        if pair.question != asked:
            lines.append(f"Question: {quoted(pair.question)}")
        asked = pair.question
        lines.append(f"[{number}] {quoted(pair.answer)}")
    return "\n".join([*lines, "</passages>", "", f"The claim: {quoted(check.claim.text)}"])


def pairs_of_others(check: FactCheck) -> tuple[str, ...]:
    """The claim and the passages: all text from outside."""
    return (check.claim.text, *(pair.answer for pair in check.questions))


RATING = {"type": "integer", "minimum": 1, "maximum": 5}


def sources_schema(questions: int, sources: int) -> dict[str, object]:
    """JSON schema of a reply, given the maximum of questions and the number of sources."""
    answer = {
        "question": {"type": "string"},
        "answer": {"type": "string"},
        "answer_type": {"enum": list(ANSWER_TYPES)},
        "source": {"enum": [*range(1, sources + 1), None]},
    }
    listed = {"type": "array", "items": object_schema(answer), "minItems": 1, "maxItems": questions}
    return object_schema({"questions": listed, "veracity": object_schema(dict.fromkeys(LABELS, RATING))})


VERDICT_SCHEMA = object_schema(
    {
        "reason": {"type": "string"},
        "passages": {"type": "array", "items": {"type": "integer"}},
        "verdict": {"enum": list(LABELS)},
        "confidence": {"type": "integer", "minimum": 0, "maximum": 100},
    }
)
SUFFICIENCY_SCHEMA = object_schema({"enough": {"type": "boolean"}})
