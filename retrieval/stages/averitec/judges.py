"""Judges of questions with their answers, and of numbered chunks of documents. All implement `Judge`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from retrieval import stage_names
from retrieval.errors import ReplyError
from retrieval.llm.budget import Budget, Request, call_for
from retrieval.llm.examples import Examples
from retrieval.llm.prompts import judgement, object_schema, prompt, quoted
from retrieval.llm.reading.labels import LABELS
from retrieval.llm.replies import Opinion, check_own_words, read_aic, read_judgement, read_side, read_sufficiency
from retrieval.protocols import LLM
from retrieval.stages.judge import made, read_reply
from retrieval.text.chunks import neighbours
from retrieval.types import ANSWER_TYPES, Evidence, FactCheck, Label, Progress
from retrieval.verdicts.policy import not_cited

SUFFICIENCY = "sufficiency"  # purpose of the call that asks whether the passages are enough
SUPPORTS = "supported or not"  # purpose of the first of two calls
AIC_TOKENS, TOKENS_A_QUESTION = 150, 200  # of a reply with questions, without and for each of them


@dataclass(frozen=True)
class AnswerJudge:
    """Judges the question-answer pairs. Once a call has settled that the evidence is enough, three labels are left.

    prompt, doubt: see `llm/prompts/judgement.py`. answers: passages a question. apart: contexts stand on separate lines.
    """

    prompt: judgement.Prompt = "own"
    doubt: judgement.Doubt = "reason"
    answers: int = 3
    apart: bool = False
    purpose = "judgement"
    reads = ("claim", "questions", "evidence", "calls")

    def shown(self, check: FactCheck) -> int:
        return len(check.evidence)

    def request(self, check: FactCheck) -> Request:
        enough = self._enough(check) is True
        instructions = judgement.instructions(self.prompt, self.doubt, self.answers, enough)
        return Request(instructions, pairs_text(check, self.apart), verdict_schema(enough), pairs_of_others(check))

    def read(self, reply: str, check: FactCheck) -> Opinion:
        """Passages are pairs; each has its evidence."""
        return replace_sources(read_judgement(reply, len(check.questions)), check)

    def settled(self, check: FactCheck) -> Opinion | None:
        """An unreadable reply settles nothing."""
        if self._enough(check) is not False:
            return None
        reason = "According to the language model, the passages found are not enough to decide the claim."
        return Opinion(Label.NOT_ENOUGH_EVIDENCE, {}, reason, ())

    def _enough(self, check: FactCheck) -> bool | None:
        """Whether a call has settled that the evidence is enough; None if there was none, or none that can be read."""
        call = made(check, SUFFICIENCY)
        return None if call is None or call.error else read_sufficiency(call.reply.text)

    def without(self, check: FactCheck, cited: Sequence[Evidence]) -> FactCheck:
        others = not_cited(check.evidence, cited)
        place = {evidence.sentence: number for number, evidence in enumerate(others, 1)}
        pairs = []
        for pair in check.questions:
            numbers = [place.get(check.evidence[number - 1].sentence) for number in pair.sources]
            if all(numbers):
                pairs.append(replace(pair, sources=tuple(number for number in numbers if number)))
        return replace(check, questions=tuple(pairs), evidence=tuple(others))


@dataclass(frozen=True)
class SideJudge(AnswerJudge):
    """The first of two questions: whether the pairs support the claim. The reply is only part of an opinion."""

    purpose = SUPPORTS
    side = "supports"

    def request(self, check: FactCheck) -> Request:
        others = pairs_of_others(check)
        return Request(prompt("side", side=self.side), pairs_text(check, self.apart), SIDE_SCHEMA, others)


@dataclass(frozen=True)
class TwoSidesJudge(SideJudge):
    """The second: whether they refute it. As with two classifiers (Momii et al., section 5), both mean conflicting
    evidence, neither means not enough.
    """

    purpose = "refuted or not"
    side = "refutes"

    def read(self, reply: str, check: FactCheck) -> Opinion:
        """Also raises ReplyError if the first reply is missing or cannot be read."""
        first = made(check, SUPPORTS)
        if first is None or first.error:
            raise ReplyError(
                first.error if first else "The language model was not asked whether the claim is supported."
            )
        check_own_words(first.reply.text, pairs_of_others(check))
        supported, for_it = read_side(first.reply.text, len(check.questions))
        refuted, against = read_side(reply, len(check.questions))
        label = OF_SIDES[supported, refuted]
        deciding = {Label.SUPPORTED: (for_it,), Label.REFUTED: (against,)}.get(label, (for_it, against))
        sources = tuple(dict.fromkeys(number for side in deciding for number in side.sources))
        dropped = tuple(number for side in deciding for number in side.dropped)
        reason = " ".join(side.reason for side in deciding)
        return replace_sources(Opinion(label, {}, reason, sources, dropped), check)


OF_SIDES = {
    (True, False): Label.SUPPORTED,
    (False, True): Label.REFUTED,
    (False, False): Label.NOT_ENOUGH_EVIDENCE,
    (True, True): Label.CONFLICTING,
}


def replace_sources(opinion: Opinion, check: FactCheck) -> Opinion:
    """The opinion with the evidence of the pairs that it names as its sources."""
    sources = dict.fromkeys(source for number in opinion.sources for source in check.questions[number - 1].sources)
    return replace(opinion, sources=tuple(sources))


@dataclass(frozen=True)
class SourceJudge:
    """Judges numbered chunks: asks for questions, answers, sources and ratings.

    questions: at most. shown_examples: checked claims that the model is shown. around: characters of a chunk's neighbours.
    """

    examples: Examples
    questions: int = 10
    shown_examples: int = 10
    around: int = 256
    purpose = "aic"
    reads = ("claim", "sentences", "pages")

    def shown(self, check: FactCheck) -> int:
        return len(check.sentences)

    def request(self, check: FactCheck) -> Request:
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
        """The chunks that it names become the evidence, in the order in which they are first named."""
        opinion = self.read_numbers(reply, check)
        return replace(opinion, reason=aic_reason(opinion), sources=tuple(range(1, len(opinion.sources) + 1)))

    def read_numbers(self, reply: str, check: FactCheck) -> Opinion:
        """The judgement with its sources numbered like the chunks shown."""
        return read_aic(reply, len(check.sentences), self.questions)

    def settled(self, check: FactCheck) -> Opinion | None:
        return None

    def without(self, check: FactCheck, cited: Sequence[Evidence]) -> FactCheck:
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


def aic_reason(opinion: Opinion) -> str:
    """The answers that have a source, in a sentence."""
    backed = [answer for answer in opinion.answers if answer.sources]
    if not backed:
        return (
            "The language model names no existing source for any of its answers, so treat its verdict as unsupported."
        )
    return " ".join(f"{answer.question} {answer.answer}" for answer in backed[:2])


def pairs_text(check: FactCheck, apart: bool = False) -> str:
    """Questions with numbered passages, as data, and the claim. apart: a passage's context stands below it."""
    lines, question = ["<passages>"], ""
    for number, pair in enumerate(check.questions, 1):
        if pair.question != question:
            lines.append(f"Question: {quoted(pair.question)}")
        question = pair.question
        sentence = check.evidence[pair.sources[0] - 1].sentence.text if apart and pair.sources else pair.answer
        context = pair.answer.removesuffix(sentence).strip() if pair.answer.endswith(sentence) else ""
        lines.append(f"[{number}] {quoted(sentence if context else pair.answer)}")
        lines += [f"    Context: {quoted(context)}"] if context else []
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


