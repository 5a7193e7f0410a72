"""One call of a language model: questions, answers with numbered sources, and a rating of each label."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from retrieval.llm.budget import NO_LIMIT, Budget, reply_to
from retrieval.llm.examples import Examples
from retrieval.llm.prompts import prompt, quoted
from retrieval.llm.replies import LABELS, AicReply, read_aic
from retrieval.protocols import LLM, PairScorer
from retrieval.stages.sentences import score_sentences
from retrieval.stages.verdict import verify
from retrieval.text.chunks import neighbours
from retrieval.types import Evidence, FactCheck, Progress, QuestionAnswer, Verdict

REPLY_TOKENS, TOKENS_A_QUESTION = 150, 200  # that a reply may have at most, without and for each question


@dataclass(frozen=True)
class AicAnswer:
    """Shows the chunks with a little of their neighbours, and reads questions, sources and ratings from the reply.

    evidence: the chunks that were named as a source, in the order they are first named; stances by the pair scorer.
    """

    llm: LLM
    scorer: PairScorer
    examples: Examples
    questions: int = 10
    shown_examples: int = 10
    around: int = 256
    budget: Budget = NO_LIMIT
    name: str = "verdict"
    reads: tuple[str, ...] = ("claim", "sentences", "pages")
    writes: tuple[str, ...] = ("questions", "evidence", "verdict", "notes", "calls")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        yield Progress(self.name, 0, 1, check)
        asked = (
            prompt("aic", questions=self.questions),
            self._content(check),
            schema(self.questions, len(check.sentences)),
            REPLY_TOKENS + TOKENS_A_QUESTION * self.questions,
        )
        check, reply = reply_to(self.llm, self.budget, check, "aic", *asked)
        yield Progress(self.name, 0, 1, check)  # so that the reply is kept before it is read
        read = read_aic(reply, len(check.sentences), self.questions)
        named = list(dict.fromkeys(number for answer in read.answers for number in answer.sources))
        place = {number: rank for rank, number in enumerate(named, 1)}
        verdict = Verdict(read.label, MappingProxyType(dict(read.probabilities)), aic_reason(read), self.llm.id)
        yield Progress(
            self.name,
            1,
            1,
            replace(
                check,
                questions=tuple(
                    QuestionAnswer(a.question, a.answer, tuple(place[n] for n in a.sources)) for a in read.answers
                ),
                evidence=self._evidence(check, named),
                verdict=verdict,
                notes=check.notes + aic_notes(read),
            ),
        )

    def _content(self, check: FactCheck) -> str:
        texts = {hit.page.id: hit.page.text for hit in check.pages}
        lines = ["<sources>"]
        for number, evidence in enumerate(check.sentences, 1):
            chunk = evidence.sentence
            before, after = neighbours(texts[chunk.page_id], chunk.start, chunk.end, self.around)
            shown = "\n".join(filter(None, (before and f"… {before}", chunk.text, after and f"{after} …")))
            lines.append(f"[{number}] {quoted(chunk.title)}\n{quoted(shown)}\n")
        lines.append("</sources>\n")
        for example in self.examples.nearest(check.claim.text, self.shown_examples):
            pairs = "\n".join(f"- {quoted(question)} {quoted(answer)}" for question, answer in example.questions)
            lines.append(f"Checked before: {quoted(example.claim)}\n{pairs}\nVerdict: {example.label}\n")
        lines.append(f"The claim to check: {quoted(check.claim.text)}")
        return "\n".join(lines)

    def _evidence(self, check: FactCheck, named: list[int]) -> tuple[Evidence, ...]:
        texts = {hit.page.id: hit.page.text for hit in check.pages}
        chosen = [check.sentences[number - 1].sentence for number in named]
        judged: dict[tuple[str, int], Evidence] = {}
        for batch in score_sentences(self.scorer, check.claim.text, chosen, "source"):
            judged |= {(e.sentence.page_id, e.sentence.start): verify(e, texts) for e in batch}
        return tuple(judged[chunk.page_id, chunk.start] for chunk in chosen)


def aic_reason(read: AicReply) -> str:
    """The answers that have a source, in a sentence."""
    backed = [answer for answer in read.answers if answer.sources]
    if not backed:
        return "The language model names no source that exists for any of its answers: take its verdict as unsupported."
    return " ".join(f"{answer.question} {answer.answer}" for answer in backed[:2])


def aic_notes(read: AicReply) -> tuple[str, ...]:
    """What the person should know of the reply."""
    notes = []
    if read.dropped:
        numbers = ", ".join(map(str, read.dropped))
        notes.append(f"The language model named sources that do not exist ({numbers}); they were dropped.")
    top = [p for p in read.probabilities.values() if p >= max(read.probabilities.values()) - 1e-9]
    if len(top) > 1:
        notes.append("The language model rated several labels alike; the more cautious one was taken.")
    return tuple(notes)


RATING = {"type": "integer", "minimum": 1, "maximum": 5}


def schema(questions: int, sources: int) -> dict[str, object]:
    """JSON schema of a reply of so many questions at most, over so many sources."""
    answer = {
        "question": {"type": "string"},
        "answer": {"type": "string"},
        "answer_type": {"enum": ["Extractive", "Abstractive", "Boolean", "Unanswerable"]},
        "source": {"enum": [*range(1, sources + 1), None]},
    }
    listed = {"type": "array", "items": _object(answer), "minItems": 1, "maxItems": questions}
    return _object({"questions": listed, "veracity": _object(dict.fromkeys(LABELS, RATING))})


def _object(properties: Mapping[str, object]) -> dict[str, object]:
    """Every property asked for, in this order, and no other."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }
