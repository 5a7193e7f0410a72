"""Asks the questions that decide a claim, by a language model or by rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from retrieval import stage_names
from retrieval.llm.budget import NO_LIMIT, Budget, Request, call_for
from retrieval.llm.examples import NO_EXAMPLES, Examples
from retrieval.llm.prompts import object_schema, prompt, quoted
from retrieval.llm.replies import check_own_words, read_question, read_questions
from retrieval.models.english.asking.questions import PolarByModel, RuleQuestions
from retrieval.protocols import LLM, QuestionGenerator, SpanExtractor, Stage
from retrieval.stages.judge import TextRequest, read_reply, texts_for_pairs
from retrieval.types import FactCheck, Progress, QuestionAnswer

PURPOSE, OF_SENTENCE = "questions", "sentence question"
QUESTIONS_TOKENS, ONE_QUESTION_TOKENS = 400, 100
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
    begins_with_name = any(start == 0 and kind != "NOUN_PHRASE" for start, _, kind in spans)
    return text if begins_with_name or text[1:2].isupper() else text[:1].lower() + text[1:]


@dataclass(frozen=True)
class ModelQuestions:
    """The claim as a yes/no question, and questions that a model asks about its names and phrases."""

    extractor: SpanExtractor
    generator: QuestionGenerator
    polar: RuleQuestions | PolarByModel
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
    """Questions by a language model that is shown those of the nearest checked claim; by `instead` if it fails."""

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
            check = check.noting(NO_EXAMPLES)
        claim, content = check.claim.text, self._content(check)
        instructions = prompt("questions", questions=self.most)
        request = Request(instructions, content, schema(self.most), (claim,), QUESTIONS_TOKENS)
        check, call = call_for(self.llm, self.budget, check, PURPOSE, request)
        yield Progress(self.name, 0, 1, check)  # so that the reply is recorded before it is read
        check, questions, fault = read_reply(check, call, lambda text: self._questions(text, claim))
        if questions is None:
            yield from self.instead.run(check.noting(f"The questions were made by rule. {fault}"))
            return
        yield Progress(self.name, 1, 1, replace(check, questions=tuple(map(QuestionAnswer, questions))))

    def _questions(self, reply: str, claim: str) -> list[str]:
        check_own_words(reply, [claim])
        return read_questions(reply, self.most)

    def _content(self, check: FactCheck) -> str:
        lines = []
        for example in self.examples.nearest(check.claim.text, 1):
            earlier = list(dict.fromkeys(question for question, _ in example.questions))[: self.most]
            listed = "\n".join(f"- {quoted(question)}" for question in earlier)
            lines.append(f"An example.\nClaim: {quoted(example.claim)}\nIts questions:\n{listed}\n")
        return "\n".join([*lines, f"The claim to check: {quoted(check.claim.text)}"])


@dataclass(frozen=True)
class SentenceQuestions:
    """For each sentence found by the claim itself, a question that it answers, each from a separate call. If no model is
    set or its reply is unusable, the claim remains the question, and a note says so.
    """

    llm: LLM | None
    budget: Budget = NO_LIMIT
    name = stage_names.QUESTIONS
    reads = ("questions",)
    writes = ("questions", "calls", "notes")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        check, questions, fault = yield from texts_for_pairs(self.name, self.llm, self.budget, check, _request)
        pairs = zip(check.questions, questions, strict=True)
        asked = tuple(replace(pair, question=question or pair.question) for pair, question in pairs)
        check = check.noting(f"Not every sentence has a question of its own. {fault}" if fault else "")
        total = max(1, len(asked))
        yield Progress(self.name, total, total, replace(check, questions=asked))


def _request(number: int, pair: QuestionAnswer) -> TextRequest:
    def read(reply: str) -> str:
        check_own_words(reply, [pair.answer])
        return read_question(reply)

    content = f"<sentence>\n{quoted(pair.answer)}\n</sentence>"
    request = Request(prompt("sentence_question"), content, reply_tokens=ONE_QUESTION_TOKENS)
    return TextRequest(f"{OF_SENTENCE} {number}", request, read)


def schema(most: int) -> dict[str, object]:
    """JSON schema of a reply with at most `most` questions."""
    return object_schema({"questions": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": most}})