def verdict_schema(enough: bool = False) -> dict[str, object]:
    """JSON schema of a verdict. enough: whether it is settled that the evidence suffices."""
    properties: dict[str, Any] = {
        "reason": {"type": "string"},
        "passages": {"type": "array", "items": {"type": "integer"}},
        "verdict": {"enum": [name for name in LABELS if not (enough and name == judgement.UNDECIDED)]},
        "confidence": {"type": "integer", "minimum": 0, "maximum": 100},
    }
    return object_schema(properties)


SIDE_SCHEMA = object_schema(
    {
        "reason": {"type": "string"},
        "passages": {"type": "array", "items": {"type": "integer"}},
        "answer": {"type": "boolean"},
    }
)
SUFFICIENCY_SCHEMA = object_schema({"enough": {"type": "boolean"}})


@dataclass(frozen=True)
class AskSufficiency:
    """Asks a language model whether the passages are enough to decide; an unreadable reply leaves a note."""

    llm: LLM
    budget: Budget
    name = stage_names.SUFFICIENCY
    reads = ("claim", "questions", "evidence")
    writes = ("calls", "notes")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        yield Progress(self.name, 0, 1, check)
        if check.evidence:
            request = Request(prompt(SUFFICIENCY), pairs_text(check), SUFFICIENCY_SCHEMA, pairs_of_others(check))
            check, call = call_for(self.llm, self.budget, check, SUFFICIENCY, request)
            yield Progress(self.name, 0, 1, check)  # so that the reply is recorded before it is read

            def read(reply: str) -> bool:
                check_own_words(reply, request.others)
                return read_sufficiency(reply)

            check, _, fault = read_reply(check, call, read)
            if fault:
                check = check.noting(
                    f"The verdict was requested without knowing whether the passages are enough. {fault}"
                )
        yield Progress(self.name, 1, 1, check)
