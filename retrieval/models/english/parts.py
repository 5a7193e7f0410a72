"""Splits a sentence into the parts in which two sentences may differ: names, numbers, nouns, adjectives and verbs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from retrieval.models.english.parser import english
from retrieval.text.words import content_words

CHARACTERS_COMPARED = 1_000  # of a sentence
NAME, NUMBER, TIME, NOUN, ADJECTIVE, VERB = "name", "number", "time", "noun", "adjective", "verb"
_ENTITY_KINDS = {
    **dict.fromkeys(("DATE", "TIME"), TIME),
    **dict.fromkeys(("CARDINAL", "QUANTITY", "PERCENT", "MONEY", "ORDINAL"), NUMBER),
    **dict.fromkeys(("NORP", "LANGUAGE"), ADJECTIVE),
}
# A run of capitalised words; initials keep their full stops.
_CAPITALS = re.compile(
    r"(?:[A-Z]\.[ -]?)*[A-Z][\w'’-]*(?: (?:of |the |da |de |van |von )?(?:(?:[A-Z]\. ?)+)?[A-Z][\w'’-]*)*"
)
_LATIN = re.compile(r"[A-Za-z0-9]")  # a name in another script never contradicts an English claim
_WORD_KINDS = {"ADJ": ADJECTIVE, "NUM": NUMBER, "VERB": VERB}
_BEFORE = re.compile(r"([\w'’]+)\W+(?:(?:the|a|an)\W+)?\Z", re.IGNORECASE)
_BEHIND = re.compile(r"[ -]([\w'’]+)")
_LEFT_OUT = ("DET", "PRON", "PUNCT", "PART", "SPACE", "ADP")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a text, `text[start:end]`."""

    start: int
    end: int
    kind: str  # only parts of one kind can replace each other
    type: str  # of a name, such as PERSON; or empty
    words: frozenset[str]  # stems of its content words
    before: str = ""  # the word before it, except articles
    behind: str = ""  # the stem of a content word directly after it, as in "English-language"


def parts_of(text: str) -> list[Part]:
    """The parts in text order; some lie within others. Raises ModelError if spaCy's model is missing."""
    document = english()(text[:CHARACTERS_COMPARED])
    found: dict[tuple[int, int], tuple[str, str]] = {}
    for span, kind, type_ in _spans(document):
        found.setdefault((span.start_char, span.end_char), (kind, type_))
    parts = [
        Part(start, end, *kind, content_words(text[start:end]), _word_before(text, start), _word_behind(text, end))
        for (start, end), kind in found.items()
    ]
    return sorted(
        (part for part in parts if part.words and _LATIN.search(text, part.start, part.end)),
        key=lambda part: (part.start, -part.end),
    )


def _word_before(text: str, start: int) -> str:
    found = _BEFORE.search(text, max(0, start - 30), start)
    return found[1].lower() if found else ""


def _word_behind(text: str, end: int) -> str:
    found = _BEHIND.match(text, end)
    return " ".join(sorted(content_words(found[1]))) if found else ""


def _spans(document: Any) -> Iterator[tuple[Any, str, str]]:
    """Spans with their kind and type; names first, because a name says more than a phrase of the same words."""
    for entity in document.ents:
        yield _trimmed(entity), _ENTITY_KINDS.get(entity.label_, NAME), entity.label_
    for chunk in document.noun_chunks:
        phrase = _trimmed(chunk)
        if len(phrase):
            name = phrase.root.pos_ == "PROPN"
            yield phrase, NAME if name else NOUN, ""
            if not name and len(phrase) > 1:
                yield document[phrase.root.i : phrase.root.i + 1], NOUN, ""
    for token in document:
        if kind := _WORD_KINDS.get(token.pos_):
            yield document[token.i : token.i + 1], kind, ""
    for match in _CAPITALS.finditer(document.text):
        span = document.char_span(*match.span())
        if span is not None and span[0].pos_ == "PROPN":
            yield span, NAME, ""


def _trimmed(span: Any) -> Any:
    """The span without articles and punctuation at its ends."""
    while len(span) and span[0].pos_ in _LEFT_OUT:
        span = span[1:]
    while len(span) and (span[-1].pos_ in ("PUNCT", "PART", "SPACE")):
        span = span[:-1]
    return span
