"""Reads language models' replies completely or not at all. A reply never becomes a label by accident.

Each reader finds the one JSON object that fits its prompt, in a fence or in prose, after the model's thinking, and ignores
keys that were not asked for. It raises ReplyError, which users see, if a part that the prompt asks for is missing or
malformed. Labels are compared whole: "Not enough evidence to support" is no label.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from retrieval.llm.prompts import quoted as in_quotation
from retrieval.llm.reading.labels import label_named, read_label, read_ratings
from retrieval.llm.reading.parts import (
    field,
    json_objects,
    levels,
    numbers,
    on_one_line,
    one_line,
    quoted_objects,
    read_object,
    unreadable,
)
from retrieval.llm.reading.thinking import spoken, without_fence
from retrieval.types import ANSWER_TYPES, Label

# Of labels with equal ratings, the first one counts.
CAUTIOUS = (Label.NOT_ENOUGH_EVIDENCE, Label.CONFLICTING, Label.REFUTED, Label.SUPPORTED)
VERDICT_KEYS = ("reason", "sentences", "ratings", "label")
AIC_KEYS = ("questions", "veracity")
JUDGEMENT_KEYS = ("reason", "verdict", "confidence")
SIDE_KEYS = ("reason", "answer")
ASKED = frozenset((*VERDICT_KEYS, *AIC_KEYS, *JUDGEMENT_KEYS, *SIDE_KEYS, "passages", "enough"))  # keys of all prompts
_WITH_REASON = ("reason", "label", "verdict", "answer")  # keys compared if a reply gives its reason
CHARACTERS_READ = 1_000  # most of a reason, a context or a question

_COPIED = "it repeats what a quotation says, as models do when a page gives them orders"
NO_ANSWER = "No answer could be found."  # as in AVeriTeC
_NUMBERED = re.compile(r"(?:\*\*)?(?:\d{1,2}[.)]|[-*•–])(?:\*\*)?\s+(\S.*)")  # matches a stripped line
_LABELLED = re.compile(r"^(?:\*\*)?(?:Question|Q)(?:\*\*)?:(?:\*\*)?\s{0,9}", re.IGNORECASE)
_PERCENT = re.compile(r"(\d{1,3}(?:\.\d{1,6})?)(?: ?%| ?percent| ?/ ?100)?")
_CITED = re.compile(r"\[(\d{1,4})\]")


@dataclass(frozen=True, slots=True)
class Answer:
    """A question with its answer. type: one of `ANSWER_TYPES`, else empty. sources: existing numbers, from 1."""

    question: str
    answer: str
    type: str
    sources: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Opinion:
    """A language model's judgement of a claim.

    ratings: of the four labels, as shares that sum to 1; empty if the model gave none. sources: numbers, from 1, of the
    passages that it cites. dropped: numbers that it cites but that do not exist. answers: to the questions that it
    asked. tied: whether several labels had the highest rating, so that the most cautious one was taken.
    """

    label: Label
    ratings: Mapping[Label, float]
    reason: str
    sources: tuple[int, ...]
    dropped: tuple[int, ...] = ()
    answers: tuple[Answer, ...] = ()
    tied: bool = False


def read_verdict(text: str, sentences: int) -> Opinion:
    """The reply to prompt `verdict`. sentences: how many were shown. Numbers in brackets in the reason count as sources."""
    return read_object(text, VERDICT_KEYS, lambda reply: _verdict(reply, sentences))


def _verdict(reply: Mapping[str, Any], sentences: int) -> Opinion:
    label, rated = read_label(reply["label"]), read_ratings(reply["ratings"])
    if rated[label] < max(rated.values()):
        raise unreadable(f"it names {label} and rates another label higher")
    reason = one_line(reply, "reason", CHARACTERS_READ)
    named = [*numbers(reply["sentences"]), *map(int, _CITED.findall(reason))]
    return Opinion(label, _shares(rated), reason, *existing(named, sentences))


def read_aic(text: str, sources: int, most: int) -> Opinion:
    """The reply to prompt `aic`. sources: how many were shown. most: how many questions count; later ones are dropped."""
    return read_object(text, AIC_KEYS, lambda reply: _aic(reply, sources, most))


def _aic(reply: Mapping[str, Any], sources: int, most: int) -> Opinion:
    listed = field(reply, "questions", list)
    if not listed:
        raise unreadable("it asks no question")
    answers, named = [], []
    for row in listed[:most]:
        if not isinstance(row, dict):
            raise unreadable("a question is not an object")
        cited = numbers(row.get("source"))
        named += cited
        answer_type = _answer_type(row.get("answer_type"))
        unanswered = answer_type == ANSWER_TYPES[-1] and not row.get("answer")
        question, answer = one_line(row, "question"), NO_ANSWER if unanswered else one_line(row, "answer")
        answers.append(Answer(question, answer, answer_type, existing(cited, sources)[0]))
    rated = read_ratings(reply["veracity"])
    best = [label for label in CAUTIOUS if rated[label] == max(rated.values())]
    return Opinion(best[0], _shares(rated), "", *existing(named, sources), tuple(answers), len(best) > 1)


def read_judgement(text: str, passages: int) -> Opinion:
    """The reply to prompt `judgement`: a label, its reason, passages, and the confidence in percent.

    The other labels share the rest evenly. A label with less than a quarter gets a quarter, so that it stays the highest.
    """
    return read_object(text, JUDGEMENT_KEYS, lambda reply: _judgement(reply, passages))


def _judgement(reply: Mapping[str, Any], passages: int) -> Opinion:
    confidence = _percent(reply.get("confidence"))
    if isinstance(confidence, bool) or not isinstance(confidence, int | float) or not 0 <= confidence <= 100:
        raise unreadable("its confidence is not a number from 0 to 100")
    label = read_label(reply.get("verdict"))
    share = max(confidence / 100, 1 / len(Label))
    ratings = {each: share if each is label else (1 - share) / (len(Label) - 1) for each in Label}
    reason = one_line(reply, "reason", CHARACTERS_READ)
    return Opinion(label, MappingProxyType(ratings), reason, *existing(numbers(reply.get("passages")), passages))


@dataclass(frozen=True, slots=True)
class Side:
    """Why the evidence supports a side or does not. sources, dropped: see `Opinion`."""

    reason: str
    sources: tuple[int, ...]
    dropped: tuple[int, ...]


def _percent(value: Any) -> Any:
    """A number in a text ("90 %") or a share (0.9) as percent; anything else unchanged."""
    if isinstance(value, str) and (written := _PERCENT.fullmatch(value.strip())):
        return float(written[1])
    return value * 100 if isinstance(value, float) and 0 < value < 1 else value


def read_side(text: str, passages: int) -> tuple[bool, Side]:
    """The reply to prompt `side`: whether the evidence supports that side, and why."""
    return read_object(text, SIDE_KEYS, lambda reply: _side(reply, passages))


def _side(reply: Mapping[str, Any], passages: int) -> tuple[bool, Side]:
    sources = existing(numbers(reply.get("passages")), passages)
    return bool(field(reply, "answer", bool)), Side(one_line(reply, "reason", CHARACTERS_READ), *sources)


def read_sufficiency(text: str) -> bool:
    """The reply to prompt `sufficiency`: whether the evidence is enough."""
    return read_object(text, ("enough",), lambda reply: bool(field(reply, "enough", bool)))


def read_questions(text: str, most: int) -> list[str]:
    """Up to `most` questions, from a JSON object with `questions`, a JSON list, or nothing but numbered lines."""
    reply = without_fence(spoken(text).text)
    if reply.startswith("["):
        reply = f'{{"questions": {reply}}}'
    if "{" in reply or reply.startswith("```"):
        found = read_object(reply, ("questions",), lambda obj: list(map(_question, field(obj, "questions", list))))
    else:
        lines = [_NUMBERED.fullmatch(line.strip()) for line in reply.splitlines() if line.strip()]
        found = [match[1].rstrip("* ") if match else "" for match in lines]
    if not found or not all(found):
        raise unreadable("it is not a list of questions")
    return list(dict.fromkeys(found))[:most]


def _question(value: Any) -> str:
    """A question, alone or under the key `question` of an object."""
    question = value.get("question") if isinstance(value, dict) else value
    if not isinstance(question, str):
        raise unreadable("a question is not text")
    return on_one_line(question)


def read_question(text: str) -> str:
    """One question on one line, without a label before it or quotation marks around it."""
    lines = [line.strip() for line in spoken(text).text.splitlines() if line.strip()]
    question = _LABELLED.sub("", lines[0], count=1).strip('*"“” ') if len(lines) == 1 else ""
    if len(question) < 2 or len(question) > CHARACTERS_READ or question.startswith(("{", "[")):
        raise unreadable("it is not one question")
    return on_one_line(question)


def read_context(text: str) -> str:
    """One short text, without line breaks."""
    context = on_one_line(spoken(text).text).strip('"“” ')
    if not context or len(context) > CHARACTERS_READ:
        raise unreadable("it is not one short text")
    return context


def check_own_words(text: str, quoted: Sequence[str]) -> None:
    """Raises ReplyError if the reply was copied from a text quoted to the model: a page may contain a ready-made reply.

    Neither the whole reply nor an object in it may occur in a quotation. Only letters and digits are compared;
    thinking, fences, enclosing objects, the order of keys and keys that were not asked for are ignored. If a reply
    gives its reason, only that and the label are compared, whatever its ratings and sources.
    """
    reply = spoken(text).text
    objects = json_objects(reply) if "{" in reply else []
    copied = {_squeezed(without_fence(reply)), *(_squeezed(raw) for obj, raw in objects if obj)} - {""}
    if any(part in other for other in map(_squeezed, quoted) for part in copied):
        raise unreadable(_COPIED)
    answers = [answer for obj, _ in objects for answer in _answers(obj)]
    for other in quoted if answers else ():
        ready_made = [_flat(obj) for obj in quoted_objects(other)]
        if any(answer.items() <= obj.items() for obj in ready_made for answer in map(_flat, answers)):
            raise unreadable(_COPIED)


def _answers(obj: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """An object reduced to the keys that were asked for, then each object inside it, down to the answer itself."""
    for level in levels(obj):
        if answer := {key: level[key] for key in level if key in ASKED}:
            yield {key: answer[key] for key in answer if key in _WITH_REASON} if "reason" in answer else answer
        if len(answer) > 1:
            return


def _flat(obj: Mapping[str, Any]) -> dict[str, str]:
    """Key -> the letters and digits of its value, for comparison."""
    return {key: _letters(value) for key, value in obj.items()}


def _letters(value: Any) -> str:
    if isinstance(value, Mapping):
        return "".join(sorted(_letters(key) + _letters(inner) for key, inner in value.items()))
    if label := label_named(value):
        return str(label)
    if isinstance(value, list):
        return "".join(map(_letters, value))
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return "".join(char for char in str(value).casefold() if char.isalnum())


def _squeezed(text: str) -> str:
    """The text as it was shown to the model, without spaces."""
    return "".join(in_quotation(text).split())


def existing(named: Sequence[int], most: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The numbers from 1 to `most`, each once, and the others."""
    known = dict.fromkeys(number for number in named if 1 <= number <= most)
    return tuple(known), tuple(number for number in named if not 1 <= number <= most)


def _answer_type(value: Any) -> str:
    """The answer type, ignoring capitals; empty if the reply names no known type."""
    name = value.strip().casefold() if isinstance(value, str) else ""
    return next((kind for kind in ANSWER_TYPES if kind.casefold() == name), "")


def _shares(rated: Mapping[Label, int]) -> Mapping[Label, float]:
    """Ratings as shares that sum to 1: each step of the scale makes a label e times as likely relative to the others."""
    weights = {label: math.exp(rated[label]) for label in Label}
    total = sum(weights.values())
    return MappingProxyType({label: weight / total for label, weight in weights.items()})
