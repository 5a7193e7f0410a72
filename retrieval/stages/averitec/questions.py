"""Asks the questions that decide a claim, by a language model or by rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from retrieval import stage_names
from retrieval.errors import ReplyError
from retrieval.llm.budget import NO_LIMIT, Budget, blamed, call_for
from retrieval.llm.examples import NO_EXAMPLES, Examples
from retrieval.llm.prompts import prompt, quoted
from retrieval.llm.replies import check_own_words, read_question, read_questions
from retrieval.protocols import LLM, QuestionGenerator, SpanExtractor, Stage
from retrieval.stages.esoteric.questions import PolarQuestions
from retrieval.types import FactCheck, LLMCall, Progress, QuestionAnswer

PURPOSE, OF_SENTENCE = "questions", "sentence question"
REPLY_TOKENS, ONE_QUESTION_TOKENS = 400, 100
_FIGURE = re.compile(r"\d[\d,.]*\s*(?:%|percent|million|billion|thousand)?")


@dataclass(frozen=True)
class TemplateQuestions:
    """Questions made of the claim and the names in it."""

    extractor: SpanExtractor
    most: int = 3
    name = stage_names.QUESTIONS
    reads = ("claim",)
    writes = ("questions",)

    def run(self, check: FactCheck) -> Iterator[Progress]:
        spans = self.extractor.extract(check.claim.statement)
        questions = template_questions(check.claim.statement, spans, self.most)
        yield Progress(self.name, 1, 1, replace(check, questions=tuple(map(QuestionAnswer, questions))))


def template_questions(claim: str, spans: list[tuple[int, int, str]], most: int) -> list[str]:
    """The claim as a question, then one about its figure, then one about each name in it, longest first."""
    plain = claim.strip().rstrip(".!?… ")
    questions = [f"Is it true that {_lowered(plain, spans)}?"]
    names = sorted({claim[start:end] for start, end, _ in spans}, key=lambda name: (-len(name), claim.find(name)))
    if figure := _FIGURE.search(plain):
        about = next((name for name in names if figure[0].strip() not in name), "")
        questions.append(f"What is the figure for {about}, is it {figure[0].strip(' .,')}?" if about else "")
    questions += [f"What is known about {name}?" for name in names if any(char.isalpha() for char in name)]
    return list(dict.fromkeys(filter(None, questions)))[:most]


def _lowered(text: str, spans: list[tuple[int, int, str]]) -> str:
    """The text as the continuation of a sentence: its first letter in lower case unless a name begins there."""
    named = any(start == 0 and kind != "NOUN_PHRASE" for start, _, kind in spans)
    return text if named or text[1:2].isupper() else text[:1].lower() + text[1:]


@dataclass(frozen=True)
class ModelQuestions:
    """The claim as a yes/no question, and questions that a model asks about its names and phrases."""

    extractor: SpanExtractor
    generator: QuestionGenerator
    polar: PolarQuestions
    most: int = 3
    name = stage_names.QUESTIONS
    reads = ("claim",)
    writes = ("questions",)

    def run(self, check: FactCheck) -> Iterator[Progress]:
        claim = check.claim.statement
        spans = self.extractor.extract(claim)
        asked = [self.polar.polar(claim, spans), *self.generator.ask(claim, spans[: self.most])]
        questions = list(dict.fromkeys(filter(None, asked)))[: self.most] or template_questions(claim, spans, 1)
        yield Progress(self.name, 1, 1, replace(check, questions=tuple(map(QuestionAnswer, questions))))


@dataclass(frozen=True)
class AskedQuestions:
    """Questions written by a language model, shown those of the nearest checked claim.

    If its reply is unusable, a note says so and the questions are made by template.
    """

    llm: LLM
    examples: Examples
    instead: Stage
    most: int = 3
    budget: Budget = NO_LIMIT
    name = stage_names.QUESTIONS
    reads = ("claim",)
    writes = ("questions", "calls", "notes")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        yield Progress(self.name, 0, 1, check)
        if not len(self.examples):
            check = replace(check, notes=(*check.notes, NO_EXAMPLES))
        asked = (prompt("questions", questions=self.most), self._content(check), schema(self.most), REPLY_TOKENS)
        check, call = call_for(self.llm, self.budget, check, PURPOSE, *asked)
        yield Progress(self.name, 0, 1, check)  # so that the reply is recorded before it is read
        try:
            if call.error:
                raise ReplyError(call.error)
            check_own_words(call.reply.text, [check.claim.text])
            questions = read_questions(call.reply.text, self.most)
        except ReplyError as error:
            note = f"The questions were made by rule. {error}"
            noted = replace(blamed(check, PURPOSE, str(error)), notes=(*check.notes, note))
            yield from self.instead.run(noted)
            return
        yield Progress(self.name, 1, 1, replace(check, questions=tuple(map(QuestionAnswer, questions))))

    def _content(self, check: FactCheck) -> str:
        lines = []
        for example in self.examples.nearest(check.claim.text, 1):
            earlier = list(dict.fromkeys(question for question, _ in example.questions))[: self.most]
            listed = "\n".join(f"- {quoted(question)}" for question in earlier)
            lines.append(f"An example.\nClaim: {quoted(example.claim)}\nIts questions:\n{listed}\n")
        return "\n".join([*lines, f"The claim to check: {quoted(check.claim.text)}"])


@dataclass(frozen=True)
class SentenceQuestions:
    """For each sentence found by the claim itself, a question that it answers, each from a separate call.

    If no model is set or its reply is unusable, the claim remains the question, and a note says so. A model that does
    not answer is not asked again.
    """

    llm: LLM | None
    budget: Budget = NO_LIMIT
    name = stage_names.QUESTIONS
    reads = ("questions",)
    writes = ("questions", "calls", "notes")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        total, faults, llm = max(1, len(check.questions)), list[str](), self.llm
        pairs: list[QuestionAnswer] = []
        for number, pair in enumerate(check.questions, 1):
            yield Progress(self.name, len(pairs), total, check)
            question = ""
            if llm is not None:
                check, call = self._asked(llm, check, number, pair.answer)
                yield Progress(self.name, len(pairs), total, check)  # so that the reply is recorded before it is read
                check, question, fault = _question_of(check, call, pair.answer)
                faults += [fault] if fault else []
                llm = None if call.error else llm
            pairs.append(replace(pair, question=question or pair.question))
        notes = (f"Not every sentence has a question of its own. {faults[0]}",) if faults else ()
        yield Progress(self.name, total, total, replace(check, questions=tuple(pairs), notes=(*check.notes, *notes)))

    def _asked(self, llm: LLM, check: FactCheck, number: int, answer: str) -> tuple[FactCheck, LLMCall]:
        """The check with one more call in its record, and the call."""
        content = f"<sentence>\n{quoted(answer)}\n</sentence>"
        asked = (prompt("sentence_question"), content, None, ONE_QUESTION_TOKENS)
        return call_for(llm, self.budget, check, f"{OF_SENTENCE} {number}", *asked)


def _question_of(check: FactCheck, call: LLMCall, answer: str) -> tuple[FactCheck, str, str]:
    """The check, the question of a reply, and what is wrong with it; one of the two is empty."""
    if call.error:
        return check, "", call.error
    try:
        check_own_words(call.reply.text, [answer])
        return check, read_question(call.reply.text), ""
    except ReplyError as error:
        return blamed(check, call.purpose, str(error)), "", str(error)


def schema(most: int) -> dict[str, object]:
    """JSON schema of a reply with at most `most` questions."""
    listed = {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": most}
    properties = {"questions": listed}
    return {"type": "object", "properties": properties, "required": ["questions"], "additionalProperties": False}
