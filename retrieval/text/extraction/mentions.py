"""Names and pronouns of a parsed text: where they are, what they may refer to, and their gender."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

from retrieval.text.grammar import end_of

FEMININE, MASCULINE = "f", "m"
PEOPLE = "PERSON"
_NEVER_NAMES = ("DATE", "TIME", "NORP", "LANGUAGE", "PERCENT", "MONEY", "QUANTITY")
THINGS = ("ORG", "GPE", "LOC", "FAC", "WORK_OF_ART", "EVENT", "PRODUCT", "LAW")
PRONOUNS: Mapping[str, str] = {
    **dict.fromkeys(("he", "him", "his", "himself"), MASCULINE),
    **dict.fromkeys(("she", "her", "hers", "herself"), FEMININE),
}
NEUTER = ("it", "its", "itself")
_THEY = ("they", "them", "their", "theirs", "themselves")
_TITLES: Mapping[str, str] = {
    **dict.fromkeys("mr sir lord king prince duke count baron father brother emperor pope uncle".split(), MASCULINE),
    **dict.fromkeys("mrs ms miss lady dame queen princess duchess countess madame madam sister".split(), FEMININE),
    **dict.fromkeys("mother baroness empress aunt".split(), FEMININE),
}
_ROLES: Mapping[str, str] = {
    **dict.fromkeys("husband son father brother actor king grandfather uncle boyfriend nephew".split(), MASCULINE),
    **dict.fromkeys("grandson widower man boy chairman businessman".split(), MASCULINE),
    **dict.fromkeys("wife daughter mother sister actress queen grandmother aunt girlfriend niece".split(), FEMININE),
    **dict.fromkeys("granddaughter widow woman girl heroine".split(), FEMININE),
}
KNOWN = 1.5  # log odds of gender beyond which a first word counts as a first name
# Words that begin sentences and make the name after them look longer: "Did Einstein fail?"
_NO_NAMES = frozenset(
    "did does do was were is are has have had can could would should why how when what where if but and although though so yet while "
    "because since after before then here there this that these those".split()
)
_WORD = re.compile(r"[\w’'-]+")


@dataclass(frozen=True)
class Parsed:
    """A sentence of a text: its number, its offset in the text, and spaCy's parse."""

    number: int
    start: int
    doc: Any


@dataclass(frozen=True)
class Name:
    """A name in the text. start, end: offsets in the text. head: its last token."""

    sentence: int
    start: int
    end: int
    text: str
    kind: str
    head: Any

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the name in lower case, without titles and full stops."""
        found = [word.casefold().removesuffix("'s").removesuffix("’s") for word in _WORD.findall(self.text)]
        return tuple(word for word in found if word and word not in _TITLES and word != "the")


@dataclass(frozen=True)
class Pronoun:
    """A pronoun in the text."""

    sentence: int
    start: int
    end: int
    token: Any


class Edit(NamedTuple):
    """The words that replace doc.text[start:end] in a sentence."""

    start: int
    end: int
    text: str


def edited(text: str, start: int, end: int, edits: Sequence[Edit]) -> str:
    """text[start:end] after the edits within it, which come in text order."""
    parts, position = [], start
    for edit in edits:
        if start <= edit.start and edit.end <= end:
            parts += [text[position : edit.start], edit.text]
            position = edit.end
    return "".join([*parts, text[position:end]])


def names_in(sentence: Parsed) -> list[Name]:
    """Entities that a pronoun or a short name can mean, and runs of proper nouns without a type from spaCy."""
    entities = [entity for entity in sentence.doc.ents if entity.label_ in (PEOPLE, *THINGS, *_NEVER_NAMES)]
    spans = [(entity.start, entity.end, entity.label_) for entity in entities if entity.label_ not in _NEVER_NAMES]
    taken = {token.i for entity in entities for token in entity}
    for proper, run in groupby(sentence.doc, lambda token: token.pos_ == "PROPN" and token.i not in taken):
        tokens = list(run)
        spans += [(tokens[0].i, tokens[-1].i + 1, "")] if proper else []
    names = (_name(sentence, *span) for span in spans)
    return sorted(filter(None, names), key=lambda name: name.start)


def _name(sentence: Parsed, start: int, end: int, kind: str) -> Name | None:
    doc = sentence.doc
    while start < end and (doc[start].pos_ in ("DET", "PUNCT", "ADP", "SPACE") or doc[start].lower_ in _NO_NAMES):
        start += 1
    opened = {token.text: token.i for token in reversed(doc[start:end]) if token.text in ("(", "[", ")", "]")}
    if ("(" in opened) != (")" in opened) or ("[" in opened) != ("]" in opened):
        end = max(start, min(opened.values()))  # "Harrow Bridge (Welsh: Pont Harrow" ends before its bracket
    while end > start and (doc[end - 1].pos_ in ("PUNCT", "PART", "SPACE") or doc[end - 1].text in ("'s", "’s")):
        end -= 1
    if start == end or not any(token.text[:1].isupper() for token in doc[start:end]):
        return None
    first, last = doc[start].idx, end_of(doc[end - 1])
    text = doc.text[first:last]
    return Name(sentence.number, sentence.start + first, sentence.start + last, text, kind, doc[end - 1])


def pronouns_in(sentence: Parsed) -> list[Pronoun]:
    """The forms of he, she, it and they, in text order."""
    known = {*PRONOUNS, *NEUTER, *_THEY}
    return [
        Pronoun(sentence.number, sentence.start + token.idx, sentence.start + end_of(token), token)
        for token in sentence.doc
        if token.lower_ in known and token.pos_ in ("PRON", "DET", "ADJ")
    ]


def is_person(name: Name, first_names: Mapping[str, float]) -> bool:
    """Whether a name is a person's: by spaCy's type, a title in front or, if it has two words, a first name."""
    if len(name.words) > 1 and len(name.words[-1]) == 1 and (name.kind != PEOPLE or name.words[-2:] == ("d", "c")):
        return False  # "Washington, D.C."
    titled = not name.kind and " " in name.text and name.text.casefold().split()[0].rstrip(".") in _TITLES
    return name.kind == PEOPLE or titled or (len(name.words) > 1 and abs(first_names.get(name.words[0], 0.0)) > KNOWN)


def same_name(short: Sequence[str], long: Sequence[str]) -> bool:
    """Whether two names mean the same: they are equal, or one begins or ends the other ("Curie", "Marie Curie")."""
    if len(short) > len(long):
        short, long = long, short
    return bool(short) and tuple(short) in (tuple(long[-len(short) :]), tuple(long[: len(short)]))


def gender(name: Name, first_names: Mapping[str, float]) -> float:
    """Log odds that the name is a woman's, by title, neighbouring words and first name (in lower case); 0 if unknown."""
    if known := _gender_beside(name):
        return 4.0 if known == FEMININE else -4.0
    return first_names.get(name.words[0], 0.0) if name.words else 0.0


def gender_in_title(word: str) -> str:
    """FEMININE or MASCULINE, if the word is a title or role of one gender: "mrs", "chairman"; else empty."""
    return _TITLES.get(word.rstrip("."), "") or _ROLES.get(word, "")


def _gender_beside(name: Name) -> str:
    before = name.text.casefold().split()[0].rstrip(".")
    if before in _TITLES:
        return _TITLES[before]
    doc, first = name.head.doc, name.head.i - name.text.count(" ")
    if first > 0 and (word := doc[first - 1].lower_.rstrip(".")) in _TITLES:
        return _TITLES[word]
    beside = [token for token in name.head.children if token.dep_ in ("compound", "appos", "nmod")]
    if name.head.dep_ == "appos":
        beside.append(name.head.head)
    if name.head.dep_ == "nsubj" and name.head.head.lemma_ == "be":
        beside += [token for token in name.head.head.children if token.dep_ == "attr"]
    return next((_ROLES[token.lower_] for token in beside if token.lower_ in _ROLES), "")
